"""Chains with three states, by symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sympy import Integer, Symbol

if TYPE_CHECKING:
    from sympy import Expr


STATES: Final = range(3)
step_chances = [[Symbol(f"P{e}{f}") for f in STATES] for e in STATES]
law_of_three: Final = [Symbol(f"π{e}") for e in STATES]
any_measure: Final = [Symbol(f"v{e}") for e in STATES]
pass_chances: Final = [Symbol(f"g{e}") for e in STATES]


def sum_of(terms: list[Expr]) -> Expr:
    """A sum of expressions."""
    result: Expr = Integer(0)
    for term in terms:
        result = result + term
    return result


def with_rest(free: list[Symbol]) -> list[Expr]:
    """Three numbers that sum to 1, the last determined by the others."""
    return [free[0], free[1], 1 - free[0] - free[1]]


def transition_matrix() -> list[list[Expr]]:
    """The chances of each step, as rows that sum to 1."""
    return [with_rest(row) for row in step_chances]


def move(vector: list[Expr], rows: list[list[Expr]]) -> list[Expr]:
    """A measure after a step."""
    return [sum_of([vector[e] * rows[e][f] for e in STATES]) for f in STATES]


def project(vector: list[Expr]) -> list[Expr]:
    """Π: the multiple of the stationary law with the measure's integral."""
    law = with_rest(law_of_three)
    return [sum_of(vector) * law[f] for f in STATES]


def subtract_projection(vector: list[Expr]) -> list[Expr]:
    """Δ: a measure after a step, less its projection."""
    moved, projected = move(vector, transition_matrix()), project(vector)
    return [moved[f] - projected[f] for f in STATES]
