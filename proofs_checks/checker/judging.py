"""Checks a certificate of either method, looped or located."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_checks.checker import located, looped, verified
from proofs_checks.checker.reading import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from proofs_checks.checker.reading import Finding, Stated, Table


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings, the rules and assumptions, and the main figures of the certificate."""

    method: str
    stated: Stated
    findings: list[Finding]
    rules: dict[str, str]
    assumptions: tuple[str, ...]
    """Assumptions that no certificate can show."""
    meaning: str
    """What acceptance means."""
    actions: int
    delta: Fraction
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
        c = located.certificate_in(document)
        return Verdict(
            "located",
            c.stated,
            located.check(c),
            located.RULES,
            located.assumptions(c),
            located.EXPLANATION,
            c.parameters.actions,
            c.parameters.delta,
            lambda table, start: located.check_truth(c, table, start),
            lambda: verified.check(c),
        )
    d = looped.certificate_in(document)
    return Verdict(
        "looped",
        d.stated,
        looped.check(d),
        looped.RULES,
        looped.assumptions(d),
        looped.EXPLANATION,
        d.parameters.actions,
        d.parameters.delta,
        lambda table, start: looped.check_truth(d, table, start),
        verified.not_for_looped_runs,
    )
