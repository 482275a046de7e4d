"""The record equals what was run and read; worlds that deviate are refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.errors import BrokenWorld, InvalidArgument
from steel_verified.evidence.ledger import opened
from steel_verified.evidence.observed import read, run
from steel_verified.evidence.plans import Plan
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.results import Accepted
from steel_verified.theory.progressions import Level, Progression

from .small import EVERY_TENTH, ORACLE, RECIPE, looped, turning

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Trajectory
    from steel_verified.worlds.simulated import SimulatedWorld

    Rows = NDArray[np.int64]
    Meddle = Callable[[tuple[Rows, ...]], tuple[Rows, ...]]


@dataclass(frozen=True)
class MeddlingTrajectory:
    """A trajectory that changes the rows of a world."""

    inner: Trajectory[Rows]
    change: Meddle

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Rows, ...]:
        return self.change(self.inner.rows(*datasets))


@dataclass
class MeddlingWorld:
    """A world that changes its rows, or reports a wrong number of steps."""

    inner: SimulatedWorld[Rows] = field(default_factory=turning)
    change: Meddle = lambda batches: batches
    misreported: int = 0
    """The number of additional steps that it reports for each plan."""
    plans: int = 0

    @property
    def actions(self) -> int:
        return self.inner.actions

    @property
    def steps(self) -> int:
        return self.inner.steps + self.plans * self.misreported

    def run(self, plan: Plan) -> MeddlingTrajectory:
        self.plans += 1
        return MeddlingTrajectory(self.inner.run(plan), self.change)


def each(change: Callable[[Rows], Rows]) -> Meddle:
    return lambda batches: tuple(map(change, batches))


def last(change: Callable[[Rows], Rows]) -> Meddle:
    return lambda batches: (*batches[:-1], change(batches[-1]))


MEDDLING = {
    "a row too few": (last(lambda rows: rows[:-1]), "rows for"),
    "a row too many": (last(lambda rows: np.append(rows, rows[-1])), "rows for"),
    "no rows": (each(lambda rows: rows[:0]), "rows for"),
    "rows twice": (each(lambda rows: np.concatenate([rows, rows])), "rows for"),
    "an observation that F does not know": (last(lambda rows: rows + 2), "cannot read"),
    "a negative observation": (last(lambda rows: rows - 1), "cannot read"),
    "rows of two numbers": (each(lambda rows: np.stack([rows, rows], axis=1)), "cannot read"),
    "floats": (each(lambda rows: rows.astype(float)), "cannot read"),
    "truth values": (each(lambda rows: rows.astype(bool)), "cannot read"),
    "a dataset too few": (lambda batches: batches[:-1], "datasets?, not"),
    "a dataset too many": (lambda batches: (*batches, batches[-1]), "datasets, not"),
    "no dataset": (lambda _: (), "datasets, not"),
}


@pytest.mark.parametrize(("change", "said"), MEDDLING.values(), ids=MEDDLING)
def test_world_with_wrong_rows_raises_broken_world(change: Meddle, said: str) -> None:
    assert isinstance(checked_run(MeddlingWorld(), ORACLE, RECIPE), Accepted)
    with pytest.raises(BrokenWorld, match=f"MeddlingWorld gave .*{said}"):
        checked_run(MeddlingWorld(change=change), ORACLE, RECIPE)


@pytest.mark.parametrize("misreported", [-1, 1, 1000])
def test_world_with_a_wrong_step_count_raises_broken_world(misreported: int) -> None:
    with pytest.raises(BrokenWorld, match=r"MeddlingWorld reports -?[0-9,]+ steps? for a plan of"):
        checked_run(MeddlingWorld(misreported=misreported), ORACLE, RECIPE)


def test_second_run_in_the_same_world_is_refused() -> None:
    world = turning()
    first = checked_run(world, ORACLE, RECIPE)
    message = f"reports {first.ledger.steps:,} steps, but 0 were taken in this run: give each run"
    with pytest.raises(BrokenWorld, match=message):
        checked_run(world, ORACLE, RECIPE)


@pytest.mark.parametrize("after", range(1, 5))
def test_foreign_action_during_a_run_raises_broken_world(after: int) -> None:
    """The foreign action is taken after each of the four plans in turn, including the last."""
    assert checked_run(turning(), ORACLE, RECIPE).ledger.runs == 4
    world = turning()
    plans = 0

    def act(_: object) -> None:
        nonlocal plans
        plans += 1
        if plans == after:
            world.run(Plan((1,), 1))

    with pytest.raises(BrokenWorld, match=r"nothing else (may )?act in it"):
        drive(RECIPE, world, ORACLE, [Watch(act)])
    assert plans == after


# --- plans that a learner might confuse ---------------------------------------------------------


def test_running_a_plan_twice_from_one_ledger_is_refused() -> None:
    world, ledger = turning(), opened(RECIPE.parameters)
    run(ledger, world, Plan((0,), 7))
    with pytest.raises(BrokenWorld, match="reports 7 steps, but 0"):
        run(ledger, world, Plan((0,), 7))


def test_plan_in_another_world_is_refused() -> None:
    """The second plan is given another world, in which no step was taken."""
    loop = looped()
    with pytest.raises(BrokenWorld, match="reports 0 steps, but 40 were taken"):
        run(loop.ledger, turning(), Plan((0,), 7, done=40))


@pytest.mark.parametrize(
    "plan",
    [
        Plan((0,), 3, done=39),
        Plan((0,), 3, done=41),
        Plan((1,), 3, done=40),
        Plan((0, 0), 3, done=40),
        Plan((0,), 3, done=80),
    ],
)
def test_plan_that_continues_another_loop_is_refused(plan: Plan) -> None:
    world = turning()
    loop = run(opened(RECIPE.parameters), world, Plan((0,), 40))
    with pytest.raises(InvalidArgument, match=r"plan\.done"):
        run(loop.ledger, world, plan)
    assert world.steps == 40
    assert run(loop.ledger, world, Plan((0,), 3, done=40)).start == 0


def test_first_plan_that_continues_a_loop_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"plan\.done = 3: expected 0, the number"):
        run(opened(RECIPE.parameters), turning(at=3), Plan((0,), 3, done=3))


# --- rows ---------------------------------------------------------------------------------------


def test_reading_from_an_old_loop_is_refused() -> None:
    world = turning()
    old = run(opened(RECIPE.parameters), world, Plan((0,), 40))
    new = run(old.ledger, world, Plan((1,), 40))
    with pytest.raises(InvalidArgument, match="the loop of the plan that was run last"):
        read(new.ledger, old, ORACLE, ((EVERY_TENTH,),))
    with pytest.raises(InvalidArgument, match="the newest ledger"):
        read(old.ledger, old, ORACLE, ((EVERY_TENTH,),))
    read(new.ledger, new, ORACLE, ((EVERY_TENTH,),))


def test_reading_from_a_loop_of_another_run_is_refused() -> None:
    one, other = looped(), looped((1,))
    with pytest.raises(InvalidArgument, match="the loop of the plan that was run last"):
        read(one.ledger, other, ORACLE, ((EVERY_TENTH,),))


@pytest.mark.parametrize(
    "times",
    [
        Progression(0),
        Progression(-3),
        Progression(41),
        Progression(10, (Level(4, 11),)),
        Progression(10**9),
    ],
)
def test_times_outside_the_loop_are_refused(times: Progression) -> None:
    loop = looped()
    with pytest.raises(InvalidArgument, match="times from 1 to 40"):
        read(loop.ledger, loop, ORACLE, ((EVERY_TENTH,), (EVERY_TENTH, times)))


def test_reading_at_the_first_and_last_time_is_allowed() -> None:
    loop = looped()
    read(loop.ledger, loop, ORACLE, ((Progression(1), Progression(40)),))
