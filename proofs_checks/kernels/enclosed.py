"""Formulas in one real variable, and constants, compared by ball arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, ctx
from sympy import Add, Expr, Mul, Pow, Rational, Symbol, exp, log, simplify

from proofs_checks.kernels import intervals
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength
from steel_verified.theory.exact import ball

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.text import Comparison


def compared(stated: Comparison) -> Evidence:
    """Show a comparison of two constants: exactly if both are rational, otherwise with balls."""
    left, right, sign = stated.left, stated.right, stated.relation
    if isinstance(left, Rational) and isinstance(right, Rational):
        one, other = Fraction(left.p, left.q), Fraction(right.p, right.q)
        if not {"<": one < other, "<=": one <= other, "==": one == other}[sign]:
            raise NotEarned(f"not {left} {sign} {right}")
        return Evidence(Strength.PROVED, f"{left} {sign} {right}, exactly")
    nothing = Symbol("nothing")
    with ctx.workprec(256):
        gap = on_balls(right - left, nothing)(arb(0))
    if sign == "==" or not (gap > 0 or (sign == "<=" and gap >= 0)):
        raise NotEarned(f"not shown: {left} {sign} {right}")
    return Evidence(Strength.ENCLOSED, f"{left} {sign} {right}, in balls of 256 bits")


def positive(
    formula: Expr, variable: Symbol, low: Fraction, high: Fraction, *, or_zero: bool = False
) -> Evidence:
    return intervals.positive(on_balls(formula, variable), low, high, or_zero=or_zero)


def positive_from_zero(
    formula: Expr, variable: Symbol, low: Fraction, rising_to: Fraction, high: Fraction
) -> Evidence:
    at_low = simplify(formula.subs({variable: Rational(low.numerator, low.denominator)}))
    if not at_low.is_zero:
        raise NotEarned(f"{formula} is {at_low} at {variable} = {low}, not 0")
    slope = on_balls(formula.diff(variable), variable)
    return intervals.positive_from_zero(on_balls(formula, variable), slope, low, rising_to, high)


def on_balls(formula: Expr, variable: Symbol) -> Callable[[arb], arb]:
    def value(at: Expr, x: arb) -> arb:
        if at == variable:
            return x
        if isinstance(at, Rational):
            return ball(Fraction(at.p, at.q))
        if isinstance(at, Add | Mul):
            result, *others = (value(each, x) for each in at.args)
            for other in others:
                result = result + other if isinstance(at, Add) else result * other
            return result
        if isinstance(at, exp):
            return value(at.args[0], x).exp()
        if isinstance(at, log):
            return value(at.args[0], x).log()
        if isinstance(at, Pow) and isinstance(at.exp, Rational) and at.exp.q in {1, 2}:
            base = value(at.base, x)
            power = (base if at.exp.q == 1 else base.sqrt()) ** abs(at.exp.p)
            return power if at.exp.p > 0 else arb(1) / power
        raise NotEarned(f"no balls for {at}")

    return lambda x: value(formula, x)
