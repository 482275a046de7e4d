"""Joins a theory with proofs about sums: lemmas of the theory are hypotheses of the proofs.

A proof about sums has hypotheses such as fails(o) ≤ errors(n, o), for every outcome o. A *tie*
names the rule of the theory that shows a hypothesis: a lemma, or a rule of a definition. The
kernel translates the hypothesis into the language of the theory and compares it with the rule: the
rule must have the same variables and no other conditions, and must state the hypothesis. The
*leaves* are the hypotheses without a tie, and the assumptions of the theory. They must be exactly
those that are named.

Outcomes, classifiers and other members of finite sets are numbered in the theory, and an index that
is a natural number is a variable with the condition that it is at least 0. A name that occurs in a
tie means the same on both sides.

A join may *quote* another join, which is replayed as well. Then a goal of the other join shows a
hypothesis of this one, or a lemma of its theory shows an assumption of this one's theory, after
functions of the other join are replaced by functions of this one. The leaves of the other join,
with the same replacements, are leaves of this one.

If a function of the proofs about sums has natural numbers as values, or if a fixed index is a
natural number, then this is a hypothesis, too: "lag(j) ≥ 0".
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    atoms,
    equal,
    number,
    substituted,
)
from proofs_checks.kernels.deduction.replaying import replay as replay_theory
from proofs_checks.kernels.deduction.rules import Rule, meanings, rules_of
from proofs_checks.kernels.deduction.statements import Apply, Assume
from proofs_checks.kernels.deduction.telling import statement_of
from proofs_checks.kernels.evidence import Evidence, NotEarned, all_of, issue
from proofs_checks.kernels.sums.building import number as counted
from proofs_checks.kernels.sums.expressions import Number, Value, constant, indices
from proofs_checks.kernels.sums.indices import TIME, Index
from proofs_checks.kernels.sums.replaying import replaced_goals
from proofs_checks.kernels.sums.replaying import replay as replay_sums
from proofs_checks.kernels.sums.statements import Statement
from proofs_checks.kernels.sums.telling import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proofs_checks.kernels.deduction.statements import Proof as TheoryProof
    from proofs_checks.kernels.sums.expressions import Expression
    from proofs_checks.kernels.sums.statements import Cited
    from proofs_checks.kernels.sums.statements import Proof as SumsProof


@dataclass(frozen=True, slots=True)
class Join:
    """Lemmas of a theory, proofs about sums, and which rules show the hypotheses of these."""

    theory: TheoryProof
    sums: tuple[SumsProof, ...]
    ties: Mapping[str, str]
    """From the name of a hypothesis of a proof about sums to the name of a rule of the theory"""
    quotes: Mapping[str, Quote] = field(default_factory=dict)
    """From the name of a hypothesis or an assumption to what shows it"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ties", MappingProxyType(dict(self.ties)))
        object.__setattr__(self, "quotes", MappingProxyType(dict(self.quotes)))


@dataclass(frozen=True, slots=True)
class Quote:
    """A goal or a lemma of another join, with its functions replaced by functions of this join."""

    whole: Join
    named: frozenset[str]
    """The names of its leaves"""
    how: Cited | Apply
    """The proof about sums or the lemma, and what replaces its functions; without reasons"""


def joined(whole: Join, named: frozenset[str]) -> Evidence:
    """Replay all parts; check the ties, and that `named` are exactly the leaves.

    Raise `NotEarned` if a part does not follow, if the rule of a tie does not state its hypothesis,
    if a leaf is not named, or if a name is not that of a leaf.
    """
    if type(whole) is not Join or not whole.sums:
        raise NotEarned("expected a theory and proofs about sums")
    _check_ties(whole)
    quoted = dict(_quoted(whole, name, quote) for name, quote in whole.quotes.items())
    found = leaves(whole)
    if missing := found.keys() - named:
        raise NotEarned(f"these leaves are neither shown nor named: {', '.join(sorted(missing))}")
    if idle := named - found.keys():
        raise NotEarned(f"named as leaves, but not used: {', '.join(sorted(idle))}")
    parts = all_of(
        replay_theory(whole.theory),
        *map(replay_sums, whole.sums),
        *(joined(other, leaves) for other, leaves in quoted.values()),
    )
    how = f"{len(whole.ties)} ties and {len(found)} leaves; `steel claims --tree` shows them"
    return issue(parts.strength, how)


