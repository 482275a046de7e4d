"""Evaluates statements of proofs about sums in real chains, exactly."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Number,
    Size,
    Value,
    indices,
)
from proofs_checks.kernels.sums.indices import TIME, Index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from proofs_checks.kernels.sums.statements import Statement
    from proofs_checks.small_cases.chains import Mixed


@dataclass(frozen=True)
class World:
    """Values for everything that is mentioned, on a small chain, with a table of lags."""

    mixed: Mixed
    functions: Mapping[str, Callable[[tuple[int, ...]], Fraction]]
    most: int = 2
    """Natural numbers up to this one are tried."""
    fixed: Mapping[str, int] = field(default_factory=dict)
    """The values of natural numbers that are fixed."""

    def holds(self, statement: Statement) -> bool:
        """Whether it holds for all values of its indices."""
        free = sorted(indices(statement.left) | indices(statement.right), key=str)
        plain = [index for index in free if not index.of]
        for values in product(*(self._range(index) for index in plain)):
            env = dict(zip(plain, values, strict=True))
            left, right = self._of(statement.left, env), self._of(statement.right, env)
            if not (left == right if statement.relation == "=" else left <= right):
                return False
        return True

    def _range(self, index: Index) -> range:
        if index.name in self.fixed:
            return range(self.fixed[index.name], self.fixed[index.name] + 1)
        if index.fixed and not index.name:
            return range(1)
        return range(self.most + 1) if index.sort == TIME else range(len(self.mixed.chain))

    def _index(self, index: Index, env: Mapping[Index, int]) -> int:
        if index.of:
            return self._index(index.of[0], env) % 2
        base = replace(index, later=0)
        return env[base] + index.later

    def _of(self, expression: Expression, env: Mapping[Index, int]) -> Fraction:
        result = Fraction(0)
        for term, c in expression.terms:
            for values in product(range(len(self.mixed.chain)), repeat=len(term.bound)):
                inner = {**env, **dict(zip(term.bound, values, strict=True))}
                value = c
                for atom in term.atoms:
                    value *= self._atom(atom, inner)
                result += value
        return result

    def _atom(
        self, atom: Value | Size | Exponential | Number, env: Mapping[Index, int]
    ) -> Fraction:
        match atom:
            case Value(name, at):
                return self.functions[name](tuple(self._index(index, env) for index in at))
            case Size(of):
                return abs(self._of(of, env))
            case Number(index):
                return Fraction(self._index(index, env))
            case Exponential():
                raise AssertionError("no exact value")
