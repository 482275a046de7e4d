"""Fresh steps have the power that is promised; if the encoder errs on them, they are twice as many.

Mistakes that these tests notice: pairs of actions that are not taken, one visit too few, a walk
that does not return, no second walk, and a level that is spent twice.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning.graph import visits
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.learning.self_check.fresh import fresh_walk
from steel_verified.strategies import dynamics
from steel_verified.theory.self_check import (
    DEFAULT_CHECK,
    FAULT,
    MOST_FRESH_STEPS,
    POWER,
    FreshSteps,
    SelfCheck,
    fresh_steps,
    visits_for,
)
from steel_verified.theory.validation import round_share

from ...studies.violations.breaking import Violation, violated_world
from ...studies.violations.judging import Method, ending

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics

AS_MANY_AS_NEEDED = FreshSteps(MOST_FRESH_STEPS, None)
ERRS_LATE = violated_world(Violation.SLOW, 2014)
"""The noise changes once, 70 steps before the first fresh walk ends; then the encoder errs."""


def test_enough_visits_are_the_least_number_with_the_promised_power() -> None:
    many = visits_for(FAULT)
    assert (1 - FAULT) ** many <= 1 - POWER < (1 - FAULT) ** (many - 1)


@given(truth=dynamics(), home=st.integers(0), seed=st.integers(0, 99))
def test_a_fresh_walk_takes_every_two_actions_in_a_row_and_visits_every_state_often(
    truth: Dynamics, home: int, seed: int
) -> None:
    model, home = Model(truth.actions, truth.table), home % truth.states
    walk = fresh_walk(model, home, AS_MANY_AS_NEEDED, seed)
    seen = visits(model, home, walk)
    taken = {(before, *word) for before, word in zip((home, *seen), pairwise(walk), strict=False)}
    actions = range(truth.actions)
    assert taken == {(s, a, b) for s in range(truth.states) for a in actions for b in actions}
    often = Counter(seen)
    assert min(often.values()) >= visits_for(FAULT)
    assert model.walk(home, walk) == home


@given(truth=dynamics(), most=st.integers(0, 300), wanted=st.none() | st.integers(0, 300))
def test_a_fresh_walk_is_closed_and_as_long_as_it_may_be(
    truth: Dynamics, most: int, wanted: int | None
) -> None:
    model = Model(truth.actions, truth.table)
    walk = fresh_walk(model, 0, FreshSteps(most, wanted), 0)
    assert len(walk) <= most
    assert model.walk(0, walk) == 0
    if wanted is not None and most >= wanted + truth.states:
        assert wanted <= len(walk) <= wanted + truth.states


def test_a_second_walk_is_taken_if_the_encoder_errs_and_shows_slow_noise() -> None:
    """One walk alone shows too few of the rows on which the encoder errs."""
    once = ending(ERRS_LATE, Method.LOCATED, SelfCheck(steps=376))
    assert isinstance(once.result, Accepted)
    assert once.result.fresh_steps == 376
    twice = ending(ERRS_LATE, Method.LOCATED)
    assert isinstance(twice.result, Contradicted)
    assert twice.under_way.steps > once.under_way.steps + 376
    checked = twice.result.self_check
    assert checked is not None
    assert checked.level == round_share(DEFAULT_CHECK.level, twice.result.ledger.decisions)
    shares = {checked.level / (len(checked.bets) * many) for _, many in checked.bets}
    assert {2 / won.needed for won in checked.won} <= shares, "each walk has half of the level"


@pytest.mark.parametrize("method", [Method.LOCATED, Method.LOOPED])
def test_one_walk_is_taken_if_the_encoder_is_right(method: Method) -> None:
    result = ending(violated_world(Violation.HONEST, 0), method).result
    assert isinstance(result, Accepted)
    wanted = fresh_steps(None, result.ledger.steps, None)
    assert result.fresh_steps == len(fresh_walk(result.model, result.current, wanted, 0))
