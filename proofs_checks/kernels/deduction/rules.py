"""Rules: what a step of a theory allows later steps to use.

The text of a step is read once, part by part, and the rule is built from the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.formulas import (
    ONE,
    TRUE,
    Both,
    Either,
    Formula,
    Known,
    Term,
    apply,
    equal,
    number,
    opposite,
    substituted,
)
from proofs_checks.kernels.deduction.notation import (
    name_of,
    read_formula,
    read_head,
    read_names,
    read_term,
)
from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
    Step,
)
from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.deduction.formulas import Meaning


@dataclass(frozen=True, slots=True)
class Rule:
    """A statement that may be used, for all values of its variables."""

    each: tuple[str, ...]
    given: Formula
    then: Formula

    def instance(self, values: tuple[Term, ...]) -> Formula:
        """The statement for these values."""
        return substituted(Either((opposite(self.given), self.then)), self.meanings(values))

    def meanings(self, values: tuple[Term, ...]) -> dict[str, Meaning]:
        """Map the variables to these values; raise `NotEarned` if there are too few or too many."""
        if len(values) != len(self.each):
            raise NotEarned(f"{len(values)} values for the variables {', '.join(self.each)}")
        return {name: ((), value) for name, value in zip(self.each, values, strict=True)}


ARITHMETIC: Final = {
    "product": Rule(
        ("a", "b"),
        TRUE,
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
"""The rules that every theory may use."""


@cache
def rules_of(step: Step) -> Mapping[str, Rule]:
    """The rules that later steps may use after this step, by name."""
    match step:
        case Assume(name, each, given, then) | Lemma(name, each, given, then):
            stated = Rule(read_names(each), read_formula(given), read_formula(then))
            return {rule_name(name): stated}
        case Let(symbol, value):
            name, parameters = read_head(symbol)
            meant = equal(_applied(name, parameters), read_term(value))
            return {f"{name}_is": Rule(parameters, TRUE, meant)}
        case Least():
            return _rules_of_least(step)
        case Recursion():
            return _rules_of_recursion(step)
        case Indicator(symbol, holds):
            name, parameters = read_head(symbol)
            indicated, condition = _applied(name, parameters), read_formula(holds)
            one = Both((equal(indicated, ONE), condition))
            zero = Both((equal(indicated, number(0)), opposite(condition)))
            return {f"{name}_is": Rule(parameters, TRUE, Either((one, zero)))}
        case Apply():
            inner = {name: rule for s in step.theory.steps for name, rule in rules_of(s).items()}
            if step.lemma not in inner:
                raise NotEarned(f"{step.theory.name} has no {step.lemma}")
            return {rule_name(step.name): translated(step, inner[step.lemma])}


def _rules_of_least(step: Least) -> dict[str, Rule]:
    name, parameters = read_head(step.symbol)
    value, given = _applied(name, parameters), read_formula(step.given)
    k, such_that = least_number(step)
    smaller = Both((given, Known(apply(k)), Known(value - apply(k) - ONE)))
    return {
        f"{name}_holds": Rule(parameters, given, substituted(such_that, {k: ((), value)})),
        f"{name}_least": Rule((*parameters, k), smaller, opposite(read_formula(step.such_that))),
    }


def least_number(step: Least) -> tuple[str, Formula]:
    """The name of the number, and the formula that it is at least 0 and has the property."""
    k = name_of(read_term(step.number))
    return k, Both((Known(apply(k)), read_formula(step.such_that)))


def _rules_of_recursion(step: Recursion) -> dict[str, Rule]:
    name, parameters = read_head(step.symbol)
    if not parameters:
        raise NotEarned(f"{step.symbol} has no first parameter for the recursion")
    n, *others = map(apply, parameters)
    first = equal(apply(name, number(0), *others), read_term(step.start))
    later = equal(apply(name, n + ONE, *others), read_term(step.following))
    return {
        f"{name}_start": Rule(parameters[1:], TRUE, first),
        f"{name}_next": Rule(parameters, Known(n), later),
    }


def rule_name(name: str) -> str:
    """Return the text if it is a name; otherwise raise `NotEarned`."""
    if name_of(read_term(name)) != name:
        raise NotEarned(f"{name!r} is not a name")
    return name


def _applied(name: str, parameters: tuple[str, ...]) -> Term:
    return apply(name, *map(apply, parameters))


def translated(step: Apply, inner: Rule) -> Rule:
    """A statement of the other theory, with its symbols replaced by their meanings here."""
    meaning = meanings(step)
    return Rule(
        (*read_names(step.each), *inner.each),
        Both((read_formula(step.given), substituted(inner.given, meaning))),
        substituted(inner.then, meaning),
    )


def meanings(step: Apply) -> dict[str, Meaning]:
    """What each symbol of the other theory stands for: `f(k) := s(m + k * L); c := 1`."""
    found: dict[str, Meaning] = {}
    for text in step.meaning.split(";") if step.meaning.strip() else ():
        match text.split(":="):
            case (symbol, body):
                name, parameters = read_head(symbol)
                if name in found:
                    raise NotEarned(f"two meanings for {name}")
                found[name] = (parameters, read_term(body))
            case _:
                raise NotEarned(f"expected one meaning, not {text!r}")
    return found
