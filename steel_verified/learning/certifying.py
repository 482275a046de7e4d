"""Makes the certificate of an accepted run, as the bytes of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from steel_verified.classes.features import Featured
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import certificate
from steel_verified.evidence.entries import Meeting, Proofs
from steel_verified.evidence.oracle import savable

if TYPE_CHECKING:
    from steel_verified.classes.hulls import Mixture
    from steel_verified.evidence import entries
    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.results import Accepted

Batch = TypeVar("Batch")


def certificate_of_run(learned: Accepted, oracle: Class[Batch], provenance: Provenance) -> bytes:
    """Return the certificate of a run; `oracle` is the one with which it was learned.

    Raises `InvalidArgument` if the oracle cannot prove its answers.
    """
    if not oracle.none_is_proved:
        name = type(oracle).__name__
        expected = "one of the exact classes: a search that finds nothing proves nothing"
        raise InvalidArgument("oracle", name, expected)
    has_rows = learned.ledger.keeps_rows
    return certificate(
        learned.ledger,
        oracle.declared,
        learned.model.table,
        learned.current,
        learned.classifiers,
        provenance,
        written=savable(oracle).written if has_rows else None,
        proofs=_proofs(oracle) if has_rows else None,
    )


def _proofs(oracle: object) -> Proofs | None:
    """Return the proofs that half-spaces need; raise `InvalidArgument` if they were not stored."""
    inner = oracle.functions if isinstance(oracle, Featured) else oracle
    if isinstance(inner, Witnessed):
        return Proofs(
            tuple(inner.written(each) for each in inner.separators),
            tuple(Meeting(_mixed(each.zeros), _mixed(each.ones)) for each in inner.meetings),
            tuple(inner.answers),
        )
    if isinstance(inner, HalfSpaces):
        expected = "Witnessed(HalfSpaces(…)), which keeps the proofs of its answers"
        raise InvalidArgument("oracle", "HalfSpaces", expected)
    return None


def _mixed(mixture: Mixture) -> entries.Mixture:
    return tuple(zip(mixture.points, mixture.weights, strict=True))
