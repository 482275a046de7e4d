"""Inequalities in one real number, by interval arithmetic; equations, by algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Expr, Integer, Rational, Symbol, exp

from proofs_checks.kernels.algebra import identity
from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.intervals import defined, positive, positive_from_zero
from proofs_checks.kernels.sums.building import names
from proofs_checks.kernels.sums.expressions import Exponential, Value

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from proofs_checks.kernels.sums.expressions import Atom, Expression


def shown_on(
    gap: Expression,
    variable: str,
    meanings: Mapping[str, Expr],
    low: Fraction,
    high: Fraction,
    rising_to: Fraction | None,
) -> None:
    """Show that the gap is ≥ 0 on all of [low, high]; raise `NotEarned` if this fails."""
    x, of = _formula(gap, variable, meanings, low, high)
    if rising_to is None:
        positive(of, x, low, high)
    else:
        positive_from_zero(of, x, low, rising_to, high)


def shown_to_vanish(
    gap: Expression, variable: str, meanings: Mapping[str, Expr], low: Fraction, high: Fraction
) -> None:
    """Show by algebra that the gap is 0; raise `NotEarned` if this fails."""
    _, of = _formula(gap, variable, meanings, low, high)
    identity(of, 0)


def _formula(
    gap: Expression, variable: str, meanings: Mapping[str, Expr], low: Fraction, high: Fraction
) -> tuple[Symbol, Expr]:
    """The gap as a formula in the variable.

    All meanings in it must be real numbers on the whole range, because sympy cancels factors that
    are not defined everywhere, such as (2e − 1)·1/(2e − 1).
    """
    x = Symbol(variable)
    of = as_formula(gap, {**meanings, variable: x})
    for name in sorted(names(gap) & meanings.keys()):
        defined(meanings[name], x, low, high)
    return x, of


def as_formula(of: Expression, meanings: Mapping[str, Expr]) -> Expr:
    """The expression with numbers replaced by their formulas; raise `NotEarned` if it has sums."""
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
