"""Polynomial inequalities for all integers or reals: each variable is its lower bound plus a slack.

If the difference of both sides is then a polynomial in the slacks without a negative coefficient,
it is nonnegative for all slacks ≥ 0. This polynomial is the proof, and anyone can expand it again.
A polynomial with a negative coefficient decides nothing, and the kernel refuses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Dummy, Expr, Poly, PolynomialError, Rational, Symbol, expand

from proofs_checks.kernels.algebra import formula
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, issue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.algebra import Number


def at_most(left: Number, right: Number, at_least: Mapping[Symbol, Number]) -> Evidence:
    """Show that left ≤ right whenever every variable is at least its bound in `at_least`.

    A bound may mention variables that come later in the mapping, never earlier ones.
    """
    proof = nonnegative(formula(right) - formula(left), at_least)
    how = f"right − left is {proof}" if proof.free_symbols else f"right − left is always {proof}"
    return issue(Strength.PROVED, how)


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
