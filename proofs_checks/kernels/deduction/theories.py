"""Theories: hypotheses, definitions and lemmas, in an order in which each rests on earlier ones.

A statement holds for all values of the variables it lists. A lemma names the instances of earlier
statements that it follows from, and may use itself for smaller values of a measure (induction).
Arithmetic has two rules of its own: `product(a, b)`, that a ≥ 0 and b ≥ 0 give ab ≥ 0, and a = 0
gives ab = 0; and `division(a, b)`, that for b ≥ 1, a = b·(a // b) + a % b with 0 ≤ a % b < b.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.formulas import (
    Both,
    Either,
    Formula,
    opposite,
    read_formula,
    read_terms,
    restated,
)
from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from proofs_checks.kernels.deduction.formulas import Meaning, Term


@dataclass(frozen=True, slots=True)
class Assume:
    """A hypothesis."""

    name: str
    each: str
    given: str
    then: str


@dataclass(frozen=True, slots=True)
class Lemma:
    """What follows from the instances in `by`; `induction` is the measure, if it uses itself."""

    name: str
    each: str
    given: str
    then: str
    by: str = ""
    induction: str = ""


@dataclass(frozen=True, slots=True)
class Let:
    """Defines a function by a term in its parameters: the rule `…_is`."""

    symbol: str
    value: str


@dataclass(frozen=True, slots=True)
class Least:
    """Defines a function: the least number ≥ 0 with a property, that some `witness` has.

    Gives the rules `…_holds`, for the parameters, and `…_least`, for the parameters and a number:
    smaller ones do not have the property.
    """

    symbol: str
    given: str
    number: str
    such_that: str
    witness: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Recursion:
    """Defines a function by its value at 0 and at n + 1, n being the first parameter.

    Gives the rules `…_start`, for the other parameters, and `…_next`, for all.
    """

    symbol: str
    start: str
    following: str


@dataclass(frozen=True, slots=True)
class Indicator:
    """Defines a function that is 1 where a property holds and 0 elsewhere: the rule `…_is`."""

    symbol: str
    holds: str


@dataclass(frozen=True, slots=True)
class Apply:
    """A lemma of another theory, whose symbols get a meaning for which its hypotheses hold.

    `meaning` is written `f(k) := s(m + k * L); …`; `by` says for each hypothesis why it holds.
    """

    name: str
    each: str
    given: str
    theory: Theory
    lemma: str
    meaning: str
    by: tuple[tuple[str, str], ...]


Step = Assume | Lemma | Let | Least | Recursion | Indicator | Apply


@dataclass(frozen=True, slots=True)
class Theory:
    """A list of symbols, `N, s(i)`, and what is assumed, defined and shown about them."""

    name: str
    symbols: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A statement that may be used, for all values of its variables."""

    each: tuple[str, ...]
    given: Formula
    then: Formula

    def instance(self, values: tuple[Term, ...]) -> Formula:
        """The statement for these values."""
        if len(values) != len(self.each):
            raise NotEarned(f"{len(values)} values for the variables {', '.join(self.each)}")
        meanings = {name: ((), value) for name, value in zip(self.each, values, strict=True)}
        return restated(Either((opposite(self.given), self.then)), meanings)


def rules_of(step: Step) -> dict[str, Rule]:
    """What may be used once the step is made."""
    match step:
        case Assume(name, each, given, then) | Lemma(name, each, given, then):
            return {name: _rule(each, given, then)}
        case Let(symbol, value):
            name, variables = signature(symbol)
            return {f"{name}_is": Rule(variables, Both(()), read_formula(f"{symbol} == {value}"))}
        case Least(symbol, given, number, such_that):
            name, variables = signature(symbol)
            found = {number: ((), read_terms(symbol)[0])}
            least = Both((read_formula(f"{number} >= 0"), read_formula(such_that)))
            smaller = read_formula(f"0 <= {number} < {symbol}")
            return {
                f"{name}_holds": Rule(variables, read_formula(given), restated(least, found)),
                f"{name}_least": Rule(
                    (*variables, number),
                    Both((read_formula(given), smaller)),
                    opposite(read_formula(such_that)),
                ),
            }
        case Recursion(symbol, start, following):
            name, (n, *others) = signature(symbol)
            first = f"{name}({', '.join(['0', *others])})"
            later = f"{name}({', '.join([f'{n} + 1', *others])})"
            return {
                f"{name}_start": _rule(", ".join(others), "", f"{first} == {start}"),
                f"{name}_next": _rule(
                    ", ".join([n, *others]), f"{n} >= 0", f"{later} == {following}"
                ),
            }
        case Indicator(symbol, holds):
            name, variables = signature(symbol)
            text = f"({symbol} == 1 and ({holds})) or ({symbol} == 0 and not ({holds}))"
            return {f"{name}_is": Rule(variables, Both(()), read_formula(text))}
        case Apply():
            inner = {name: rule for s in step.theory.steps for name, rule in rules_of(s).items()}
            return {step.name: translated(step, inner[step.lemma])}


ARITHMETIC: Final = {
    "product": Rule(
        ("a", "b"),
        Both(()),
        read_formula(
            "implies(a >= 0 and b >= 0, a * b >= 0), implies(a == 0 or b == 0, a * b == 0)"
        ),
    ),
    "division": Rule(
        ("a", "b"),
        read_formula("b >= 1"),
        read_formula("a == b * (a // b) + a % b, 0 <= a % b < b"),
    ),
}


def names(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def signature(symbol: str) -> tuple[str, tuple[str, ...]]:
    """The name of a function, and its parameters: `first(m, k)`."""
    ((((atom,), _),),) = (term.parts for term in read_terms(symbol))
    parameters = tuple(str(argument) for argument in atom.arguments)
    if not all(parameter.isidentifier() for parameter in parameters):
        raise NotEarned(f"{symbol} has parameters that are no names")
    return atom.name, parameters


def translated(step: Apply, inner: Rule) -> Rule:
    """A statement of the other theory, in the meaning that its symbols get here."""
    meaning = meanings(step)
    return Rule(
        (*names(step.each), *inner.each),
        Both((read_formula(step.given), restated(inner.given, meaning))),
        restated(inner.then, meaning),
    )


def meanings(step: Apply) -> dict[str, Meaning]:
    """What each symbol of the other theory stands for."""
    found = {}
    for text in step.meaning.split(";"):
        symbol, body = text.split(":=")
        name, parameters = signature(symbol.strip())
        found[name] = (parameters, read_terms(body.strip())[0])
    return found


def _rule(each: str, given: str, then: str) -> Rule:
    return Rule(names(each), read_formula(given), read_formula(then))
