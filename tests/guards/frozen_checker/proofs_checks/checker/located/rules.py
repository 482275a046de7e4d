"""The rules for certificates of located runs.

`following` recomputes the run; this module checks the statements about the run as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from proofs_checks.checker.findings import Finding, shown
from proofs_checks.checker.located.classes import Finite
from proofs_checks.checker.located.conjunctions import Conjunctions
from proofs_checks.checker.located.following import Following
from proofs_checks.checker.located.half_spaces import HalfSpaces
from proofs_checks.checker.located.number_classes import Boxes, Thresholds
from proofs_checks.checker.located.record import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.located.classes import Class
    from proofs_checks.checker.located.entries import Certificate
    from proofs_checks.checker.located.following import Ending

Dataset = TypeVar("Dataset")


def check(certificate: Certificate) -> list[Finding]:
    """Return all findings against a certificate; an empty list means that it is accepted.

    Raises `Malformed` if checking takes too many steps for the size of the file.
    """
    findings = list(_header(certificate))
    if any(finding.rule == "recipe" for finding in findings):
        return findings
    try:
        return [*findings, *_followed(certificate)]
    except Broken as broken:
        return [*findings, broken.finding]


def _followed(c: Certificate) -> list[Finding]:
    """Recompute the run with the class of its certificate; raise `Broken`."""
    match c.functions:
        case Finite() as functions:
            return _found(c, functions)
        case Conjunctions() as functions:
            return _found(c, functions)
        case Thresholds() as functions:
            return _found(c, functions)
        case Boxes() as functions:
            return _found(c, functions)
        case HalfSpaces() as functions:
            told = functions.begun()
            findings = _found(c, told)
            if not findings and told.asked < len(told.proofs.answers):
                message = f"{len(told.proofs.answers)} verdicts, but the run needs {told.asked}"
                findings.append(Finding("proofs", "proofs.answers", message))
            return findings


def _found(c: Certificate, functions: Class[Dataset]) -> list[Finding]:
    run = Following(c, functions)
    return list(_totals(c, run, run.follow()))


def _header(c: Certificate) -> Iterator[Finding]:
    if c.digest != c.digest_found:
        message = f"stated {c.digest[:12]!r}…, but the content has {c.digest_found[:12]!r}…"
        yield Finding("digest", "digest", message)
    if c.recipe != "located":
        yield Finding("recipe", "recipe", f"unknown recipe {c.recipe[:40]!r}; expected 'located'")


def _totals(c: Certificate, run: Following[Dataset], ending: Ending) -> Iterator[Finding]:
    """No entry is left over, and the stated totals are correct."""
    if run.record.taken < len(c.record):
        yield Finding("order", run.record.place, "unexpected entry after the end of the run")
    rows = [[row[action] for action in sorted(row)] for row in ending.model.rows]
    if list(map(list, c.table)) != rows:
        yield Finding("table", "table", "not the table that the run found")
    if c.current != ending.current:
        message = f"{c.current} stated, but the run ended in {ending.current}"
        yield Finding("current", "current", message)
    if c.classifiers != ending.classifiers:
        yield Finding("encoder", "classifiers", "not the classifiers that were validated")
    if c.spent != run.spent:
        yield Finding(
            "budget", "spent", f"{shown(c.spent)} stated, but the charges sum to {shown(run.spent)}"
        )
    if run.spent > c.parameters.delta:
        message = f"{shown(run.spent)} is more than δ = {shown(c.parameters.delta)}"
        yield Finding("budget", "spent", message)
    if c.steps != run.record.steps:
        yield Finding(
            "steps", "steps", f"{c.steps} stated, but the plans have {run.record.steps} steps"
        )
