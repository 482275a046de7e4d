"""Evaluates statements about sums on one instance, in exact fractions.

An instance has a size for each finite set and a value for each function. A function that the proof
is given by an equation, such as T(j + 1, y, x) = Σ[z] P(y, z)·T(j, z, x), is computed from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Number,
    Size,
    Value,
    indices,
)
from proofs_checks.kernels.sums.indices import TIME, numeral

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.kernels.sums.expressions import Atom, Expression
    from proofs_checks.kernels.sums.indices import Index
    from proofs_checks.kernels.sums.statements import Statement

Env = Mapping["Index", int]
Function = Callable[[tuple[int, ...]], Fraction]
"""A function of its arguments, which are numbered members of sets, or natural numbers"""
Values = Mapping[str, Function]

_TERMS: Final = 40
"""Of the series of exp: for arguments up to 4, the error is below 10⁻²⁰."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A number between two fractions, which are equal unless exp is in it."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Enclosure) -> Enclosure:
        return Enclosure(self.low + other.low, self.high + other.high)

    def times(self, factor: Fraction) -> Enclosure:
        """The number times an exact one."""
        ends = (self.low * factor, self.high * factor)
        return Enclosure(min(ends), max(ends))


def exponential(of: Fraction) -> Enclosure:
    """exp of a fraction from −4 to 4, between two partial sums of its series."""
    if of < 0:
        inverse = exponential(-of)
        return Enclosure(1 / inverse.high, 1 / inverse.low)
    if of > 4:
        raise ValueError(f"exp({of}) is beyond what the series is cut for")
    total = term = Fraction(1)
    for n in range(1, _TERMS):
        term *= of / n
        total += term
    return Enclosure(total, total + term)  # each further term is at most half of the last


@dataclass(frozen=True, slots=True)
class Instance:
    """Sizes of the finite sets, values of what is drawn, and equations for everything else."""

    seed: int
    sizes: Mapping[str, int]
    drawn: Values
    fixed: Mapping[str, int] = field(default_factory=dict)
    """The members and natural numbers that proofs fix by name"""
    chosen: Mapping[str, Callable[[tuple[int, ...]], int]] = field(default_factory=dict)
    """Indices that are functions, if they must not be drawn"""
    equations: Mapping[str, tuple[Statement, ...]] = field(default_factory=dict)
    most: int = 1
    """Natural numbers up to this one are tried."""
    known: dict[tuple[str, tuple[int, ...]], Fraction] = field(default_factory=dict)

    def holds(self, statement: Statement) -> bool:
        """Whether it holds for all values of its indices that are tried; exp must not be close."""
        for env in self._values(indices(statement.left) | indices(statement.right)):
            gap = self._enclosed(statement.right, env) + self._enclosed(-statement.left, env)
            if gap.low < 0 <= gap.high and gap.low != gap.high:
                raise ValueError(f"not decided: {statement}")
            if gap.low < 0 or (statement.relation == "=" and gap.high > 0):
                return False
        return True

    def value(self, name: str, at: tuple[int, ...]) -> Fraction:
        """The value of a function."""
        if (name, at) not in self.known:
            self.known[name, at] = self._computed(name, at)
        return self.known[name, at]

    def number(self, of: Expression, env: Env) -> Fraction:
        """The value of an expression without exp."""
        enclosure = self._enclosed(of, env)
        if enclosure.low != enclosure.high:
            raise ValueError(f"{of} has no exact value")
        return enclosure.low

    def place(self, name: str, at: tuple[int, ...]) -> int:
        """The value of an index that is a function, such as a lag: 0 or 1, unless it is chosen."""
        if name in self.chosen:
            return self.chosen[name](at)
        return Random(f"{self.seed} {name} {at}").randrange(2)

    def _computed(self, name: str, at: tuple[int, ...]) -> Fraction:
        for equation in self.equations.get(name, ()):
            ((term, _),) = equation.left.terms
            (head,) = term.atoms
            if isinstance(head, Value) and (env := _matched(head.at, at)) is not None:
                return self.number(equation.right, env)
        return self.drawn[name](at)

    def _values(self, free: Iterable[Index]) -> Iterator[dict[Index, int]]:
        plain = sorted((index for index in free if not index.of), key=str)
        for values in product(*map(self._range, plain)):
            yield dict(zip(plain, values, strict=True))

    def _range(self, index: Index) -> range:
        if index.fixed and index.name in self.fixed:
            return range(self.fixed[index.name], self.fixed[index.name] + 1)
        if index.sort != TIME:
            return range(self.sizes[index.sort])
        return range(self.most + 1) if index.name else range(1)

    def _index(self, index: Index, env: Env) -> int:
        """Which member or number an index is."""
        if index.of:
            at = tuple(self._index(each, env) for each in index.of)
            return self.place(index.name, at) + index.later
        if not index.name:
            return index.later
        if index.fixed and index.name in self.fixed:
            return self.fixed[index.name] + index.later
        return env[index.base] + index.later

    def _enclosed(self, of: Expression, env: Env) -> Enclosure:
        total = Enclosure(Fraction(0), Fraction(0))
        for term, coefficient in of.terms:
            for members in product(*(range(self.sizes[each.sort]) for each in term.bound)):
                inner = {**env, **dict(zip(term.bound, members, strict=True))}
                total += self._product(term.atoms, inner).times(coefficient)
        return total

    def _product(self, atoms: tuple[Atom, ...], env: Env) -> Enclosure:
        exact, power = Fraction(1), Enclosure(Fraction(1), Fraction(1))
        for atom in atoms:
            match atom:
                case Value(name, at):
                    exact *= self.value(name, tuple(self._index(index, env) for index in at))
                case Number(index):
                    exact *= self._index(index, env)
                case Size(of):
                    exact *= abs(self.number(of, env))
                case Exponential(of):  # a product has one at most
                    power = exponential(self.number(of, env))
        return power.times(exact)


def _matched(head: tuple[Index, ...], at: tuple[int, ...]) -> dict[Index, int] | None:
    """What the variables of f(j + 1, x) or f(0, x) are for these arguments, if it is about them."""
    env: dict[Index, int] = {}
    for index, value in zip(head, at, strict=True):
        if index == numeral(index.later):
            if value != index.later:
                return None
        elif value < index.later:
            return None
        else:
            env[index.base] = value - index.later
    return env
