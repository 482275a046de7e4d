"""Checks a certificate of any method that this checker knows, of version 3 or of version 2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

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
from proofs_checks.checker.reading import (
    Malformed,
    check_digest,
    text,
    unknown_method,
    whole,
)
from proofs_checks.checker.version2 import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from proofs_checks.checker.reading import Document, Finding, Table

C = TypeVar("C")
C_contra = TypeVar("C_contra", contravariant=True)


class Rules(Protocol[C_contra]):
    """A module with the rules of one method."""

    RULES: dict[str, str]
    EXPLANATION: str

    def check(self, certificate: C_contra, /) -> list[Finding]: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings, the rules and assumptions, and the main figures of the certificate."""

    method: str
    digest: str
    findings: list[Finding]
    rules: dict[str, str]
    meaning: str = ""
    """What acceptance means."""
    assumptions: tuple[str, ...] = ()
    """Assumptions that no certificate can show."""
    learned: int = 0
    """How many states, or factors."""
    what: str = "state"
    steps: int = 0
    actions: int = 0
    delta: Fraction | None = None
    """The chance of a wrong result; None if there is none."""
    against: Callable[[Table, int], Iterator[Finding]] = lambda *_: iter(())
    """Takes the true table and start state; yields findings that contradict them."""
    verified_means: str = verified.MEANING
    """What it means that the checker that is extracted from Coq accepts."""
    verified: Callable[[], list[Finding]] = verified.not_for_this_method
    """Runs that checker; raises `NotVerified` if it cannot be done."""


def judged(data: bytes) -> Verdict:
    """Return the verdict on the certificate in a file's bytes; raise `Malformed` if there is none.

    The record of an unknown method is not read.
    """
    document = opened(data)
    match text(document.header.get("method"), "method"):
        case "located":
            c = located_record.certificate_in(document)
            return replace(
                _begun(document, located, c, c.stated.table),
                assumptions=located.assumptions(c),
                delta=c.parameters.delta,
                against=lambda table, start: located_record.check_truth(c, table, start),
                verified=lambda: verified.check(c),
            )
        case "looped":
            d = looped.certificate_in(document)
            return replace(
                _begun(document, looped, d, d.stated.table),
                assumptions=looped.assumptions(d),
                delta=d.parameters.delta,
                against=lambda table, start: looped.check_truth(d, table, start),
            )
        case "certain" if template.is_bounded(document):
            b = template.certificate_in(document)
            return replace(
                _of_rows(document, template, b, b.base), verified=verified.not_for_formulas
            )
        case "certain" if columns.is_listed(document):
            i = columns.certificate_in(document)
            return replace(
                _of_rows(document, columns, i, i.base),
                verified=lambda: verified.check_certain(i.base),
                verified_means=verified.MEANING_FOR_COLUMNS,
            )
        case "certain":
            e = certain.certificate_in(document)
            found = replace(
                _of_rows(document, certain, e, e), verified=lambda: verified.check_certain(e)
            )
            if e.record.connected:
                return found
            rules = {name: rule for name, rule in found.rules.items() if name != "connected"}
            return replace(found, rules=rules, meaning=certain.EXPLANATION_OF_LOG)
        case "coins":
            g = coins.certificate_in(document)
            return _of_rows(document, coins, g, g.base, coins.ASSUMPTIONS, g.delta)
        case "factored":
            f = factored.certificate_in(document)
            return replace(
                _of_rows(document, factored, f, f.base, factored.ASSUMPTIONS, f.delta or None),
                learned=len(f.sizes),
                what="factor",
                against=_no_table,
            )
        case "slipping":
            h = slipping.certificate_in(document)
            return _of_rows(document, slipping, h, h.base, slipping.ASSUMPTIONS, h.delta)
        case method:
            known = "'looped', 'located', 'certain', 'coins', 'factored' or 'slipping'"
            unknown = unknown_method(method, known)
            rules = {"method": "the method is one that this checker knows"}
            return Verdict(method[:40], document.digest, [*check_digest(document), unknown], rules)


def _begun(document: Document, of: Rules[C], c: C, table: tuple[tuple[int, ...], ...]) -> Verdict:
    """Return what the verdicts on certificates of all methods have."""
    parameters = document.header["parameters"]
    assert isinstance(parameters, dict)
    return Verdict(
        text(document.header["method"], "method"),
        document.digest,
        of.check(c),
        of.RULES,
        of.EXPLANATION,
        learned=len(table),
        steps=whole(document.claim["steps"], "claim.steps"),
        actions=whole(parameters["actions"], "parameters.actions"),
    )


def _of_rows(
    document: Document,
    of: Rules[C],
    c: C,
    base: certain.Certificate,
    more: dict[str, str] | None = None,
    delta: Fraction | None = None,
) -> Verdict:
    """Return the verdict on the rows of a certain run; `more` is what may be assumed besides."""
    return replace(
        _begun(document, of, c, base.table),
        assumptions=base.assumptions(certain.ASSUMPTIONS | (more or {})),
        delta=delta,
        against=lambda table, _: certain.check_truth(base, table),
    )


def _no_table(_table: Table, _start: int) -> Iterator[Finding]:
    raise Malformed("dynamics", "a certificate of factors has no table of states")
