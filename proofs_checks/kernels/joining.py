"""Joins a theory with proofs about sums: what one shows is what the other is given.

A proof about sums is given statements such as fails(o) ≤ errors(n, o), for every outcome o. A
*tie* says which rule of the theory such a statement is: a lemma, or a rule of a definition. The
kernel writes the statement in the language of the theory and compares: the rule must have the same
variables, no other conditions, and the statement among its parts. What the proofs are given and no
tie shows, and what the theory assumes, are the *leaves*; they must be exactly those that are named.

Outcomes, classifiers and other members of finite sets are numbered in the theory, and an index that
is a natural number is a variable with the condition that it is at least 0. A name that occurs in a
tie means the same on both sides. That a function of the proofs about sums has natural numbers as
values, or that a fixed index is one, is a statement that they are given as well: "lag(j) ≥ 0".
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from proofs_checks.kernels.deduction.dependencies import needed
from proofs_checks.kernels.deduction.formulas import (
    Both,
    Either,
    Formula,
    Known,
    Term,
    apply,
    equal,
    number,
)
from proofs_checks.kernels.deduction.replaying import replay as replay_theory
from proofs_checks.kernels.deduction.rules import Rule, rules_of
from proofs_checks.kernels.deduction.statements import Assume
from proofs_checks.kernels.evidence import Evidence, NotEarned, all_of, issue
from proofs_checks.kernels.sums.building import number as counted
from proofs_checks.kernels.sums.expressions import Number, Value, constant, indices
from proofs_checks.kernels.sums.indices import TIME, Index
from proofs_checks.kernels.sums.replaying import replay as replay_sums
from proofs_checks.kernels.sums.statements import Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proofs_checks.kernels.deduction.statements import Proof as TheoryProof
    from proofs_checks.kernels.sums.expressions import Expression
    from proofs_checks.kernels.sums.statements import Proof as SumsProof


@dataclass(frozen=True, slots=True)
class Join:
    """Lemmas of a theory, proofs about sums, and which rule shows what these are given."""

    theory: TheoryProof
    sums: tuple[SumsProof, ...]
    ties: Mapping[str, str]
    """The name of what a proof about sums is given, and the name of a rule of the theory"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ties", MappingProxyType(dict(self.ties)))


def joined(whole: Join, named: frozenset[str]) -> Evidence:
    """Replay all parts, and check the ties and that the leaves are those that are named.

    Raise `NotEarned` if a part does not follow, if a tie does not say what is given, or if there is
    a leaf without a name or a name without a leaf.
    """
    if type(whole) is not Join or not whole.sums:
        raise NotEarned("expected a theory and proofs about sums")
    _check_ties(whole)
    found = leaves(whole)
    if missing := found.keys() - named:
        raise NotEarned(f"rests on what is neither shown nor named: {', '.join(sorted(missing))}")
    if idle := named - found.keys():
        raise NotEarned(f"named, but nothing rests on it: {', '.join(sorted(idle))}")
    shown = all_of(replay_theory(whole.theory), *map(replay_sums, whole.sums))
    how = f"{len(whole.ties)} ties and {len(found)} leaves; `steel claims --tree` shows them"
    return issue(shown.strength, how)


def _check_ties(whole: Join) -> None:
    """What is tied is given, and a rule of a lemma or definition that is replayed says it."""
    given = _given(whole)
    rules = {
        name: rule
        for index in needed(whole.theory)
        if not isinstance(step := whole.theory.theory.steps[index], Assume)
        for name, rule in rules_of(step).items()
    }
    for hypothesis, name in whole.ties.items():
        if hypothesis not in given:
            raise NotEarned(f"no proof about sums is given {hypothesis}")
        if name not in rules:
            raise NotEarned(f"{whole.theory.theory.name} does not show {name}")
        if not _says(rules[name], _written(given[hypothesis])):
            raise NotEarned(f"{name} does not say that {given[hypothesis]} ({hypothesis})")


def leaves(whole: Join) -> dict[str, str]:
    """What nothing shows, by name: assumptions of the theory, and what is given without a tie."""
    theory = whole.theory.theory
    steps = [theory.steps[index] for index in needed(whole.theory)]
    found = {
        step.name: f"{f'for all {step.each}: ' * bool(step.each)}"
        f"{f'if {step.given}, then ' * bool(step.given)}{step.then}"
        for step in steps
        if isinstance(step, Assume)
    }
    for name, statement in _given(whole).items():
        if name not in whole.ties:
            if name in found:
                raise NotEarned(f"{name} is assumed by the theory and given to a proof about sums")
            found[name] = str(statement)
    return found


def _given(whole: Join) -> dict[str, Statement]:
    """What the proofs about sums are given, and that their functions give natural numbers."""
    found: dict[str, Statement] = {}
    plain, spoken = set[str](), set[str]()
    for proof in whole.sums:
        for name, statement in proof.hypotheses.items():
            if found.setdefault(name, statement) != statement:
                raise NotEarned(f"two proofs are given different statements {name}")
            for index in indices(statement.gap):
                if index.sort == TIME and not index.is_variable and index.name:
                    spoken.add(index.name)
                    if all(_is_plain(each) for each in index.of):
                        plain.add(index.name)
                        natural = Statement(constant(0), "≤", counted(index))
                        if found.setdefault(f"{index.name} ≥ 0", natural) != natural:
                            raise NotEarned(f"{index.name} ≥ 0 says two things")
    if unclear := spoken - plain:
        raise NotEarned(f"no statement says what these are functions of: {sorted(unclear)}")
    return found


def _is_plain(index: Index) -> bool:
    """Whether it is a variable that no sum binds, with nothing added to it."""
    return type(index) is Index and index.is_variable and not index.later


# --- a statement about sums in the language of theories -------------------------------------------


def _written(statement: Statement) -> Rule:
    """The statement for all values of its variables; raise `NotEarned` if it has a sum in it."""
    free = indices(statement.left) | indices(statement.right)
    variables = sorted({each.name for each in free if each.is_variable})
    times = sorted({each.name for each in free if each.is_variable and each.sort == TIME})
    left, right = _term(statement.left), _term(statement.right)
    then = equal(left, right) if statement.relation == "=" else Known(right - left)
    return Rule(tuple(variables), Both(tuple(Known(apply(name)) for name in times)), then)


def _term(of: Expression) -> Term:
    total = number(0)
    for term, coefficient in of.terms:
        if term.bound or coefficient.denominator != 1:
            raise NotEarned(f"a theory has no sums and no fractions: {of}")
        product = number(coefficient.numerator)
        for atom in term.atoms:
            match atom:
                case Value(name, at):
                    product *= apply(name, *map(_index, at))
                case Number(index):
                    product *= _index(index)
                case _:
                    raise NotEarned(f"a theory does not speak of {atom}")
        total += product
    return total


def _index(index: Index) -> Term:
    if not index.name:
        return number(index.later)
    return apply(index.name, *map(_index, index.of)) + number(index.later)


def _says(rule: Rule, wanted: Rule) -> bool:
    """Whether the rule has all that is wanted as parts, under no other conditions."""
    return (
        sorted(wanted.each) == sorted(rule.each)
        and set(_flat(rule.given)) <= set(_flat(wanted.given))
        and set(_flat(wanted.then)) <= set(_flat(rule.then))
    )


def _flat(formula: Formula) -> Iterator[Known | Either]:
    if isinstance(formula, Both):
        for part in formula.parts:
            yield from _flat(part)
    else:
        yield formula
