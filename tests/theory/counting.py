"""The exact law of the number of ones in a stream, from every noise state before it."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.worlds.chains import Distribution

    from .kernels import Rows

Law = tuple[Fraction, ...]


def count_laws(kernels: Sequence[Rows], ones: Distribution) -> list[Law]:
    """How likely 0, 1, … ones are, if each kernel leads to a sample, from each first noise state.

    `ones` has the chance of a one in each noise state.
    """
    laws: list[Law] = [(Fraction(1),) for _ in ones]
    for kernel in reversed(kernels):
        here = [_one_more(law, one) for law, one in zip(laws, ones, strict=True)]
        laws = [
            tuple(
                sum((p * chance for p, chance in zip(row, column, strict=True)), Fraction(0))
                for column in zip(*here, strict=True)
            )
            for row in kernel
        ]
    return laws


def _one_more(law: Law, one: Fraction) -> Law:
    return tuple(
        (1 - one) * none + one * another
        for none, another in zip((*law, Fraction(0)), (Fraction(0), *law), strict=True)
    )


def worst_tails(laws: Sequence[Law]) -> Law:
    """P(k ones or more) for k = 0, 1, …, each from the start where it is largest."""
    return tuple(map(max, zip(*(upper_tails(law) for law in laws), strict=True)))


def upper_tails(law: Law) -> Law:
    return tuple(accumulate(reversed(law)))[::-1]


def binomial_law(samples: int, p: Fraction) -> Law:
    return tuple(comb(samples, k) * p**k * (1 - p) ** (samples - k) for k in range(samples + 1))


def mean(law: Distribution, values: Distribution) -> Fraction:
    return sum((p * value for p, value in zip(law, values, strict=True)), Fraction(0))
