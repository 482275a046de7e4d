"""The recursion that bounds the chance that n checks pass, computed step by step."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Iterator

_GRAIN = 1 << 160


def passing_bounds(epsilon: Fraction, mixing_times: int) -> Iterator[Fraction]:
    """Yield b_n + η·a_n for n = 0, 1, …, each number rounded up to a multiple of 2^−160."""
    error, far = min(epsilon, Fraction(1, 2)), distance_after(mixing_times)
    a = b = Fraction(1)
    while True:
        yield min(Fraction(1), b + far * a)
        a, b = (
            min(a, _rounded_up(far * a + b)),
            min(b, _rounded_up((1 - error) * b + error * far * a)),
        )


def _rounded_up(value: Fraction) -> Fraction:
    return Fraction(-(-value.numerator * _GRAIN // value.denominator), _GRAIN)
