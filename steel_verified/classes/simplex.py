"""The simplex method in fractions: a nonnegative solution of equations, or a proof of none.

Bland's rule makes it terminate on every input: the first column that improves the solution enters
the basis, and the first of those that may leave it leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq_mat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flint import fmpq


@dataclass(frozen=True, slots=True)
class Infeasible:
    """Multipliers y with y·column ≤ 0 for every column and y·goal > 0 (Farkas' lemma)."""

    multipliers: tuple[Fraction, ...]


def nonnegative_solution(
    columns: Sequence[Sequence[int]], goal: Sequence[int]
) -> dict[int, Fraction] | Infeasible:
    """Return weights ≥ 0 by column with Σ weight·column = goal, or `Infeasible`.

    Columns that are not returned have weight 0. `goal` must be ≥ 0. A unit vector is added as a
    column for each equation, which gives a first solution. Then the sum of the weights of these
    added columns is minimised.
    """
    size, real = len(goal), len(columns)
    units = [[int(i == j) for i in range(size)] for j in range(size)]
    table = fmpq_mat([[column[i] for column in (*columns, *units)] for i in range(size)])
    right = fmpq_mat([[wanted] for wanted in goal])
    basis = list(range(real, real + size))
    while True:
        inverse = fmpq_mat([[table[i, j] for j in basis] for i in range(size)]).inv()
        weights = inverse * right
        if all(weights[k, 0] == 0 for k, j in enumerate(basis) if j >= real):
            return {j: _fraction(weights[k, 0]) for k, j in enumerate(basis) if j < real}
        added = fmpq_mat([[int(j >= real) for j in basis]])
        multipliers = added * inverse
        gains = multipliers * table
        entering = next((j for j in range(real) if gains[0, j] > 0), None)
        if entering is None:
            return Infeasible(tuple(_fraction(multipliers[0, i]) for i in range(size)))
        change = inverse * fmpq_mat([[table[i, entering]] for i in range(size)])
        _, _, leaving = min(
            (weights[k, 0] / change[k, 0], basis[k], k) for k in range(size) if change[k, 0] > 0
        )
        basis[leaving] = entering


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
