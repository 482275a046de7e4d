"""Kernels of the noise between samples, the largest mean near π, and chances to pass checks."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.worlds.chains import Distribution


Rows = tuple["Distribution", ...]


def power(rows: Rows, exponent: int) -> Rows:
    """Return the kernel of `exponent` steps, by repeated squaring."""
    size = range(len(rows))
    result: Rows = tuple(tuple(Fraction(e == f) for f in size) for e in size)
    while exponent:
        if exponent % 2:
            result = product_of(result, rows)
        rows, exponent = product_of(rows, rows), exponent // 2
    return result


def product_of(one: Rows, other: Rows) -> Rows:
    return tuple(
        tuple(
            sum((p * q for p, q in zip(row, column, strict=True)), Fraction(0))
            for column in zip(*other, strict=True)
        )
        for row in one
    )


def largest_mean(law: Distribution, far: Fraction, values: Distribution) -> Fraction:
    """Return the largest mean of `values` over all distributions within `far` of a given one.

    The distance is the total variation distance. The mean is largest if up to `far` of the
    probability moves from the smallest values to the largest one.
    """
    best, left, moved = max(values), far, Fraction(0)
    for value, weight in sorted(zip(values, law, strict=True)):
        taken = min(left, weight)
        moved += taken * (best - value)
        left -= taken
    return sum((p * v for p, v in zip(law, values, strict=True)), Fraction(0)) + moved


def sticky(pi: Distribution, far: Fraction) -> Rows:
    """Return the kernel that stays in each state as often as a distance `far` from π allows."""
    stay = min(Fraction(1), far / (1 - min(pi)))
    return tuple(
        tuple((1 - stay) * p + (stay if e == f else 0) for f, p in enumerate(pi))
        for e in range(len(pi))
    )


def laws(size: int, parts: int = 8) -> list[Distribution]:
    """Return all distributions on two or three states in eighths, all probabilities positive."""
    cuts = [(a, b) for a in range(1, parts) for b in range(a, parts) if (a < b) == (size == 3)]
    pieces = [(a, parts - a) if size == 2 else (a, b - a, parts - b) for a, b in cuts]
    return [tuple(Fraction(n, parts) for n in law) for law in pieces]


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
