"""Bets against honest samples: their expected value is at most 1, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.theory.betting import forecast, most_likely, winnings
from steel_verified.theory.validation import distance_after

Sequence = tuple[int, ...]


def counted(shown: Sequence, contexts: Sequence, symbols: int = 2) -> list[list[int]]:
    counts = [[0] * symbols for _ in range(max(contexts) + 1)]
    for symbol, context in zip(shown, contexts, strict=True):
        counts[context][symbol] += 1
    return counts


def by_earlier(shown: Sequence) -> Sequence:
    """The context of each sample but the first is what the one before showed."""
    return (0, *(1 + symbol for symbol in shown[:-1]))


@pytest.mark.parametrize(("symbols", "many"), [(2, 7), (4, 4)])
def test_a_forecast_is_a_distribution(symbols: int, many: int) -> None:
    """Also where the context depends on earlier samples."""
    for contexts in (lambda shown: (0,) * len(shown), by_earlier):
        total = sum(
            forecast(counted(shown, contexts(shown), symbols))
            for shown in product(range(symbols), repeat=many)
        )
        assert total == 1


def test_no_law_gives_a_sequence_a_larger_chance() -> None:
    """On a grid of laws π, with η added to the chance of each symbol."""
    for mixing_times, totals in product((1, 2, 5), ((3, 4), (0, 7), (1, 6), (2, 2), (5, 0))):
        far = distance_after(mixing_times)
        for parts in range(13):
            law = Fraction(parts, 12), Fraction(12 - parts, 12)
            chances = (min(Fraction(1), p + far) ** n for p, n in zip(law, totals, strict=True))
            one, other = chances
            assert one * other <= most_likely(totals, mixing_times)


def expected(many: int, stick: Fraction, one: Fraction, mixing_times: int) -> Fraction:
    """E[winnings] of a bet on the sample before, for a chain that keeps its value with a chance.

    After one sample it is within stick·max(one, 1 − one) of its law.
    """
    law = (1 - one, one)
    total = Fraction(0)
    for shown in product((0, 1), repeat=many):
        chance = law[shown[0]]
        for before, now in pairwise(shown):
            chance *= stick * (before == now) + (1 - stick) * law[now]
        total += chance * winnings(counted(shown, by_earlier(shown)), mixing_times)
    return total


def test_honest_samples_do_not_pay_on_average() -> None:
    """The chain is as far from stationarity after one sample as η allows: 1/4, 1/8 or 1/16."""
    for mixing_times in (1, 2, 3):
        stick = 2 * distance_after(mixing_times)
        assert expected(8, stick, Fraction(1, 2), mixing_times) <= 1


def test_forgetting_the_distance_from_stationarity_is_seen() -> None:
    """Where samples of t̂_mix apart are taken for independent ones, the bet pays on average."""
    assert expected(12, Fraction(1, 2), Fraction(1, 2), 40) > 1


def test_judging_by_the_samples_that_were_fitted_is_seen() -> None:
    """A forecaster that knows how often each symbol will be seen pays on average."""
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


def test_what_depends_on_its_context_pays() -> None:
    assert winnings([[30, 0], [0, 30]], 1) > 10**5
    assert winnings([[15, 15], [15, 15]], 8) < 1


def test_an_odd_number_of_symbols_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="even number of symbols"):
        forecast([[1, 2, 3]])
