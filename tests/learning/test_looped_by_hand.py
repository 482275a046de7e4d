"""Looped STEEL on worlds made by hand: too small counts and worlds that jump are noticed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofs_checks.small_cases.worlds import small_worlds
from steel_verified.classes.finite import tables
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import LabelsFound, PeriodFound, Ran, Trained
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.looped import Looped, calls
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.strategies import Problem
from steel_verified.theory import counts
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle, ideal_run
from tests.toys import Jumping

from .problem_runs import COIN, run, slow_coin, true_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.learning.looped import State
    from steel_verified.learning.results import Result


ALL_FUNCTIONS = tables([[bool(f >> x & 1) for x in range(4)] for f in range(16)])


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


def drifts(world: Dynamics, recipe: Looped) -> Iterator[Jumping]:
    """Yield every way to jump once, between two loops."""
    ledger = ideal_run(world, 0, recipe).ledger
    loops = sum(entry.done == 0 for entry in ledger.entries if isinstance(entry, Ran))
    for loop in range(1, loops):
        for to in range(world.states):
            yield Jumping(world, {loop: to}.get)


def require_consistent_calls(state: State) -> None:
    """Replay each call action by action, from the end of the call before it, if it is known."""
    *_, last = state.ledger.entries
    if isinstance(state.stage, Contradicted) or not isinstance(last, LabelsFound):
        return
    *_, before, call = (None, *calls(state.ledger))
    assert call is not None
    if before is not None:
        steps = (call.word[step % len(call.word)] for step in range(call.steps))
        assert state.model.walk(before.current, steps) in (None, call.current)


def is_right_after(result: Result, world: Jumping) -> bool:
    if not isinstance(result, Accepted):
        return False
    meaning = relabelling(result.model, result.current, world.dynamics, world.state)
    return meaning is not None and meaning == result.classifiers


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_jump_between_loops_never_gives_a_wrong_result(every: int) -> None:
    """In worlds of up to three states and two actions, each run ends right or contradicted."""
    found = {"right": 0, "DETERMINISTIC": 0, "REALISABLE": 0}
    for truth in small_worlds()[::every]:
        recipe = Looped(true_parameters(truth, 2))
        for world in drifts(truth, recipe):
            result = drive(recipe, world, PerfectOracle(), [Watch(require_consistent_calls)])
            if isinstance(result, Contradicted):
                found[result.causes[0].condition.name] += 1
            else:
                assert is_right_after(result, world)
                found["right"] += 1
    assert min(found.values()) > 10


THREE_IN_A_RING = Dynamics(((1, 0), (2, 1), (0, 2)))
"""Action 0 goes to the next state, action 1 stays."""


def test_jump_is_detected_at_the_end_of_its_call() -> None:
    recipe = Looped(true_parameters(THREE_IN_A_RING, 3))
    at_once = 0
    for world in drifts(THREE_IN_A_RING, recipe):
        result = checked_run(world, PerfectOracle(), recipe)
        if (
            isinstance(result, Contradicted)
            and result.causes[0].condition is Condition.DETERMINISTIC
        ):
            *_, call = calls(result.ledger)
            at_once += f"at step {call.start}," in result.because
            assert result.model.is_total or f"at step {call.start}," in result.because
            assert world.steps == result.ledger.steps == call.start + call.steps
    assert at_once == 2


@pytest.mark.parametrize(
    ("diameter", "classifiers", "condition", "because"),
    [
        (1, 3, Condition.MAX_DIAMETER, "two states are 2 steps apart"),
        (2, 2, Condition.CLASS_SIZE, "3 states need as many classifiers"),
    ],
)
def test_model_that_violates_a_bound_is_contradicted(
    diameter: int, classifiers: int, condition: Condition, because: str
) -> None:
    right = true_parameters(THREE_IN_A_RING, 1)
    recipe = Looped(replace(right, max_diameter=diameter, class_size=classifiers))
    result = checked_run(
        IdealWorld(THREE_IN_A_RING, 0), PerfectOracle(), replace(recipe, with_encoder=False)
    )
    assert isinstance(result, Contradicted)
    assert result.causes[0].condition is condition
    assert because in result.because
    assert result.model.table == THREE_IN_A_RING.table


def test_more_than_n_states_are_contradicted() -> None:
    """Three states in a row, joined by swaps, so that no period exceeds N = 2."""
    row = Dynamics(((0, 1, 0), (1, 0, 2), (2, 2, 1)))
    few = replace(COIN, actions=3, max_states=2, max_diameter=2, class_size=3)
    with pytest.raises(AssumptionViolated, match="3 states were told apart, more than max_states"):
        ideal_run(row, 0, Looped(few))
