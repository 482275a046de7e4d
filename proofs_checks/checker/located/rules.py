"""The rules that the certificate of a located run must keep.

The run is followed in `following`; here is what is stated of it as a whole.
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
    """Everything that was found wrong with a certificate. An empty list accepts it.

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
    """Follow the run, whatever its class is; raises `Broken`."""
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
                message = f"{len(told.proofs.answers)} answers, but {told.asked} questions"
                findings.append(Finding("proofs", "proofs.answers", message))
            return findings


def _found(c: Certificate, functions: Class[Dataset]) -> list[Finding]:
    run = Following(c, functions)
    return list(_totals(c, run, run.follow()))


def _header(c: Certificate) -> Iterator[Finding]:
    if c.digest != c.digest_found:
        message = f"stated {c.digest[:12]!r}…, found {c.digest_found[:12]!r}…"
        yield Finding("digest", "digest", message)
    if c.recipe != "located":
        yield Finding("recipe", "recipe", f"{c.recipe[:40]!r} is not known; only 'located' is")


def _totals(c: Certificate, run: Following[Dataset], ending: Ending) -> Iterator[Finding]:
    """Nothing is left over, and what is stated of the whole run is right."""
    if run.record.taken < len(c.record):
        yield Finding("order", run.record.place, "nothing should follow the end of the run")
    rows = [[row[action] for action in sorted(row)] for row in ending.model.rows]
    if list(map(list, c.table)) != rows:
        yield Finding("table", "table", "not the table that the run has found")
    if c.current != ending.current:
        message = f"{c.current} stated, but the run ended in {ending.current}"
        yield Finding("current", "current", message)
    if c.classifiers != ending.classifiers:
        yield Finding("encoder", "classifiers", "not those that were validated")
    if c.spent != run.spent:
        yield Finding("budget", "spent", f"{shown(c.spent)} is not the sum, {shown(run.spent)}")
    if run.spent > c.parameters.delta:
        message = f"{shown(run.spent)} is more than δ = {shown(c.parameters.delta)}"
        yield Finding("budget", "spent", message)
    if c.steps != run.record.steps:
        yield Finding("steps", "steps", f"{c.steps} stated, {run.record.steps} taken")
