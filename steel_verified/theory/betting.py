"""A test martingale: evidence, as a bet, that samples do not all come from one latent state.

All samples that the learner assigns to one state are taken at times that were fixed beforehand, at
least j·t̂_mix apart. If all conditions hold, there is a distribution π such that each sample shows
the symbol x with chance at most π(x) + η, whatever came before, where η = 2^(−j−1): claims S.T06,
S.T07. So a whole sequence has chance at most Π (π(x_i) + η). `most_likely` returns the largest
value of this product over all π.

A forecaster predicts each sample from its context. A context is, for example, the action by which
the state was reached, the phase of a loop, or the symbol of an earlier sample. `forecast` returns
the probability that the forecaster gives to the whole sequence. It uses the estimator of
Krichevsky and Trofimov, with separate counts for each context. Its probabilities for each sample
sum to 1. So the ratio forecast / most_likely (the `winnings` of the bet) has an expected value of
at most 1 (claim S.T08). By Markov's inequality it reaches 1/α with chance at most α (claim S.T11).
If the symbols depend on the contexts, the ratio grows exponentially.

Example: a state is reached by two actions and shows 0 after one action and 1 after the other, 30
times each. `winnings([[30, 0], [0, 30]], 1)` is more than 100,000. With 15 zeros and 15 ones after
each action it is less than 1.
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
    """Return forecast / most_likely: at least x with chance at most 1/x if all conditions hold.

    `counts[c][x]` says how often the symbol x was seen in the context c. Samples are at least
    `mixing_times` mixing times apart. Claims S.T08, S.T11.

    Samples may also be of several states, at times that were fixed together with their labels. Then
    each label has its own distribution π, so the chance of a whole sequence is at most the product
    of `most_likely` over the labels, whose counts are `of_labels`. Claim S.T08 covers both cases.
    """
    together = [[sum(column) for column in zip(*counts, strict=True)]]
    of_each = together if of_labels is None else of_labels
    return forecast(counts) / prod(most_likely(totals, mixing_times) for totals in of_each)


def forecast(counts: Sequence[Sequence[int]]) -> Fraction:
    """Return the probability that the forecaster gives to a sequence with these counts.

    It is the estimator of Krichevsky and Trofimov, in each context separately: if a of the n
    earlier samples in the context showed a symbol, the next one shows it with probability
    (a + 1/2)/(n + K/2), for K symbols. The order of the samples does not matter. Claim S.T09.
    Raises `InvalidArgument` unless all rows have the same even number of symbols.
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
    """Return an upper bound on the chance of a sequence with these counts, for every π.

    It is the largest Π u(x)^n(x) with u(x) ≤ 1 and Σ u(x) ≤ 1 + Kη over the K symbols that were
    seen. There u is proportional to n, except that no value exceeds 1. Claim S.T10.
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
