"""Makes proofs with a missing hypothesis or a changed statement, which a replay must refuse."""

from __future__ import annotations

from dataclasses import replace

from proofs_checks.kernels.deduction.dependencies import known_before
from proofs_checks.kernels.deduction.replaying import check_spoken
from proofs_checks.kernels.deduction.rules import rules_of
from proofs_checks.kernels.deduction.statements import Assume, Lemma, Proof
from proofs_checks.kernels.evidence import NotEarned


def without(proof: Proof, hypothesis: str) -> Proof:
    """The proof with a hypothesis replaced by 0 = 0; raise `ValueError` if it has none such."""
    if not any(isinstance(step, Assume) and step.name == hypothesis for step in proof.theory.steps):
        raise ValueError(f"{proof.theory.name} has no hypothesis {hypothesis}")
    return restated(proof, hypothesis, given="", then="0 == 0")


def restated(
    proof: Proof, name: str, *, given: str | None = None, then: str | None = None
) -> Proof:
    """The proof with another hypothesis or lemma of this name.

    Raise `ValueError` if nothing changes, or if it is no statement of the theory: then the replay
    would refuse it for a reason that proves nothing.
    """
    theory = proof.theory
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
                check_spoken(rules_of(wrong)[name], known_before(theory, index)[0])
            except NotEarned as refused:
                raise ValueError(f"no statement of {theory.name}: {refused}") from refused
            steps = (*theory.steps[:index], wrong, *theory.steps[index + 1 :])
            return replace(proof, theory=replace(theory, steps=steps))
    raise ValueError(f"nothing changes in {theory.name}: {name}")
