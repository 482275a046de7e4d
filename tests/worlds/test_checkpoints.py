"""A run that is killed and goes on from its checkpoint ends as one that was not."""

import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import steel_verified.worlds.gymnasium_envs  # noqa: F401 (registers the environments)
from steel_verified.classes.finite import Components, tables
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.checkpoint import (
    Checkpoint,
    checkpoint_as_bytes,
    checkpoint_of,
    read_checkpoint,
)
from steel_verified.evidence.codec import Unreadable
from steel_verified.evidence.files import write_atomically
from steel_verified.evidence.retracing import NotThisRun
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.recipe import located, paper
from steel_verified.worlds import checkpoints, runs
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.checkpoints import Checkpoints
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.driver import learn
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.gymnasium_world import from_gymnasium
from steel_verified.worlds.instances import RunnableInstance
from steel_verified.worlds.simulated import Asked, SimulatedWorld


class Killed(BaseException):
    """As if the process were gone: nothing catches it, and nothing is written any more."""


WORLDS = {
    "lock": lambda: instance("combination-lock", 0, states=5, components=40),
    "grid": lambda: instance("grid", 0),
    "primes": lambda: instance("double-prime", 0, p=3, q=5),
}
METHODS = ("looped", "located")


def run(
    method: str,
    chosen: RunnableInstance,
    files: Checkpoints,
    watch: Callable[[object], None] = lambda _: None,
    noise_seed: int = 1,
) -> runs.Run | runs.LocatedRun | object:
    attempt = runs.attempt if method == "looped" else runs.attempt_located
    return attempt(chosen, noise_seed, files=files, watch=watch)


def certificate_of(went: object) -> bytes:
    assert isinstance(went, runs.Run | runs.LocatedRun)
    return went.certificate()


def killed_after(
    method: str, chosen: RunnableInstance, files: Checkpoints, moments: int
) -> object | None:
    """Run until the checkpoint was written so often, and then no longer; None if it was killed."""
    left = moments

    def counted(path: Path, data: bytes) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        write_atomically(path, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "write_atomically", counted)
        patch.setattr(checkpoints, "_SHARE", 0)
        try:
            return run(method, chosen, files)
        except Killed:
            return None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("world", WORLDS)
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_certificate(
    method: str, world: str, tmp_path: Path
) -> None:
    chosen, file = WORLDS[world](), tmp_path / "run"
    whole = certificate_of(run(method, chosen, Checkpoints()))
    draw = random.Random(f"{method} {world}")
    went, kills, resume = None, 0, None
    while went is None and kills < 3:
        moments = draw.randrange(1, 60 if method == "located" else 6)
        went = killed_after(method, chosen, Checkpoints(file, resume, 0.0), moments)
        kills += went is None
        resume = file
    assert kills
    went = went or run(method, chosen, Checkpoints(file, file))
    assert certificate_of(went) == whole
    assert certificate_of(run(method, chosen, Checkpoints(None, file))) == whole


CHILD = """
import sys
from pathlib import Path
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.checkpoints import Checkpoints
from steel_verified.worlds.runs import attempt, attempt_located
method, world, folder = sys.argv[1:]
print("begins", flush=True)
chosen = instance(world, 0, **({"states": 40} if world == "combination-lock" else {}))
file = Path(folder, "run")
files = Checkpoints(file, file if file.exists() else None, 0.0)
went = (attempt if method == "looped" else attempt_located)(chosen, 1, files=files)
Path(folder, "certificate").write_bytes(went.certificate())
"""


