"""Numeric decisions are exact, also where floats and single balls cannot decide."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument, Undecided
from steel_verified.strategies import probabilities
from steel_verified.theory.exact import ball, ceiling, decimal_above, exactly, floor, least_power
from steel_verified.theory.wording import counted, counted_range

RATE = Fraction(9, 16)


@given(rate=probabilities().filter(lambda r: r < Fraction(99, 100)), target=probabilities())
def test_least_power_is_enough_and_one_fewer_is_not(rate: Fraction, target: Fraction) -> None:
    n = least_power(rate, target)
    assert rate**n <= target < rate ** (n - 1)


@given(n=st.integers(0, 300))
def test_least_power_decides_equality(n: int) -> None:
    """The quotient of logarithms is an integer here, which no ball can decide."""
    assert least_power(RATE, RATE**n) == n
    assert least_power(RATE, RATE**n - Fraction(1, 16 ** (n + 9))) == n + 1


@given(number=st.fractions(-(10**30), 10**30))
def test_ceiling_and_floor_of_rationals(number: Fraction) -> None:
    if number.denominator > 1:
        assert ceiling(lambda: ball(number)) == math.ceil(number)
        assert floor(lambda: ball(number)) == math.floor(number)


def test_precision_is_raised_until_the_ceiling_is_decided() -> None:
    """A number 2⁻¹⁰⁰⁰ above an integer needs more than the first precisions."""
    just_above = 5 + Fraction(1, 2**1000)
    assert ceiling(lambda: ball(just_above)) == 6
    assert floor(lambda: ball(just_above)) == 5


def test_precision_is_doubled_from_64_to_65536_bits() -> None:
    tried: list[int] = []

    def undecided() -> arb:
        tried.append(ctx.prec)
        return arb(0, 1)

    with pytest.raises(Undecided, match="65536 bits"):
        ceiling(undecided)
    assert tried == [64 << doublings for doublings in range(11)]


@given(number=st.fractions(), digits=st.integers(1, 8))
def test_decimal_above_is_at_least_the_number(number: Fraction, digits: int) -> None:
    shown = Fraction(decimal_above(number, digits))
    assert number <= shown <= number + abs(number) * Fraction(10) ** (1 - digits)


def test_decimal_above_shows_three_digits_by_default() -> None:
    assert decimal_above(Fraction(1, 3)) == "0.334"
    assert decimal_above(Fraction(2, 3), 1) == "0.7"


@pytest.mark.parametrize("text", ["0.05", "1/20", ".05", "5e-2", " 0.050 ", "5E-2", "10/200"])
def test_exactly_reads_every_notation_of_one_twentieth(text: str) -> None:
    assert exactly(text) == Fraction(1, 20)


@given(text=st.decimals(0, 1, places=9).map(str))
def test_exactly_reads_decimals_without_rounding(text: str) -> None:
    assert exactly(text) == Fraction(Decimal(text))


@pytest.mark.parametrize(
    "text",
    ["", "a", "nan", "inf", "1/0", "-0.1", "0.05.1", "1e-999999999", "٠.٥", "1_0", "9" * 300],
)
def test_exactly_refuses_other_texts_and_names_the_argument(text: str) -> None:
    with pytest.raises(InvalidArgument, match="delta"):
        exactly(text, "delta")


def test_counted_uses_the_singular_only_for_one() -> None:
    assert [counted(n, "state") for n in (0, 1, 2, 1000)] == [
        "0 states",
        "1 state",
        "2 states",
        "1,000 states",
    ]


def test_counted_range_of_one_number_shows_one_number() -> None:
    assert counted_range(1, 1, "step") == "1 step"
    assert counted_range(1, 2, "step") == "1 to 2 steps"
