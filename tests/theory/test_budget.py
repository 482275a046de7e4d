"""δ covers every test that the proof counts; nothing can be charged beyond it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument, Overspent
from steel_verified.strategies import extents, parameters
from steel_verified.theory.budget import (
    Budget,
    Charge,
    encoder_charge,
    separation_charge,
    worst_case_budget,
)
from steel_verified.theory.counts import encoder_samples
from steel_verified.theory.parameters import Parameters, largest_extent

from .test_counts import exp_bounds
from .test_parameters import LOCK


@pytest.mark.properties
@given(data=st.data(), p=parameters())
def test_the_worst_case_is_covered_share_by_share(data: st.DataObject, p: Parameters) -> None:
    budget = worst_case_budget(p, data.draw(extents(p)))
    period, position, encoder = (charge.amount for charge in budget.charges)
    assert period <= p.delta / 4
    assert position <= p.delta / 4
    assert encoder <= p.delta / 2
    assert budget.spent == period + position + encoder
    assert budget.left == p.delta - budget.spent >= 0


@pytest.mark.parametrize(("charge", "share"), [(0, 4), (1, 4), (2, 2)])
def test_one_sample_fewer_overspends_a_share(charge: int, share: int) -> None:
    """Each count is needed: for some parameters one sample fewer exceeds what is allotted."""

    def overspends(p: Parameters) -> bool:
        # The position tests need N⁴(D̂+1) = |S|⁴(D+1), so the bounds given are the truth.
        p = replace(p, max_diameter=max(p.max_states - 1, 0), class_size=max(p.class_size, 99))
        extent = largest_extent(p)
        spent = worst_case_budget(p, extent).charges[charge]
        if charge < 2:
            fewer = separation_charge(p.class_size, spent.tests, spent.samples - 1, "fewer")
        else:
            fewer = encoder_charge(p, extent.states, spent.samples - 1, "fewer")
        return fewer.amount > p.delta / share

    find(parameters().filter(lambda p: p.max_states > 1), overspends)


@pytest.mark.properties
@given(p=parameters(), states=st.integers(1, 12), fewer=st.integers(0, 3))
def test_the_encoder_charge_is_enclosed_from_above(p: Parameters, states: int, fewer: int) -> None:
    p = replace(p, epsilon=Fraction(1, 20))
    samples = max(encoder_samples(p, states) - fewer, 0)
    lowest, highest = exp_bounds(p.epsilon * samples / (3 * states), terms=24)
    charge = encoder_charge(p, states, samples, "encoder").amount
    assert 8 * states**2 * p.class_size / highest <= charge
    assert charge <= 8 * states**2 * p.class_size / lowest * (1 + Fraction(1, 10**9))


def test_charges_are_exact() -> None:
    assert separation_charge(3, 5, 2, "why").amount == 15 * Fraction(81, 256)


@pytest.mark.properties
@given(amounts=st.lists(st.fractions(0, 1, max_denominator=50), max_size=8))
def test_an_account_is_overspent_exactly_when_its_sum_exceeds_it(amounts: list[Fraction]) -> None:
    budget = Budget(Fraction(1, 2))
    paid = Fraction(0)
    for amount in amounts:
        charge = Charge(amount, "a test", tests=1, samples=1)
        if paid + amount > Fraction(1, 2):
            with pytest.raises(Overspent, match=r"a test .* more than δ = 1/2"):
                budget.charge(charge)
        else:
            budget = budget.charge(charge)
            paid += amount
    assert (budget.spent, budget.left) == (paid, Fraction(1, 2) - paid)


def test_charging_leaves_the_old_account_as_it_was() -> None:
    before = Budget(LOCK.delta)
    after = before.charge(separation_charge(512, 29, 32, "period tests"))
    assert before.charges == () != after.charges


def test_an_absurd_overdraft_still_has_a_message() -> None:
    with pytest.raises(Overspent, match=r"5\.63e\+799"):
        Budget(LOCK.delta).charge(separation_charge(10**400, 10**400, 1, "too many"))


def test_negative_counts_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="samples"):
        separation_charge(1, 1, -1, "why")
