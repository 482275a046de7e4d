"""Finite models of theories, in which every hypothesis and every lemma can be evaluated.

This is no proof. It guards against hypotheses that nothing fulfils, from which anything follows,
and against a lemma that says something else than it should.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.formulas import Both, Either, Known
from proofs_checks.kernels.deduction.notation import read_formula, read_head, read_term
from proofs_checks.kernels.deduction.rules import rules_of
from proofs_checks.kernels.deduction.statements import (
    Indicator,
    Least,
    Let,
    Recursion,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from proofs_checks.kernels.deduction.formulas import Atom, Formula, Term
    from proofs_checks.kernels.deduction.rules import Rule
    from proofs_checks.kernels.deduction.statements import Step, Theory

MOST_VALUES: Final = 400
"""If there are more combinations of values than this, evenly spaced ones are evaluated."""


@dataclass(frozen=True, slots=True)
class Model:
    """The values of the symbols, and the range of each variable, by name."""

    ranges: Mapping[str, range]
    constants: Mapping[str, int] = field(default_factory=dict)
    unary: Mapping[str, Callable[[int], int]] = field(default_factory=dict)
    binary: Mapping[str, Callable[[int, int], int]] = field(default_factory=dict)
    ternary: Mapping[str, Callable[[int, int, int], int]] = field(default_factory=dict)
    otherwise: range = range(4)

    def meaning(self, name: str, arguments: tuple[int, ...]) -> int | None:
        """The value of a symbol, unless the theory defines it."""
        match arguments:
            case () if name in self.constants:
                return self.constants[name]
            case (x,) if name in self.unary:
                return self.unary[name](x)
            case (x, y) if name in self.binary:
                return self.binary[name](x, y)
            case (x, y, z) if name in self.ternary:
                return self.ternary[name](x, y, z)
        return None

    def values(self, variables: tuple[str, ...]) -> Iterator[dict[str, int]]:
        """Values for these variables."""
        ranges = [self.ranges.get(name, self.otherwise) for name in variables]
        stride = prod(map(len, ranges)) // MOST_VALUES + 1
        for index, values in enumerate(product(*ranges)):
            if index % stride == 0:
                yield dict(zip(variables, values, strict=True))


def broken(theory: Theory, model: Model, steps: Iterable[Step] | None = None) -> list[str]:
    """Return the hypotheses and lemmas, of these steps or of all, that are false in this model."""
    world = _World(theory, model)
    return [
        name
        for step in (theory.steps if steps is None else steps)
        for name, rule in rules_of(step).items()
        if not all(world.obeys(rule, values) for values in model.values(rule.each))
    ]


@dataclass(slots=True)
class _World:
    theory: Theory
    model: Model
    known: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)
    definitions: dict[str, Step] = field(init=False)

    def __post_init__(self) -> None:
        self.definitions = {
            read_head(step.symbol)[0]: step
            for step in self.theory.steps
            if isinstance(step, Let | Least | Recursion | Indicator)
        }

    def obeys(self, rule: Rule, values: Mapping[str, int]) -> bool:
        return not self.holds(rule.given, values) or self.holds(rule.then, values)

    def holds(self, formula: Formula, values: Mapping[str, int]) -> bool:
        match formula:
            case Known(term):
                return self.value(term, values) >= 0
            case Both(parts):
                return all(self.holds(part, values) for part in parts)
            case Either(parts):
                return any(self.holds(part, values) for part in parts)

    def value(self, term: Term, values: Mapping[str, int]) -> int:
        total = 0
        for monomial, coefficient in term.parts:
            total += coefficient * prod(self.factor(atom, values) for atom in monomial)
        return total

    def factor(self, atom: Atom, values: Mapping[str, int]) -> int:
        if atom.name in values:
            return values[atom.name]
        name, arguments = atom.name, tuple(self.value(part, values) for part in atom.arguments)
        if name in {"%", "//"}:
            a, b = arguments
            return 0 if b <= 0 else a % b if name == "%" else a // b
        given = self.model.meaning(name, arguments)
        if given is not None:
            return given
        if (name, arguments) not in self.known:
            self.known[name, arguments] = self._defined(self.definitions[name], arguments)
        return self.known[name, arguments]

    def _defined(self, step: Step, arguments: tuple[int, ...]) -> int:
        match step:
            case Let(symbol, value):
                values = dict(zip(read_head(symbol)[1], arguments, strict=True))
                return self.value(read_term(value), values)
            case Indicator(symbol, holds):
                values = dict(zip(read_head(symbol)[1], arguments, strict=True))
                return int(self.holds(read_formula(holds), values))
            case Least(symbol, given, number, such_that):
                values = dict(zip(read_head(symbol)[1], arguments, strict=True))
                if not self.holds(read_formula(given), values):
                    return 0
                formula = read_formula(such_that)
                numbers = range(MOST_VALUES)
                return next((n for n in numbers if self.holds(formula, {**values, number: n})), -1)
            case Recursion(symbol, start, following):
                n, *others = arguments
                values = dict(zip(read_head(symbol)[1], (n - 1, *others), strict=True))
                return self.value(read_term(following if n > 0 else start), values)
            case _:
                raise AssertionError(f"no definition: {step}")
