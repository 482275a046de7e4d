"""Lemma 2: how fast the powers of the larger eigenvalue decay (l. 1467-1490, 1510-1513)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol, exp, log

from proofs_checks.claim import Mutant
from proofs_checks.kernels.intervals import positive, positive_from_zero
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import together
from proofs_checks.paper.lemma2.eigenvalues import (
    MATRIX_BOUND,
    UNIT,
    coefficient,
    exact,
    larger,
    on_unit,
    rises_on_unit,
    smaller,
    square_root,
)
from proofs_checks.sections import LEMMA_2_CLOSING

if TYPE_CHECKING:
    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

_HALF: Final = Rational(1, 2)
_QUARTER: Final = Rational(1, 4)

x = Symbol("x", nonnegative=True)
"""ε'."""
p, q, u, v = (Symbol(name) for name in ("p", "q", "u", "v"))
rest = Symbol("rest")
"""What a number is below the end of its range."""


def _smaller_in_size(last: int) -> Evidence:
    """λ₊² − λ₋² = (3/2 − x)·S, and both factors are positive for x ≤ last."""
    return together(
        partial(identity, larger**2 - smaller**2, (Rational(3, 2) - x) * square_root),
        partial(at_most, _HALF, Rational(3, 2) - (last - rest), {rest: 0}),
        partial(at_most, _QUARTER, x**2 + _QUARTER, {x: 0}),
    )


def _near_zero(curvature: Expr) -> Evidence:
    """λ₊ = 1 − x/2 + (S − 1/2)/2 with 1/2 ≤ S ≤ 1/2 + curvature·x², squared to lose the root."""
    return together(
        partial(identity, larger, 1 - x / 2 + (square_root - _HALF) / 2),
        partial(at_most, _QUARTER, x**2 + _QUARTER, {x: 0}),
        partial(at_most, x**2 + _QUARTER, (_HALF + curvature * x**2) ** 2, {x: 0}),
    )


def _logarithm(last: Expr) -> Evidence:
    """ln(1−x) + x and its distance from −x² are 0 at 0 and fall, or rise, up to `last`."""
    return together(
        partial(identity, (log(1 - x) + x).diff(x), -x / (1 - x)),
        partial(identity, (x**2 + x + log(1 - x)).diff(x), x * (1 - 2 * x) / (1 - x)),
        partial(at_most, 0, 1 - 2 * (last - rest), {rest: 0}),
    )


def products_keep_order(factor: int) -> Evidence:
    """The step of an induction: from 0 ≤ u ≤ v and 0 ≤ p ≤ q, p·u ≤ factor·q·v."""
    return at_most(p * u, factor * q * v, {q: p, v: u, p: 0, u: 0})


def three(most: str) -> Evidence:
    """a_N ≤ most·λ₊^N, at b_0 = 2, where a_N·S = c₊λ₊^N − c₋λ₋^N is largest.

    c₋ > 0, so the second term only helps unless λ₋ < 0, that is x > 2/3; there
    c₊ + c₋ = 5/2 − x takes the place of c₊, since |λ₋| ≤ λ₊.
    """
    return together(
        partial(on_unit, coefficient(-1, "2")),
        partial(rises_on_unit, exact(most) * square_root - coefficient(1, "2")),
        # λ₊λ₋ = 1/2 − 3x/4 ≥ 0 up to x = 2/3.
        partial(identity, larger * smaller, _HALF - 3 * x / 4),
        partial(at_most, 0, _HALF - 3 * (Rational(2, 3) - rest) / 4, {rest: 0}),
        partial(
            positive,
            exact(most) * square_root - (Rational(5, 2) - x),
            x,
            Fraction(2, 3),
            Fraction(1),
        ),
        partial(_smaller_in_size, 1),
    )


def _above_exponential(rate: str) -> Evidence:
    """λ₊ > exp(−rate·t) on (0, 1]: both start at 1, and the difference has slope 0 there.

    So its slope is the function that leaves 0, and the second derivative says how.
    """
    gap = larger - exp(-exact(rate) * x)
    return together(partial(identity, gap.subs({x: 0}), 0), partial(rises_on_unit, gap.diff(x)))


def eigenvalue_below(rate: str, last: str) -> Evidence:
    """λ₊ ≤ exp(−rate·t) on [0, last]: both are 1 at 0."""
    gap = exp(-exact(rate) * x) - larger
    return positive_from_zero(gap, x, Fraction(0), Fraction(1, 10), Fraction(last))


def line_below(rate: str, first: str) -> Evidence:
    """5/4 − t < exp(−rate·t) on [first, 1]."""
    return positive(exp(-exact(rate) * x) - Rational(5, 4) + x, x, Fraction(first), Fraction(1))


