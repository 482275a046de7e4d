"""Inequalities in one real number, by interval arithmetic; equations, by algebra."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, exp, simplify

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.intervals import positive, positive_from_zero
from proofs_checks.kernels.sums.building import names
from proofs_checks.kernels.sums.expressions import Exponential, Value
from steel_verified.theory.exact import ball

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from proofs_checks.kernels.sums.expressions import Atom, Expression


def shown_on(
    gap: Expression,
    variable: str,
    meanings: Mapping[str, Expr],
    low: Fraction,
    high: Fraction,
    rising_to: Fraction | None,
) -> None:
    """Show that the gap is ≥ 0 for all values of the variable in [low, high], or refuse."""
    x = Symbol(variable)
    formula = as_formula(gap, {**meanings, variable: x})
    if formula.free_symbols - {x}:
        raise NotEarned(f"{gap} depends on more than {variable}")
    if rising_to is None:
        positive(on_balls(formula, x), low, high)
        return
    at_low = simplify(formula.subs({x: Rational(low.numerator, low.denominator)}))
    if not at_low.is_zero:
        raise NotEarned(f"{gap} is {at_low} at {variable} = {low}, not 0")
    slope = formula.diff(x)
    positive_from_zero(on_balls(formula, x), on_balls(slope, x), low, rising_to, high)


def shown_to_vanish(
    gap: Expression, variable: str, meanings: Mapping[str, Expr], low: Fraction, high: Fraction
) -> None:
    """Show that the gap is 0 by algebra, and all that it speaks of defined on [low, high]."""
    x = Symbol(variable)
    if not simplify(as_formula(gap, {**meanings, variable: x})).is_zero:
        raise NotEarned(f"{gap} is not 0 by algebra: no identity")
    for name in names(gap) & meanings.keys():
        positive(_one_where_defined(on_balls(meanings[name], x)), low, high)


def _one_where_defined(on_ball: Callable[[arb], arb]) -> Callable[[arb], arb]:
    """1 where the ball of values is finite; elsewhere 0·value, and so the sum, is undecided."""
    return lambda at: 1 + 0 * on_ball(at)


def as_formula(of: Expression, meanings: Mapping[str, Expr]) -> Expr:
    """The same with the formulas that numbers stand for; refused if there are sums or indices."""
    result: Expr = Integer(0)
    for term, c in of.terms:
        if term.bound:
            raise NotEarned(f"{term} is a sum, not a formula in one number")
        product: Expr = Rational(c.numerator, c.denominator)
        for atom in term.atoms:
            product = product * _factor(atom, meanings)
        result = result + product
    return result


def _factor(atom: Atom, meanings: Mapping[str, Expr]) -> Expr:
    match atom:
        case Value(name, ()) if name in meanings:
            return meanings[name]
        case Exponential(of):
            return exp(as_formula(of, meanings))
        case _:
            raise NotEarned(f"{atom} has no formula")


def on_balls(formula: Expr, variable: Symbol) -> Callable[[arb], arb]:
    """A formula as a function on balls: sums, products, powers with rational exponents, exp."""

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
        if isinstance(at, Pow) and isinstance(at.exp, Rational) and at.exp.q in {1, 2}:
            base = value(at.base, x)
            power = (base if at.exp.q == 1 else base.sqrt()) ** abs(at.exp.p)
            return power if at.exp.p > 0 else arb(1) / power
        raise NotEarned(f"no balls for {at}")

    return lambda x: value(formula, x)
