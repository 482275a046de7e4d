"""Makes the certificate of an accepted run, as the bytes of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from steel_verified.classes.features import Featured
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import certificate, certificate_as_bytes
from steel_verified.evidence.located_certificate import Classifier as Written
from steel_verified.evidence.located_certificate import (
    Meeting,
    Proofs,
    located_certificate,
    located_certificate_as_bytes,
)
from steel_verified.evidence.oracle import savable
from steel_verified.learning.located import Located

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.classes.hulls import Mixture
    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.located_certificate import Mixture as MixtureJson
    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.results import Accepted

Batch = TypeVar("Batch")


def certificate_of_run(
    learned: Accepted,
    oracle: Class[Batch],
    provenance: Provenance,
) -> bytes:
    """Return the certificate of a run; `oracle` is the one with which it was learned.

    Raises `InvalidArgument` if the oracle cannot prove its answers.
    """
    if not oracle.none_is_proved:
        name = type(oracle).__name__
        expected = "one of the exact classes: a search that finds nothing proves nothing"
        raise InvalidArgument("oracle", name, expected)
    table = learned.model.table
    if isinstance(learned.method, Located):
        return located_certificate_as_bytes(
            located_certificate(
                learned.ledger,
                oracle.declared,
                table,
                learned.current,
                provenance,
                written=savable(oracle).written,
                proofs=_proofs(oracle),
            )
        )
    return certificate_as_bytes(
        certificate(learned.ledger, table, learned.current, learned.classifiers, provenance)
    )


def _proofs(oracle: object) -> Proofs | None:
    """Return the proofs that half-spaces need; raise `InvalidArgument` if they were not stored."""
    inner = oracle.functions if isinstance(oracle, Featured) else oracle
    if isinstance(inner, Witnessed):
        separators = [inner.written(each) for each in inner.separators]
        return Proofs(
            msgspec.convert(separators, tuple[Written, ...]),
            tuple(Meeting(_mixed(each.zeros), _mixed(each.ones)) for each in inner.meetings),
            tuple(inner.answers),
        )
    if isinstance(inner, HalfSpaces):
        expected = "Witnessed(HalfSpaces(…)), which keeps the proofs of its answers"
        raise InvalidArgument("oracle", "HalfSpaces", expected)
    return None


def _mixed(mixture: Mixture) -> MixtureJson:
    def texts(point: tuple[Fraction, ...]) -> tuple[str, ...]:
        return tuple(map(str, point))

    pairs = zip(mixture.points, mixture.weights, strict=True)
    return tuple((texts(point), str(weight)) for point, weight in pairs)
