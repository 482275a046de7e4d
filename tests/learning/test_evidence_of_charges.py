"""Exactly the tests that were made are charged, and pools that are too close stop a run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from steel_verified.errors import TooClose
from steel_verified.evidence.entries import LabelsFound, PeriodFound, Trained
from steel_verified.learning import looped
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted
from steel_verified.strategies import Problem, problems
from steel_verified.theory import schedules
from steel_verified.theory.budget import encoder_charge, period_charge, position_charge
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import (
    IdealRows,
    IdealTrajectory,
    IdealWorld,
    PerfectOracle,
    ideal_run,
)

from .coin import COIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.oracle import Summary
    from steel_verified.evidence.plans import Plan
    from steel_verified.learning.looped import State
    from steel_verified.learning.model import Model
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.progressions import Progression
    from steel_verified.theory.schedules import PeriodTest, PositionTimes


@dataclass(frozen=True)
class CountingOracle(PerfectOracle):
    """A perfect oracle that counts its questions."""

    asked: list[int] = field(default_factory=list)

    def separating(self, zeros: Summary, ones: Summary) -> int | None:
        self.asked.append(1)
        return super().separating(zeros, ones)


@given(problem=problems(max_states=5))
def test_each_question_to_the_oracle_is_charged_once(problem: Problem) -> None:
    """The oracle is asked once for each charged test, and once for each state."""
    oracle = CountingOracle()
    result = checked_run(
        IdealWorld(problem.world.dynamics, problem.world.start),
        oracle,
        Looped(problem.parameters, first_action=problem.first_action),
    )
    learned = accepted(result)
    tests = [
        len(entry.tests)
        if isinstance(entry, PeriodFound)
        else sum(len(position.verdicts) for position in entry.positions)
        for entry in learned.ledger.entries
        if isinstance(entry, PeriodFound | LabelsFound)
    ]
    charges = [
        entry.charge
        for entry in learned.ledger.entries
        if isinstance(entry, PeriodFound | LabelsFound | Trained)
    ]
    p = problem.parameters
    *verdicts, encoder = charges
    assert encoder == encoder_charge(p, learned.model.states).amount
    decided = [e for e in learned.ledger.entries if isinstance(e, PeriodFound | LabelsFound)]
    prices = [period_charge if isinstance(e, PeriodFound) else position_charge for e in decided]
    assert verdicts == [price(p, n).amount for price, n in zip(prices, tests, strict=True)]
    assert len(oracle.asked) == sum(tests) + learned.model.states


@given(problem=problems(max_states=5))
def test_labels_follow_the_order_of_discovery(problem: Problem) -> None:
    """Labels 0, 1, 2, … appear in this order; D(s) begins with the dataset of its first call."""
    learned = ideal_run(
        problem.world.dynamics,
        problem.world.start,
        Looped(problem.parameters),
        first_action=problem.first_action,
    )
    new: list[int] = []
    for entry in learned.ledger.entries:
        if isinstance(entry, LabelsFound):
            assert entry.known == tuple(new)
            for position in entry.positions:
                assert position.label <= len(new)
                if position.label == len(new):
                    new.append(position.sample)
    *_, trained = learned.ledger.entries
    assert isinstance(trained, Trained)
    assert [numbers[0] for numbers in trained.datasets] == new
    assert {len(numbers) for numbers in trained.datasets} in ({1}, {2})


class StrictWorld:
    """A world that refuses rows that plans did not announce, and records the rows it gave."""

    def __init__(self, dynamics: Dynamics, start: int) -> None:
        self._inner = IdealWorld(dynamics, start)
        self._announced: set[int] = set()
        self._start = 0
        self.given: set[frozenset[int]] = set()

    @property
    def actions(self) -> int:
        return self._inner.actions

    @property
    def steps(self) -> int:
        return self._inner.steps

    def run(self, plan: Plan) -> StrictTrajectory:
        if plan.done == 0:
            self._announced, self._start = set(), self.steps
        self._announced |= {time for times in plan.keeps for time in times}
        announced = frozenset(self._announced)
        return StrictTrajectory(self._inner.run(plan), announced, self._start, self.given)


@dataclass(frozen=True)
class StrictTrajectory:
    inner: IdealTrajectory
    announced: frozenset[int]
    start: int
    given: set[frozenset[int]]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[IdealRows, ...]:
        asked = {time for pieces in datasets for piece in pieces for time in piece}
        assert asked <= self.announced
        self.given.update(
            frozenset(self.start + time for piece in pieces for time in piece)
            for pieces in datasets
        )
        return self.inner.rows(*datasets)


@given(problem=problems(max_states=4))
def test_only_announced_rows_are_requested(problem: Problem) -> None:
    result = checked_run(
        StrictWorld(problem.world.dynamics, problem.world.start),
        PerfectOracle(),
        Looped(problem.parameters, first_action=problem.first_action),
    )
    assert isinstance(result, Accepted)


@given(problem=problems(max_states=3))
def test_kept_samples_are_datasets_that_the_world_gave(problem: Problem) -> None:
    """The samples that phases 1 and 2 keep of a state are datasets that the world gave."""
    world = StrictWorld(problem.world.dynamics, problem.world.start)
    held: list[frozenset[int]] = []

    def check(state: State) -> None:
        for label, dataset in enumerate(state.datasets):
            times = frozenset(dataset.times)
            before = held[label] if label < len(held) else frozenset()
            assert before <= times
            assert times == before or times - before in world.given
            held[label:] = [times, *held[label + 1 :]]

    drive(
        Looped(problem.parameters, first_action=problem.first_action),
        world,
        PerfectOracle(),
        [Watch(check)],
    )
    assert held


TURN = Dynamics(((1, 0), (0, 1)))


@pytest.mark.parametrize("hypothesis", [2, 3, 4])
def test_period_tests_that_are_too_close_stop_a_run(
    monkeypatch: pytest.MonkeyPatch, hypothesis: int
) -> None:
    """For one hypothesis, D_0 is moved so close to D_1 that the pool of its first row fails."""

    def close(p: Parameters, word_length: int) -> Iterator[PeriodTest]:
        for test in schedules.period_tests(p, word_length):
            first = test.ones.first + p.mixing_time - 1
            moved = replace(test, zeros=replace(test.zeros, first=first))
            yield moved if test.hypothesis == hypothesis else test

    monkeypatch.setattr(looped, "period_tests", close)
    with pytest.raises(TooClose, match="gap 8 < 9"):
        ideal_run(TURN, 0, Looped(replace(COIN, max_states=4, mixing_time=9)))


def test_positions_that_are_too_close_stop_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late halves are moved: each position alone is separated, but two positions are not."""

    def close(p: Parameters, word_length: int, period: int) -> tuple[PositionTimes, ...]:
        found = schedules.position_times(p, word_length, period)
        last = max(position.early.last for position in found)
        soon = last + p.mixing_time - 1
        return tuple(
            p if p.early.last == last else replace(p, late=replace(p.late, first=soon))
            for p in found
        )

    monkeypatch.setattr(looped, "position_times", close)
    with pytest.raises(TooClose, match="gap 8 < 9"):
        ideal_run(TURN, 0, Looped(replace(COIN, mixing_time=9)), first_action=0)


