"""The first plan of located STEEL, the smallest limit that allows it, and calls after the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.observed import run
from steel_verified.evidence.plans import Plan
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
    learner: Learner = (
        RECIPE.begin() if action is None else replace(RECIPE, first_action=action).begin()
    )
    every = Progression(1, (Level(LOOPING, 1),))
    assert learner.method.next_plan(learner) == Plan((action or 0,), LOOPING, 0, (every,))
    assert learner.ledger.decisions == 0


def test_plan_that_exactly_reaches_the_limit_is_made() -> None:
    enough: Learner = RECIPE.begin(LOOPING)
    assert isinstance(enough.method.next_plan(enough), Plan)
    too_few: Learner = RECIPE.begin(LOOPING - 1)
    ended = too_few.method.next_plan(too_few)
    assert isinstance(ended, NotAccepted)
    assert (ended.method, ended.because) == (RECIPE, "the limit of 3 steps was reached")


def test_absorb_after_the_end_is_refused() -> None:
    learner: Learner = RECIPE.begin(0)
    world = ChosenWorld(PAIR, 0, 1, lambda _time, _action, _state: 0)
    loop = run(learner.ledger, world, Plan((0,), 1))
    expected = "state = ended: expected a state that asked for a plan"
    with pytest.raises(InvalidArgument, match=f"^{expected}$"):
        RECIPE.absorb(learner, loop, realising(2, 1))
