"""Small instances in which statements about sums can be evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING

from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Number,
    Size,
    Value,
    indices,
)
from proofs_checks.kernels.sums.indices import Index

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Statement

Env = Mapping[Index, int]


@dataclass(frozen=True)
class Instance:
    """How many members each set has, and the value of everything, from a seed."""

    states: int
    seed: int

    def value(self, name: str, at: tuple[int, ...]) -> Fraction:
        return Fraction(Random(f"{self.seed} {name} {at}").randint(-3, 3), 2)

    def of(self, expression: Expression, env: Env) -> Fraction:
        result = Fraction(0)
        for term, c in expression.terms:
            result += c * self._sum(term.bound, term.atoms, dict(env))
        return result

    def _sum(
        self,
        bound: tuple[Index, ...],
        atoms: tuple[Value | Size | Exponential | Number, ...],
        env: dict[Index, int],
    ) -> Fraction:
        if bound:
            return sum(
                (self._sum(bound[1:], atoms, {**env, bound[0]: e}) for e in range(self.states)),
                Fraction(0),
            )
        value = Fraction(1)
        for atom in atoms:
            match atom:
                case Value(name, at):
                    value *= self.value(name, tuple(env[index] for index in at))
                case Size(of):
                    value *= abs(self.of(of, env))
                case _:
                    raise AssertionError(f"{atom} has no rational value")
        return value

    def holds(self, statement: Statement) -> bool:
        """Whether a statement is true for all members that its indices can stand for."""
        free = sorted(indices(statement.gap), key=str)
        for at in product(range(self.states), repeat=len(free)):
            gap = self.of(statement.gap, dict(zip(free, at, strict=True)))
            if gap < 0 or (gap and statement.relation == "="):
                return False
        return True
