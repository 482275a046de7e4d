"""Replays a proof: checks every step that its lemmas depend on."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.dependencies import known_before, needed
from proofs_checks.kernels.deduction.formulas import (
    ARITHMETIC_SIGNS,
    ONE,
    TRUE,
    Both,
    Either,
    Formula,
    Known,
    Term,
    atoms,
    opposite,
    substituted,
    substituted_term,
)
from proofs_checks.kernels.deduction.notation import (
    read_formula,
    read_head,
    read_names,
    read_term,
    read_uses,
)
from proofs_checks.kernels.deduction.refuting import refute
from proofs_checks.kernels.deduction.rules import Rule, least_number, meanings, rules_of, translated
from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Definition,
    Indicator,
    Least,
    Lemma,
    Let,
    Proof,
    Recursion,
    Step,
    Theory,
)
from proofs_checks.kernels.deduction.telling import tell
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, issue
from proofs_checks.kernels.exactness import require_exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.deduction.linear import Contradiction

    Symbols = Mapping[str, int]
    """The functions that a step may mention, with their arities"""
    Rules = Mapping[str, Rule]

CLASSES: Final = frozenset({Apply, Assume, Indicator, Least, Lemma, Let, Proof, Recursion, Theory})


def replay(proof: Proof) -> Evidence:
    """Check the lemmas and every step that they depend on; the evidence lists the steps in order.

    Raise `NotEarned` if a step does not follow, or if the proof is not made of exact types.
    """
    require_exact(proof, CLASSES)
    for index in needed(proof):
        _check_step(proof.theory, index)
    return issue(Strength.PROVED, tell(proof))


@cache
def _check_step(theory: Theory, index: int) -> None:
    """Check one step, which may use those before it."""
    step = theory.steps[index]
    try:
        _check(step, *known_before(theory, index))
    except NotEarned as refused:
        raise NotEarned(f"{theory.name}, {next(iter(rules_of(step)))}: {refused}") from refused


def _check(step: Step, symbols: Symbols, rules: Rules) -> None:
    match step:
        case Assume(name):
            check_spoken(rules_of(step)[name], symbols)
        case Lemma(name, by=by, induction=measure):
            goal = rules_of(step)[name]
            check_spoken(goal, symbols)
            if measure:
                check_spoken(Rule(goal.each, TRUE, Known(read_term(measure))), symbols)
            _check_follows(goal, by, symbols, rules, _by_induction(step))
        case Let(symbol, value):
            check_spoken(Rule(read_head(symbol)[1], TRUE, Known(read_term(value))), symbols)
        case Indicator(symbol, holds):
            check_spoken(Rule(read_head(symbol)[1], TRUE, read_formula(holds)), symbols)
        case Least():
            _check_least(step, symbols, rules)
        case Recursion():
            _check_recursion(step, symbols)
        case Apply():
            _check_application(step, symbols, rules)


def contradictions(theory: Theory, lemma: Lemma) -> tuple[Contradiction, ...]:
    """How each case of a lemma is contradicted: the terms, with their multipliers."""
    symbols, rules = known_before(theory, theory.steps.index(lemma))
    goal = rules_of(lemma)[lemma.name]
    return _refute(_facts(goal, lemma.by, symbols, rules, _by_induction(lemma)))


def _by_induction(lemma: Lemma) -> dict[str, tuple[Rule, Term]]:
    """The lemma with its measure, if it is proved by induction and may use itself."""
    if not lemma.induction:
        return {}
    return {lemma.name: (rules_of(lemma)[lemma.name], read_term(lemma.induction))}


def _check_least(step: Least, symbols: Symbols, rules: Rules) -> None:
    """Check that the witness is at least 0 and has the property, so a least number exists."""
    name, each = read_head(step.symbol)
    given, (k, such_that) = read_formula(step.given), least_number(step)
    if k == name:
        raise NotEarned(f"{k} is the number and the function")
    check_spoken(Rule((*each, k), given, such_that), symbols)
    goal = Rule(each, given, substituted(such_that, {k: ((), read_term(step.witness))}))
    check_spoken(goal, symbols)
    _check_follows(goal, step.by, symbols, rules)


def _check_recursion(step: Recursion, symbols: Symbols) -> None:
    """Check that the start mentions nothing new, and the value at n + 1 only the value at n."""
    name, each = read_head(step.symbol)
    at_n, following = str(read_term(step.symbol)), Known(read_term(step.following))
    if any(atom.name == name and atom.text != at_n for atom in atoms(following)):
        raise NotEarned(f"{step.following} mentions other values than that of {step.symbol}")
    check_spoken(Rule(each, TRUE, following), {**symbols, name: len(each)})
    check_spoken(Rule(each[1:], TRUE, Known(read_term(step.start))), symbols)


def _check_application(step: Apply, symbols: Symbols, rules: Rules) -> None:
    """Replay the other theory, and check its hypotheses with the meanings given to its symbols.

    What the other theory defines may get a meaning here as well. Then the rules of the definition
    are hypotheses like the others, and must follow: its lemmas use nothing else about it.
    """
    for index in needed(Proof(step.theory, (step.lemma,))):
        _check_step(step.theory, index)
    meaning, by = meanings(step), dict(step.by)
    hypotheses = {inner.name for inner in step.theory.steps if isinstance(inner, Assume)}
    # A symbol that is defined there and has no meaning here is hidden, even if a name is the same.
    declared, _ = known_before(step.theory, 0)
    for inner in step.theory.steps:
        if isinstance(inner, Definition):
            name, parameters = read_head(inner.symbol)
            if name in meaning:
                declared[name] = len(parameters)
                hypotheses |= rules_of(inner).keys()
    arities = {name: len(parameters) for name, (parameters, _) in meaning.items()}
    if arities != {name: declared[name] for name in declared.keys() - ARITHMETIC_SIGNS}:
        raise NotEarned(f"meanings for {arities}, not for the symbols {step.theory.symbols}")
    for parameters, body in meaning.values():
        each = (*read_names(step.each), *parameters)
        check_spoken(Rule(each, read_formula(step.given), Known(body)), symbols)
    if len(by) < len(step.by) or not by.keys() <= hypotheses:
        raise NotEarned(f"reasons for {[name for name, _ in step.by]}, not for {hypotheses}")
    for inner in step.theory.steps:
        for name, rule in rules_of(inner).items():
            if name in hypotheses or name == step.lemma:
                goal = translated(step, rule)
                check_spoken(rule, declared)
                check_spoken(goal, symbols)
                if name in hypotheses:
                    _check_follows(goal, by.get(name, ""), symbols, rules)


def check_spoken(rule: Rule, symbols: Symbols) -> None:
    """Check that variables are listed once and hide no symbol; and symbols have their arity."""
    if len(set(rule.each)) < len(rule.each) or set(rule.each) & set(symbols):
        raise NotEarned(f"variables {rule.each} are listed twice or hide symbols")
    known = {**symbols, **dict.fromkeys(rule.each, 0)}
    for atom in atoms(Both((rule.given, rule.then))):
        if known.get(atom.name) != len(atom.arguments):
            raise NotEarned(f"{atom.text} is not defined")


def _check_follows(
    goal: Rule,
    by: str,
    symbols: Symbols,
    rules: Rules,
    smaller: Mapping[str, tuple[Rule, Term]] = MappingProxyType({}),
) -> None:
    """Show that the goal's conditions, the instances and its negated conclusion cannot all hold.

    `smaller` is the goal itself with its measure, if the proof is by induction.
    """
    _refute(_facts(goal, by, symbols, rules, smaller))


def _facts(
    goal: Rule,
    by: str,
    symbols: Symbols,
    rules: Rules,
    smaller: Mapping[str, tuple[Rule, Term]],
) -> tuple[Formula, ...]:
    """The goal's conditions, its negated conclusion, and the instances."""
    facts = [goal.given, opposite(goal.then)]
    for name, values in read_uses(by):
        check_spoken(Rule(goal.each, TRUE, Both(tuple(map(Known, values)))), symbols)
        if name in smaller:
            facts.append(_smaller(*smaller[name], values))
        elif name in rules:
            facts.append(rules[name].instance(values))
        else:
            raise NotEarned(f"no rule {name}")
    return tuple(facts)


def _smaller(goal: Rule, measure: Term, values: tuple[Term, ...]) -> Formula:
    """The goal for these values, provided that the measure there is at least 0 and smaller."""
    there = substituted_term(measure, goal.meanings(values))
    descends = Both((Known(there), Known(measure - there - ONE)))
    return Either((opposite(descends), goal.instance(values)))


@cache
def _refute(facts: tuple[Formula, ...]) -> tuple[Contradiction, ...]:
    return refute(facts)