def test_samples_too_soon_after_the_last_call_stop_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that samples from its first step on is too close to the known datasets."""

    calls: list[int] = []

    def soon(p: Parameters, word_length: int, period: int) -> tuple[PositionTimes, ...]:
        found = schedules.position_times(p, word_length, period)
        calls.append(word_length)
        if len(calls) > 1:
            found = tuple(replace(p, early=p.early.shifted(-p.early.first + 1)) for p in found[:1])
        return found

    monkeypatch.setattr(looped, "position_times", soon)
    # Since c_init is shorter than c, the last sample is one step before the end of the call.
    p = Looped(replace(COIN, mixing_time=40, max_diameter=10**6))
    with pytest.raises(TooClose, match="between"):
        ideal_run(TURN, 0, p, first_action=1)


def test_cycle_without_new_transitions_is_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    def known(_model: Model) -> tuple[int, ...]:
        return (1,)

    monkeypatch.setattr(looped, "escaping_word", known)
    with pytest.raises(AssumptionViolated, match="must leave the known graph"):
        ideal_run(TURN, 0, Looped(COIN), first_action=1)


@pytest.mark.parametrize("start", [0, 1])
def test_more_than_n_states_are_contradicted(start: int) -> None:
    """Three states in a row, joined by swaps, so that no period exceeds N = 2."""
    row = Dynamics(((0, 1, 0), (1, 0, 2), (2, 2, 1)))
    three = replace(COIN, actions=3, max_states=3, max_diameter=2, class_size=3)
    assert ideal_run(row, start, Looped(three)).model.states == 3
    with pytest.raises(
        AssumptionViolated, match="3 states were told apart, more than max_states = 2"
    ):
        ideal_run(row, start, Looped(replace(three, max_states=2)))