def kill_until_done(
    method: str, world: str, folder: Path, kills: int, draw: random.Random, longest: float
) -> int:
    """Kill a run after some time and let it go on, so often, then let it end.

    Return how often it was killed: less often if it ended before.
    """
    killed = 0
    words = [sys.executable, "-c", CHILD, method, world, str(folder)]
    while not (folder / "certificate").exists():
        with subprocess.Popen(words, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"begins\n"
            try:
                child.wait(draw.uniform(0, longest) if killed < kills else None)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                killed += 1
        assert child.returncode in (0, -signal.SIGKILL)
    return killed


@pytest.mark.parametrize(
    ("method", "world", "kills"),
    [
        ("located", "grid", 1),
        *(
            pytest.param(method, world, 25, marks=pytest.mark.slow)
            for method in METHODS
            for world in ("combination-lock", "multi-maze")
        ),
    ],
)
def test_sigkill_at_random_moments(method: str, world: str, kills: int, tmp_path: Path) -> None:
    """In the deep profile 100 times in all."""
    sizes = {"states": 40} if world == "combination-lock" else {}
    whole = certificate_of(run(method, instance(world, 0, **sizes), Checkpoints()))
    killed, chain, longest = 0, 0, 0.2 if world == "grid" else 4.0
    while killed < kills:
        folder = tmp_path / str(chain)
        folder.mkdir()
        often = min(8, kills - killed)
        now = kill_until_done(method, world, folder, often, random.Random(chain), longest)
        assert (folder / "certificate").read_bytes() == whole
        killed, chain = killed + now, chain + 1
        longest /= 1 if now == often else 2  # The machine is quicker than was thought.


@pytest.mark.parametrize("method", METHODS)
def test_ctrl_c_keeps_what_is_known(method: str, tmp_path: Path) -> None:
    chosen, file, seen = WORLDS["lock"](), tmp_path / "run", []

    def interrupt(state: object) -> None:
        seen.append(state)
        if len(seen) == 7:
            raise KeyboardInterrupt

    went = run(method, chosen, Checkpoints(file), interrupt)
    assert isinstance(went, NotAccepted)
    assert went.interrupted
    assert went.because == f"interrupted after {went.ledger.steps:,} steps"
    assert went.model.transitions()
    kept = read_checkpoint(file)
    assert kept.not_resumable is None
    assert kept.table
    whole = certificate_of(run(method, chosen, Checkpoints()))
    assert certificate_of(run(method, chosen, Checkpoints(None, file))) == whole


@cache
def left_off(method: str = "located") -> bytes:
    """The checkpoint of a run on the lock that was killed."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "run")
        assert killed_after(method, WORLDS["lock"](), Checkpoints(file, None, 0.0), 8) is None
        return file.read_bytes()


@pytest.mark.parametrize("method", METHODS)
def test_a_checkpoint_of_another_run_is_refused_and_kept(method: str, tmp_path: Path) -> None:
    file, before = tmp_path / "run", left_off(method)
    file.write_bytes(before)
    for chosen, noise_seed, named in (
        (WORLDS["grid"](), 1, "there world is combination-lock-5, and here it is grid"),
        (WORLDS["lock"](), 2, "there noise_seed is 1, and here it is 2"),
        (
            instance("combination-lock", 1, states=5, components=40),
            1,
            "there env_seed is 0, and here it is 1",
        ),
    ):
        with pytest.raises(InvalidArgument, match=named):
            run(method, chosen, Checkpoints(file, file), noise_seed=noise_seed)
    other = "located" if method == "looped" else "looped"
    with pytest.raises(InvalidArgument, match="a checkpoint of this run"):
        run(other, WORLDS["lock"](), Checkpoints(file, file))
    assert file.read_bytes() == before


@pytest.mark.properties
@given(st.data())
@settings(max_examples=20)
def test_a_damaged_checkpoint_is_refused(data: st.DataObject) -> None:
    """A byte that is changed, or an end that is missing, is noticed by the digest or before."""
    whole = left_off()
    at = data.draw(st.integers(0, len(whole) - 2))
    if data.draw(st.booleans()):
        damaged = whole[:at]
    else:
        damaged = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    with pytest.raises(Unreadable):
        checkpoint_of(damaged, "damaged")


def as_bytes(found: Checkpoint) -> bytes:
    """A checkpoint with a digest that fits what it says."""
    return checkpoint_as_bytes(
        run=found.run,
        steps=found.steps,
        table=found.table,
        not_resumable=found.not_resumable,
        plans=found.plans,
        looks=found.looks,
        seen=found.seen,
    )


@pytest.mark.parametrize(
    ("changed", "error", "named"),
    [
        (lambda found: replace(found, steps=3), NotThisRun, "no plan ends at step 3"),
        (lambda found: replace(found, steps=10**9), NotThisRun, "other rows are asked for"),
        (lambda found: replace(found, plans="0" * 64), NotThisRun, "other plans were run"),
        (lambda found: replace(found, looks=1), Unreadable, "datasets, not 1"),
        (lambda found: replace(found, seen=b"\1" * 10), Unreadable, "seen is damaged"),
        (lambda found: replace(found, seen=found.seen[:-1]), Unreadable, "seen is damaged"),
        (lambda found: replace(found, seen=b"", looks=0), NotThisRun, "other rows are asked for"),
        (lambda found: replace(found, not_resumable="no"), InvalidArgument, "can go on: no; "),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused(
    changed: Callable[[Checkpoint], Checkpoint],
    error: type[Exception],
    named: str,
    tmp_path: Path,
) -> None:
    file, before = tmp_path / "run", as_bytes(changed(checkpoint_of(left_off(), "run")))
    file.write_bytes(before)
    with pytest.raises(error, match=named):
        run("located", WORLDS["lock"](), Checkpoints(file, file))
    assert file.read_bytes() == before


@pytest.mark.parametrize("method", METHODS)
def test_another_noise_is_noticed_in_what_the_world_shows(method: str, tmp_path: Path) -> None:
    """The library does not know the seed of a world, but what it shows."""
    lock = combination_lock(0, states=5, components=40, least_noise=0.1)
    parameters, file = WORLDS["lock"]().parameters, tmp_path / "run"
    chosen = paper(parameters) if method == "looped" else located(parameters)
    most = 100_000 if method == "looped" else 300
    ended = learn(lock.world(1), lock.oracle(), chosen, max_steps=most, checkpoint=file)
    assert isinstance(ended, NotAccepted)
    with pytest.raises(InvalidArgument, match=r"there noise is [0-9a-f]{40}…"):
        learn(lock.world(2), lock.oracle(), chosen, resume=file)
    resumed = learn(lock.world(1), lock.oracle(), chosen, resume=file)
    assert isinstance(resumed, Accepted)
    assert resumed.ledger == learn(lock.world(1), lock.oracle(), chosen).ledger


def test_a_gymnasium_world_keeps_its_partial_model_and_cannot_be_resumed(tmp_path: Path) -> None:
    file, parameters = tmp_path / "run", WORLDS["lock"]().parameters
    env = gymnasium.make("steel_verified/CombinationLock-v0", states=5, components=40)

    looks = count(1)

    def features(bits: NDArray[np.int8]) -> NDArray[np.bool_]:
        if next(looks) == 300:
            raise KeyboardInterrupt
        return bits.astype(np.bool_)

    world = from_gymnasium(env, features, seed=7)
    went = learn(world, Components(40), located(parameters), checkpoint=file)
    assert isinstance(went, NotAccepted)
    assert went.interrupted
    kept = read_checkpoint(file)
    assert kept.table == went.model.table
    assert len(kept.seen) == 0
    again = from_gymnasium(env, features, seed=7)
    with pytest.raises(InvalidArgument, match="GymnasiumWorld cannot be brought back to where"):
        learn(again, Components(40), located(parameters), resume=file)
    lock = combination_lock(0, states=5, components=40, least_noise=0.1)
    with pytest.raises(InvalidArgument, match="the file holds its partial model"):
        learn(lock.world(1), lock.oracle(), located(parameters), resume=file)


def test_other_dynamics_are_noticed_in_the_last_rows(tmp_path: Path) -> None:
    """The first steps at the start look the same in both worlds."""
    first = SimulatedWorld(Dynamics(((1,), (2,), (0,))), 0, shown)
    other = SimulatedWorld(Dynamics(((2,), (0,), (1,))), 0, shown)
    parameters = LocatedParameters(
        actions=1, max_states=3, mixing_time=1, delta=Fraction(1, 20), epsilon=Fraction(1, 20)
    )
    oracle, file = (
        tables([[True, False, False], [False, True, False], [False, False, True]]),
        tmp_path / "run",
    )
    learn(first, oracle, located(parameters), max_steps=30, checkpoint=file)
    with pytest.raises(NotThisRun, match="the world shows something else before step"):
        learn(other, oracle, located(parameters), resume=file)


def shown(asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
    """What is seen is the state."""
    return [states for _, states in asked]
