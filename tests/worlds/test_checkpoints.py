"""A killed run goes on from its checkpoint as if it had not been; damaged files are refused."""

from __future__ import annotations

import random
import tempfile
import tracemalloc
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zlib import decompress

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from steel_verified.classes.finite import Components, Marks, tables
from steel_verified.errors import BrokenOracle, InvalidArgument, NotThisRun, Unreadable, Unsaved
from steel_verified.evidence import files
from steel_verified.evidence.checkpoint import (
    CHECKPOINT,
    Checkpoint,
    Look,
    WritesSummaries,
    checkpoint_as_bytes,
    checkpoint_of,
    compressed,
    look_as_bytes,
    read_checkpoint,
)
from steel_verified.evidence.codec import opened, sealed
from steel_verified.gymnasium.world import from_gymnasium
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.using.attempt import attempt
from steel_verified.worlds import checkpoints, progress
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.checkpoints import Checkpoints
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld
from tests.bounds import bounds

from .kept_runs import METHODS, WORLDS, certificate_of, killed_after, run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


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
    assert went.because.startswith(f"interrupted after {went.ledger.steps:,} steps")
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


def test_run_continues_if_the_disk_is_full_and_its_last_state_is_rescued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, rescue = tmp_path / "run", tmp_path / "elsewhere"
    rescue.mkdir()

    def full(path: Path, _data: bytes) -> None:
        raise InvalidArgument("file", path, "a place that can be written to (no space left)")

    for module in (checkpoints, files):
        monkeypatch.setattr(module, "write_atomically", full)
    monkeypatch.setattr(tempfile, "tempdir", str(rescue))
    with pytest.warns(
        UserWarning, match=r"the checkpoint was not written: .*no space left"
    ) as seen:
        certificate_of(run("located", WORLDS["grid"](), Checkpoints(file)))
    assert [each.category for each in seen] == [UserWarning, Unsaved]
    (rescued,) = rescue.iterdir()
    assert str(rescued) in str(seen[-1].message)
    assert read_checkpoint(rescued).steps > 0
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
    assert kept.size == 0
    again = from_gymnasium(env, features, seed=7)
    with pytest.raises(InvalidArgument, match="GymnasiumWorld cannot be set back to an earlier"):
        attempt(again, Components(40), Located(parameters), resume=file)
    lock = combination_lock(0, states=5, components=40, least_noise=0.1)
    with pytest.raises(InvalidArgument, match="the file has its partial model"):
        attempt(lock.world(1), lock.oracle(), Located(parameters), resume=file)


