"""The judge sees a wrong model, a wrong encoder, and what a twin excuses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from steel_verified.evidence.oracle import of_kind
from steel_verified.evidence.plans import Plan
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.theory.conditions import Condition, listed
from steel_verified.worlds.dynamics import relabelling
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.judging import (
    Check,
    Ending,
    Method,
    Outcome,
    ending,
    learned,
)
from tests.studies.violations.judging import judged as judged_ending
from tests.studies.violations.twins import decades, true_world

if TYPE_CHECKING:
    from steel_verified.learning.results import Result
    from tests.studies.violations.drawing import ViolatedWorld
    from tests.studies.violations.judging import Judgement
    from tests.studies.violations.process import ProcessWorld

HONEST = violated_world(Violation.HONEST, 0)


def judged(world: ViolatedWorld, result: Result, under_way: ProcessWorld) -> Judgement:
    """Judge a result that was not checked."""
    return judged_ending(world, Ending(result, result, under_way))


@pytest.mark.parametrize("method", Method)
def test_a_model_or_an_encoder_that_is_wrong_is_silently_wrong(method: Method) -> None:
    result, under_way = learned(HONEST, method, Check.NONE)
    assert isinstance(result, Accepted)
    assert judged(HONEST, result, under_way).outcome is Outcome.RIGHT
    assert result.classifiers is not None
    first, second, *others = result.classifiers
    exchanged = replace(result, classifiers=(second, first, *others))
    assert judged(HONEST, exchanged, under_way).outcome is Outcome.SILENT
    elsewhere = replace(result, current=(result.current + 1) % result.model.states)
    assert judged(HONEST, elsewhere, under_way).outcome is Outcome.SILENT
    actions = HONEST.parameters.actions
    one_state = Model(actions, ((0,) * actions,))
    nothing = replace(result, model=one_state, current=0, classifiers=(first,))
    assert judged(HONEST, nothing, under_way).outcome is Outcome.SILENT


def test_outcome_depends_on_the_position_of_the_true_cause() -> None:
    world = violated_world(Violation.SLIP_10, 0)
    result, under_way = learned(HONEST, Method.LOOPED, Check.NONE)
    for conditions, outcome in (
        ((Condition.DETERMINISTIC, Condition.MIXING), Outcome.FIRST),
        ((Condition.MIXING, Condition.DETERMINISTIC), Outcome.NAMED),
        ((Condition.MIXING,), Outcome.OTHER),
        ((), Outcome.NO_CAUSE),
    ):
        ended = Contradicted(
            result.method, result.model, result.ledger, listed(conditions), "something was found"
        )
        assert judged(world, ended, under_way).outcome is outcome


def test_an_error_within_epsilon_is_allowed() -> None:
    """The encoder misses one observation of one state; how often it is shown decides."""
    result, under_way = learned(HONEST, Method.LOCATED, Check.NONE)
    truth = true_world(HONEST, under_way)
    assert isinstance(result, Accepted)
    assert result.classifiers is not None
    assert truth is not None
    meaning = relabelling(result.model, result.current, truth.dynamics, truth.state)
    assert meaning is not None
    columns, new = HONEST.oracle.columns, HONEST.oracle.class_size
    (right,) = of_kind(int, result.classifiers[1])
    missing = replace(result, classifiers=(result.classifiers[0], new, *result.classifiers[2:]))
    for x, chance in enumerate(truth.shows[meaning[1]]):
        if not chance:
            continue
        misses_x = tuple(
            column | (column >> right & 1 & (y != x)) << new for y, column in enumerate(columns)
        )
        oracle = replace(HONEST.oracle, class_size=new + 1, columns=misses_x)
        for epsilon, outcome in ((chance, Outcome.RIGHT), (chance * 99 / 100, Outcome.SILENT)):
            told = replace(HONEST.parameters, epsilon=epsilon)
            world = replace(HONEST, oracle=oracle, parameters=told)
            assert judged(world, missing, under_way).outcome is outcome


def test_untaken_change_is_judged_as_a_twin() -> None:
    """A model of the dynamics before the change is excused if nothing has shown the change."""
    found = set()
    for seed in range(12):
        world = violated_world(Violation.CHANGE, seed)
        result, under_way = learned(world, Method.LOCATED, Check.NONE)
        if isinstance(result, Accepted):
            states = [world.process.start, *(step.state for step in under_way.path)]
            as_before = all(
                world.table[before][step.action] == step.state
                for before, step in zip(states, under_way.path, strict=False)
            )
            found.add((judged(world, result, under_way).outcome, as_before))
    assert found == {(Outcome.TWIN, True)}


def test_alike_states_are_judged_as_a_twin_only_if_never_distinguished() -> None:
    """The run never took the action that tells the two apart, or it did."""
    world = violated_world(Violation.ALIKE, 2)
    result, under_way = learned(world, Method.LOCATED, Check.NONE)
    assert isinstance(result, Accepted)
    assert judged(world, result, under_way).outcome is Outcome.TWIN
    before = under_way.state
    assert world.process.emission[1] == world.process.emission[2]
    assert [world.table[s][1] for s in (1, 2)] == [0, 1]
    # From state 1 to state 2, which looks alike; then the action that tells them apart.
    assert before == 1
    under_way.run(Plan((2, 1), 2))
    label = result.model.walk(result.current, (2, 1))
    assert label is not None
    moved = replace(result, current=label)
    assert judged(world, moved, under_way).outcome is Outcome.SILENT


def test_decades_are_zero_for_a_right_model_and_grow_for_a_wrong_one() -> None:
    """Nothing does if it is right; a model of one state is refuted by each row that tells more."""
    for method in Method:
        ended = ending(HONEST, method, Check.NONE)
        right, path = ended.learned, ended.under_way.path
        assert isinstance(right, Accepted)
        assert decades(HONEST, path, right) == 0
        one_state = Model(HONEST.parameters.actions, ((0,) * HONEST.parameters.actions,))
        wrong = replace(right, model=one_state, current=0)
        assert decades(HONEST, path, wrong) > 20
        elsewhere = replace(right, current=(right.current + 1) % right.model.states)
        assert decades(HONEST, path, elsewhere) > 20


def test_judgement_records_the_outcome_without_the_self_check() -> None:
    """What only the self-check notices would have been accepted in silence."""
    world = violated_world(Violation.SLIP_10, 0)
    ended = ending(world, Method.LOOPED, Check.USUAL)
    found = judged_ending(world, ended)
    assert found.outcome is Outcome.FIRST
    assert found.unchecked is Outcome.SILENT
    assert found.decades is not None
    assert judged_ending(world, ending(world, Method.LOOPED, Check.NONE)).outcome is Outcome.SILENT


@pytest.mark.parametrize("method", Method)
def test_steps_to_find_causes_do_not_change_the_judgement(method: Method) -> None:
    """The self-check refuses a right model; the world is then elsewhere than the run ended."""
    world = violated_world(Violation.NO_WAY_BACK, 20_014)
    ended = ending(world, method, Check.USUAL)
    assert isinstance(ended.result, Contradicted)
    assert ended.result.steps_to_explain > 0
    assert ended.under_way.steps == ended.result.ledger.steps
    assert judged_ending(world, ended).unchecked is Outcome.RIGHT


def test_true_world_excludes_states_that_cannot_be_reached_again() -> None:
    world = violated_world(Violation.NO_WAY_BACK, 0)
    result, under_way = learned(world, Method.LOCATED, Check.NONE)
    assert isinstance(result, Accepted)
    assert result.model.states < len(world.table)
    assert judged(world, result, under_way).outcome is Outcome.RIGHT
