"""Whether a theory's assumptions have a model, as a question to solvers.

Statements about all integers are beyond what a solver can always decide, so that "unknown" is an
answer to expect. "unsat" would mean that the theory assumes a contradiction.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from proofs_checks.kernels.deduction.statements import Apply, Assume, Lemma
from proofs_checks.second_opinion.notation import head, parameters
from proofs_checks.second_opinion.rules import ARITHMETIC, declared, said
from proofs_checks.second_opinion.solvers import MODEL, Answer, ask_cvc5, ask_z3

if TYPE_CHECKING:
    from proofs_checks.kernels.deduction.statements import Step, Theory


def models(theory: Theory) -> dict[str, Answer]:
    """Whether each solver finds a model of the assumptions."""
    text = assumed(theory)
    return {"z3": ask_z3(text, MODEL), "cvc5": ask_cvc5(text, MODEL, ("mbqi", "true"))}


def assumed(theory: Theory) -> str:
    """All assumptions, and the definitions that they speak of.

    Other definitions are left out: whatever the symbols stand for, these can be made afterwards.
    """
    lines = ["(set-logic ALL)", declared(theory), ARITHMETIC]
    bodies = [
        f"(forall ({parameters(rule.each)}) {rule.body})" if rule.each else rule.body
        for step in _spoken_of(theory)
        for rule in said(step).values()
    ]
    if any("(quotient " in body or "(remainder " in body for body in bodies):
        bodies.append("(forall ((v.a Int) (v.b Int)) (rule.division v.a v.b))")
    return "\n".join([*lines, *(f"(assert {body})" for body in bodies), "(check-sat)\n"])


def _spoken_of(theory: Theory) -> list[Step]:
    """The assumptions, and the definitions that they, or later ones of these, speak of."""
    spoken: set[str] = set()
    found: list[Step] = []
    for step in reversed(theory.steps):
        if isinstance(step, Lemma | Apply):
            continue
        if isinstance(step, Assume) or head(step.symbol)[0] in spoken:
            found.append(step)
            for rule in said(step).values():
                spoken |= set(re.findall(r"\bf\.(\w+)", rule.body))
    return found[::-1]
