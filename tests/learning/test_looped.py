"""Looped STEEL on generated worlds: the theorem and the Proposition, step by step."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.evidence import observed
from steel_verified.evidence.entries import LabelsFound, PeriodFound, Ran, Trained
from steel_verified.evidence.plans import Plan
from steel_verified.evidence.sealed import SealedError
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.looped import (
    FindingPeriod,
    Looped,
    SamplingPositions,
    Touring,
    calls,
    datasets,
    tour,
)
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, accepted, encode
from steel_verified.strategies import Problem, dynamics, problems
from steel_verified.theory import bounds, counts
from steel_verified.theory.parameters import Extent
from steel_verified.worlds.chains import stationary
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.ideal import (
    IdealRows,
    IdealTrajectory,
    IdealWorld,
    PerfectOracle,
    ideal_run,
)
from steel_verified.worlds.tabular import tabular_world

from .problem_runs import RecordedWorld, predicted, run, sure_problems, true_parameters

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Summary
    from steel_verified.learning.looped import State
    from steel_verified.theory.progressions import Progression


seeds = st.integers(0, 2**32)


@given(problem=sure_problems(), seed=seeds)
def test_the_dynamics_are_learned_and_the_encoder_errs_no_more_than_epsilon(
    problem: Problem, seed: int
) -> None:
    """The error of each state is computed exactly, under stationary noise."""
    learned, state = run(problem, seed)
    meaning = relabelling(learned.model, learned.current, problem.world.dynamics, state)
    assert meaning is not None
    assert learned.classifiers is not None
    labels = encode(problem.oracle, learned.classifiers, np.arange(problem.world.observations))
    pi = stationary(problem.world.noise)
    for s, row in enumerate(problem.world.emission):
        wrong = [x for x, label in enumerate(labels) if meaning[label] != s]
        error = sum(
            (weight * law[x] for weight, law in zip(pi, row, strict=True) for x in wrong),
            Fraction(0),
        )
        assert error <= problem.parameters.epsilon


@given(problem=sure_problems(), seed=seeds)
def test_ledger_does_not_depend_on_the_noise(problem: Problem, seed: int) -> None:
    """For every noise, a run leaves the ledger that the dynamics determine."""
    learned, ideal = run(problem, seed)[0], predicted(problem)
    assert learned.ledger == ideal.ledger
    assert learned.method == ideal.method == Looped(problem.parameters, problem.first_action)


@given(problem=sure_problems(), seed=seeds)
def test_the_inductive_assumptions_hold_after_every_plan(problem: Problem, seed: int) -> None:
    """Proposition 1: labels are different states, transitions are true, datasets are pure."""
    world = RecordedWorld(problem.world, seed)
    truth, p = problem.world.dynamics, problem.parameters
    enough = counts.position_samples(p)

    def check(state: State) -> None:
        meaning = []
        for dataset in state.datasets:
            (true,) = frozenset[int]().union(*(world.states_at(t) for t in dataset.times.pieces))
            meaning.append(true)
            kept = sorted(dataset.times)
            assert len(kept) >= 2 * enough
            assert all(b - a >= p.mixing_time for a, b in pairwise(kept))
        assert len(set(meaning)) == len(meaning) == state.model.states
        for transition in state.model.transitions():
            there = truth.table[meaning[transition.state]][transition.action]
            assert meaning[transition.to] == there
        last = [e for e in state.ledger.entries if isinstance(e, LabelsFound | Ran)]
        if last and isinstance(last[-1], LabelsFound):
            assert state.current is not None
            assert meaning[state.current] == world.state
            assert state.current == list(calls(state.ledger))[-1].current
        if isinstance(state.stage, FindingPeriod | SamplingPositions) and state.datasets:
            assert {len(dataset.times) for dataset in state.datasets} == {2 * enough}

    accepted(
        drive(Looped(p, first_action=problem.first_action), world, problem.oracle, [Watch(check)])
    )


@given(problem=problems(max_states=5))
def test_steps_and_budget_stay_within_the_bounds(problem: Problem) -> None:
    recipe = Looped(problem.parameters)
    extent = Extent(problem.world.dynamics.states, problem.world.dynamics.diameter)
    ledger = predicted(problem).ledger
    labelled = [n for n, entry in enumerate(ledger.entries) if isinstance(entry, LabelsFound)]
    phase1 = sum(e.steps for e in ledger.entries[: labelled[-1]] if isinstance(e, Ran))
    assert phase1 == sum(call.steps for call in calls(ledger))
    assert phase1 <= bounds.exploration_bound(recipe.parameters, extent)
    assert ledger.steps - phase1 <= bounds.sampling_bound(recipe.parameters, extent)
    assert ledger.steps <= bounds.total_bound(recipe.parameters, extent)
    decisions = PeriodFound | LabelsFound | Trained
    charges = [e.charge for e in ledger.entries if isinstance(e, decisions)]
    assert sum(charges, Fraction(0)) == ledger.budget.spent <= problem.parameters.delta


@given(problem=sure_problems(), seed=seeds)
def test_a_run_can_stop_when_the_dynamics_are_known(problem: Problem, seed: int) -> None:
    """Model and current state are as in the whole run, and no δ is charged for the encoder."""
    world = tabular_world(problem.world, seed)
    result = checked_run(
        world,
        problem.oracle,
        Looped(problem.parameters, first_action=problem.first_action, with_encoder=False),
    )
    learned = accepted(result)
    whole = predicted(problem)
    assert learned.classifiers is None
    assert (learned.model, learned.current) == (whole.model, whole.current)
    assert learned.ledger.entries == whole.ledger.entries[: len(learned.ledger.entries)]
    assert relabelling(learned.model, learned.current, problem.world.dynamics, world.state)


@given(problem=sure_problems(max_states=3), seed=seeds, data=st.data())
def test_a_run_can_be_driven_by_hand_but_not_copied(
    problem: Problem, seed: int, data: st.DataObject
) -> None:
    """`learn` is this loop. Observed values cannot be stored or compared in it."""
    world = tabular_world(problem.world, seed)
    method = Looped(problem.parameters, problem.first_action)
    state: State = method.begin()
    while isinstance(plan := method.next_plan(state), Plan):
        if data.draw(st.booleans()) and state.datasets:
            with pytest.raises(SealedError):
                pickle.dumps(state)
            with pytest.raises(SealedError):
                copy.deepcopy(state)
        state = method.absorb(state, observed.run(state.ledger, world, plan), problem.oracle)
    assert plan == run(problem, seed)[0]


@given(world=dynamics(max_states=4))
def test_ledger_gives_the_calls_datasets_and_tour_of_the_run(world: Dynamics) -> None:
    states: list[State] = []
    recipe = Looped(true_parameters(world, 3))
    ledger = ideal_run(world, 0, recipe, watch=states.append).ledger
    made, before = list(calls(ledger)), Model(world.actions)
    # Each call adds a transition, so every model except the empty one is that of a call.
    models = dict.fromkeys(state.model for state in states if state.model.states)
    for call, after in zip(made, models, strict=True):
        assert call.new_states == after.states - before.states
        assert set(call.new_transitions) == after.transitions() - before.transitions()
        before = after
    assert datasets(ledger) == tuple(dataset.times.pieces for dataset in states[-1].datasets)
    planned = [state.stage for state in states if isinstance(state.stage, Touring)]
    run = tour(ledger.entries)
    walked = [] if run is None else [(run.word, run.steps)]
    assert walked == [(stage.cycle, stage.passes * len(stage.cycle)) for stage in planned]


def test_ledger_without_an_encoder_has_no_tour_and_no_datasets() -> None:
    world = Dynamics(((1, 0), (0, 1)))
    ledger = ideal_run(world, 0, Looped(true_parameters(world, 3)), with_encoder=False).ledger
    assert datasets(ledger) == ()
    assert tour(ledger.entries) is None
    assert tour(()) is None
    # Before the labels of a call are found, its plan is the last one that was run.
    entries = [entry for entry in ledger.entries if isinstance(entry, Ran | LabelsFound)]
    assert tour(entries[:1]) == entries[0]


@dataclass(frozen=True)
class CountingOracle(PerfectOracle):
    """A perfect oracle that counts its questions."""

    asked: list[int] = field(default_factory=list)

    def separating(self, zeros: Summary, ones: Summary) -> int | None:
        self.asked.append(1)
        return super().separating(zeros, ones)


@given(problem=problems(max_states=5))
def test_the_oracle_is_asked_once_for_each_verdict_and_for_each_state(problem: Problem) -> None:
    """So no question is free: the checker computes the charges from the verdicts again."""
    oracle = CountingOracle()
    result = checked_run(
        IdealWorld(problem.world.dynamics, problem.world.start),
        oracle,
        Looped(problem.parameters, first_action=problem.first_action),
    )
    learned, verdicts = accepted(result), 0
    for entry in learned.ledger.entries:
        if isinstance(entry, PeriodFound):
            verdicts += len(entry.tests)
        elif isinstance(entry, LabelsFound):
            verdicts += sum(len(position.verdicts) for position in entry.positions)
    assert len(oracle.asked) == verdicts + learned.model.states


class StrictWorld:
    """A world that refuses rows that plans did not announce."""

    def __init__(self, dynamics: Dynamics, start: int) -> None:
        self._inner = IdealWorld(dynamics, start)
        self._announced: set[int] = set()

    @property
    def actions(self) -> int:
        return self._inner.actions

    @property
    def steps(self) -> int:
        return self._inner.steps

    def run(self, plan: Plan) -> StrictTrajectory:
        if plan.done == 0:
            self._announced = set()
        self._announced |= {time for times in plan.keeps for time in times}
        return StrictTrajectory(self._inner.run(plan), frozenset(self._announced))


@dataclass(frozen=True)
class StrictTrajectory:
    inner: IdealTrajectory
    announced: frozenset[int]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[IdealRows, ...]:
        asked = {time for pieces in datasets for piece in pieces for time in piece}
        assert asked <= self.announced
        return self.inner.rows(*datasets)


@given(problem=problems(max_states=4))
def test_only_announced_rows_are_requested(problem: Problem) -> None:
    result = checked_run(
        StrictWorld(problem.world.dynamics, problem.world.start),
        PerfectOracle(),
        Looped(problem.parameters, first_action=problem.first_action),
    )
    assert isinstance(result, Accepted)
