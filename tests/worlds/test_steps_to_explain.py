"""Steps after a run that was not accepted: how many, and that nothing else rests on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import RecordEnds
from steel_verified.learning.drive import Fallback, checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, Result
from steel_verified.theory.conditions import Condition
from steel_verified.theory.self_check import (
    STEPS_TO_EXPLAIN_LOCATED,
    STEPS_TO_EXPLAIN_LOOPED,
    SelfCheck,
)
from steel_verified.using.attempt import attempt
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.process import ProcessWorld, RecordedLoop

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.parameters import Parameters

NOTHING_FRESH = SelfCheck(steps=0)
SLIPPING = violated_world(Violation.SLIP_10, 0)


def looped(world: ProcessWorld, check: SelfCheck | None, max_steps: int | None) -> Result:
    recipe = Looped(SLIPPING.parameters)
    first, oracle = SLIPPING.first_action, SLIPPING.oracle
    return checked_run(
        world, oracle, replace(recipe, first_action=first), self_check=check, max_steps=max_steps
    )


def located_run(world: ProcessWorld, check: SelfCheck | None, max_steps: int | None) -> Result:
    recipe = Located(SLIPPING.parameters)
    first, oracle = SLIPPING.first_action, SLIPPING.oracle
    most = 10**6 if max_steps is None else max_steps
    return checked_run(
        world, oracle, replace(recipe, first_action=first), self_check=check, max_steps=most
    )


Learner = Callable[[ProcessWorld, SelfCheck | None, int | None], Result]
METHODS = ((looped, STEPS_TO_EXPLAIN_LOOPED), (located_run, STEPS_TO_EXPLAIN_LOCATED))


@pytest.mark.parametrize(("learner", "usual"), METHODS)
def test_steps_to_explain_respect_the_setting_and_the_limit(learner: Learner, usual: int) -> None:
    world = SLIPPING.begin()
    result = learner(world, NOTHING_FRESH, None)
    assert not isinstance(result, Accepted)
    assert result.causes[0].condition is Condition.DETERMINISTIC
    steps = result.ledger.steps
    assert result.steps_to_explain == usual == world.steps - steps
    for wanted, most, taken in ((7, None, 7), (0, None, 0), (None, steps + 5, 5), (9, steps, 0)):
        world = SLIPPING.begin()
        again = learner(world, SelfCheck(steps=0, steps_to_explain=wanted), most)
        assert not isinstance(again, Accepted)
        assert again.steps_to_explain == taken == world.steps - steps
        assert again.ledger.steps == steps
        assert again.because == result.because
        assert again.causes


@pytest.mark.parametrize(("learner", "usual"), METHODS)
def test_no_steps_are_taken_without_the_self_check(learner: Learner, usual: int) -> None:
    world = SLIPPING.begin()
    assert usual
    result = learner(world, None, None)
    assert world.steps == result.ledger.steps


class EndsThen(ProcessWorld):
    """A world that stops with an error after so many steps, as a record does."""

    most = 0
    error: type[BaseException] = RecordEnds

    def run(self, plan: Plan) -> RecordedLoop:
        if self.steps + plan.steps > self.most:
            raise self.error("no more")
        return super().run(plan)


@pytest.mark.parametrize("error", [RecordEnds, KeyboardInterrupt])
@pytest.mark.parametrize(("learner", "usual"), METHODS)
def test_causes_are_named_from_the_run_if_the_world_ends(
    learner: Learner, usual: int, error: type[BaseException]
) -> None:
    whole = learner(SLIPPING.begin(), NOTHING_FRESH, None)
    world = EndsThen(SLIPPING.process, SLIPPING.seed)
    world.most, world.error = whole.ledger.steps + usual - 1, error
    result = learner(world, NOTHING_FRESH, None)
    assert isinstance(whole, Contradicted | NotAccepted)
    assert isinstance(result, type(whole))
    assert result.because == whole.because
    assert result.steps_to_explain == 0
    assert result.causes


def test_fallback_continues_directly_after_the_located_run() -> None:
    world = SLIPPING.begin()
    method = Fallback(SLIPPING.parameters, SLIPPING.first_action)
    result = checked_run(world, SLIPPING.oracle, method, self_check=NOTHING_FRESH)
    assert not isinstance(result, Accepted)
    assert world.steps == result.ledger.steps + result.steps_to_explain


@pytest.mark.parametrize(("recipe", "most"), [(Looped, None), (Located, 20_000)])
def test_contradicted_run_resumed_from_a_checkpoint_is_the_same(
    tmp_path: Path, recipe: Callable[[Parameters], Looped | Located], most: int | None
) -> None:
    """It is retraced to its end, and then the same steps are taken again."""
    bounds = instance("combination-lock", 0, states=5, components=40).parameters
    lock = combination_lock(0, states=5, components=40, least_noise=0.1)
    method, file = recipe(replace(bounds, max_states=3)), tmp_path / "run"
    first = attempt(lock.world(1), lock.oracle(), method, max_steps=most, checkpoint=file)
    again = attempt(lock.world(1), lock.oracle(), method, max_steps=most, resume=file)
    assert not isinstance(first, Accepted)
    assert not isinstance(again, Accepted)
    assert first.causes[0].condition is Condition.MAX_STATES
    assert (again.causes, again.steps_to_explain) == (first.causes, first.steps_to_explain)
