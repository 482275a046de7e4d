"""What each step of a theory allows later steps to use, as definitions in SMT-LIB.

Every rule becomes a predicate `rule.NAME` of its variables, and every symbol a function of integers
`f.NAME`. A lemma of another theory speaks of that theory's symbols; each of them becomes a defined
function that has the meaning which the theory here gives it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeGuard

from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
)
from proofs_checks.second_opinion.notation import (
    Unwritable,
    all_of,
    applied,
    formula,
    given_that,
    head,
    heads,
    names,
    parameters,
    term,
    variable,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofs_checks.kernels.deduction.statements import Step, Theory

ARITHMETIC: Final = """(declare-fun quotient (Int Int) Int)
(declare-fun remainder (Int Int) Int)
(define-fun rule.product ((v.a Int) (v.b Int)) Bool (and
  (=> (and (>= v.a 0) (>= v.b 0)) (>= (* v.a v.b) 0))
  (=> (or (= v.a 0) (= v.b 0)) (= (* v.a v.b) 0))))
(define-fun rule.division ((v.a Int) (v.b Int)) Bool (=> (>= v.b 1) (and
  (= v.a (+ (* v.b (quotient v.a v.b)) (remainder v.a v.b)))
  (<= 0 (remainder v.a v.b)) (< (remainder v.a v.b) v.b))))"""
"""Division is a pair of unknown functions, of which only the rule is known, as in the kernel."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the symbols of a theory are written.

    Those of the theory at hand are functions `f.NAME`. Those of an applied theory are functions
    `STEP.NAME`, which depend on the variables of the step, `extra`, as well.
    """

    prefix: str = "f."
    extra: tuple[str, ...] = ()

    def __call__(self, symbol: str, arguments: Sequence[str]) -> str:
        """The symbol with its arguments."""
        return applied(self.prefix + symbol, [*map(variable, self.extra), *arguments])


HERE: Final = Reading()
"""How a theory writes its own symbols"""


@dataclass(frozen=True, slots=True)
class Said:
    """A statement about all values of its variables, and the definitions that it needs."""

    each: tuple[str, ...]
    body: str
    needs: tuple[str, ...] = ()

    def defined(self, name: str) -> str:
        """The statement as a predicate of its variables."""
        return f"(define-fun {name} ({parameters(self.each)}) Bool\n  {self.body})"


def declared(theory: Theory) -> str:
    """All symbols of a theory, those that it defines included, as unknown functions."""
    found = [*heads(theory.symbols), *(head(s.symbol) for s in theory.steps if _defines(s))]
    return "\n".join(
        f"(declare-fun f.{name} ({' '.join(['Int'] * len(each))}) Int)" for name, each in found
    )


def _defines(step: Step) -> TypeGuard[Let | Least | Recursion | Indicator]:
    return isinstance(step, Let | Least | Recursion | Indicator)


def said(step: Step, symbols: Reading = HERE) -> dict[str, Said]:
    """The rules that a step gives, by name."""
    match step:
        case Assume(name, each, given, then) | Lemma(name, each, given, then):
            return {name: stated(each, given, then, symbols)}
        case Let(symbol, value):
            name, bound = head(symbol)
            meant = term(value, bound, symbols)
            return {f"{name}_is": Said(bound, f"(= {_at(symbols, name, bound)} {meant})")}
        case Indicator(symbol, holds):
            name, bound = head(symbol)
            meant = f"(ite {formula(holds, bound, symbols)} 1 0)"
            return {f"{name}_is": Said(bound, f"(= {_at(symbols, name, bound)} {meant})")}
        case Recursion():
            return _said_by_recursion(step, symbols)
        case Least():
            return _said_by_least(step, symbols)
        case Apply():
            return {step.name: translated(step, step.lemma, symbols)}


def stated(each: str, given: str, then: str, symbols: Reading) -> Said:
    """A statement that is written as text."""
    bound = names(each)
    return Said(bound, given_that(formula(given, bound, symbols), formula(then, bound, symbols)))


def _at(symbols: Reading, name: str, each: Sequence[str]) -> str:
    return symbols(name, [variable(parameter) for parameter in each])


def _said_by_recursion(step: Recursion, symbols: Reading) -> dict[str, Said]:
    name, (n, *others) = head(step.symbol)
    rest = [variable(other) for other in others]
    start, following = (
        term(step.start, others, symbols),
        term(step.following, (n, *others), symbols),
    )
    first = f"(= {symbols(name, ['0', *rest])} {start})"
    later = f"(= {symbols(name, [f'(+ {variable(n)} 1)', *rest])} {following})"
    return {
        f"{name}_start": Said(tuple(others), first),
        f"{name}_next": Said((n, *others), f"(=> (>= {variable(n)} 0) {later})"),
    }


def _said_by_least(step: Least, symbols: Reading) -> dict[str, Said]:
    name, each = head(step.symbol)
    value, k = _at(symbols, name, each), variable(step.number)
    given = formula(step.given, each, symbols)
    smaller = all_of([given, f"(<= 0 {k})", f"(< {k} {value})"])
    such_that = formula(step.such_that, (*each, step.number), symbols)
    return {
        f"{name}_holds": Said(each, given_that(given, has_property(step, value, symbols))),
        f"{name}_least": Said((*each, step.number), f"(=> {smaller} (not {such_that}))"),
    }


def has_property(step: Least, value: str, symbols: Reading) -> str:
    """That a value is at least 0 and has the property of which `step` takes the least number."""
    such_that = formula(step.such_that, (*head(step.symbol)[1], step.number), symbols)
    k = variable(step.number)
    return f"(let (({k} {value})) (and (<= 0 {k}) {such_that}))"


def translated(step: Apply, rule: str, symbols: Reading) -> Said:
    """A rule of the other theory, in the meaning that its symbols get here."""
    each = names(step.each)
    own = Reading(f"{symbols.prefix}{step.name}.", (*symbols.extra, *each))
    inner = {name: found for s in step.theory.steps for name, found in said(s, own).items()}
    if rule not in inner:
        raise Unwritable(f"{step.theory.name} has no {rule}")
    given, found = formula(step.given, each, symbols), inner[rule]
    return Said(
        (*each, *found.each),
        given_that(given, found.body),
        (*_meanings(step, own, symbols), *_unknown(step, own, found), *found.needs),
    )


def hypotheses(step: Apply) -> list[str]:
    """The rules of the other theory that must hold here.

    These are what it assumes, and the rules of its definitions that get a meaning here.
    """
    given = _with_meaning(step)
    return [
        name
        for inner in step.theory.steps
        if isinstance(inner, Assume) or (_defines(inner) and head(inner.symbol)[0] in given)
        for name in said(inner)
    ]


def _with_meaning(step: Apply) -> set[str]:
    return {head(text.partition(":=")[0])[0] for text in step.meaning.split(";")}


def _unknown(step: Apply, own: Reading, found: Said) -> list[str]:
    """Declarations of what the other theory defines, and what has no meaning here.

    A lemma that it has from a third theory may come with definitions that speak of such symbols.
    """
    spoken = " ".join((found.body, *found.needs))
    defined = [head(inner.symbol) for inner in step.theory.steps if _defines(inner)]
    return [
        f"(declare-fun {own.prefix}{name} ({' '.join(['Int'] * len((*own.extra, *each)))}) Int)"
        for name, each in defined
        if name not in _with_meaning(step)
        and re.search(rf"{re.escape(own.prefix + name)}(?![\w.])", spoken)
    ]


def _meanings(step: Apply, own: Reading, symbols: Reading) -> list[str]:
    """Definitions of the other theory's symbols."""
    found = []
    for text in step.meaning.split(";"):
        symbol, _, body = text.partition(":=")
        name, each = head(symbol)
        value = term(body, (*names(step.each), *each), symbols)
        all_parameters = parameters((*own.extra, *each))
        found.append(f"(define-fun {own.prefix}{name} ({all_parameters}) Int {value})")
    return found
