"""Write the audit page, for parameters alone or for the certificate of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import LARGEST_FILE, Malformed
from proofs_checks.checker.version2 import of_version_3
from proofs_checks.claims import all_claims
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import Certificate, certificate_of
from steel_verified.evidence.entries import LabelsFound, Ran
from steel_verified.evidence.files import read_bytes, write_or_rescue
from steel_verified.learning.looped import Looped
from steel_verified.reports.audit import AUDITS, Audit
from steel_verified.reports.audit_page.page import Cited, audit_page
from steel_verified.reports.audit_page.runs import Checked, Run, run_of
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.using.verdict import Finding
from steel_verified.worlds.dynamics import Dynamics, orbit
from steel_verified.worlds.ideal import ideal_run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def write_audit_page(path: Path, given: Parameters, extent: Extent) -> None:
    """Write the page about all methods with such a guarantee, for these parameters."""
    _write(path, {name: audit(given, extent, None) for name, audit in AUDITS.items()})


def _write(path: Path, audits: dict[str, Audit], run: Run | None = None) -> None:
    claims = {each.id: Cited(each.says, each.label, each.coq) for each in all_claims()}
    write_or_rescue(path, audit_page(audits, claims, run).encode())


def write_run_page(path: Path, data: bytes, name: str) -> None:
    """Write the page for a run, given the bytes of its certificate and the name of their file."""
    try:
        verdict = judged(data)
        certificate = certificate_of(of_version_3(data), name)
    except Malformed as malformed:
        raise InvalidArgument("certificate", name, f"a certificate ({malformed})") from None
    checked = Checked(
        tuple(Finding(each.rule, each.place, each.message) for each in verdict.findings),
        tuple(f"{rule}: {text}" for rule, text in verdict.rules.items()),
        verdict.assumptions,
        verdict.meaning,
    )
    audits: dict[str, Audit] = {}
    ideal: Sequence[object] = ()
    method = certificate.header.method
    if method in AUDITS:
        dynamics = Dynamics(certificate.claim.table)
        extent = Extent(dynamics.states, dynamics.diameter)
        if (given := _parameters(certificate, extent)) is not None:
            audits[method] = AUDITS[method](given, extent, None)
            if method == "looped" and not checked.findings:
                ideal = _ideal(certificate, given)
    _write(path, audits, run_of(certificate, checked, ideal))


def _ideal(certificate: Certificate, given: Parameters) -> Sequence[object]:
    """The entries of an ideal run on the learned dynamics.

    It starts in a state that the first loop leads to the cycle that was found. Every such state
    gives the same plans, since nothing is read before the loop has reached its cycle.
    """
    dynamics = Dynamics(certificate.claim.table)
    word = next(e.word for e in certificate.record if isinstance(e, Ran))
    found = next(e for e in certificate.record if isinstance(e, LabelsFound))
    settled = len(found.positions) * dynamics.states
    label = found.positions[0].label
    start = next(s for s in range(dynamics.states) if orbit(dynamics, s, word).at(settled) == label)
    encoder = certificate.claim.classifiers is not None
    ideal = ideal_run(dynamics, start, Looped(given), first_action=word[0], with_encoder=encoder)
    return ideal.ledger.entries


def certificate_in(path: Path) -> bytes:
    """The content of a certificate file; raises `InvalidArgument` if it cannot be read."""
    return read_bytes(path, LARGEST_FILE, "certificate")


def _parameters(certificate: Certificate, extent: Extent) -> Parameters | None:
    """The parameters of a run; None if it has no bounds. |F| and D̂ get their smallest values."""
    p = certificate.header.parameters
    if p.max_states is None or p.mixing_time is None or p.delta is None or p.epsilon is None:
        return None
    return Parameters(
        actions=p.actions,
        max_states=p.max_states,
        max_diameter=extent.diameter if p.max_diameter is None else p.max_diameter,
        mixing_time=p.mixing_time,
        class_size=extent.states if p.class_size is None else p.class_size,
        delta=p.delta,
        epsilon=p.epsilon,
    )
