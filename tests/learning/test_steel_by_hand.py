"""STEEL on worlds made by hand: too small counts fail visibly, and invalid input is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.classes.finite import tables
from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.evidence import observed
from steel_verified.evidence.entries import LabelsFound, PeriodFound, Ran, Trained
from steel_verified.evidence.plans import Plan
from steel_verified.learning.drive import Watch, drive
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import encode
from steel_verified.strategies import Problem, dynamics
from steel_verified.theory import counts
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle, ideal_run

from .broken_learners.attempts import with_other_constants
from .coin import COIN, slow_coin
from .problem_runs import run

if TYPE_CHECKING:
    from steel_verified.learning.looped import State
    from steel_verified.learning.results import Accepted


def is_right(problem: Problem, learned: Accepted, state: int) -> bool:
    """Return whether the dynamics are right up to labels, and the encoder on every observation."""
    meaning = relabelling(learned.model, learned.current, problem.world.dynamics, state)
    if meaning is None or learned.classifiers is None:
        return False
    owners = problem.world.encoder()
    emitted = np.array([x for x, owner in enumerate(owners) if owner is not None])
    labels = encode(problem.oracle, learned.classifiers, emitted)
    return all(meaning[label] == owners[x] for x, label in zip(emitted, labels, strict=True))


def failures(problem: Problem, runs: int) -> int:
    """Return how many runs were wrong or contradicted."""
    failed = 0
    for seed in range(runs):
        try:
            failed += not is_right(problem, *run(problem, seed))
        except SteelError:
            failed += 1
    return failed


ALL_FUNCTIONS = tables([[bool(f >> x & 1) for x in range(4)] for f in range(16)])


def test_correct_counts_fail_at_most_once_in_20_runs() -> None:
    """20 runs at δ = 1/20: with a correct δ, two or more failures have a chance below 0.27."""
    problem = Problem(slow_coin(Fraction(1, 2)), ALL_FUNCTIONS, COIN, 0)
    assert failures(problem, 20) <= 1


def test_far_too_small_counts_fail_in_most_runs() -> None:
    """With a rate of 1/100000 one or two samples are kept; most runs are wrong."""
    problem = Problem(slow_coin(Fraction(1, 2)), ALL_FUNCTIONS, COIN, 0)
    with pytest.MonkeyPatch.context() as patch:
        with_other_constants(patch, SEPARATION_RATE=Fraction(1, 10**5))
        assert counts.position_samples(COIN) <= 2
        assert failures(problem, 20) >= 5


def test_far_too_small_mixing_time_fails_in_most_runs() -> None:
    """The coin turns once in 300 steps; with t̂_mix = 1, dependent samples count as independent."""
    problem = Problem(slow_coin(Fraction(299, 300)), ALL_FUNCTIONS, COIN, 0)
    assert failures(problem, 20) >= 5
    honest = replace(COIN, mixing_time=104)
    assert failures(replace(problem, parameters=honest), 20) <= 1


def test_noisy_tv_that_can_be_switched_off_is_learned() -> None:
    """In the dark state all noise states show the same observation; the world is still learned."""
    one, zero = Fraction(1), Fraction(0)
    on = ((one, zero, zero), (zero, one, zero))
    world = replace(slow_coin(Fraction(2, 3)), emission=(on, ((zero, zero, one),) * 2))
    three = tables([[True, True, False], [False, False, True], [True, False, False]])
    problem = Problem(world, three, replace(COIN, class_size=3), 1)
    assert is_right(problem, *run(problem, seed=5))


@given(truth=dynamics(max_states=6), data=st.data())
def test_ideal_runs_learn_any_dynamics(truth: Dynamics, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, truth.states - 1))
    first = data.draw(st.integers(0, truth.actions - 1))
    p = replace(
        COIN,
        actions=truth.actions,
        max_states=truth.states,
        max_diameter=truth.diameter,
        class_size=99,
    )
    learned = ideal_run(truth, start, Looped(p), first_action=first)
    assert learned.classifiers is not None
    assert {
        (learned.classifiers[s], a, learned.classifiers[to])
        for s, a, to in learned.model.transitions()
    } == {(s, a, to) for s, row in enumerate(truth.table) for a, to in enumerate(row)}


def test_too_small_max_states_is_contradicted() -> None:
    three = Dynamics(((1, 1), (2, 2), (0, 0)))
    with pytest.raises(SteelError):
        ideal_run(three, 0, Looped(replace(COIN, max_states=2)))


def test_class_without_a_classifier_for_a_state_is_contradicted() -> None:
    """There is a classifier for state 0, but none for state 1, where the run starts."""
    half_blind = tables([[True, True, False, False], [False] * 4])
    world = replace(slow_coin(Fraction(1, 2)), start=1)
    with pytest.raises(AssumptionViolated, match="T'"):
        run(Problem(world, half_blind, replace(COIN, class_size=2), 1), seed=1)


def test_a_world_that_does_not_fit_the_parameters_is_refused() -> None:
    problem = Problem(slow_coin(Fraction(1, 2)), ALL_FUNCTIONS, replace(COIN, actions=3), 0)
    with pytest.raises(InvalidArgument, match="actions = 3: expected 2"):
        run(problem, seed=1)
    with pytest.raises(InvalidArgument, match="class_size = 15: expected at least 16"):
        run(replace(problem, parameters=replace(COIN, class_size=15)), seed=1)
    for action in (-1, 2):
        with pytest.raises(InvalidArgument, match=f"first_action = {action}"):
            run(replace(problem, parameters=COIN, first_action=action), seed=1)


def test_first_action_is_zero_by_default() -> None:
    by_default: State = Looped(COIN).begin()
    asked_for: State = Looped(COIN, first_action=1).begin()
    plans = Looped(COIN).next_plan(by_default), Looped(COIN).next_plan(asked_for)
    assert [plan.word for plan in plans if isinstance(plan, Plan)] == [(0,), (1,)]
    assert by_default.method.with_encoder


def test_absorb_after_the_end_is_refused() -> None:
    states: list[State] = []
    world = IdealWorld(Dynamics(((1, 0), (0, 1))), 0)
    drive(Looped(COIN), world, PerfectOracle(), [Watch(states.append)])
    more = observed.run(states[-1].ledger, world, Plan((0,), 1))
    with pytest.raises(
        InvalidArgument, match="state = ended: expected a state that asked for a plan"
    ):
        Looped(COIN).absorb(states[-1], more, PerfectOracle())


@example(mixing_time=1)
@example(mixing_time=7)
@given(mixing_time=st.integers(1, 50))
def test_world_with_one_state_is_learned(mixing_time: int) -> None:
    """If N = 1, there is no period to test, and every word is a self-loop."""
    p = replace(COIN, max_states=1, max_diameter=0, mixing_time=mixing_time)
    learned = ideal_run(Dynamics(((0, 0),)), 0, Looped(p))
    assert learned.model.table == ((0, 0),)
    plans = [entry for entry in learned.ledger.entries if isinstance(entry, Ran)][:2]
    steps = counts.cycle_find_steps(p, 1, 1)
    assert [(ran.done, ran.steps) for ran in plans] == [(0, steps), (0, steps)]
    decisions = [
        e for e in learned.ledger.entries if isinstance(e, PeriodFound | LabelsFound | Trained)
    ]
    assert [type(decision) for decision in decisions] == [LabelsFound, LabelsFound, Trained]
