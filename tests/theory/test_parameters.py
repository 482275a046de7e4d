"""Every refusal names the argument, its value and the expected values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Components
from steel_verified.classes.fitted import Fitted
from steel_verified.errors import InvalidArgument, TooClose
from steel_verified.learning.looped import Looped
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
from steel_verified.theory.validation import distance_after, round_share, validation_samples

if TYPE_CHECKING:
    from collections.abc import Callable


LOCK = Parameters(
    actions=2,
    max_states=30,
    max_diameter=30,
    mixing_time=40,
    class_size=512,
    delta=Fraction(1, 20),
    epsilon=Fraction(1, 20),
)


@pytest.mark.parametrize(
    ("argument", "value", "allowed"),
    [
        ("actions", 0, "at least 1"),
        ("max_states", 0, "at least 1"),
        ("max_states", True, "an integer"),
        ("max_states", 3.0, "an integer"),
        ("max_diameter", -1, "at least 0"),
        ("mixing_time", 0, "at least 1"),
        ("class_size", 0, "at least 1"),
        ("delta", Fraction(0), "strictly between 0 and 1"),
        ("delta", Fraction(1), "strictly between 0 and 1"),
        ("delta", 0.05, 'exactly("0.05")'),
        ("epsilon", Fraction(-1, 2), "strictly between 0 and 1"),
    ],
)
def test_invalid_parameters_are_refused(argument: str, value: int, allowed: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        replace(LOCK, **{argument: value})  # type: ignore[arg-type]  # wrong on purpose
    assert caught.value.argument == argument
    assert str(value) in str(caught.value)
    assert allowed in caught.value.expected


@given(data=st.data(), p=parameters())
def test_largest_extent_bounds_every_allowed_extent(data: st.DataObject, p: Parameters) -> None:
    largest = largest_extent(p)
    require_within(largest, p)
    other = data.draw(extents(p))
    require_within(other, p)
    assert other.states <= largest.states
    assert other.diameter <= largest.diameter


@pytest.mark.parametrize(
    ("states", "diameter", "refused"),
    [
        (0, 0, "states = 0: expected an integer, at least 1"),
        (True, 0, "states = True: expected an integer"),
        (2.0, 1, "states = 2.0: expected an integer"),
        (2, -1, "diameter = -1: expected an integer, at least 0"),
        (2, 1.0, "diameter = 1.0: expected an integer"),
        (2, True, "diameter = True: expected an integer"),
    ],
)
def test_extents_that_are_not_integers_are_refused(
    states: int, diameter: int, refused: str
) -> None:
    with pytest.raises(InvalidArgument, match=refused):
        Extent(states, diameter)


@dataclass(frozen=True)
class Three:
    """The part of a world that its parameters depend on."""

    actions: int = 3


def test_parameters_of_a_world_and_a_class_take_their_sizes() -> None:
    one_in_20 = Fraction(1, 20)
    assert Parameters.of(Three(), Components(12), max_states=7, mixing_time=2) == Parameters(
        actions=3,
        max_states=7,
        max_diameter=6,
        mixing_time=2,
        class_size=12,
        delta=one_in_20,
        epsilon=one_in_20,
    )
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
    assert LocatedParameters.of(Three(), max_states=7, mixing_time=2) == LocatedParameters(
        actions=3, max_states=7, mixing_time=2, delta=one_in_20, epsilon=one_in_20
    )


def test_class_of_unknown_size_is_refused_with_advice() -> None:
    unknown = Fitted(2, lambda _zeros, _ones: lambda rows: rows[:, 0] > 0)
    with pytest.raises(InvalidArgument, match=r"LocatedParameters\.of"):
        Parameters.of(Three(), unknown, max_states=7, mixing_time=2)


class Environment:
    """The part of a Gymnasium environment by which it is recognised."""

    action_space = range(3)


@pytest.mark.parametrize(
    ("wrong", "told"), [(Environment(), "from_gymnasium"), (3, "such as a SteppedWorld")]
)
def test_objects_that_are_no_world_are_refused_with_advice(wrong: Three, told: str) -> None:
    for made in (
        lambda: Parameters.of(wrong, Components(12), max_states=7, mixing_time=2),
        lambda: LocatedParameters.of(wrong, max_states=7, mixing_time=2),
    ):
        with pytest.raises(InvalidArgument, match=told):
            made()


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
    "period = 0: expected 1 to max_states = 30": lambda: full_rollout(LOCK, 3, 0),
    "period = 1: expected 2 to max_states = 30": lambda: period_test_repetitions(LOCK, 3, 1),
    "word_length = 0: expected at least 1": lambda: initial_rollout(LOCK, 0),
    "word_length = -1: expected at least 1": lambda: settling_time_of_period(LOCK, -1, 1),
    "rate = 0: expected a number strictly between 0 and 1": lambda: least_power(Fraction(0), HALF),
    "diameter = 5: expected 1 to |S|−1 = 4": lambda: Extent(5, 5),
    "states = 20: expected at most 19, by max_states = 30 and class_size = 19 "
    "(one classifier for each state)": (
        lambda: require_within(Extent(20, 7), replace(LOCK, class_size=19))
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
