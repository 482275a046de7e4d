"""Every edge of the trees is needed: without what a child says, its parent is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from proofs_checks.kernels.deduction import Apply, Assume, Lemma, Proof, Theory
from proofs_checks.kernels.deduction import replay as replay_theory
from proofs_checks.kernels.deduction.dependencies import needed, reasons
from proofs_checks.kernels.deduction.notation import read_uses
from proofs_checks.kernels.deduction.replaying import contradictions
from proofs_checks.kernels.deduction.rules import rules_of
from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.joining import joined
from proofs_checks.kernels.sums import replay as replay_sums
from proofs_checks.kernels.sums.statements import Cases, Cited, Induction, Step
from proofs_checks.kernels.sums.telling import cited_by
from proofs_checks.proofs import chains, home_of
from proofs_checks.registry import all_claims
from proofs_checks.replays import cited_in
from proofs_checks.tree import TREES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.joining import Join
    from proofs_checks.kernels.sums import Proof as SumsProof
    from proofs_checks.kernels.sums.statements import Line

ROOTS = {claim.id: claim for claim in all_claims() if claim.id in TREES.values()}


def join_of(identifier: str) -> Join:
    claim = ROOTS[identifier]
    (part,) = cited_in(claim.shown[0], claim.notation)
    assert part.join is not None
    return part.join


# --- lemmas ---------------------------------------------------------------------------------------


def parts_of(proof: Proof) -> Iterator[tuple[Theory, Lemma | Apply]]:
    """The lemmas that a proof rests on, in its theory and in those that it applies."""
    for index in needed(proof):
        step = proof.theory.steps[index]
        if isinstance(step, Lemma | Apply):
            yield proof.theory, step
        if isinstance(step, Apply):
            yield from parts_of(Proof(step.theory, (step.lemma,)))


def children_of(theory: Theory, parent: Lemma | Apply) -> set[str]:
    """The lemmas whose instances it uses."""
    used = {name for text in reasons(parent) for name, _ in read_uses(text)} - {parent.name}
    return {step.name for step in theory.steps if isinstance(step, Lemma | Apply)} & used


def without_child(theory: Theory, parent: Lemma | Apply, child: str) -> Theory:
    """The theory in which the parent uses a rule that says nothing, instead of the child."""
    (rule,) = (rules_of(step)[child] for step in theory.steps if child in rules_of(step))
    nothing = Assume("nothing", ", ".join(rule.each), "", "0 == 0")

    def less(text: str) -> str:
        return re.sub(rf"\b{child}\(", "nothing(", text)

    if isinstance(parent, Lemma):
        changed: Lemma | Apply = replace(parent, by=less(parent.by))
    else:
        changed = replace(parent, by=tuple((name, less(text)) for name, text in parent.by))
    steps = tuple(changed if step == parent else step for step in theory.steps)
    return replace(theory, steps=(nothing, *steps))


LEMMAS = {
    f"{home_of(parent)}.{parent.name}": (theory, parent)
    for identifier in ROOTS
    for theory, parent in parts_of(join_of(identifier).theory)
    if children_of(theory, parent)
}


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_needs_each_lemma_that_it_uses(name: str) -> None:
    theory, parent = LEMMAS[name]
    for child in children_of(theory, parent):
        with pytest.raises(NotEarned, match="does not follow"):
            check(without_child(theory, parent, child), parent.name)


def check(theory: Theory, name: str) -> None:
    """Check one lemma; what an application rests on is replayed as well."""
    (step,) = (s for s in theory.steps if isinstance(s, Lemma | Apply) and s.name == name)
    if isinstance(step, Lemma):
        contradictions(theory, step)
    else:
        replay_theory(Proof(theory, (name,)))


def test_an_application_needs_the_lemma_that_it_applies() -> None:
    applied = [(theory, step) for theory, step in LEMMAS.values() if isinstance(step, Apply)]
    assert applied
    for theory, step in applied:
        less = replace(step, theory=replace(step.theory, steps=()))
        steps = tuple(less if each == step else each for each in theory.steps)
        with pytest.raises(NotEarned):
            replay_theory(Proof(replace(theory, steps=steps), (step.name,)))


# --- proofs about sums, and joins -----------------------------------------------------------------


def sums_below(proof: SumsProof) -> Iterator[SumsProof]:
    yield proof
    for cited in cited_by(proof):
        yield from sums_below(cited)


SUMS = {
    chains.name_of(proof): proof
    for identifier in ROOTS
    for whole in join_of(identifier).sums
    for proof in sums_below(whole)
    if cited_by(proof)
}


def uncited(lines: tuple[Line, ...], child: SumsProof) -> tuple[Line, ...]:
    """The lines without those that cite this proof."""
    found: list[Line] = []
    for line in lines:
        match line:
            case Step(_, _, Cited(proof)) if proof == child:
                continue
            case Step():
                found.append(line)
            case Induction(_, _, start, onward):
                start, onward = uncited(start, child), uncited(onward, child)
                found.append(replace(line, start=start, onward=onward))
            case Cases(_, _, _, _, below, above):
                below, above = uncited(below, child), uncited(above, child)
                found.append(replace(line, below=below, above=above))
    return tuple(found)


@pytest.mark.parametrize("name", SUMS)
def test_a_proof_about_sums_needs_each_proof_that_it_cites(name: str) -> None:
    proof = SUMS[name]
    for child in cited_by(proof):
        with pytest.raises(NotEarned):
            replay_sums(replace(proof, lines=uncited(proof.lines, child)))


CONCLUSIONS = {
    "T1": {"T1_dynamics", "T1_steps", "pairs_share", "purely"},
    "L1": {"L1_model", "located"},
    "L1.fallback": {"by_located", "by_looped", "eleven_tenths"},
}
"""What the theorems conclude besides their bounds on probabilities"""


@pytest.mark.parametrize("identifier", ROOTS)
def test_a_theorem_needs_each_part_that_it_joins(identifier: str) -> None:
    """A lemma is needed, unless it is a conclusion, or replayed because others use it."""
    whole, named = join_of(identifier), frozenset(ROOTS[identifier].notation.leaves)
    parts = [
        *(replace(whole, sums=tuple(p for p in whole.sums if p != each)) for each in whole.sums),
        *(
            replace(whole, quotes={n: q for n, q in whole.quotes.items() if n != name})
            for name in whole.quotes
        ),
    ]
    assert CONCLUSIONS[identifier] <= {*whole.theory.lemmas}
    for name in {*whole.theory.lemmas} - CONCLUSIONS[identifier]:
        theory = replace(whole.theory, lemmas=tuple({*whole.theory.lemmas} - {name}))
        if not any(name in rules_of(theory.theory.steps[index]) for index in needed(theory)):
            parts.append(replace(whole, theory=theory))
    for part in parts:
        with pytest.raises(NotEarned):
            joined(part, named)
