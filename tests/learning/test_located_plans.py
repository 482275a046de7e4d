"""The first plan of located STEEL, the smallest limit that allows it, and calls after the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.observed import run
from steel_verified.evidence.plans import Plan
from steel_verified.learning.drive import drive
from steel_verified.learning.model import Model
from steel_verified.learning.results import NotAccepted
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.dynamics import Dynamics

from .located_truth import ChosenWorld, realising, recipe_for

if TYPE_CHECKING:
    from .located_truth import Learner

PAIR = Dynamics(((1, 0), (0, 1)))
RECIPE = recipe_for(PAIR)
LOOPING = 2 * PAIR.states


@pytest.mark.parametrize("action", [None, 0, 1])
def test_first_plan_repeats_an_action_two_n_times(action: int | None) -> None:
    method = RECIPE if action is None else replace(RECIPE, first_action=action)
    learner: Learner = method.begin()
    every = Progression(1, (Level(LOOPING, 1),))
    assert learner.method.next_plan(learner) == Plan((action or 0,), LOOPING, 0, (every,))
    assert learner.ledger.decisions == 0


def test_plan_that_exactly_reaches_the_limit_is_made() -> None:
    world, oracle = ChosenWorld(PAIR, 0, 1, lambda _time, _action, _state: 0), realising(2, 1)
    too_few = drive(RECIPE, world, oracle, max_steps=LOOPING - 1)
    assert isinstance(too_few, NotAccepted)
    assert (too_few.method, too_few.because) == (RECIPE, "the limit of 3 steps was reached")
    assert world.steps == 0
    assert drive(RECIPE, world, oracle, max_steps=LOOPING).ledger.steps == LOOPING


def test_absorb_after_the_end_is_refused() -> None:
    because = NotAccepted(RECIPE, Model(2), RECIPE.begin().ledger, "it ended")
    learner: Learner = replace(RECIPE.begin(), stage=because)
    world = ChosenWorld(PAIR, 0, 1, lambda _time, _action, _state: 0)
    loop = run(learner.ledger, world, Plan((0,), 1))
    expected = "state = ended: expected a state that asked for a plan"
    with pytest.raises(InvalidArgument, match=f"^{expected}$"):
        RECIPE.absorb(learner, loop, realising(2, 1))
