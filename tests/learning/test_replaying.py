"""A world that changes its state between loops is detected as soon as its rows show it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from proofs_checks.small_cases.worlds import small_worlds
from steel_verified.evidence.entries import LabelsFound, Ran
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.looped import Looped, calls
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.theory.conditions import Condition
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.ideal import IdealTrajectory, IdealWorld, PerfectOracle, ideal_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.plans import Plan
    from steel_verified.learning.looped import State
    from steel_verified.learning.results import Result


class Drifting(IdealWorld):
    """A world that jumps to another state before the plan with a given number."""

    def __init__(self, dynamics: Dynamics, start: int, *, before_plan: int, to: int) -> None:
        super().__init__(dynamics, start)
        self.before_plan, self.to = before_plan, to
        self.plans = 0

    def run(self, plan: Plan) -> IdealTrajectory:
        if self.plans == self.before_plan:
            self.state = self.to
        self.plans += 1
        return super().run(plan)


def recipe_for(world: Dynamics, mixing_time: int) -> Looped:
    return Looped(
        Parameters(
            actions=world.actions,
            max_states=world.states,
            max_diameter=world.diameter,
            mixing_time=mixing_time,
            class_size=world.states,
            delta=Fraction(1, 2),
            epsilon=Fraction(1, 20),
        )
    )


def drifts(world: Dynamics, recipe: Looped) -> Iterator[Drifting]:
    """Yield every way to jump once, before a plan that begins a loop."""
    ledger = ideal_run(world, 0, recipe).ledger
    begins = [entry.done == 0 for entry in ledger.entries if isinstance(entry, Ran)]
    for plan in range(1, len(begins)):
        for to in range(world.states):
            if begins[plan]:
                yield Drifting(world, 0, before_plan=plan, to=to)


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


def is_right(result: Result, world: Drifting) -> bool:
    if not isinstance(result, Accepted):
        return False
    meaning = relabelling(result.model, result.current, world.dynamics, world.state)
    return meaning is not None and meaning == result.classifiers


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_jump_between_loops_never_gives_a_wrong_result(every: int) -> None:
    """In worlds of up to three states and two actions, each run ends right or contradicted."""
    found = {"right": 0, "DETERMINISTIC": 0, "REALISABLE": 0}
    for truth in small_worlds()[::every]:
        recipe = recipe_for(truth, mixing_time=2)
        for world in drifts(truth, recipe):
            result = drive(recipe, world, PerfectOracle(), [Watch(require_consistent_calls)])
            if isinstance(result, Contradicted):
                found[result.causes[0].condition.name] += 1
            else:
                assert is_right(result, world)
                found["right"] += 1
    assert min(found.values()) > 10


THREE_IN_A_RING = Dynamics(((1, 0), (2, 1), (0, 2)))
"""Action 0 goes to the next state, action 1 stays."""


def test_jump_is_detected_at_the_end_of_its_call() -> None:
    recipe = recipe_for(THREE_IN_A_RING, mixing_time=3)
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


def test_jump_is_detected_when_the_unknown_transitions_are_known() -> None:
    """After the first loop nothing is known about action 1: its loop may show any state."""
    recipe = recipe_for(THREE_IN_A_RING, mixing_time=3)
    right = ideal_run(THREE_IN_A_RING, 0, recipe)
    _, second, *_ = calls(right.ledger)
    plans = [entry for entry in right.ledger.entries if isinstance(entry, Ran)]
    begins = next(n for n, entry in enumerate(plans) if entry.start == second.start)
    ends = []
    for to in range(3):
        world = Drifting(THREE_IN_A_RING, 0, before_plan=begins, to=to)
        result = checked_run(world, PerfectOracle(), recipe)
        made = sum(1 for _ in calls(result.ledger))
        if isinstance(result, Contradicted):
            assert made > 2, "the second call alone contradicts nothing"
            assert f"at step {second.start}" in result.because
        else:
            assert is_right(result, world)
        ends.append(type(result))
    assert sorted(end.__name__ for end in ends) == ["Accepted", "Contradicted", "Contradicted"]


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
    right = recipe_for(THREE_IN_A_RING, mixing_time=1).parameters
    recipe = Looped(replace(right, max_diameter=diameter, class_size=classifiers))
    result = checked_run(
        IdealWorld(THREE_IN_A_RING, 0), PerfectOracle(), replace(recipe, with_encoder=False)
    )
    assert isinstance(result, Contradicted)
    assert result.causes[0].condition is condition
    assert because in result.because
    assert result.model.table == THREE_IN_A_RING.table


def test_contradicted_run_keeps_its_whole_ledger() -> None:
    """There are three states and N is 2: the last entry is the decision that found the third."""
    truth = Dynamics(((0, 1), (0, 2), (0, 1)))
    right = recipe_for(truth, mixing_time=2).parameters
    recipe = Looped(replace(right, max_states=2, max_diameter=5))
    states: list[State] = []
    result = drive(recipe, IdealWorld(truth, 0), PerfectOracle(), [Watch(states.append)])
    assert isinstance(result, Contradicted)
    assert result.causes[0].condition is Condition.MAX_STATES
    assert states[-1].ledger == result.ledger
    *_, last = result.ledger.entries
    assert isinstance(last, LabelsFound)
    assert max(last.labels) == 2
    assert result.ledger.decisions == last.number + 1
    assert result.method == recipe
