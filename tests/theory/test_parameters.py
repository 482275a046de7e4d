"""Every refusal names the argument, its value and the expected values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Components
from steel_verified.classes.fitted import Fitted
from steel_verified.errors import InvalidArgument, TooClose
from steel_verified.strategies import extents, parameters
from steel_verified.theory.budget import Budget, Charge, period_charge
from steel_verified.theory.counts import (
    cycle_find_steps,
    encoder_samples,
    full_rollout,
    initial_rollout,
    period_test_repetitions,
    settling_time_of_period,
)
from steel_verified.theory.exact import exactly, least_power
from steel_verified.theory.parameters import (
    Extent,
    LocatedParameters,
    Parameters,
    largest_extent,
    require_within,
)
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import (
    SeparatedTimes,
    period_test,
)
from steel_verified.theory.validation import (
    distance_after,
    independent_samples,
    round_share,
    validation_samples,
)
from tests.bounds import bounds, with_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Make = Callable[[], object]


LOCATED = bounds(2, 30, 40)
LOCK = with_class(LOCATED, 512, max_diameter=30)


@given(data=st.data(), p=parameters())
def test_largest_extent_bounds_every_allowed_extent(data: st.DataObject, p: Parameters) -> None:
    largest = largest_extent(p)
    require_within(largest, p)
    other = data.draw(extents(p))
    require_within(other, p)
    assert other.states <= largest.states
    assert other.diameter <= largest.diameter


@dataclass(frozen=True)
class Three:
    """The part of a world that its parameters depend on."""

    actions: int = 3


def test_parameters_of_a_world_and_a_class_take_their_sizes() -> None:
    located = bounds(3, 7, 2)
    assert LocatedParameters.of(Three(), max_states=7, mixing_time=2) == located
    made = Parameters.of(Three(), Components(12), max_states=7, mixing_time=2)
    assert made == with_class(located, 12, max_diameter=6)
    given = Parameters.of(
        Three(),
        Components(12),
        max_states=7,
        mixing_time=2,
        max_diameter=0,
        delta=Fraction(1, 3),
        epsilon=Fraction(1, 4),
    )
    assert (given.max_diameter, given.delta, given.epsilon) == (0, Fraction(1, 3), Fraction(1, 4))


def test_class_of_unknown_size_is_refused_with_advice() -> None:
    unknown = Fitted(2, lambda _zeros, _ones: lambda rows: rows[:, 0] > 0)
    with pytest.raises(InvalidArgument, match=r"LocatedParameters\.of"):
        Parameters.of(Three(), unknown, max_states=7, mixing_time=2)


class Environment:
    """The part of a Gymnasium environment by which it is recognised."""

    action_space = range(3)


@pytest.mark.parametrize(
    ("wrong", "text"), [(Environment(), "from_gymnasium"), (3, "such as a SteppedWorld")]
)
def test_objects_that_are_no_world_are_refused_with_advice(wrong: Three, text: str) -> None:
    for made in (
        lambda: Parameters.of(wrong, Components(12), max_states=7, mixing_time=2),
        lambda: LocatedParameters.of(wrong, max_states=7, mixing_time=2),
    ):
        with pytest.raises(InvalidArgument, match=text):
            made()


def no_integers(
    whole: Parameters | LocatedParameters | Extent, **least: int
) -> Iterator[tuple[str, Make]]:
    """Each of these fields is too small, a truth value or a float."""
    for field, at_least in least.items():
        for value in (at_least - 1, True, 3.0):
            expected = f"{field} = {value}: expected an integer, at least {at_least}"
            yield expected, partial(replace, whole, **{field: value})


def no_probabilities(whole: Parameters | LocatedParameters) -> Iterator[tuple[str, Make]]:
    for field in ("delta", "epsilon"):
        for value in (Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(7, 6)):
            expected = f"{field} = {value}: expected a number strictly between 0 and 1"
            yield expected, partial(replace, whole, **{field: value})
        exact = f'{field} = 0.05: expected an exact fraction, such as exactly("0.05")'
        yield exact, partial(replace, whole, **{field: 0.05})


HALF = Fraction(1, 2)
CHARGE = Charge(Fraction(1), "tests", 1, 1)
OTHERS: dict[str, Make] = {
    'number = \'x\': expected a decimal such as "0.05" or a ratio such as "1/20"': (
        lambda: exactly("x")
    ),
    "delta = '1/0': expected a ratio whose denominator is not 0": lambda: exactly("1/0", "delta"),
    "rate = 1: expected a number strictly between 0 and 1": lambda: least_power(Fraction(1), HALF),
    "rate = 0: expected a number strictly between 0 and 1": lambda: least_power(Fraction(0), HALF),
    "target = 0: expected a positive number": lambda: least_power(HALF, Fraction(0)),
    "tests = -1: expected at least 0": lambda: period_charge(LOCK, -1),
    "charge.amount = 1: expected at least 0 and below 1": lambda: Budget(HALF).charge(CHARGE),
    "charge.amount = 1.00e+40: expected at least 0 and below 1": lambda: Budget(HALF).charge(
        replace(CHARGE, amount=Fraction(10**40))
    ),
    "states = 0: expected at least 1": lambda: encoder_samples(LOCK, 0),
    "period = 31: expected 1 to max_states = 30": lambda: cycle_find_steps(LOCK, 1, 31),
    "period = 0: expected 1 to max_states = 30": lambda: full_rollout(LOCK, 3, 0),
    "period = 1: expected 2 to max_states = 30": lambda: period_test_repetitions(LOCK, 3, 1),
    "word_length = 0: expected at least 1": lambda: initial_rollout(LOCK, 0),
    "word_length = -1: expected at least 1": lambda: settling_time_of_period(LOCK, -1, 1),
    "diameter = 5: expected 1 to |S|−1 = 4": lambda: Extent(5, 5),
    "diameter = 0: expected 1 to |S|−1 = 4": lambda: Extent(5, 0),
    "diameter = 1: expected 0 for one state": lambda: Extent(1, 1),
    "diameter = 9: expected at most max_diameter = 5": (
        lambda: require_within(Extent(10, 9), replace(LOCK, max_diameter=5))
    ),
    "states = 31: expected at most 30, by max_states = 30 and class_size = 512 "
    "(one classifier for each state)": lambda: require_within(Extent(31, 9), LOCK),
    "states = 20: expected at most 19, by max_states = 30 and class_size = 19 "
    "(one classifier for each state)": (
        lambda: require_within(Extent(20, 7), replace(LOCK, class_size=19))
    ),
    "count = 0: expected at least 1": lambda: Progression(0, (Level(0, 1),)),
    "stride = 0: expected more than 0, the span of the levels inside it": (
        lambda: Progression(0, (Level(2, 0),))
    ),
    "stride = 6: expected more than 6, the span of the levels inside it": (
        lambda: Progression(0, (Level(2, 6), Level(2, 4), Level(3, 1)))
    ),
    "j = 0: expected 1 to 3": lambda: period_test(LOCK, 3, 4).row(0),
    "j = 4: expected 1 to 3": lambda: period_test(LOCK, 3, 4).row(4),
    "mixing_times = 0: expected at least 1": lambda: distance_after(0),
    "epsilon = 0: expected more than 0 and less than 1": (
        lambda: validation_samples(Fraction(), 1, HALF)
    ),
    "epsilon = 1: expected more than 0 and less than 1": (
        lambda: independent_samples(Fraction(1), HALF)
    ),
    "share = 1: expected at least 2^−120 and less than 1": (
        lambda: validation_samples(HALF, 1, Fraction(1))
    ),
    "number = 0: expected at least 1": lambda: round_share(HALF, 0),
}
REFUSED = [
    *OTHERS.items(),
    *no_integers(LOCK, actions=1, max_states=1, max_diameter=0, mixing_time=1, class_size=1),
    *no_probabilities(LOCK),
    *no_integers(LOCATED, actions=1, max_states=1, mixing_time=1),
    *no_probabilities(LOCATED),
    *no_integers(Extent(9, 8), states=1, diameter=0),
]


@pytest.mark.parametrize(("message", "make"), REFUSED)
def test_refusal_has_exactly_this_message(message: str, make: Make) -> None:
    with pytest.raises(InvalidArgument) as refused:
        make()
    assert str(refused.value) == message


def test_too_close_names_the_progressions_and_the_gap() -> None:
    near, far = Progression(7, (Level(2, 3),)), Progression(20)
    with pytest.raises(TooClose) as within:
        SeparatedTimes(pieces=(near, far), apart=4)
    assert str(within.value) == f"within {near}: gap 3 < 4"
    with pytest.raises(TooClose) as between:
        SeparatedTimes(pieces=(far, Progression(18)), apart=4)
    assert str(between.value) == f"between {far} and {Progression(18)}: gap 2 < 4"
