"""The names of the statements and symbols of a theory, and the steps that a proof depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.kernels.deduction.formulas import ARITHMETIC_SIGNS, Both, atoms
from proofs_checks.kernels.deduction.notation import read_head, read_terms, read_uses
from proofs_checks.kernels.deduction.rules import ARITHMETIC, rules_of
from proofs_checks.kernels.deduction.statements import Apply, Definition, Least, Lemma
from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from proofs_checks.kernels.deduction.rules import Rule
    from proofs_checks.kernels.deduction.statements import Proof, Step, Theory


def known_before(theory: Theory, index: int) -> tuple[dict[str, int], dict[str, Rule]]:
    """The symbols with their arities, and the rules, that the step at this index may use.

    Raise `NotEarned` if two of them have the same name.
    """
    symbols, rules = dict.fromkeys(ARITHMETIC_SIGNS, 2), dict(ARITHMETIC)
    heads = [read_head(str(term)) for term in read_terms(theory.symbols)]
    for step in theory.steps[:index]:
        heads += [read_head(step.symbol)] if isinstance(step, Definition) else []
        for name, rule in rules_of(step).items():
            if name in rules:
                raise NotEarned(f"two rules are called {name}")
            rules[name] = rule
    for name, parameters in heads:
        if name in symbols:
            raise NotEarned(f"two symbols are called {name}")
        symbols[name] = len(parameters)
    return symbols, rules


def needed(proof: Proof) -> tuple[int, ...]:
    """The indices of the steps that the lemmas depend on, and of the definitions they mention.

    Raise `NotEarned` if a name is used twice anywhere in the theory, or if a lemma is not there.
    """
    theory = proof.theory
    _, known = known_before(theory, len(theory.steps))
    shown = {step.name for step in theory.steps if isinstance(step, Lemma | Apply)}
    if not proof.lemmas:
        raise NotEarned(f"{theory.name} has no lemma to show")
    for lemma in proof.lemmas:
        if lemma not in shown:
            why = "is given, not shown" if lemma in known else "is not there"
            raise NotEarned(f"{theory.name}: {lemma} {why}")
    used, spoken, found = set(proof.lemmas), set[str](), list[int]()
    for index in range(len(theory.steps) - 1, -1, -1):
        step = theory.steps[index]
        rules = rules_of(step)
        defined = {read_head(step.symbol)[0]} if isinstance(step, Definition) else set()
        if used & set(rules) or spoken & defined:
            found.append(index)
            used |= {name for text in reasons(step) for name, _ in read_uses(text)}
            spoken |= {
                atom.name
                for rule in rules.values()
                for atom in atoms(Both((rule.given, rule.then)))
            }
    return tuple(reversed(found))


def reasons(step: Step) -> tuple[str, ...]:
    """The texts that say which rules a step uses."""
    match step:
        case Lemma() | Least():
            return (step.by,)
        case Apply():
            return tuple(by for _, by in step.by)
        case _:
            return ()