def _quoted(whole: Join, name: str, quote: Quote) -> tuple[int, tuple[Join, frozenset[str]]]:
    """The quoted join by its identity; raise `NotEarned` if it does not state what it should."""
    theory, how = quote.whole.theory, quote.how
    if isinstance(how, Apply):
        assumed = {s.name: s for s in whole.theory.theory.steps if isinstance(s, Assume)}
        if name not in assumed or how.theory != theory.theory or how.lemma not in theory.lemmas:
            raise NotEarned(f"{name} is not assumed, or {how.lemma} is not shown")
        (step,) = (s for s in theory.theory.steps if how.lemma in rules_of(s))
        rule, wanted = rules_of(step)[how.lemma], rules_of(assumed[name])[name]
        meaning = meanings(how)
        if not all(_is_renamed(*each, rule.each) for each in meaning.values()):
            raise NotEarned(f"{how.meaning} is more than other names, and variables in front")
        said = (substituted(rule.given, meaning), substituted(rule.then, meaning))
        if not (
            set(rule.each) <= set(wanted.each)
            and set(_flat(said[0])) <= set(_flat(wanted.given))
            and set(_flat(wanted.then)) <= set(_flat(said[1]))
        ):
            raise NotEarned(f"{how.lemma} does not say {name}")
    elif how.proof not in quote.whole.sums or name not in _given(whole) or name in whole.ties:
        raise NotEarned(f"{name} is not given, or is tied, or {how.proof.title} is not shown")
    elif not any(goal.says(_given(whole)[name]) for goal in replaced_goals(how)):
        raise NotEarned(f"{how.proof.title} does not say that {_given(whole)[name]} ({name})")
    return id(quote.whole), (quote.whole, quote.named)


def _is_renamed(parameters: tuple[str, ...], body: Term, bound: tuple[str, ...]) -> bool:
    """Whether f(k) is replaced by g(c, k): another name, and new variables as first arguments."""
    found = [atom for atom in atoms(Known(body)) if body == apply(atom.name, *atom.arguments)]
    if len(found) != 1:
        return False
    names = [atom.name for each in found[0].arguments for atom in atoms(Known(each))]
    plain = all(each == apply(name) for each, name in zip(found[0].arguments, names, strict=False))
    fresh = names[: len(names) - len(parameters)]
    return (
        plain
        and len(names) == len(found[0].arguments)
        and (*names[len(fresh) :],) == parameters
        and not {*fresh} & {*parameters, *bound}
    )


def _check_ties(whole: Join) -> None:
    """Check that each tied hypothesis is stated by a replayed lemma or definition."""
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
    """Return the leaves by name: assumptions of the theory, and hypotheses without a tie."""
    theory = whole.theory.theory
    steps = [theory.steps[index] for index in needed(whole.theory)]
    found = {
        step.name: statement_of(step)
        for step in steps
        if isinstance(step, Assume) and step.name not in whole.quotes
    }
    for name, statement in _given(whole).items():
        if name not in whole.ties and name not in whole.quotes:
            if name in found:
                raise NotEarned(f"{name} is assumed by the theory and given to a proof about sums")
            found[name] = shown(statement)
    return found


def _given(whole: Join) -> dict[str, Statement]:
    """The hypotheses of the proofs about sums, with those that functions give natural numbers."""
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
    """The statement as a rule of a theory; raise `NotEarned` if it contains a sum."""
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
    """Whether the rule states all parts of `wanted`, under no other conditions."""
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
