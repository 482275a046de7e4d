"""Inequalities over whole intervals of real numbers, by ball arithmetic and subdivision.

If the ball that encloses the values of a formula is positive, the formula is positive on the whole
ball of arguments. Undecided intervals are bisected, down to a fixed depth. The formula is given in
sympy, and the kernel computes its derivative itself.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from flint import arb, ctx
from sympy import Add, Integer, Mul, Pow, Rational, Symbol, exp, log, simplify

from proofs_checks.checks.evidence import Evidence, NotEarned, Strength, require_number
from proofs_checks.checks.formulas import E, formula
from steel_verified.theory.exact import ball

if TYPE_CHECKING:
    from collections.abc import Callable

    from sympy import Expr

    from proofs_checks.checks.formulas import Number

_DEEPEST: Final = 40
_MOST_PIECES: Final = 20_000
_PRECISION: Final = 128


def positive(of: Expr, variable: Symbol, low: Fraction, high: Fraction) -> Evidence:
    """Show that a formula is positive on all of [low, high]."""
    _check_range(of, variable, low, high)
    pieces = _cover(of, variable, low, high, _above_zero)
    return Evidence(Strength.ENCLOSED, f"> 0 on [{low}, {high}], in {pieces} pieces")


def positive_from_zero(
    of: Expr, variable: Symbol, low: Fraction, rising_to: Fraction, high: Fraction
) -> Evidence:
    """Show that a formula is 0 at `low`, increasing up to `rising_to`, and positive up to `high`.

    That it is 0 at `low` is decided by algebra, and that it increases by its derivative.
    """
    _check_range(of, variable, low, high)
    at_low = simplify(of.subs({variable: formula(low)}))
    if at_low != Integer(0):
        raise NotEarned(f"the value at {low} is {at_low}, not 0")
    defined(of, variable, low, rising_to)
    rising = _cover(formula(of.diff(variable)), variable, low, rising_to, _above_zero)
    above = _cover(of, variable, rising_to, high, _above_zero)
    how = f"0 at {low}, increasing to {rising_to} ({rising} pieces), > 0 to {high} ({above} pieces)"
    return Evidence(Strength.ENCLOSED, how)


def defined(of: Expr, variable: Symbol, low: Fraction, high: Fraction) -> None:
    """Raise `NotEarned` unless the formula is a real number everywhere on [low, high]."""
    _check_range(of, variable, low, high)
    _cover(of, variable, low, high, arb.is_finite)


def ordered(*numbers: Number) -> Evidence:
    """Show that these numbers, given as formulas without symbols, are strictly increasing."""
    if len(numbers) < 2:
        raise NotEarned("there is nothing to compare")
    with ctx.workprec(_PRECISION):
        balls = [_on_balls(formula(each), None, arb(0)) for each in numbers]
        for lower, upper, below, above in zip(numbers, numbers[1:], balls, balls[1:], strict=False):
            if not below < above:
                raise NotEarned(f"{lower} < {upper} is not shown: {below}, {above}")
    return Evidence(Strength.ENCLOSED, " < ".join(map(str, numbers)))


def _check_range(of: Expr, variable: Symbol, low: Fraction, high: Fraction) -> None:
    """Raise `NotEarned` unless all is exact and the variable's assumptions hold on the range.

    sympy may have used them already: for a variable x ≥ 0 it simplifies √(x²) to x.
    """
    require_number(low)
    require_number(high)
    if type(variable) is not Symbol or formula(of).free_symbols - {formula(variable)}:
        raise NotEarned(f"{of} is not a formula in {variable}")
    if (variable.is_positive and low <= 0) or (variable.is_nonnegative and low < 0):
        raise NotEarned(f"{variable} has an assumption that is false somewhere on [{low}, {high}]")


def _cover(
    of: Expr, variable: Symbol, low: Fraction, high: Fraction, decides: Callable[[arb], bool]
) -> int:
    """Return the number of pieces; raise `NotEarned` if a piece stays undecided."""
    if not low < high:
        raise NotEarned(f"[{low}, {high}] is not an interval: expected the lower end first")
    open_pieces, closed = [(Fraction(low), Fraction(high), 0)], 0
    with ctx.workprec(_PRECISION):
        while open_pieces:
            a, b, depth = open_pieces.pop()
            middle = (a + b) / 2
            value = _on_balls(of, variable, ball(middle) + arb(0, 1) * ball((b - a) / 2))
            if decides(value):
                closed += 1
            elif value < 0 or depth == _DEEPEST or closed > _MOST_PIECES:
                raise NotEarned(f"not shown on [{float(a):.6g}, {float(b):.6g}]: {value}")
            else:
                open_pieces += [(a, middle, depth + 1), (middle, b, depth + 1)]
    return closed


def _above_zero(value: arb) -> bool:
    return value > 0


def _on_balls(of: Expr, variable: Symbol | None, at: arb) -> arb:
    """A ball that contains the values of a formula for all values of its variable in a ball.

    Raise `NotEarned` for another symbol, and for a power other than of whole or half numbers.
    """
    if of == variable:
        return at
    if of == E:
        return arb(1).exp()
    if isinstance(of, Rational):
        return ball(Fraction(of.p, of.q))
    if isinstance(of, Add | Mul):
        result, *others = (_on_balls(each, variable, at) for each in of.args)
        for other in others:
            result = result + other if isinstance(of, Add) else result * other
        return result
    if isinstance(of, exp):
        return _on_balls(of.args[0], variable, at).exp()
    if isinstance(of, log):
        return _on_balls(of.args[0], variable, at).log()
    if isinstance(of, Pow) and isinstance(of.exp, Rational) and of.exp.q in {1, 2}:
        base = _on_balls(of.base, variable, at)
        power = (base if of.exp.q == 1 else base.sqrt()) ** abs(of.exp.p)
        return power if of.exp.p > 0 else arb(1) / power
    raise NotEarned(f"no balls for {of}")
