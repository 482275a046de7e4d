"""Confidence limits for how often a classifier is 1 in one state, from samples of mixing noise.

A *stream* is n samples of one latent state, at times that are fixed beforehand: at least j·t̂_mix
apart, and the first of them at least j·t̂_mix after they were fixed. The noise at each sample is
then within η = 2^(−j−1) of stationary (claim S.T06), given all until the sample before. p is the
chance under the stationary law that the classifier is 1. The classifier is fixed beforehand too.

What is stated holds for every chain whose distance from stationarity is at most 1/4 after t̂_mix
steps, and given any past. A limit at level α is wrong with probability at most α. Limits are
multiples of 2^−16, rounded outwards, or such multiples less η.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.tails import MIDDLE, binomial_tail, weighted_tail
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Sequence

GRID: Final = 1 << 16
"""Limits are multiples of 1/GRID, before η is subtracted or added."""
_LEAST_LEVEL: Final = Fraction(1, 1 << 200)
"""Bounds on tails are never below 2^−256."""
_LIMITS_KEPT: Final = 1 << 16
_POSITIONS: Final = 32
"""Differences are looked for between multiples of 1/32."""
_LAW_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Counted:
    """How many samples of a stream were 1."""

    samples: int
    ones: int
    mixing_times: int
    """j: samples are at least so many t̂_mix apart."""

    def __post_init__(self) -> None:
        _require_counts(self.samples, self.ones)
        distance_after(self.mixing_times)


def tail_bound(samples: int, ones: int, frequency: Fraction, mixing_times: int) -> Fraction:
    """Return an upper bound on the chance that at least `ones` samples of a stream are 1.

    It is the smaller one of the sandwich and of the bound by weights (`theory/tails.py`).
    """
    _require_counts(samples, ones)
    if not 0 <= frequency <= 1:
        raise InvalidArgument("frequency", frequency, "at least 0 and at most 1")
    far = distance_after(mixing_times)
    sandwich = binomial_tail(samples, ones, min(Fraction(1), frequency + far))
    return min(sandwich, weighted_tail(samples, ones, frequency, far)[0])


def lowest_frequency(samples: int, ones: int, mixing_times: int, level: Fraction) -> Fraction:
    """Return a limit below which every p has P(at least `ones` ones) ≤ level.

    So the limit is above p with probability at most `level`: if k is the least number of ones whose
    limit is above p, there must be k ones or more. A bound at one p holds for all smaller p: raise
    the chances of a 1 in the noise states until their mean is the larger p. Then each sample is 1
    whenever it was before. Claim S.T05.
    """
    by_sandwich = lowest_in_sandwich(samples, ones, mixing_times, level)
    return max(by_sandwich, _lowest_by_weights(samples, ones, mixing_times, level))


def highest_frequency(samples: int, ones: int, mixing_times: int, level: Fraction) -> Fraction:
    """Return a limit above which every p has P(at most `ones` ones) ≤ level."""
    return 1 - lowest_frequency(samples, samples - ones, mixing_times, level)


def disagree(one: Counted, other: Counted, level: Fraction) -> bool:
    """Whether the intervals of two streams are disjoint.

    If both streams have the same p, this has probability at most `level`, however they depend on
    each other. Each of the four limits is taken at a quarter of the level: if all four hold, then p
    lies in both intervals. Quarters treat both streams and both directions alike. Another split
    would change little, as limits depend on the logarithm of their level.
    """
    return _disjoint(_interval(one, level), _interval(other, level))


def depends(stream: Sequence[bool], trials: int, mixing_times: int, level: Fraction) -> bool:
    """Whether samples after a one and samples after a zero differ more than mixing noise allows.

    Of the samples that follow a one, the first `trials` are counted, and the same after a zero. If
    there are fewer in either group, the answer is no. `trials` is fixed beforehand. For a stream
    whose samples are j·t̂_mix apart, a yes has probability at most `level`.

    Only the sandwich is used. Whatever the earlier samples are, the next is 1 with a chance within
    η of p. So the ones among the first m trials after a one lie, stochastically, between those of
    Binomial(m, p − η) and of Binomial(m, p + η). The bound by weights is false for such trials: if
    each of two noise states is kept with chance 1/2 + η, a one follows a one with chance 1/2 + η in
    every trial, and p = 1/2. So the two groups may honestly differ by 2η. Claim S.T04.
    """
    if trials < 1:
        raise InvalidArgument("trials", trials, "at least 1")
    groups: dict[bool, list[bool]] = {False: [], True: []}
    for before, now in pairwise(stream):
        groups[before].append(now)
    if min(map(len, groups.values())) < trials:
        return False
    after_zero, after_one = (
        _sandwich_interval(Counted(trials, sum(group[:trials]), mixing_times), level)
        for group in groups.values()
    )
    return _disjoint(after_zero, after_one)


Interval = tuple[Fraction, Fraction]


def _interval(counted: Counted, level: Fraction) -> Interval:
    """Limits for a stream, each at a quarter of the level."""
    n, k, j = counted.samples, counted.ones, counted.mixing_times
    return lowest_frequency(n, k, j, level / 4), highest_frequency(n, k, j, level / 4)


def _sandwich_interval(selected: Counted, level: Fraction) -> Interval:
    """Limits for selected trials, each at a quarter of the level."""
    n, k, j = selected.samples, selected.ones, selected.mixing_times
    return (
        lowest_in_sandwich(n, k, j, level / 4),
        1 - lowest_in_sandwich(n, n - k, j, level / 4),
    )


def _disjoint(one: Interval, other: Interval) -> bool:
    return one[1] < other[0] or other[1] < one[0]


# --- finding limits -------------------------------------------------------------------------------


def lowest_in_sandwich(samples: int, ones: int, mixing_times: int, level: Fraction) -> Fraction:
    """Return such a limit by the sandwich alone, which also holds for selected trials.

    It is η below the limit of Clopper and Pearson for independent samples.
    """
    _require_counts(samples, ones)
    _require_level(level)
    return max(Fraction(0), _clopper_pearson(samples, ones, level) - distance_after(mixing_times))


@lru_cache(maxsize=_LIMITS_KEPT)
def _clopper_pearson(samples: int, ones: int, level: Fraction) -> Fraction:
    """The largest multiple of 1/GRID at which the binomial tail is at most the level."""
    low, high = 0, ceil_div(ones * GRID, max(samples, 1))
    while high - low > 1:
        middle = (low + high) // 2
        if binomial_tail(samples, ones, Fraction(middle, GRID)) <= level:
            low = middle
        else:
            high = middle
    return Fraction(low, GRID)


@lru_cache(maxsize=_LIMITS_KEPT)
def _lowest_by_weights(samples: int, ones: int, mixing_times: int, level: Fraction) -> Fraction:
    """The largest multiple of 1/GRID at which the bound by weights is at most the level."""
    low, high, place = 0, ceil_div(ones * GRID, max(samples, 1)), MIDDLE
    far = distance_after(mixing_times)
    while high - low > 1:
        middle = (low + high) // 2
        bound, place = weighted_tail(samples, ones, Fraction(middle, GRID), far, place)
        if bound <= level:
            low = middle
        else:
            high = middle
    return Fraction(low, GRID)


# --- power ----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def detectable_difference(
    samples_one: int,
    samples_other: int,
    mixing_times: int,
    level: Fraction,
    power: Fraction = Fraction(9, 10),
) -> Fraction:
    """Return the least difference from which on `disagree` says yes with at least this power.

    This is about independent samples, and frequencies that are multiples of 1/32: for all pairs of
    them with this difference or a larger one. Chances are binomial sums, rounded down by less than
    2^−40. It takes some milliseconds for each sample. Raises `InvalidArgument` if there are too few
    samples to tell 0 from 1.
    """
    one = _limits(samples_one, mixing_times, level / 4)
    other = _limits(samples_other, mixing_times, level / 4)
    above_one, above_other = _least_above(one, other), _least_above(other, one)
    laws_one, laws_other = _binomial_laws(samples_one), _binomial_laws(samples_other)
    needed = ceil_div(power.numerator << 2 * _LAW_BITS, power.denominator)

    def seen(a: int, b: int) -> bool:
        """Whether the power is reached for a/32 in one stream and b/32 in the other."""
        law, law_other = laws_one[a], laws_other[b]
        chance = _chance_to_lie_below(law, law_other, above_one)
        return chance + _chance_to_lie_below(law_other, law, above_other) >= needed

    least = _POSITIONS + 1
    while least > 1 and all(
        seen(a, a + least - 1) and seen(a + least - 1, a) for a in range(_POSITIONS - least + 2)
    ):
        least -= 1
    if least > _POSITIONS:
        few = f"{samples_one} and {samples_other}"
        raise InvalidArgument("samples", few, "enough to tell a frequency of 0 from one of 1")
    return Fraction(least, _POSITIONS)


def _limits(samples: int, mixing_times: int, level: Fraction) -> tuple[Fraction, ...]:
    """The lowest frequency for each number of ones."""
    return tuple(lowest_frequency(samples, k, mixing_times, level) for k in range(samples + 1))


def _binomial_laws(samples: int) -> tuple[tuple[int, ...], ...]:
    """Binomial(n, i/32) for i = 0, …, 32, each chance rounded down, in units of 2^−64."""
    whole, coefficients = _POSITIONS**samples, [1]
    for k in range(samples):
        coefficients.append(coefficients[-1] * (samples - k) // (k + 1))
    return tuple(
        tuple(
            (c * i**k * (_POSITIONS - i) ** (samples - k) << _LAW_BITS) // whole
            for k, c in enumerate(coefficients)
        )
        for i in range(_POSITIONS + 1)
    )


def _least_above(lows: Sequence[Fraction], lows_above: Sequence[Fraction]) -> tuple[int, ...]:
    """For each number of ones, how many ones put the other stream's interval above it.

    The highest frequency for k ones among n is 1 less the lowest for n − k.
    """
    return tuple(bisect_right(lows_above, 1 - low) for low in reversed(lows))


def _chance_to_lie_below(law: Sequence[int], law_above: Sequence[int], least: Sequence[int]) -> int:
    """How likely the first stream's interval lies below the second's, in units of 2^−128."""
    last = [0, *accumulate(reversed(law_above))]
    return sum(chance * last[len(law_above) - k] for chance, k in zip(law, least, strict=True))


def _require_counts(samples: int, ones: int) -> None:
    if samples < 0:
        raise InvalidArgument("samples", samples, "at least 0")
    if not 0 <= ones <= samples:
        raise InvalidArgument("ones", ones, f"at least 0 and at most {samples}, the samples")


def _require_level(level: Fraction) -> None:
    if not _LEAST_LEVEL <= level < 1:
        raise InvalidArgument("level", level, "at least 2^−200 and less than 1")
