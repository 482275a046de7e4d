"""A run that is killed and goes on from its checkpoint ends as one that was not."""

import random
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import steel_verified.gymnasium.envs  # noqa: F401 (registers the environments)
from steel_verified.classes.finite import Components, Marks
from steel_verified.errors import BrokenOracle, InvalidArgument
from steel_verified.evidence.checkpoint import (
    Look,
    WritesSummaries,
    look_as_bytes,
    read_checkpoint,
)
from steel_verified.gymnasium.world import from_gymnasium
from steel_verified.learning.located import Located
from steel_verified.learning.results import NotAccepted
from steel_verified.using.learn import attempt
from steel_verified.worlds import checkpoints, progress
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.checkpoints import Checkpoints
from steel_verified.worlds.combination_lock import combination_lock

from .kept_runs import METHODS, WORLDS, certificate_of, killed_after, run


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("world", WORLDS)
def test_run_killed_and_resumed_many_times_gives_the_same_certificate(
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
from steel_verified.worlds import checkpoints
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.checkpoints import Checkpoints
from steel_verified.worlds.runs import certificate_of_run, method_named, run
method, world, folder = sys.argv[1:]
print("begins", flush=True)
chosen = instance(world, 0, **({"states": 40} if world == "combination-lock" else {}))
file = Path(folder, "run")
files = Checkpoints(file, file if file.exists() else None, 0.0)
result, _ = run(chosen, method_named(method, chosen), 1, files=files)
Path(folder, "certificate").write_bytes(certificate_of_run(chosen, result, 1))
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
        ("looped", "grid", 1),
        ("located", "grid", 1),
        *(
            pytest.param(method, world, 25, marks=pytest.mark.slow)
            for method in METHODS
            for world in ("combination-lock", "multi-maze")
        ),
    ],
)
def test_run_survives_sigkill_at_random_moments(
    method: str, world: str, kills: int, tmp_path: Path
) -> None:
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
def test_ctrl_c_returns_the_partial_model_and_writes_a_checkpoint(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PAUSE", 0.0)  # Progress is reported after every plan.
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


def test_ctrl_c_while_writing_a_checkpoint_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes in the middle of the datasets that are encoded."""
    chosen, file, calls = WORLDS["lock"](), tmp_path / "run", count(1)

    def interrupted(look: Look, functions: WritesSummaries) -> bytes:
        if next(calls) == 50:
            raise KeyboardInterrupt
        return look_as_bytes(look, functions)

    monkeypatch.setattr(checkpoints, "look_as_bytes", interrupted)
    monkeypatch.setattr(checkpoints, "_SHARE", 0)
    went = run("looped", chosen, Checkpoints(file, None, 0.0))
    assert isinstance(went, NotAccepted)
    whole = certificate_of(run("looped", chosen, Checkpoints()))
    assert certificate_of(run("looped", chosen, Checkpoints(None, file))) == whole


def test_failing_run_writes_a_checkpoint_before_raising(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, file, left = WORLDS["lock"](), tmp_path / "run", count(1)

    def broken(self: Components, zeros: Marks, ones: Marks) -> int | None:
        if next(left) == 200:
            raise BrokenOracle("as if")
        return separating(self, zeros, ones)

    separating = Components.separating
    with monkeypatch.context() as patch:
        patch.setattr(Components, "separating", broken)
        with pytest.raises(BrokenOracle):
            run("located", chosen, Checkpoints(file))
    assert read_checkpoint(file).steps > 0
    whole = certificate_of(run("located", chosen, Checkpoints()))
    assert certificate_of(run("located", chosen, Checkpoints(None, file))) == whole


def test_run_continues_with_a_warning_if_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run"

    def full(path: Path, _data: bytes) -> None:
        raise InvalidArgument("file", path, "a place that can be written to (no space left)")

    monkeypatch.setattr(checkpoints, "write_atomically", full)
    with pytest.warns(UserWarning, match="the checkpoint was not written: .*no space left"):
        certificate_of(run("located", WORLDS["grid"](), Checkpoints(file)))
    assert not file.exists()


def test_oversized_checkpoint_is_written_without_observations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run"
    monkeypatch.setattr(checkpoints, "LARGEST_SEEN", 100)
    certificate_of(run("located", WORLDS["grid"](), Checkpoints(file)))
    kept = read_checkpoint(file)
    assert len(kept.table) == 6
    with pytest.raises(InvalidArgument, match="the observations take more than 0 MB"):
        run("located", WORLDS["grid"](), Checkpoints(None, file))


def test_checkpoint_of_a_gymnasium_world_has_a_model_but_cannot_be_resumed(tmp_path: Path) -> None:
    file, parameters = tmp_path / "run", WORLDS["lock"]().parameters
    env = gymnasium.make("steel_verified/CombinationLock-v0", states=5, components=40)

    looks = count(1)

    def features(bits: NDArray[np.int8]) -> NDArray[np.bool_]:
        if next(looks) == 300:
            raise KeyboardInterrupt
        return bits.astype(np.bool_)

    world = from_gymnasium(env, features, seed=7)
    went = attempt(world, Components(40), Located(parameters), checkpoint=file)
    assert isinstance(went, NotAccepted)
    assert went.interrupted
    kept = read_checkpoint(file)
    assert kept.table == went.model.table
    assert len(kept.seen) == 0
    again = from_gymnasium(env, features, seed=7)
    with pytest.raises(InvalidArgument, match="GymnasiumWorld cannot be set back to an earlier"):
        attempt(again, Components(40), Located(parameters), resume=file)
    lock = combination_lock(0, states=5, components=40, least_noise=0.1)
    with pytest.raises(InvalidArgument, match="the file has its partial model"):
        attempt(lock.world(1), lock.oracle(), Located(parameters), resume=file)