def _decay_below(last: str) -> Evidence:
    return together(partial(products_keep_order, 1), partial(eigenvalue_below, "1/3", last))


CLAIMS: Final = (
    LEMMA_2_CLOSING.proved(
        "G29",
        "1467",
        "|λ₋| < |λ₊|: λ₊² − λ₋² = (3/2 − ε')√(ε'² + 1/4) ≥ 1/4",
        partial(_smaller_in_size, 1),
        Mutant("for ε' up to 2", partial(_smaller_in_size, 2)),
        assumptions=(UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G30",
        "1467-1470",
        "4|λ₊|^N + 4|λ₋|^N ≤ 8λ₊^N, and λ₊ > 0, so Pr(all f = 1) ≤ 8λ₊^N",
        partial(
            together,
            partial(at_most, 4 * p + 4 * q, 8 * p, {p: q, q: 0}),
            partial(products_keep_order, 1),
            partial(_smaller_in_size, 1),
            partial(on_unit, larger),
        ),
        Mutant("7 in place of 8", partial(at_most, 4 * p + 4 * q, 7 * p, {p: q, q: 0})),
        assumptions=(UNIT, "a_N ≤ 4|λ₊|^N + 4|λ₋|^N"),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G30",
        "1467-1470",
        "Pr(all f = 1) ≤ 3λ₊^N for every N ≥ 0",
        partial(three, "3"),
        Mutant("2.9 in place of 3", partial(three, "2.9")),
        assumptions=(UNIT, MATRIX_BOUND),
    ),
    LEMMA_2_CLOSING.proved(
        "G31.root",
        "1475-1477",
        "1 − ε'/2 ≤ λ₊ ≤ 1 − ε'/2 + ε'²/2: replacing the root by 1/2 costs at most ε'²/2 (and is "
        "in the favourable direction, so an approximation only)",
        partial(_near_zero, Rational(1)),
        Mutant("9/10 of that cost", partial(_near_zero, Rational(9, 10))),
        assumptions=("ε' ≥ 0",),
    ),
    LEMMA_2_CLOSING.proved(
        "G31.logarithm",
        "1479-1481",
        "−x − x² ≤ ln(1 − x) ≤ −x on [0, 1/2], the range of x = ε'/2",
        partial(_logarithm, _HALF),
        Mutant("rising up to 3/5", partial(_logarithm, Rational(3, 5))),
        assumptions=("0 ≤ x ≤ 1/2",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G32",
        "1483",
        "λ₊ > exp(−ε'/2) for every ε' in (0, 1]: 8λ₊^N never gives 8·exp(−Nε'/2)",
        partial(_above_exponential, "1/2"),
        Mutant("with the rate 1/3", partial(_above_exponential, "1/3")),
        assumptions=("0 < ε' ≤ 1",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G33",
        "1485",
        "λ₊ ≤ exp(−ε'/3) on [0, 0.44], with equality at 0 only",
        partial(eigenvalue_below, "1/3", "0.44"),
        Mutant("up to 0.45", partial(eigenvalue_below, "1/3", "0.45")),
        Mutant("with the rate 7/20", partial(eigenvalue_below, "7/20", "0.44")),
        assumptions=("0 ≤ ε' ≤ 0.44",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G33",
        "1485",
        "λ₊ ≤ exp(−ε'/3) on [0, 0.4447]",
        partial(eigenvalue_below, "1/3", "0.4447"),
        Mutant("up to 0.4448", partial(eigenvalue_below, "1/3", "0.4448")),
        assumptions=("0 ≤ ε' ≤ 0.4447",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G34",
        "1487-1490",
        "8λ₊^N ≤ 8·exp(−Nε'/3) on [0, 0.44], since powers keep the order of nonnegative numbers",
        partial(_decay_below, "0.44"),
        Mutant("up to 0.45", partial(_decay_below, "0.45")),
        assumptions=("0 ≤ ε' ≤ 0.44", "δ ≤ 8λ₊^N"),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G38",
        "1510-1513",
        "5/4 − ε' < exp(−ε'/3) on [0.37, 1]",
        partial(line_below, "1/3", "0.37"),
        Mutant("from 0.36", partial(line_below, "1/3", "0.36")),
        assumptions=("0.37 ≤ ε' ≤ 1",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G38",
        "1510-1513",
        "5/4 − ε' < exp(−ε'/3) on [0.3644, 1]",
        partial(line_below, "1/3", "0.3644"),
        Mutant("from 0.3643", partial(line_below, "1/3", "0.3643")),
        assumptions=("0.3644 ≤ ε' ≤ 1",),
    ),
)
