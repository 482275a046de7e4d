"""Identities, by algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Integer, simplify

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength

if TYPE_CHECKING:
    from sympy import Expr


def identity(left: Expr | int, right: Expr | int) -> Evidence:
    """Show that two expressions are equal wherever both are defined."""
    difference = simplify(Integer(0) + left - right)
    if not difference.is_zero:
        raise NotEarned(f"the difference is {difference}, not 0")
    return Evidence(Strength.PROVED, f"{left} = {right}, by algebra")


def identities(*sides: tuple[Expr, Expr]) -> Evidence:
    """Show that the expressions of each pair are equal."""
    if not sides:
        raise NotEarned("there are no identities")
    for left, right in sides:
        identity(left, right)
    return Evidence(Strength.PROVED, f"{len(sides)} identities, by algebra")
