"""δ covers every test that the proof counts, and charges beyond δ are rejected."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument, Overspent
from steel_verified.strategies import extents, parameters
from steel_verified.theory.budget import (
    Budget,
    Charge,
    encoder_charge,
    period_charge,
    position_charge,
    worst_case_charges,
)
from steel_verified.theory.counts import encoder_samples
from steel_verified.theory.parameters import Parameters, largest_extent
from tests.reaching import reach

from .test_counts import exp_bounds
from .test_parameters import LOCK


@given(data=st.data(), p=parameters())
def test_worst_case_charges_stay_within_their_shares_of_delta(
    data: st.DataObject, p: Parameters
) -> None:
    delta = p.delta
    charges = worst_case_charges(p, data.draw(extents(p)))
    period, position, encoder = (charge.amount for charge in charges)
    assert period <= delta / 4
    assert position <= delta / 4
    assert encoder <= delta / 2
    budget = Budget(delta).charge(*charges)
    assert budget.spent == period + position + encoder
    assert budget.left == delta - budget.spent >= 0


@given(data=st.data(), p=parameters())
def test_worst_case_charges_count_all_tests_of_the_proof(
    data: st.DataObject, p: Parameters
) -> None:
    """|S||A|(N−1) period tests, |S||A|·|S|·|S||S|(D+1) position tests, |S|² for the encoder."""
    extent = data.draw(extents(p))
    calls = extent.states * p.actions
    positions = extent.states**2 * (extent.diameter + 1)
    assert {charge.reason: charge.tests for charge in worst_case_charges(p, extent)} == {
        "period tests": calls * (p.max_states - 1),
        "position tests": calls * extent.states * positions,
        "encoder training": extent.states**2,
    }


@pytest.mark.parametrize("kind", [0, 1])
def test_one_sample_fewer_overspends_a_share(kind: int) -> None:
    """For some parameters, one sample fewer would exceed the share of δ: each count is needed."""

    def overspends(p: Parameters) -> bool:
        # The position tests need N⁴(D̂+1) = |S|⁴(D+1), so the given bounds equal the true values.
        p = replace(p, max_diameter=p.max_states - 1, class_size=max(p.class_size, 99))
        spent = worst_case_charges(p, largest_extent(p))[kind]
        return spent.amount * Fraction(16, 9) > p.delta / 4

    reach(parameters().filter(lambda p: p.max_states > 1), overspends)


@given(p=parameters(), states=st.integers(1, 12))
def test_encoder_charge_is_just_above_the_exact_value(p: Parameters, states: int) -> None:
    p = replace(p, epsilon=Fraction(1, 20))
    samples = encoder_samples(p, states)
    lowest, highest = exp_bounds(p.epsilon * samples / (3 * states), terms=24)
    charge = encoder_charge(p, states)
    assert charge.samples == samples
    assert 8 * states**2 * p.class_size / highest <= charge.amount
    assert charge.amount <= 8 * states**2 * p.class_size / lowest * (1 + Fraction(1, 10**9))


def test_separation_charges_are_exact() -> None:
    assert period_charge(LOCK, 29).amount == 29 * 512 * Fraction(9, 16) ** 32
    assert position_charge(LOCK, 7).amount == 7 * 512 * Fraction(9, 16) ** 50


@given(amounts=st.lists(st.fractions(0, Fraction(49, 50), max_denominator=50), max_size=8))
def test_charge_raises_exactly_when_the_sum_exceeds_delta(amounts: list[Fraction]) -> None:
    budget = Budget(Fraction(1, 2))
    paid = Fraction(0)
    for amount in amounts:
        charge = Charge(amount, "tests of a kind", tests=7, samples=1)
        if paid + amount > Fraction(1, 2):
            with pytest.raises(Overspent, match=r"7 tests of a kind .* more than δ = 1/2"):
                budget.charge(charge)
        else:
            budget = budget.charge(charge)
            paid += amount
    assert (budget.spent, budget.left) == (paid, Fraction(1, 2) - paid)


@pytest.mark.parametrize(
    "amount", [Fraction(-1, 10**30), Fraction(-1), Fraction(1), Fraction(10**5001)]
)
def test_amounts_below_zero_or_at_least_one_are_refused(amount: Fraction) -> None:
    """A negative charge would give δ back; a bound of 1 or more says nothing."""
    half = Fraction(1, 2)
    with pytest.raises(InvalidArgument, match=r"charge.amount = .*at least 0 and below 1"):
        Budget(half, half / 2).charge(Charge(amount, "tests", tests=1, samples=1))
