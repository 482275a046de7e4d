"""Checks a certificate of any method that this checker knows, of version 3 or of version 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_checks.checker import (
    certain,
    coins,
    columns,
    factored,
    located,
    located_record,
    looped,
    slipping,
    template,
    verified,
)
from proofs_checks.checker.reading import Malformed, check_digest, text, unknown_method
from proofs_checks.checker.version2 import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from proofs_checks.checker.reading import Finding, Table


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings, the rules and assumptions, and the main figures of the certificate."""

    method: str
    digest: str
    findings: list[Finding]
    rules: dict[str, str]
    assumptions: tuple[str, ...] = ()
    """Assumptions that no certificate can show."""
    meaning: str = ""
    """What acceptance means."""
    learned: int = 0
    """How many states, or factors."""
    what: str = "state"
    steps: int = 0
    actions: int = 0
    delta: Fraction | None = None
    """The chance of a wrong result; None if there is none."""
    against: Callable[[Table, int], Iterator[Finding]] = lambda *_: iter(())
    """Takes the true table and start state; yields findings that contradict them."""
    verified: Callable[[], list[Finding]] = verified.not_for_this_method
    """Runs the checker that is extracted from Coq; raises `NotVerified` if that cannot be done."""


def judged(data: bytes) -> Verdict:
    """Return the verdict on the certificate in a file's bytes; raise `Malformed` if there is none.

    The record of an unknown method is not read.
    """
    document = opened(data)
    match text(document.header.get("method"), "method"):
        case "located":
            c = located_record.certificate_in(document)
            return Verdict(
                "located",
                c.stated.digest,
                located.check(c),
                located.RULES,
                located.assumptions(c),
                located.EXPLANATION,
                len(c.stated.table),
                "state",
                c.stated.steps,
                c.parameters.actions,
                c.parameters.delta,
                lambda table, start: located_record.check_truth(c, table, start),
                lambda: verified.check(c),
            )
        case "looped":
            d = looped.certificate_in(document)
            return Verdict(
                "looped",
                d.stated.digest,
                looped.check(d),
                looped.RULES,
                looped.assumptions(d),
                looped.EXPLANATION,
                len(d.stated.table),
                "state",
                d.stated.steps,
                d.parameters.actions,
                d.parameters.delta,
                lambda table, start: looped.check_truth(d, table, start),
            )
        case "certain" if template.is_bounded(document):
            b = template.certificate_in(document)
            return Verdict(
                "certain",
                document.digest,
                template.check(b),
                template.RULES,
                b.base.assumptions,
                template.EXPLANATION,
                len(b.base.table),
                "state",
                b.base.steps,
                b.base.record.actions,
                against=lambda table, _: certain.check_truth(b.base, table),
                verified=verified.not_for_columns,
            )
        case "certain" if columns.is_listed(document):
            i = columns.certificate_in(document)
            return Verdict(
                "certain",
                document.digest,
                columns.check(i),
                columns.RULES,
                i.base.assumptions,
                columns.EXPLANATION,
                len(i.base.table),
                "state",
                i.base.steps,
                i.base.record.actions,
                against=lambda table, _: certain.check_truth(i.base, table),
                verified=verified.not_for_columns,
            )
        case "certain":
            e = certain.certificate_in(document)
            is_run = e.record.connected
            return Verdict(
                "certain",
                document.digest,
                certain.check(e),
                {
                    name: rule
                    for name, rule in certain.RULES.items()
                    if is_run or name != "connected"
                },
                e.assumptions,
                certain.EXPLANATION if is_run else certain.EXPLANATION_OF_LOG,
                len(e.table),
                "state",
                e.steps,
                e.record.actions,
                against=lambda table, _: certain.check_truth(e, table),
                verified=lambda: verified.check_certain(e),
            )
        case "coins":
            g = coins.certificate_in(document)
            return Verdict(
                "coins",
                document.digest,
                coins.check(g),
                coins.RULES,
                g.assumptions,
                coins.EXPLANATION,
                len(g.base.table),
                "state",
                g.base.steps,
                g.base.record.actions,
                g.delta,
                lambda table, _: certain.check_truth(g.base, table),
            )
        case "factored":
            f = factored.certificate_in(document)
            return Verdict(
                "factored",
                document.digest,
                factored.check(f),
                factored.RULES,
                f.assumptions,
                factored.EXPLANATION,
                len(f.sizes),
                "factor",
                f.base.steps,
                f.base.record.actions,
                f.delta or None,
                _no_table,
            )
        case "slipping":
            h = slipping.certificate_in(document)
            return Verdict(
                "slipping",
                document.digest,
                slipping.check(h),
                slipping.RULES,
                h.assumptions,
                slipping.EXPLANATION,
                len(h.base.table),
                "state",
                h.base.steps,
                h.base.record.actions,
                h.delta,
                lambda table, _: certain.check_truth(h.base, table),
            )
        case method:
            known = "'looped', 'located', 'certain', 'coins', 'factored' or 'slipping'"
            unknown = unknown_method(method, known)
            rules = {"method": "the method is one that this checker knows"}
            return Verdict(method[:40], document.digest, [*check_digest(document), unknown], rules)


def _no_table(_table: Table, _start: int) -> Iterator[Finding]:
    raise Malformed("dynamics", "a certificate of factors has no table of states")
