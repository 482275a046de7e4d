"""Decisions about numbers are right everywhere, also where floats and balls are not."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument, Undecided
from steel_verified.strategies import probabilities
from steel_verified.theory.exact import (
    ball,
    ceiling,
    decimal_above,
    exactly,
    floor,
    least_power,
)

RATE = Fraction(9, 16)


@pytest.mark.properties
@given(rate=probabilities().filter(lambda r: r < Fraction(99, 100)), target=probabilities())
def test_least_power_is_enough_and_one_fewer_is_not(rate: Fraction, target: Fraction) -> None:
    n = least_power(rate, target)
    assert rate**n <= target < rate ** (n - 1)


@pytest.mark.properties
@given(n=st.integers(0, 300))
def test_least_power_decides_equality(n: int) -> None:
    """The logarithm formula is an integer here, which no ball can tell from its neighbours."""
    assert least_power(RATE, RATE**n) == n
    assert least_power(RATE, RATE**n - Fraction(1, 16 ** (n + 9))) == n + 1


def test_the_float_formula_is_wrong_somewhere() -> None:
    wrong = [n for n in range(1, 100) if math.ceil(math.log(RATE**n) / math.log(RATE)) != n]
    assert wrong, "math.ceil(math.log(…)) would do after all"


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(3, 2)])
def test_least_power_refuses_a_rate_that_does_not_shrink(rate: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="rate"):
        least_power(rate, Fraction(1, 2))


def test_least_power_refuses_a_target_that_is_never_met() -> None:
    with pytest.raises(InvalidArgument, match="target"):
        least_power(RATE, Fraction(0))


@pytest.mark.properties
@given(number=st.fractions(-(10**30), 10**30))
def test_ceiling_and_floor_of_rationals(number: Fraction) -> None:
    if number.denominator > 1:
        assert ceiling(lambda: ball(number)) == math.ceil(number)
        assert floor(lambda: ball(number)) == math.floor(number)


def test_precision_is_raised_until_the_ceiling_is_decided() -> None:
    """A number 2⁻¹⁰⁰⁰ above an integer takes more than the first precisions."""
    just_above = 5 + Fraction(1, 2**1000)
    assert ceiling(lambda: ball(just_above)) == 6
    assert floor(lambda: ball(just_above)) == 5


def test_a_ceiling_that_no_ball_decides_is_not_guessed() -> None:
    with pytest.raises(Undecided):
        ceiling(lambda: arb(2).sqrt() ** 2)


def test_precision_is_doubled_from_64_to_65536_bits() -> None:
    tried: list[int] = []

    def undecided() -> arb:
        tried.append(ctx.prec)
        return arb(0, 1)

    with pytest.raises(Undecided, match="65536 bits"):
        ceiling(undecided)
    assert tried == [64 << doublings for doublings in range(11)]


@pytest.mark.properties
@given(number=st.fractions(), digits=st.integers(1, 8))
def test_decimal_above_never_flatters(number: Fraction, digits: int) -> None:
    shown = Fraction(decimal_above(number, digits))
    assert number <= shown <= number + abs(number) * Fraction(10) ** (1 - digits)


def test_three_digits_are_shown_unless_others_are_asked_for() -> None:
    assert decimal_above(Fraction(1, 3)) == "0.334"
    assert decimal_above(Fraction(2, 3), 1) == "0.7"


@pytest.mark.parametrize("text", ["0.05", "1/20", ".05", "5e-2", " 0.050 ", "5E-2", "10/200"])
def test_the_ways_to_write_a_twentieth(text: str) -> None:
    assert exactly(text) == Fraction(1, 20)


@pytest.mark.properties
@given(text=st.decimals(0, 1, places=9).map(str))
def test_decimals_are_read_exactly(text: str) -> None:
    assert exactly(text) == Fraction(Decimal(text))


@pytest.mark.parametrize(
    "text",
    ["", "a", "nan", "inf", "1/0", "-0.1", "0.05.1", "1e-999999999", "٠.٥", "1_0", "9" * 300],
)
def test_nonsense_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidArgument, match="delta"):
        exactly(text, "delta")
