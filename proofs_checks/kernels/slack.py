"""Statements for all integers: write each variable as its least value plus a slack.

If the difference of the two sides is then a polynomial in the slacks without a negative
coefficient, it is nonnegative for all slacks ≥ 0: it is the proof, and anyone can expand it again.
A polynomial with a negative coefficient proves nothing either way, and is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Expr, Poly, Symbol, expand

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength
from proofs_checks.kernels.together import all_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def at_most(left: Expr | int, right: Expr | int, at_least: Mapping[Symbol, Expr | int]) -> Evidence:
    """Show that left ≤ right whenever every variable is at least what `at_least` says.

    A bound may mention variables that come later in the mapping, never earlier ones.
    """
    proof = nonnegative(Symbol("nothing") * 0 + right - left, at_least)
    return Evidence(Strength.PROVED, f"the difference is {proof}")


def term_by_term(*sides: tuple[Expr | int, Expr | int]) -> Evidence:
    """Show each left ≤ right for all variables ≥ 0.

    Where it is a term of a sum or of an integral, the same follows for the whole.
    """
    return all_of(*(_in_one_term(left, right) for left, right in sides))


def _in_one_term(left: Expr | int, right: Expr | int) -> Evidence:
    variables = (Symbol("nothing") * 0 + right - left).free_symbols
    return at_most(left, right, dict.fromkeys(variables, 0))


def nonnegative(expression: Expr, at_least: Mapping[Symbol, Expr | int]) -> Expr:
    """Return the polynomial in slacks that shows `expression` ≥ 0; raise `NotEarned` otherwise."""
    free = expression
    for variable, least in at_least.items():
        free = free.subs({variable: slack(variable) + least})
    slacks = [slack(variable) for variable in at_least]
    if unbounded := free.free_symbols - set(slacks):
        raise NotEarned(f"no lower bound for {sorted(symbol.name for symbol in unbounded)}")
    polynomial = Poly(expand(free), *slacks)
    if negative := [c for c in polynomial.coeffs() if not c.is_nonnegative]:
        raise NotEarned(f"coefficients {negative} in {polynomial.as_expr()}")
    return polynomial.as_expr()


def slack(variable: Symbol) -> Symbol:
    """What a variable exceeds its least value by."""
    return Symbol(f"{variable.name}_slack")
