"""Evidence that samples do not come from one state, as a bet that rarely pays much.

The samples of one state are taken at times that were fixed beforehand, at least j·t̂_mix apart. If
all conditions hold, there is a law π such that each sample shows the symbol x with chance at most
π(x) + η, whatever came before, where η = 2^(−j−1): claims S.T06, S.T07. So a whole sequence has
chance at most Π (π(x_i) + η), and at most the largest value of this over all π: `most_likely`.

A forecaster bets on each sample, given its context: which way the state was reached, at which
phase of a loop, or what an earlier sample showed. Its chances for a whole sequence are those of
Krichevsky and Trofimov, one count for each context: `forecast`. The chances of each sample sum to
1. So forecast / most_likely has an expected value of at most 1 (claim S.T08), and by Markov's
inequality it reaches 1/α with chance at most α (claim S.T11). If contexts matter, it grows
exponentially.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Sequence


def winnings(
    counts: Sequence[Sequence[int]],
    mixing_times: int,
    of_labels: Sequence[Sequence[int]] | None = None,
) -> Fraction:
    """forecast / most_likely: at least x with chance at most 1/x if all conditions hold.

    `counts` has, for each context, how often each symbol was seen in it; samples are at least
    `mixing_times` mixing times apart. Claims S.T08, S.T11.

    Samples may also be of several states, at times that were fixed together with their labels. Then
    each label has a law π of its own, so that the chance of a whole sequence is at most the product
    of `most_likely` over the labels, whose counts are `of_labels`. Claim S.T08 is of both.
    """
    together = [[sum(column) for column in zip(*counts, strict=True)]]
    of_each = together if of_labels is None else of_labels
    return forecast(counts) / prod(most_likely(totals, mixing_times) for totals in of_each)


def forecast(counts: Sequence[Sequence[int]]) -> Fraction:
    """The chance that the forecaster gives to a sequence: Krichevsky and Trofimov in each context.

    Of n samples in a context, of which a showed the symbol, the next one shows it with chance
    (a + 1/2)/(n + K/2), for K symbols. The order of the samples does not matter. Claim S.T09.
    """
    if len({len(row) for row in counts}) != 1 or len(counts[0]) % 2:
        raise InvalidArgument("counts", counts, "an even number of symbols, the same in each row")
    half = len(counts[0]) // 2
    value = Fraction(1)
    for row in counts:
        above = prod(_half_factorial(seen) for seen in row)
        below = Fraction(factorial(sum(row) + half - 1), factorial(half - 1))
        value *= above / below
    return value


def most_likely(totals: Sequence[int], mixing_times: int) -> Fraction:
    """An upper bound on the chance of a sequence with these counts, whatever π is.

    It is the largest Π u(x)^n(x) with u(x) ≤ 1 and Σ u(x) ≤ 1 + Kη over the K symbols that were
    seen: u is in proportion to n, except where that would be above 1. Claim S.T10.
    """
    seen = sorted((n for n in totals if n), reverse=True)
    room = 1 + len(seen) * distance_after(mixing_times)
    left, value = sum(seen), Fraction(1)
    for n in seen:
        share = min(Fraction(1), room * n / left)
        value *= share**n
        room -= share
        left -= n
    return value


def _half_factorial(n: int) -> Fraction:
    """(1/2)(3/2)…(n − 1/2). Claim S.T09."""
    return Fraction(factorial(2 * n), factorial(n) << 2 * n)
