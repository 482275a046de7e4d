"""Identities, by algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Integer, simplify

from proofs_checks.kernels.algebra import formula
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, issue

if TYPE_CHECKING:
    from sympy import Expr

    from proofs_checks.kernels.algebra import Number


def identity(left: Number, right: Number) -> Evidence:
    """Show that two formulas are equal wherever both are defined."""
    difference = simplify(formula(formula(left) - formula(right)))
    if difference != Integer(0):
        raise NotEarned(f"the difference is {difference}, not 0")
    return issue(Strength.PROVED, f"{left} = {right}, by algebra")


def identities(*sides: tuple[Expr, Expr]) -> Evidence:
    """Show that the formulas of each pair are equal."""
    if not sides:
        raise NotEarned("there are no identities")
    for left, right in sides:
        identity(left, right)
    return issue(Strength.PROVED, f"{len(sides)} identities, by algebra")
