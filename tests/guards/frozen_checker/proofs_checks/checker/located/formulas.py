"""The number of passes of a validation: the recursion of CERTIFICATE.md, in integers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofs_checks.checker.planning import Work

BITS = 160
"""a and b are rounded up to multiples of 2^−160."""


def share_of(delta: Fraction, number: int) -> Fraction:
    """Return δ/(k(k+1)), the charge of round k = 1, 2, …"""
    return delta / (number * (number + 1))


def passes_needed(
    epsilon: Fraction, gap: int, share: Fraction, most: int, work: Work
) -> int | None:
    """Return the least n with b_n + η·a_n ≤ share, η = 2^(−gap−1); None if n exceeds `most`.

    a_0 = b_0 = 1, a_{i+1} = min(a_i, η·a_i + b_i), b_{i+1} = min(b_i, (1−ε)·b_i + ε·η·a_i), with
    min(ε, 1/2) for ε.
    """
    error = min(epsilon, Fraction(1, 2))
    wrong, whole, halvings = error.numerator, error.denominator, gap + 1
    right = (whole - wrong) << halvings
    a = b = 1 << BITS
    for n in range(most + 1):
        work.add(2 + halvings // 64)
        if ((b << halvings) + a) * share.denominator <= share.numerator << BITS + halvings:
            return n
        a, b = (
            min(a, _up(a + (b << halvings), 1 << halvings)),
            min(b, _up(right * b + wrong * a, whole << halvings)),
        )
    return None


def _up(above: int, below: int) -> int:
    """Return the quotient, rounded up."""
    return -(-above // below)
