"""Inequalities over whole intervals of real numbers, by ball arithmetic and subdivision.

A function is given on balls; where the ball of its values is positive, it is positive on the whole
ball of arguments. What is undecided is cut in two, so many times and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flint import arb, ctx

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength
from steel_verified.theory.exact import ball

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

_DEEPEST: Final = 40
_MOST_PIECES: Final = 20_000
_PRECISION: Final = 128


def positive(
    function: Callable[[arb], arb], low: Fraction, high: Fraction, *, or_zero: bool = False
) -> Evidence:
    """Show that a function is positive (or, where asked, nonnegative) on all of [low, high]."""
    pieces = _cover(function, low, high, or_zero=or_zero)
    sign = "≥ 0" if or_zero else "> 0"
    return Evidence(Strength.ENCLOSED, f"{sign} on [{low}, {high}], in {pieces} pieces")


def positive_from_zero(
    function: Callable[[arb], arb],
    derivative: Callable[[arb], arb],
    low: Fraction,
    first: Fraction,
    high: Fraction,
) -> Evidence:
    """The same for a function that is exactly 0 at `low`: increasing up to `first`, positive after.

    The value at `low` must come out as a ball that contains 0 and nothing far from it; that it is 0
    exactly is for the caller to know (and to say in the claim).
    """
    with ctx.workprec(_PRECISION):
        if not function(ball(low)).contains(0):
            raise NotEarned(f"the value at {low} is not 0")
    rising = _cover(derivative, low, first, or_zero=False)
    above = _cover(function, first, high, or_zero=False)
    how = f"0 at {low}, increasing to {first} ({rising} pieces), > 0 to {high} ({above} pieces)"
    return Evidence(Strength.ENCLOSED, how)


def _cover(function: Callable[[arb], arb], low: Fraction, high: Fraction, *, or_zero: bool) -> int:
    """How many pieces it took; raise `NotEarned` where the sign stays undecided or is wrong."""
    if not low < high:
        raise NotEarned(f"[{low}, {high}] is no interval")
    open_pieces, closed = [(low, high, 0)], 0
    with ctx.workprec(_PRECISION):
        while open_pieces:
            a, b, depth = open_pieces.pop()
            value = function(ball((a + b) / 2) + arb(0, 1) * ball((b - a) / 2))
            if value > 0 or (or_zero and value >= 0):
                closed += 1
            elif value < 0 or depth == _DEEPEST or closed > _MOST_PIECES:
                raise NotEarned(f"not shown on [{float(a):.6g}, {float(b):.6g}]: {value}")
            else:
                middle = (a + b) / 2
                open_pieces += [(a, middle, depth + 1), (middle, b, depth + 1)]
    return closed
