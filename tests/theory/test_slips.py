"""How many steps may have slipped, and how far a leader must be ahead, by their definitions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.theory.slips import FIRST_EPOCH, Slips, epoch, last_step, most_of_binomial

RATES = st.fractions(Fraction(1, 1000), Fraction(49, 100), max_denominator=1000)


def tail(steps: int, rate: Fraction, most: int) -> Fraction:
    """P(Bin(steps, rate) > most), exactly."""
    return 1 - sum(
        (comb(steps, k) * rate**k * (1 - rate) ** (steps - k) for k in range(most + 1)), Fraction(0)
    )


@given(
    steps=st.integers(1, 90),
    rate=RATES,
    share=st.fractions(Fraction(1, 10**9), Fraction(99, 100), max_denominator=10**9),
)
def test_no_smaller_number_of_slips_is_rare_enough(
    steps: int, rate: Fraction, share: Fraction
) -> None:
    most = most_of_binomial(steps, rate, share)
    assert tail(steps, rate, most) <= share
    assert most == 0 or tail(steps, rate, most - 1) > share


@pytest.mark.parametrize("rate", [Fraction(1, 10**5), Fraction(1, 20), Fraction(49, 100)])
def test_long_epochs_are_quick_and_right(rate: Fraction) -> None:
    """In exact whole numbers, with a common denominator: six seconds, where rounding takes none."""
    steps, share = 1 << 12, Fraction(1, 5000)
    most = most_of_binomial(steps, rate, share)
    up, down = rate.numerator, rate.denominator - rate.numerator
    every, term, found = rate.denominator**steps, down**steps, [0, down**steps]
    for k in range(most):
        term = term * (steps - k) // (k + 1) // down * up
        found.append(found[-1] + term)
    assert found[-1] >= (1 - share) * every
    assert most == 0 or found[-2] < (1 - share) * every
    assert most_of_binomial(1 << 17, rate, share) < 1 << 17


def test_a_share_that_rounding_cannot_see_allows_every_step() -> None:
    assert most_of_binomial(5, Fraction(1, 3), Fraction(1, 10**400)) == 5


def test_the_shares_of_all_epochs_are_half_of_delta() -> None:
    slips = Slips(Fraction(1, 50), Fraction(1, 10))
    for number in range(1, 5):
        share = slips.delta / (2 * number * (number + 1))
        most = slips.most(last_step(number))
        assert tail(last_step(number), slips.rate, most) <= share
        assert tail(last_step(number), slips.rate, most - 1) > share
        assert slips.most(last_step(number) + 1) > most
    assert sum(Fraction(1, j * (j + 1)) for j in range(1, 500)) < 1


@given(steps=st.integers(0, 10**6))
def test_every_step_is_in_the_epoch_that_ends_next(steps: int) -> None:
    number = epoch(steps)
    assert steps <= last_step(number)
    assert number == 1 or last_step(number - 1) < steps
    assert last_step(1) == FIRST_EPOCH


@given(
    rate=RATES, delta=st.fractions(Fraction(1, 10**6), Fraction(1, 2)), pairs=st.integers(1, 10**6)
)
def test_the_lead_is_the_least_that_is_enough(rate: Fraction, delta: Fraction, pairs: int) -> None:
    lead, odds = Slips(rate, delta).lead(pairs), rate / (1 - rate)
    assert pairs * odds**lead <= delta / 2
    assert lead == 1 or pairs * odds ** (lead - 1) > delta / 2


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 2), Fraction(3, 5), Fraction(1, 10**10)])
def test_rates_that_say_nothing_are_refused(rate: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="slips"):
        Slips(rate, Fraction(1, 20))


def test_a_float_is_refused_with_advice() -> None:
    with pytest.raises(InvalidArgument, match="an exact fraction"):
        Slips(0.01, Fraction(1, 20))  # type: ignore[arg-type] # the mistake
