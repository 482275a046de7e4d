"""A recorded world is learned as far as its recording goes, and no further."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.strategies import Problem, problems
from steel_verified.theory.progressions import Progression
from steel_verified.theory.wording import counted
from steel_verified.using.attempt import attempt
from steel_verified.worlds.recorded import (
    RecordedWorld,
    Recording,
    read_recording,
    recording_as_bytes,
    recording_of,
    write_recording,
)
from steel_verified.worlds.tabular import tabular_world

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.learning.results import Result
    from steel_verified.worlds.simulated import SimulatedTrajectory, SimulatedWorld

SEED = st.integers(0, 2**32)


class Watched:
    """A world whose every step is noted down."""

    def __init__(self, world: SimulatedWorld[NDArray[np.int64]]) -> None:
        self._world = world
        self.taken: list[int] = []
        self.seen: list[int] = []

    @property
    def actions(self) -> int:
        return self._world.actions

    @property
    def steps(self) -> int:
        return self._world.steps

    def run(self, plan: Plan) -> SimulatedTrajectory[NDArray[np.int64]]:
        trajectory = self._world.run(plan)
        for time in range(plan.done + 1, plan.done + plan.steps + 1):
            self.taken.append(plan.word[(time - 1) % len(plan.word)])
            (row,) = trajectory.rows((Progression(time),))
            self.seen.append(int(row[0]))
        return trajectory

    def recording(self) -> Recording:
        return Recording(self.actions, tuple(self.taken), np.array(self.seen, dtype=np.int64))


def recorded(problem: Problem, seed: int) -> tuple[Recording, Result]:
    """A located run, and what was recorded of it."""
    world = Watched(tabular_world(problem.world, seed))
    result = attempt(
        world, problem.oracle, Located(problem.parameters), first_action=problem.first_action
    )
    return world.recording(), result


def learned(problem: Problem, recording: Recording) -> Result:
    return attempt(
        RecordedWorld(recording),
        problem.oracle,
        Located(problem.parameters),
        first_action=problem.first_action,
    )


@settings(max_examples=10)
@given(problem=problems(), seed=SEED)
def test_learning_from_a_recording_gives_the_original_result(problem: Problem, seed: int) -> None:
    recording, result = recorded(problem, seed)
    assert learned(problem, recording) == result


@settings(max_examples=10)
@given(problem=problems(), seed=SEED, data=st.data())
def test_truncated_recording_returns_the_model_known_so_far(
    problem: Problem, seed: int, data: st.DataObject
) -> None:
    recording, result = recorded(problem, seed)
    assume(isinstance(result, Accepted))
    length = data.draw(st.integers(0, len(recording.taken) - 1))
    short = Recording(recording.actions, recording.taken[:length], recording.seen[:length])
    cut = learned(problem, short)
    assert isinstance(cut, NotAccepted)
    assert cut.because == f"the recording ends after {counted(length, 'step')}"
    assert cut.ledger.steps <= length
    assert result.ledger.entries[: len(cut.ledger.entries)] == cut.ledger.entries


@settings(max_examples=10)
@given(problem=problems(), seed=SEED, data=st.data())
def test_recording_with_another_action_ends_the_run_and_names_the_step(
    problem: Problem, seed: int, data: st.DataObject
) -> None:
    assume(problem.parameters.actions > 1)
    recording, result = recorded(problem, seed)
    # Steps after the run, which explain why it failed, may end at any time.
    step = data.draw(st.integers(0, result.ledger.steps - 1))
    taken = list(recording.taken)
    taken[step] = (taken[step] + 1) % recording.actions
    ended = learned(problem, replace(recording, taken=tuple(taken)))
    assert isinstance(ended, NotAccepted)
    assert ended.because == (
        f"in step {step + 1:,} the recording takes action {taken[step]}, but the learner "
        f"requests action {recording.taken[step]}"
    )
    assert ended.ledger.steps <= step


ROWS = st.one_of(
    arrays.arrays(np.int64, st.integers(0, 6)),
    arrays.arrays(np.bool_, st.tuples(st.integers(0, 6), st.integers(1, 9))),
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(0, 6), st.integers(1, 3)),
        elements=st.floats(allow_nan=False),
    ),
)


@given(seen=ROWS, data=st.data())
def test_recording_survives_writing_and_reading(
    seen: NDArray[np.int64] | NDArray[np.bool_] | NDArray[np.float64], data: st.DataObject
) -> None:
    rows = st.lists(st.integers(0, 2), min_size=len(seen), max_size=len(seen))
    held = Recording(3, tuple(data.draw(rows)), seen)
    found = recording_of(recording_as_bytes(held), "file")
    assert (found.actions, found.taken) == (held.actions, held.taken)
    assert found.seen.dtype == seen.dtype
    assert np.array_equal(found.seen, seen)
    assert recording_as_bytes(found) == recording_as_bytes(held)


def test_damaged_recording_file_raises(tmp_path: Path) -> None:
    path = tmp_path / "walk.json"
    write_recording(path, Recording(2, (0, 1), np.array([[True], [False]])))
    whole = path.read_bytes()
    assert np.array_equal(read_recording(path).seen, [[True], [False]])
    for damaged in (whole[:-10], whole.replace(b'"taken":[0,1]', b'"taken":[0,0]'), b"{}"):
        path.write_bytes(damaged)
        with pytest.raises(Unreadable, match=r"walk\.json"):
            read_recording(path)


@pytest.mark.parametrize(
    ("actions", "taken", "seen", "named"),
    [
        (0, (), np.zeros(0, dtype=np.int64), "actions"),
        (2, (2,), np.zeros(1, dtype=np.int64), "taken"),
        (2, (0, 1), np.zeros(1, dtype=np.int64), "seen"),
        (2, (0,), np.zeros((1, 1, 1), dtype=np.int64), "seen"),
        (2, (0,), np.array(["x"]), "seen"),
    ],
)
def test_inconsistent_recording_raises(
    actions: int, taken: tuple[int, ...], seen: NDArray[np.int64], named: str
) -> None:
    with pytest.raises(InvalidArgument, match=named):
        Recording(actions, taken, seen)
