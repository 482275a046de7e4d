"""Makes the certificate of an accepted run, as the bytes of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from steel_verified.classes.conjunctions import Conjunction
from steel_verified.classes.features import Featured
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, Witnessed
from steel_verified.classes.intervals import Box, Threshold
from steel_verified.classes.saving import json_of_classifier
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import certificate
from steel_verified.evidence.entries import Meeting, Proofs

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.classes.hulls import Mixture
    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.learning.results import Accepted

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def certificate_of_run(
    learned: Accepted[Classifier],
    oracle: Oracle[Batch, Summary, Classifier],
    provenance: Provenance,
) -> bytes:
    """Return the certificate of a run; `oracle` is the one with which it was learned.

    Raises `InvalidArgument` if the oracle cannot prove its answers.
    """
    if not oracle.none_is_proved:
        name = type(oracle).__name__
        expected = "one of the exact classes: a search that finds nothing proves nothing"
        raise InvalidArgument("oracle", name, expected)
    width = oracle.declared.width
    return certificate(
        learned.ledger,
        oracle.declared,
        learned.model.table,
        learned.current,
        provenance,
        written=lambda classifier: _written(classifier, width),
        proofs=_proofs(oracle),
    )


def _written(classifier: object, width: int) -> object:
    if isinstance(classifier, int | Conjunction | Threshold | Box | HalfSpace):
        return msgspec.to_builtins(json_of_classifier(classifier, width))
    expected = "a classifier of one of the exact classes"
    raise InvalidArgument("classifiers", type(classifier).__name__, expected)


def _proofs(oracle: object) -> Proofs | None:
    """Return the proofs that half-spaces need; raise `InvalidArgument` if they were not stored."""
    inner = oracle.oracle if isinstance(oracle, Featured) else oracle
    if isinstance(inner, Witnessed):
        width = inner.declared.width
        return Proofs(
            tuple(_written(each, width) for each in inner.separators),
            tuple(Meeting(_mixed(each.zeros), _mixed(each.ones)) for each in inner.meetings),
            tuple(inner.answers),
        )
    if isinstance(inner, HalfSpaces):
        expected = "Witnessed(HalfSpaces(…)), which keeps the proofs of its answers"
        raise InvalidArgument("oracle", "HalfSpaces", expected)
    return None


def _mixed(mixture: Mixture) -> tuple[tuple[tuple[Fraction, ...], Fraction], ...]:
    return tuple(zip(mixture.points, mixture.weights, strict=True))
