"""Exact algebra in sympy, for all values: identities, and polynomial inequalities.

For an inequality, each variable is its lower bound plus a slack. If the difference of both sides
is then a polynomial in the slacks without a negative coefficient, it is nonnegative for all
slacks ≥ 0. Anyone can expand this polynomial again. A polynomial with a negative coefficient
decides nothing, and is refused.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sympy import Dummy, Expr, Integer, Poly, PolynomialError, Rational, Symbol, expand, simplify

from proofs_checks.checks.evidence import Evidence, NotEarned, Strength
from proofs_checks.checks.formulas import formula

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.checks.formulas import Comparison, Number


def identity(left: Number, right: Number) -> Evidence:
    """Show that two formulas are equal wherever both are defined."""
    difference = simplify(formula(formula(left) - formula(right)))
    if difference != Integer(0):
        raise NotEarned(f"the difference is {difference}, not 0")
    return Evidence(Strength.IDENTITY, "by algebra: the difference of both sides is 0")


def compared(stated: Comparison) -> Evidence:
    """Show a comparison of two rational numbers."""
    left, right, relation = formula(stated.left), formula(stated.right), stated.relation
    if not (isinstance(left, Rational) and isinstance(right, Rational)):
        raise NotEarned(f"expected rational numbers: {left} {relation} {right}")
    one, other = Fraction(left.p, left.q), Fraction(right.p, right.q)
    if not {"<": one < other, "<=": one <= other, "==": one == other}[relation]:
        raise NotEarned(f"not {left} {relation} {right}")
    return Evidence(Strength.IDENTITY, f"{left} {relation} {right}, exactly")


def at_most(left: Number, right: Number, at_least: Mapping[Symbol, Number]) -> Evidence:
    """Show that left ≤ right whenever every variable is at least its bound in `at_least`.

    A bound may mention variables that come later in the mapping, never earlier ones.
    """
    proof = nonnegative(formula(right) - formula(left), at_least)
    how = f"right − left is {proof}" if proof.free_symbols else f"right − left is always {proof}"
    return Evidence(Strength.IDENTITY, how)


def nonnegative(expression: Number, at_least: Mapping[Symbol, Number]) -> Expr:
    """Return the polynomial in slacks that shows `expression` ≥ 0; raise `NotEarned` otherwise.

    The slacks are new symbols, whatever the user's symbols are called.
    """
    bounds = dict(at_least)
    slacks = {formula(variable): Dummy(f"{variable}_more") for variable in bounds}
    free = formula(expression)
    for variable, least in bounds.items():
        free = free.subs({variable: slacks[variable] + formula(least)})
    if unbounded := free.free_symbols - set(slacks.values()):
        raise NotEarned(f"no lower bound for {sorted(symbol.name for symbol in unbounded)}")
    try:
        polynomial = Poly(expand(free), *slacks.values())
    except PolynomialError as other:
        raise NotEarned(f"expected a polynomial, not {expression}") from other
    for c in polynomial.coeffs():
        if not (isinstance(c, Rational) and c >= 0):
            raise NotEarned(f"coefficients {polynomial.coeffs()} in {polynomial.as_expr()}")
    return polynomial.as_expr()
