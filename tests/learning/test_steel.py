"""STEEL on generated worlds: the statements of the theorem and the Proposition, step by step."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.evidence import observed
from steel_verified.evidence.entries import LabelsFound, PeriodFound, Ran, Read, Trained
from steel_verified.evidence.observed import SealedError
from steel_verified.evidence.plans import Plan
from steel_verified.learning import looped
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.looped import FindingPeriod, Looped, SamplingPositions, calls
from steel_verified.learning.results import accepted, encode
from steel_verified.strategies import Problem, problems
from steel_verified.theory import bounds, counts
from steel_verified.theory.parameters import Extent
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.chains import stationary
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.tabular import tabular_world

from .problem_runs import predicted, run
from .recorded import RecordedWorld

if TYPE_CHECKING:
    from steel_verified.learning.looped import State

seeds = st.integers(0, 2**32)


@given(problem=problems(), seed=seeds)
def test_the_dynamics_are_learned_and_the_encoder_errs_no_more_than_epsilon(
    problem: Problem, seed: int
) -> None:
    """The error of each state is computed exactly, under stationary noise.

    δ ≤ 1/1000 in each run: the false-alarm chance is at most that, and far less in practice.
    """
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


@given(problem=problems(), seed=seeds)
def test_ledger_does_not_depend_on_the_noise(problem: Problem, seed: int) -> None:
    """For every noise, a run leaves the ledger that the dynamics determine."""
    learned, ideal = run(problem, seed)[0], predicted(problem)
    assert learned.ledger == ideal.ledger
    assert learned.method == ideal.method == Looped(problem.parameters, problem.first_action)


@given(problem=problems(), seed=seeds)
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
def test_words_escape_and_cycles_cover(problem: Problem) -> None:
    """Each call adds a transition; â escapes from every state; ā covers all states and returns."""
    truth, p = problem.world.dynamics, problem.parameters
    ended = 0

    def check(state: State) -> None:
        nonlocal ended
        model = state.model
        *_, last = state.ledger.entries
        if isinstance(last, LabelsFound):
            ended += 1
            assert list(calls(state.ledger))[-1].new_transitions
        match state.stage:
            case FindingPeriod(word) | SamplingPositions(word) if model.states:
                if isinstance(last, LabelsFound):
                    assert all(model.walk(s, word) is None for s in range(model.states))
                    assert len(word) <= model.states * (truth.diameter + 1)
            case looped.Touring(home, cycle, _):
                visited = {model.walk(home, cycle[:i]) for i in range(len(cycle))}
                assert visited == set(range(model.states))
                assert model.walk(home, cycle) == home
                extent = Extent(truth.states, truth.diameter)
                longest = bounds.longest_covering_cycle(p, extent)
                assert p.mixing_time <= len(cycle) <= longest

    ideal_run(truth, problem.world.start, Looped(p), first_action=problem.first_action, watch=check)
    assert 1 <= ended <= truth.states * truth.actions


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


@given(problem=problems(), seed=seeds)
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


@given(problem=problems())
def test_ledger_has_the_times_and_their_reasons(problem: Problem) -> None:
    """Each reason names earlier decisions; times lie in the loop that was run."""
    ledger = predicted(problem).ledger
    decided = steps = read = loop = 0
    for entry in ledger.entries:
        match entry:
            case Ran():
                assert entry.start == steps
                loop = entry.start - entry.done
                steps += entry.steps
            case PeriodFound() | LabelsFound() | Trained():
                assert entry.number == decided
                decided += 1
            case Read():
                assert (entry.loop, entry.first, entry.after) == (loop, read, decided)
                for sample in entry.samples:
                    times = {time for piece in sample.times for time in Progression.of(piece)}
                    assert len(times) == sample.rows
                    assert 1 <= min(times) <= max(times) <= steps - loop
                read += len(entry.samples)
    assert (ledger.steps, ledger.samples, ledger.decisions) == (steps, read, decided)


@given(problem=problems(max_states=3), seed=seeds, data=st.data())
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
