"""Checks the steps of a theory, and says what a lemma rests on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from proofs_checks.kernels.deduction.formulas import (
    Both,
    Formula,
    Known,
    Term,
    apply,
    atoms,
    opposite,
    read_formula,
    read_terms,
    read_uses,
    restated,
    rewritten,
)
from proofs_checks.kernels.deduction.refuting import refute
from proofs_checks.kernels.deduction.telling import told
from proofs_checks.kernels.deduction.theories import (
    ARITHMETIC,
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
    Rule,
    Step,
    Theory,
    meanings,
    names,
    rules_of,
    signature,
    translated,
)
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength

if TYPE_CHECKING:
    from collections.abc import Mapping

Definition = Let | Least | Recursion | Indicator


def proved(theory: Theory, *lemmas: str) -> Evidence:
    """Show these lemmas and all they rest on; the evidence lists the steps in order."""
    needed = _needed(theory, lemmas)
    for index in needed:
        _checked(theory, index)
    return Evidence(Strength.PROVED, told(theory, [theory.steps[index] for index in needed]))


def _needed(theory: Theory, lemmas: tuple[str, ...]) -> list[int]:
    """The steps that the lemmas rest on, and the definitions of the symbols they speak of."""
    used, spoken, found = set(lemmas), set[str](), list[int]()
    for index in range(len(theory.steps) - 1, -1, -1):
        step = theory.steps[index]
        rules = rules_of(step)
        defined = {signature(step.symbol)[0]} if isinstance(step, Definition) else set()
        if used & set(rules) or spoken & defined:
            found.append(index)
            used |= {name for text in _reasons(step) for name, _ in read_uses(text)}
            spoken |= {
                atom.name
                for rule in rules.values()
                for atom in atoms(Both((rule.given, rule.then)))
            }
    known = {name for index in found for name in rules_of(theory.steps[index])} | set(ARITHMETIC)
    shown = {step.name for step in theory.steps if isinstance(step, Lemma | Apply)}
    if given := set(lemmas) & (known - shown):
        raise NotEarned(f"{theory.name}: {', '.join(sorted(given))} is given, not shown")
    if not lemmas or not used <= known:
        raise NotEarned(
            f"{theory.name} has no {', '.join(sorted(used - known)) or 'lemma to show'}"
        )
    return found[::-1]


def _reasons(step: Step) -> tuple[str, ...]:
    match step:
        case Lemma() | Least():
            return (step.by,)
        case Apply():
            return tuple(by for _, by in step.by)
        case _:
            return ()


@cache
def _checked(theory: Theory, index: int) -> None:
    """Check one step on the ground of those before it."""
    step = theory.steps[index]
    try:
        symbols, rules = _before(theory, index)
        _check(step, symbols, rules)
    except NotEarned as refused:
        raise NotEarned(f"{theory.name}, {next(iter(rules_of(step)))}: {refused}") from refused


def _before(theory: Theory, index: int) -> tuple[dict[str, int], dict[str, Rule]]:
    """The symbols with their arities, and the rules, that the step at this place may use."""
    symbols, rules = {"%": 2, "//": 2}, dict(ARITHMETIC)
    texts = [str(term) for term in read_terms(theory.symbols)]
    for step in theory.steps[:index]:
        texts += [step.symbol] if isinstance(step, Definition) else []
        for name, rule in rules_of(step).items():
            if name in rules:
                raise NotEarned(f"two rules are called {name}")
            rules[name] = rule
    for name, parameters in map(signature, texts):
        if name in symbols:
            raise NotEarned(f"two symbols are called {name}")
        symbols[name] = len(parameters)
    return symbols, rules


def _check(step: Step, symbols: dict[str, int], rules: dict[str, Rule]) -> None:
    match step:
        case Assume(name):
            _well_formed(rules_of(step)[name], symbols)
        case Lemma(name):
            goal = rules_of(step)[name]
            _well_formed(goal, symbols)
            _follows(goal, step.by, rules | _smaller(goal, step, symbols))
        case Let(symbol, value):
            _well_formed(
                Rule(_new(symbol, symbols), Both(()), _speaks_of(read_terms(value)[0])), symbols
            )
        case Least(symbol, given, number, such_that, witness, by):
            each = _new(symbol, symbols)
            found = {number: ((), read_terms(witness)[0])}
            least = Both((read_formula(f"{number} >= 0"), read_formula(such_that)))
            goal = Rule(each, read_formula(given), restated(least, found))
            _well_formed(goal, symbols)
            _well_formed(Rule((*each, number), goal.given, least), symbols)
            _follows(goal, by, rules)
        case Recursion(symbol, start, following):
            each = _new(symbol, symbols)
            own = Rule(each, Both(()), _speaks_of(read_terms(following)[0]))
            if any(
                atom.name == signature(symbol)[0] and atom.text != str(read_terms(symbol)[0])
                for atom in atoms(own.then)
            ):
                raise NotEarned(f"{following} looks further than {symbol}")
            _well_formed(own, symbols | {signature(symbol)[0]: len(each)})
            _well_formed(Rule(each[1:], Both(()), _speaks_of(read_terms(start)[0])), symbols)
        case Indicator(symbol, holds):
            _well_formed(Rule(_new(symbol, symbols), Both(()), read_formula(holds)), symbols)
        case Apply():
            _check_application(step, symbols, rules)


def _check_application(step: Apply, symbols: dict[str, int], rules: dict[str, Rule]) -> None:
    """The other theory is right, and its hypotheses hold in the meaning given to its symbols."""
    proved(step.theory, step.lemma)
    meaning, by = meanings(step), dict(step.by)
    declared = {signature(str(term))[0]: term for term in read_terms(step.theory.symbols)}
    if set(declared) != set(meaning):
        raise NotEarned(f"meanings for {sorted(meaning)}, not for {sorted(declared)}")
    for name, (parameters, body) in meaning.items():
        if len(parameters) != len(signature(str(declared[name]))[1]):
            raise NotEarned(f"{name} has another number of parameters")
        each = (*names(step.each), *parameters)
        _well_formed(Rule(each, read_formula(step.given), _speaks_of(body)), symbols)
    # What the other theory defines for itself has no meaning here, even if a name is the same.
    meant = _before(step.theory, 0)[0]
    for inner in step.theory.steps:
        for name, rule in rules_of(inner).items():
            goal = translated(step, rule)
            if isinstance(inner, Assume) or name == step.lemma:
                _well_formed(rule, meant)
                _well_formed(goal, symbols)
            if isinstance(inner, Assume):
                _follows(goal, by.get(name, ""), rules)


def _speaks_of(term: Term) -> Formula:
    """Some formula with the symbols of the term, to see whether they are all known."""
    return Known(term)


def _new(symbol: str, symbols: Mapping[str, int]) -> tuple[str, ...]:
    name, parameters = signature(symbol)
    if name in symbols:
        raise NotEarned(f"{name} is defined twice")
    return parameters


def _well_formed(rule: Rule, symbols: Mapping[str, int]) -> None:
    """Every variable is listed once and hides nothing; every symbol is known, with its arity."""
    if len(set(rule.each)) < len(rule.each) or set(rule.each) & set(symbols):
        raise NotEarned(f"variables {rule.each} are listed twice or hide symbols")
    known = {**symbols, **dict.fromkeys(rule.each, 0)}
    for atom in atoms(Both((rule.given, rule.then))):
        if known.get(atom.name) != len(atom.arguments):
            raise NotEarned(f"{atom.text} is not defined")


def _smaller(goal: Rule, lemma: Lemma, symbols: Mapping[str, int]) -> dict[str, Rule]:
    """The lemma itself, where the measure is at least 0 and smaller than it is here."""
    if not lemma.induction:
        return {}
    (measure,) = read_terms(lemma.induction)
    _well_formed(Rule(goal.each, Both(()), _speaks_of(measure)), symbols)
    primed = tuple(f"{name}'" for name in goal.each)  # no name of a symbol can look like this
    renamed = {name: ((), apply(other)) for name, other in zip(goal.each, primed, strict=True)}
    bounds = {"here": ((), measure), "there": ((), rewritten(measure, renamed))}
    return {
        lemma.name: Rule(
            primed,
            Both(
                (restated(goal.given, renamed), restated(read_formula("0 <= there < here"), bounds))
            ),
            restated(goal.then, renamed),
        )
    }


def _follows(goal: Rule, by: str, rules: Mapping[str, Rule]) -> None:
    """The goal's conditions, the instances and the opposite of its conclusion cannot all hold."""
    facts = [goal.given, opposite(goal.then)]
    for name, values in read_uses(by):
        if name not in rules:
            raise NotEarned(f"no rule {name}")
        facts.append(rules[name].instance(values))
    refute(tuple(facts))


def without(theory: Theory, name: str) -> Theory:
    """The theory with a hypothesis that says nothing: for mistakes that must be refused."""
    return changed(theory, name, given="", then="0 == 0")


def changed(
    theory: Theory, name: str, *, given: str | None = None, then: str | None = None
) -> Theory:
    """The theory with another hypothesis or lemma of this name: for mistakes to be refused.

    It must be a statement all the same, or it would be refused for a reason that proves nothing.
    """
    for index, step in enumerate(theory.steps):
        if isinstance(step, Assume | Lemma) and step.name == name:
            wrong = replace(
                step,
                given=step.given if given is None else given,
                then=step.then if then is None else then,
            )
            if wrong == step:
                break
            try:
                _well_formed(rules_of(wrong)[name], _before(theory, index)[0])
            except NotEarned as refused:
                raise ValueError(f"no statement of {theory.name}: {refused}") from refused
            steps = (*theory.steps[:index], wrong, *theory.steps[index + 1 :])
            return replace(theory, steps=steps)
    raise ValueError(f"nothing changes in {theory.name}: {name}")
