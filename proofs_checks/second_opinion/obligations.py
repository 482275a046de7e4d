"""The obligations of the deduction kernel: SMT-LIB texts that a solver must find unsatisfiable.

A *step* follows from the instances that it names: these, and the opposite of the step, have no
common solution. Such an obligation is made for each lemma (with itself for smaller values of its
measure, if it is by induction), for the witness of each least number, and for each hypothesis of an
applied theory. A *reading* says that the kernel's own form of a rule, with its polynomials and its
negations moved inward, says the same as the text.

What remains the kernel's word: that induction over a measure is sound, that least numbers exist
where one number has the property, and that definitions are new and not circular.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from proofs_checks.kernels.deduction import rules as kernel
from proofs_checks.kernels.deduction.formulas import Both, Either, Known
from proofs_checks.kernels.deduction.statements import Apply, Least, Lemma
from proofs_checks.second_opinion.notation import (
    all_of,
    applied,
    given_that,
    head,
    parameters,
    term,
    uses,
    variable,
)
from proofs_checks.second_opinion.notation import formula as written_formula
from proofs_checks.second_opinion.rules import (
    ARITHMETIC,
    HERE,
    Said,
    declared,
    has_property,
    hypotheses,
    said,
    translated,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from proofs_checks.kernels.deduction.formulas import Formula, Term
    from proofs_checks.kernels.deduction.statements import Step, Theory


@dataclass(frozen=True, slots=True)
class Obligation:
    """An SMT-LIB text that is unsatisfiable if the kernel is right."""

    name: str
    kind: Literal["step", "reading"]
    text: str


@dataclass(frozen=True, slots=True)
class _Goal:
    """What is to follow, by which uses of rules, and its measure if it may use itself."""

    name: str
    said: Said
    by: str
    measure: str = ""


def obligations(theory: Theory) -> tuple[Obligation, ...]:
    """All obligations of a theory, in the order of its steps."""
    preamble = f"(set-logic ALL)\n{declared(theory)}\n{ARITHMETIC}"
    known: dict[str, Said] = {}
    found: list[Obligation] = []
    for step in theory.steps:
        found += [
            Obligation(goal.name, "step", _followed(preamble, goal, known)) for goal in _goals(step)
        ]
        known |= said(step)
        for name, rule in kernel.rules_of(step).items():
            text = _read_alike(preamble, said(step)[name], rule)
            found.append(Obligation(name, "reading", text))
    return tuple(found)


def arithmetic() -> tuple[Obligation, ...]:
    """That the rules which every theory may use hold of integers, with the solver's division."""
    given = ARITHMETIC
    for unknown, built_in in (("quotient", "div"), ("remainder", "mod")):
        given = given.replace(
            f"(declare-fun {unknown} (Int Int) Int)",
            f"(define-fun {unknown} ((v.a Int) (v.b Int)) Int ({built_in} v.a v.b))",
        )
    return tuple(
        Obligation(
            name,
            "step",
            f"(set-logic ALL)\n{given}\n{_constants('ab')}\n"
            f"(assert (not (rule.{name} v.a v.b)))\n(check-sat)\n",
        )
        for name in ("product", "division")
    )


def _goals(step: Step) -> Iterator[_Goal]:
    match step:
        case Lemma(name, by=by, induction=measure):
            yield _Goal(name, said(step)[name], by, measure)
        case Least(symbol, given, witness=witness, by=by):
            name, each = head(symbol)
            found = has_property(step, term(witness, each, HERE), HERE)
            body = given_that(written_formula(given, each, HERE), found)
            yield _Goal(name, Said(each, body), by)
        case Apply(name, by=by):
            for rule in hypotheses(step):
                goal = translated(step, rule, HERE)
                yield _Goal(f"{name}: {rule}", goal, dict(by).get(rule, ""))


def _followed(preamble: str, goal: _Goal, known: Mapping[str, Said]) -> str:
    """The instances, and the negation of the goal."""
    each = goal.said.each
    rules, facts = dict[str, None](), list[str]()
    for name, values in uses(goal.by, each, HERE):
        if goal.measure and name == goal.name:
            facts.append(_for_smaller(goal, values))
        else:
            facts.append(applied(f"rule.{name}", values))
            rule = known.get(name)
            if rule is not None:
                rules |= dict.fromkeys((*rule.needs, rule.defined(f"rule.{name}")))
    rules |= dict.fromkeys((*goal.said.needs, goal.said.defined("goal")))
    asserted = [*facts, f"(not {applied('goal', [*map(variable, each)])})"]
    lines = [preamble, *rules, _constants(each), *(f"(assert {fact})" for fact in asserted)]
    return "\n".join([*lines, "(check-sat)\n"])


def _for_smaller(goal: _Goal, values: Sequence[str]) -> str:
    """The goal at these values, if its measure is at least 0 there and smaller than it is here."""
    here = term(goal.measure, goal.said.each, HERE)
    pairs = zip(goal.said.each, values, strict=True)
    there = f"(let ({' '.join(f'({variable(name)} {value})' for name, value in pairs)}) {here})"
    return f"(=> (and (<= 0 {there}) (< {there} {here})) {applied('goal', values)})"


def _constants(each: Sequence[str]) -> str:
    return "\n".join(f"(declare-const {variable(name)} Int)" for name in each)


# --- the kernel's own form of a rule --------------------------------------------------------------


def _read_alike(preamble: str, said: Said, rule: kernel.Rule) -> str:
    """The text and the kernel's rule, one of which holds while the other does not."""
    bound = frozenset(rule.each)
    conditions = _kernels(rule.given, bound)
    theirs = f"(=> {conditions} {_kernels(rule.then, bound)})"
    at = [variable(name) for name in rule.each]
    lines = [
        preamble,
        *said.needs,
        said.defined("text"),
        f"(define-fun kernel ({parameters(rule.each)}) Bool\n  {theirs})",
        _constants(rule.each),
        f"(assert (distinct {applied('text', at)} {applied('kernel', at)}))",
    ]
    return "\n".join([*lines, "(check-sat)\n"])


def _kernels(formula: Formula, bound: frozenset[str]) -> str:
    match formula:
        case Known(term):
            return f"(>= {_polynomial(term, bound)} 0)"
        case Both(parts):
            return all_of([_kernels(part, bound) for part in parts])
        case Either(parts):
            return f"(or false {' '.join(_kernels(part, bound) for part in parts)})"


@cache
def _polynomial(of: Term, bound: frozenset[str]) -> str:
    products = ["0", "0"]
    for monomial, coefficient in of.parts:
        factors = [str(coefficient) if coefficient >= 0 else f"(- {-coefficient})"]
        for atom in monomial:
            arguments = [_polynomial(argument, bound) for argument in atom.arguments]
            if atom.name in bound:
                factors.append(variable(atom.name))
            elif atom.name in _DIVISIONS:
                factors.append(applied(_DIVISIONS[atom.name], arguments))
            else:
                factors.append(HERE(atom.name, arguments))
        products.append(applied("*", factors) if monomial else factors[0])
    return applied("+", products)


_DIVISIONS: Final = {"//": "quotient", "%": "remainder"}
