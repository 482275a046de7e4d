"""How many samples validate a model and an encoder that were fixed before (located STEEL).

A check looks at one label, at times that are j·t̂_mix apart, and asks whether the encoder names it.
The chance that n checks pass although the encoder errs on it with chance ε or more is at most
b_n + η·a_n, for the recursion below; η = 2^(−j−1) bounds how far the noise is from stationarity
after j·t̂_mix steps. Everything is rational, so the least n is decided exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator

_GRAIN: Final = 1 << 160
"""Numbers are rounded up to multiples of 1/_GRAIN, far below every share of δ that is used."""
_LEAST_SHARE: Final = Fraction(1, 1 << 120)


def distance_after(mixing_times: int) -> Fraction:
    """η = 2^(−j−1): the distance from stationarity after j·t_mix steps.

    It is at most 1/4 after t_mix steps, and twice the distance is submultiplicative.
    """
    if mixing_times < 1:
        raise InvalidArgument("mixing_times", mixing_times, "at least 1")
    return Fraction(1, 1 << mixing_times + 1)


def passing_bounds(epsilon: Fraction, mixing_times: int) -> Iterator[Fraction]:
    """b_n + η·a_n for n = 0, 1, …: bounds on the chance to pass n checks, each rounded up.

    a_0 = b_0 = 1, a_{i+1} = min(a_i, η·a_i + b_i), b_{i+1} = min(b_i, (1−ε)·b_i + ε·η·a_i).
    """
    if not 0 < epsilon < 1:
        raise InvalidArgument("epsilon", epsilon, "more than 0 and less than 1")
    error, far = min(epsilon, Fraction(1, 2)), distance_after(mixing_times)
    a = b = Fraction(1)
    while True:
        yield min(Fraction(1), b + far * a)
        a, b = (
            min(a, _rounded_up(far * a + b)),
            min(b, _rounded_up((1 - error) * b + error * far * a)),
        )


@lru_cache(maxsize=256)
def validation_samples(epsilon: Fraction, mixing_times: int, share: Fraction) -> int:
    """The least n for which the bound is at most the share of δ."""
    if not _LEAST_SHARE <= share < 1:
        raise InvalidArgument("share", share, "at least 2^−120 and less than 1")
    bounds = enumerate(passing_bounds(epsilon, mixing_times))
    return next(n for n, bound in bounds if bound <= share)


def round_share(delta: Fraction, number: int) -> Fraction:
    """δ/(k(k+1)): what round k = 1, 2, … spends; all rounds together spend less than δ."""
    if number < 1:
        raise InvalidArgument("number", number, "at least 1")
    return delta / (number * (number + 1))


def _rounded_up(value: Fraction) -> Fraction:
    return Fraction(-(-value.numerator * _GRAIN // value.denominator), _GRAIN)
