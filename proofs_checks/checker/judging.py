"""Checks a certificate of either method, looped or located."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_checks.checker.document import opened
from proofs_checks.checker.located import findings as of_located
from proofs_checks.checker.located import reading as located_reading
from proofs_checks.checker.located import rules as located_rules
from proofs_checks.checker.located import truth as located_truth
from proofs_checks.checker.located import verified as located_verified
from proofs_checks.checker.looped import findings as of_looped
from proofs_checks.checker.looped import reading as looped_reading
from proofs_checks.checker.looped import rules as looped_rules
from proofs_checks.checker.looped import truth as looped_truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from proofs_checks.checker.dynamics import Table
    from proofs_checks.checker.findings import Finding


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings, the rules and assumptions, and the main figures of the certificate."""

    method: str
    findings: list[Finding]
    rules: dict[str, str]
    assumptions: tuple[str, ...]
    """Assumptions that no certificate can show."""
    meaning: str
    """What acceptance means."""
    states: int
    steps: int
    actions: int
    delta: Fraction
    digest: str
    against: Callable[[Table, int], Iterator[Finding]]
    """Takes the true table and start state; yields findings that contradict them."""
    verified: Callable[[], list[Finding]]
    """Runs the checker that is extracted from Coq; raises `NotVerified` if that cannot be done."""


def judged(data: bytes) -> Verdict:
    """Return the verdict on the certificate in a file's bytes; raise `Malformed` if there is none.

    A file with an unknown method is read as a looped run, and the rules then reject it.
    """
    document = opened(data)
    if document.content.get("method") == "located":
        located = located_reading.certificate_in(document)
        return Verdict(
            "located",
            located_rules.check(located),
            of_located.RULES,
            of_located.assumptions(located),
            of_located.EXPLANATION,
            len(located.table),
            located.steps,
            located.parameters.actions,
            located.parameters.delta,
            located.digest,
            lambda table, start: located_truth.check_truth(located, table, start),
            lambda: located_verified.check(located),
        )
    looped = looped_reading.certificate_in(document)
    return Verdict(
        "looped",
        looped_rules.check(looped),
        of_looped.RULES,
        of_looped.assumptions(looped),
        of_looped.EXPLANATION,
        len(looped.table),
        looped.steps,
        looped.parameters.actions,
        looped.parameters.delta,
        looped.digest,
        lambda table, start: looped_truth.check_truth(looped, table, start),
        located_verified.not_for_looped_runs,
    )