@cache
def left_off(method: str = "located") -> bytes:
    """The checkpoint of a run on the lock that was killed."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "run")
        assert killed_after(method, WORLDS["lock"](), Checkpoints(file, None, 0.0), 8) is None
        return file.read_bytes()


@pytest.mark.parametrize("method", METHODS)
def test_resuming_from_another_runs_checkpoint_raises_and_keeps_the_file(
    method: str, tmp_path: Path
) -> None:
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


@given(st.data())
@settings(max_examples=20)
def test_damaged_checkpoint_raises(data: st.DataObject) -> None:
    """A byte that is changed, or an end that is missing, is noticed by the digest or before."""
    whole = left_off()
    at = data.draw(st.integers(0, len(whole) - 2))
    if data.draw(st.booleans()):
        damaged = whole[:at]
    else:
        damaged = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    with pytest.raises(Unreadable):
        checkpoint_of(damaged, "damaged")


LOOK = look_as_bytes(Look(1, Marks(0, 0)), Components(40))


def holding(found: Checkpoint, change: Callable[[bytes], bytes]) -> Checkpoint:
    """The checkpoint with other datasets."""
    seen, size = compressed(change(decompress(found.seen)))
    return replace(found, seen=seen, size=size)


def with_another_row(found: Checkpoint) -> Checkpoint:
    """The checkpoint with one bit of a packed row changed, and its summary as it was."""
    functions = Components(40)
    looks = list(found.passed(found.run, functions, "run").looks)
    at, look = next((n, look) for n, look in enumerate(looks) if look.packed)
    looks[at] = Look(look.rows, look.summary, bytes([look.packed[0] ^ 1]) + look.packed[1:])
    seen = b"".join(look_as_bytes(each, functions) for each in looks)
    return holding(found, lambda _: seen)


@pytest.mark.parametrize(
    ("changed", "error", "named"),
    [
        (lambda found: replace(found, steps=3), NotThisRun, "no plan ends at step 3"),
        (lambda found: replace(found, steps=10**9), NotThisRun, "other rows are asked for"),
        (lambda found: replace(found, plans="0" * 64), NotThisRun, "other plans were run"),
        (lambda found: replace(found, looks=1), Unreadable, "datasets, not 1"),
        (lambda found: holding(found, lambda _: b"\1" * 10), Unreadable, "seen is damaged"),
        (lambda found: holding(found, lambda seen: seen[:-1]), Unreadable, "seen is damaged"),
        (
            lambda found: replace(holding(found, lambda _: b""), looks=0),
            NotThisRun,
            "other rows are asked for",
        ),
        (with_another_row, NotThisRun, "the world shows something else before step"),
        (
            lambda found: replace(holding(found, lambda seen: seen + LOOK), looks=found.looks + 1),
            NotThisRun,
            "it has 1 dataset too many",
        ),
        (
            lambda found: replace(found, not_resumable="no"),
            InvalidArgument,
            "can be continued: no; ",
        ),
    ],
)
def test_inconsistent_checkpoint_raises(
    changed: Callable[[Checkpoint], Checkpoint],
    error: type[Exception],
    named: str,
    tmp_path: Path,
) -> None:
    file, before = tmp_path / "run", checkpoint_as_bytes(changed(checkpoint_of(left_off(), "run")))
    file.write_bytes(before)
    with pytest.raises(error, match=named):
        run("located", WORLDS["lock"](), Checkpoints(file, file))
    assert file.read_bytes() == before


@pytest.mark.parametrize("size", [0, 10**6])
def test_checkpoint_with_a_false_uncompressed_size_raises(size: int) -> None:
    """What is compressed may be larger than is said, without end."""
    whole = left_off()
    content = opened(whole, CHECKPOINT, "run")
    assert content["size"] not in (0, 10**6)
    forged = sealed({**CHECKPOINT.header, **content, "size": size})
    found = checkpoint_of(forged, "run")
    with pytest.raises(Unreadable, match="another size than stated"):
        found.passed(found.run, Components(40), "run")


@pytest.mark.parametrize(
    ("first_action", "error"), [(7, InvalidArgument), (None, Unreadable)], ids=["another", "this"]
)
def test_a_small_file_that_unpacks_to_much_is_refused_with_little_memory(
    first_action: int | None, error: type[Exception]
) -> None:
    """One of another run is not unpacked at all, and one of this run up to the first mistake."""
    bomb = holding(checkpoint_of(left_off(), "run"), lambda _: bytes(200 << 20))
    forged = {} if first_action is None else {"first_action": first_action}
    data = checkpoint_as_bytes(replace(bomb, run={**bomb.run, **forged}))
    assert len(data) < 2 << 20
    tracemalloc.start()
    try:
        with pytest.raises(error, match=r"first_action is 7|is damaged"):
            checkpoint_of(data, "run").passed(bomb.run, Components(40), "run")
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", METHODS)
def test_resuming_with_another_noise_seed_raises(method: str, tmp_path: Path) -> None:
    """The library does not know the seed of a world, but what it shows."""
    lock = combination_lock(0, states=5, components=40, least_noise=0.1)
    parameters, file = WORLDS["lock"]().parameters, tmp_path / "run"
    chosen = Looped(parameters) if method == "looped" else Located(parameters)
    most = 100_000 if method == "looped" else 300
    ended = attempt(lock.world(1), lock.oracle(), chosen, max_steps=most, checkpoint=file)
    assert isinstance(ended, NotAccepted)
    with pytest.raises(InvalidArgument, match=r"there noise is [0-9a-f]{40}…"):
        attempt(lock.world(2), lock.oracle(), chosen, resume=file)
    resumed = attempt(lock.world(1), lock.oracle(), chosen, resume=file)
    assert isinstance(resumed, Accepted)
    assert resumed.ledger == attempt(lock.world(1), lock.oracle(), chosen).ledger


def test_resuming_with_other_dynamics_raises(tmp_path: Path) -> None:
    """The first steps at the start look the same in both worlds."""
    first = SimulatedWorld(Dynamics(((1,), (2,), (0,))), 0, shown)
    other = SimulatedWorld(Dynamics(((2,), (0,), (1,))), 0, shown)
    parameters = bounds(1, 3)
    oracle, file = (
        tables([[True, False, False], [False, True, False], [False, False, True]]),
        tmp_path / "run",
    )
    attempt(first, oracle, Located(parameters), max_steps=30, checkpoint=file)
    with pytest.raises(NotThisRun, match="the world shows something else before step"):
        attempt(other, oracle, Located(parameters), resume=file)


def shown(asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
    """What is seen is the state."""
    return [each.states for each in asked]
