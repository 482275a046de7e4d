"""A refused parameter is reported with its name, its value and the allowed values."""

from dataclasses import FrozenInstanceError, dataclass, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Components
from steel_verified.classes.fitted import Fitted
from steel_verified.errors import InvalidArgument
from steel_verified.strategies import extents, parameters
from steel_verified.theory.parameters import (
    Extent,
    LocatedParameters,
    Parameters,
    largest_extent,
    require_within,
)

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


def test_parameters_are_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        LOCK.actions = 3  # type: ignore[misc]  # this must not be possible


@pytest.mark.parametrize(("states", "diameter"), [(0, 0), (1, 1), (2, 0), (5, 5), (5, 0), (3, -1)])
def test_impossible_extents_of_a_strongly_connected_graph_are_refused(
    states: int, diameter: int
) -> None:
    with pytest.raises(InvalidArgument):
        Extent(states, diameter)


def test_extent_beyond_the_parameters_is_refused() -> None:
    require_within(Extent(30, 29), LOCK)
    with pytest.raises(InvalidArgument, match="states = 31"):
        require_within(Extent(31, 5), LOCK)
    with pytest.raises(InvalidArgument, match="diameter = 7"):
        require_within(Extent(20, 7), replace(LOCK, max_diameter=6))
    with pytest.raises(InvalidArgument, match="one classifier for each state"):
        require_within(Extent(20, 7), replace(LOCK, class_size=19))


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


@pytest.mark.parametrize("wrong", [0, "7", None, 7.0])
def test_invalid_max_states_is_refused_for_a_world(wrong: int) -> None:
    for made in (
        lambda: Parameters.of(Three(), Components(12), max_states=wrong, mixing_time=2),
        lambda: LocatedParameters.of(Three(), max_states=wrong, mixing_time=2),
    ):
        with pytest.raises(InvalidArgument, match="max_states"):
            made()
