"""How many attempts must agree if steps slip: the least sufficient number; length limits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.theory.slips import MOST_SLIPPED, Slips, attempt_delta, slips, votes_needed
from steel_verified.theory.validation import round_share

DELTAS = st.fractions(Fraction(1, 10**9), Fraction(99, 100))


@given(
    bad=st.fractions(Fraction(1, 10**6), Fraction(1, 4)), delta=DELTAS, number=st.integers(1, 50)
)
def test_votes_needed_is_the_least_sufficient_number(
    bad: Fraction, delta: Fraction, number: int
) -> None:
    needed, odds = votes_needed(bad, delta, number), bad / (1 - bad)
    assert needed >= 1
    assert odds**needed <= round_share(delta, number)
    assert needed == 1 or odds ** (needed - 1) > round_share(delta, number)


@given(rate=st.fractions(Fraction(1, 10**9), MOST_SLIPPED), delta=DELTAS)
def test_bad_attempt_is_at_most_one_quarter_for_default_lengths(
    rate: Fraction, delta: Fraction
) -> None:
    chosen = slips(rate)
    assert chosen.rate * chosen.attempt_steps <= MOST_SLIPPED
    assert chosen.bad_attempt(delta) <= Fraction(1, 4)
    assert 0 < 3 * attempt_delta(delta) <= min(delta / 2, Fraction(1, 20))


def test_attempts_longer_than_allowed_are_refused() -> None:
    rate = Fraction(1, 10**5)
    assert Slips(rate, 20_000).attempt_steps == slips(rate).attempt_steps == 20_000
    with pytest.raises(InvalidArgument, match="1 to 20,000, so that four of five attempts"):
        Slips(rate, 20_001)
    with pytest.raises(InvalidArgument, match="attempt_steps"):
        Slips(rate, 0)


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(-1, 2), Fraction(1, 4), Fraction(1)])
def test_rates_outside_zero_to_one_fifth_are_refused(rate: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="rate"):
        slips(rate)


def test_the_lock_needs_two_attempts_at_one_slip_in_100_000_steps() -> None:
    delta = Fraction(1, 20)
    assert votes_needed(slips(Fraction(1, 10**5), 9_000).bad_attempt(delta), delta, 1) == 2
