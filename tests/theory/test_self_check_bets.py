"""If all conditions hold, the expected value of a bet is at most 1: exact computations."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeAlias

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.theory.self_check import forecast, most_likely, winnings
from steel_verified.theory.validation import distance_after

from .kernels import laws, sticky

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.worlds.chains import Distribution

    from .kernels import Rows

Sequence = tuple[int, ...]
Make: TypeAlias = "Callable[[Distribution, Fraction], Rows]"


def counted(shown: Sequence, contexts: Sequence, symbols: int = 2) -> list[list[int]]:
    counts = [[0] * symbols for _ in range(max(contexts) + 1)]
    for symbol, context in zip(shown, contexts, strict=True):
        counts[context][symbol] += 1
    return counts


def by_earlier(shown: Sequence) -> Sequence:
    """The context of each sample, except the first, is the symbol before it."""
    return (0, *(1 + symbol for symbol in shown[:-1]))


@pytest.mark.parametrize(("symbols", "many"), [(2, 7), (4, 4)])
def test_forecasts_of_all_sequences_sum_to_one(symbols: int, many: int) -> None:
    """This holds also if the context depends on earlier samples."""
    for contexts in (lambda shown: (0,) * len(shown), by_earlier):
        total = sum(
            forecast(counted(shown, contexts(shown), symbols))
            for shown in product(range(symbols), repeat=many)
        )
        assert total == 1


def test_most_likely_bounds_the_chance_for_every_pi_of_a_grid() -> None:
    """π takes the values of a grid, and η is added to the chance of each symbol."""
    for mixing_times, totals in product((1, 2, 5), ((3, 4), (0, 7), (1, 6), (2, 2), (5, 0))):
        far = distance_after(mixing_times)
        for parts in range(13):
            law = Fraction(parts, 12), Fraction(12 - parts, 12)
            chances = (min(Fraction(1), p + far) ** n for p, n in zip(law, totals, strict=True))
            one, other = chances
            assert one * other <= most_likely(totals, mixing_times)


def expected(many: int, stick: Fraction, one: Fraction, mixing_times: int) -> Fraction:
    """Return E[winnings] of a bet whose context is the symbol before.

    The samples are a Markov chain: with chance `stick` it keeps its value, otherwise it draws a new
    one. After one sample it is within stick·max(one, 1 − one) of its stationary distribution.
    """
    law = (1 - one, one)
    total = Fraction(0)
    for shown in product((0, 1), repeat=many):
        chance = law[shown[0]]
        for before, now in pairwise(shown):
            chance *= stick * (before == now) + (1 - stick) * law[now]
        total += chance * winnings(counted(shown, by_earlier(shown)), mixing_times)
    return total


def test_expected_winnings_of_samples_of_one_state_are_at_most_one() -> None:
    """After one sample, the chain is as far from stationarity as η allows: 1/4, 1/8 or 1/16."""
    for mixing_times in (1, 2, 3):
        stick = 2 * distance_after(mixing_times)
        assert expected(8, stick, Fraction(1, 2), mixing_times) <= 1


# --- every forecaster, on kernels that are as far from stationarity as η allows -------------------


def restless(pi: Distribution, far: Fraction) -> Rows:
    """Return the kernel that leaves each state as often as a distance `far` from π allows."""
    more = min(far / (1 - min(pi)), *(p / (1 - p) for p in pi))
    return tuple(
        tuple((1 + more) * p - (more if e == f else 0) for f, p in enumerate(pi))
        for e in range(len(pi))
    )


def chances(kernel: Rows, ones: Distribution, many: int) -> dict[Sequence, Fraction]:
    """Return the chance of each sequence, from the state before it that makes it the largest."""
    found: dict[Sequence, Distribution] = {(): tuple(Fraction(1) for _ in ones)}
    for _ in range(many):
        found = {
            (symbol, *shown): tuple(
                sum(
                    (
                        p * (one if symbol else 1 - one) * onward
                        for p, one, onward in zip(row, ones, later, strict=True)
                    ),
                    Fraction(0),
                )
                for row in kernel
            )
            for symbol in (0, 1)
            for shown, later in found.items()
        }
    return {shown: max(each) for shown, each in found.items()}


def best_bet(size: int, mixing_times: int, believed: int, make: Make, many: int = 6) -> Fraction:
    """Return the largest expected gain of any forecaster if η is that of `believed` mixing times.

    The expected gain is linear in the forecast, so a forecaster that gives probability 1 to one
    sequence attains the largest.
    """
    far, halves = distance_after(mixing_times), (Fraction(0), Fraction(1, 2), Fraction(1))
    return max(
        chance / most_likely((shown.count(0), shown.count(1)), believed)
        for pi in laws(size, parts=6)
        for ones in product(halves, repeat=size)
        for shown, chance in chances(make(pi, far), ones, many).items()
    )


@pytest.mark.parametrize("make", [sticky, restless])
@pytest.mark.parametrize(("size", "many"), [(2, 6), (3, 3)])
@pytest.mark.parametrize("mixing_times", [1, 2])
def test_no_forecaster_gains_on_kernels_at_the_allowed_distance(
    make: Make, size: int, many: int, mixing_times: int
) -> None:
    assert best_bet(size, mixing_times, mixing_times, make, many) <= 1


def test_a_chain_attains_the_bound_of_most_likely() -> None:
    """A chain that changes with chance 1/2 + η alternates as often as the bound allows."""
    shown = chances(restless((Fraction(1, 2),) * 2, Fraction(1, 4)), (Fraction(0), Fraction(1)), 6)
    assert shown[0, 1, 0, 1, 0, 1] == most_likely((3, 3), 1) == Fraction(3, 4) ** 6


def test_forecasters_gain_if_the_distance_is_underestimated() -> None:
    """The mistakes: η is forgotten, and j mixing times are assumed where there are j − 1."""
    assert best_bet(2, 1, 60, sticky) > 3
    assert best_bet(2, 1, 60, restless) > 10
    assert best_bet(2, 1, 2, restless) > 2


def test_fitting_and_judging_on_the_same_samples_gains_on_average() -> None:
    """The forecaster uses the frequencies of the whole sequence, which it could not know before."""
    total = Fraction(0)
    for shown in product((0, 1), repeat=10):
        counts = counted(shown, by_earlier(shown))
        fitted = Fraction(1)
        for row in counts:
            for seen in row:
                fitted *= Fraction(seen, max(1, sum(row))) ** seen
        totals = [sum(column) for column in zip(*counts, strict=True)]
        total += Fraction(1, 2**10) * fitted / most_likely(totals, 8)
    assert total > 1


def test_winnings_are_large_only_if_symbols_depend_on_the_context() -> None:
    assert winnings([[30, 0], [0, 30]], 1) > 10**5
    assert winnings([[15, 15], [15, 15]], 8) < 1


def test_an_odd_number_of_symbols_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="even number of symbols"):
        forecast([[1, 2, 3]])
