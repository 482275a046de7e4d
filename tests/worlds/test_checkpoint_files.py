"""Checkpoints that are damaged, or of another run, are refused and kept."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

import steel_verified.gymnasium.envs  # noqa: F401 (registers the environments)
from steel_verified.classes.finite import Components, Marks, tables
from steel_verified.errors import InvalidArgument, NotThisRun, Unreadable
from steel_verified.evidence.checkpoint import (
    CHECKPOINT,
    Checkpoint,
    Look,
    checkpoint_as_bytes,
    checkpoint_of,
    look_as_bytes,
)
from steel_verified.evidence.codec import opened, sealed
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.using.learn import attempt
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.checkpoints import Checkpoints
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld

from .kept_runs import METHODS, WORLDS, killed_after, run


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
        (
            lambda found: replace(found, seen=found.seen + LOOK, looks=found.looks + 1),
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
    with pytest.raises(Unreadable, match="another size than stated"):
        checkpoint_of(forged, "run")


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
    parameters = LocatedParameters(
        actions=1, max_states=3, mixing_time=1, delta=Fraction(1, 20), epsilon=Fraction(1, 20)
    )
    oracle, file = (
        tables([[True, False, False], [False, True, False], [False, False, True]]),
        tmp_path / "run",
    )
    attempt(first, oracle, Located(parameters), max_steps=30, checkpoint=file)
    with pytest.raises(NotThisRun, match="the world shows something else before step"):
        attempt(other, oracle, Located(parameters), resume=file)


def shown(asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
    """What is seen is the state."""
    return [states for _, states in asked]
