"""Every refusal names the argument, its value and the expected values; full text compared."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument, TooClose
from steel_verified.learning.looped import Looped
from steel_verified.theory.budget import Budget, Charge, period_charge
from steel_verified.theory.counts import cycle_find_steps, encoder_samples
from steel_verified.theory.exact import exactly, least_power
from steel_verified.theory.parameters import Extent, LocatedParameters, require_within
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import (
    SeparatedTimes,
    period_test,
)
from steel_verified.theory.validation import distance_after, round_share, validation_samples

from .test_parameters import LOCK

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = Fraction(1, 2)
RECIPE = Looped(LOCK)
LOCATED = LocatedParameters(actions=1, max_states=1, mixing_time=1, delta=HALF, epsilon=HALF)

REFUSED: dict[str, Callable[[], object]] = {
    'number = \'x\': expected a decimal such as "0.05" or a ratio such as "1/20"': (
        lambda: exactly("x")
    ),
    "delta = '1/0': expected a ratio whose denominator is not 0": lambda: exactly("1/0", "delta"),
    "rate = 1: expected a number strictly between 0 and 1": lambda: least_power(Fraction(1), HALF),
    "target = 0: expected a positive number": lambda: least_power(HALF, Fraction(0)),
    "tests = -1: expected at least 0": lambda: period_charge(RECIPE.parameters, -1),
    "charge.amount = 1: expected at least 0 and below 1": (
        lambda: Budget(HALF).charge(Charge(Fraction(1), "tests", 1, 1))
    ),
    "states = 0: expected at least 1": lambda: encoder_samples(RECIPE.parameters, 0),
    "period = 31: expected 1 to max_states = 30": lambda: cycle_find_steps(
        RECIPE.parameters, 1, 31
    ),
    "diameter = 1: expected 0 for one state": lambda: Extent(1, 1),
    "diameter = 0: expected 1 to |S|−1 = 4": lambda: Extent(5, 0),
    "states = 31: expected at most 30, by max_states = 30 and class_size = 512 "
    "(one classifier for each state)": lambda: require_within(Extent(31, 9), LOCK),
    "diameter = 9: expected at most max_diameter = 5": (
        lambda: require_within(Extent(10, 9), replace(LOCK, max_diameter=5))
    ),
    'delta = 0.05: expected an exact fraction, such as exactly("0.05")': (
        lambda: replace(LOCK, delta=0.05)  # type: ignore[arg-type]  # what is refused
    ),
    "epsilon = 1: expected a number strictly between 0 and 1": (
        lambda: replace(LOCK, epsilon=Fraction(1))
    ),
    "count = 0: expected at least 1": lambda: Progression(0, (Level(0, 1),)),
    "stride = 6: expected more than 6, the span of the levels inside it": (
        lambda: Progression(0, (Level(2, 6), Level(2, 4), Level(3, 1)))
    ),
    "j = 4: expected 1 to 3": lambda: period_test(RECIPE.parameters, 3, 4).row(4),
    "mixing_times = 0: expected at least 1": lambda: distance_after(0),
    "epsilon = 0: expected more than 0 and less than 1": (
        lambda: validation_samples(Fraction(), 1, HALF)
    ),
    "number = 0: expected at least 1": lambda: round_share(HALF, 0),
    "actions = 0: expected an integer, at least 1": lambda: replace(LOCATED, actions=0),
    "max_states = 0: expected an integer, at least 1": lambda: replace(LOCATED, max_states=0),
    "mixing_time = 0: expected an integer, at least 1": lambda: replace(LOCATED, mixing_time=0),
    "delta = 0: expected a number strictly between 0 and 1": (
        lambda: replace(LOCATED, delta=Fraction(0))
    ),
    "epsilon = 7/6: expected a number strictly between 0 and 1": (
        lambda: replace(LOCATED, epsilon=Fraction(7, 6))
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refusal_has_exactly_this_message(message: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        REFUSED[message]()
    assert str(refused.value) == message


def test_too_close_names_the_progressions_and_the_gap() -> None:
    near, far = Progression(7, (Level(2, 3),)), Progression(20)
    with pytest.raises(TooClose) as within:
        SeparatedTimes(pieces=(near, far), apart=4)
    assert str(within.value) == f"within {near}: gap 3 < 4"
    with pytest.raises(TooClose) as between:
        SeparatedTimes(pieces=(far, Progression(18)), apart=4)
    assert str(between.value) == f"between {far} and {Progression(18)}: gap 2 < 4"
