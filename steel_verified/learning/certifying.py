"""Makes the certificate of an accepted run, as the bytes of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from steel_verified.classes.features import Featured
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import (
    ASSUMPTIONS,
    Claim,
    Header,
    Parameters,
    certificate,
    lines,
)
from steel_verified.evidence.certificate import Class as Described
from steel_verified.evidence.entries import (
    Closed,
    Hints,
    Meeting,
    Proofs,
    Refutation,
    Row,
    Steps,
    Trajectory,
)
from steel_verified.evidence.ledger import OpenedCertain
from steel_verified.evidence.oracle import savable
from steel_verified.learning.certain import trajectory_of, without_lone_labels
from steel_verified.learning.covers import hints
from steel_verified.learning.knowledge import nothing_known

if TYPE_CHECKING:
    from steel_verified.classes.hulls import Mixture
    from steel_verified.evidence import entries
    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.certain import Decided
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
    if learned.decided is not None:
        return certificate_of_certain(learned, learned.decided, provenance)
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


def certificate_of_certain(learned: Accepted, decided: Decided, provenance: Provenance) -> bytes:
    """Return the certificate of a certain run: its rows and actions, and how to check them fast."""
    opening, entries = learned.ledger.opening, learned.ledger.entries
    if not isinstance(opening, OpenedCertain):
        raise InvalidArgument("ledger", type(opening).__name__, "the ledger of a certain run")
    path = trajectory_of(learned.ledger)
    known = nothing_known(opening.classifiers, opening.actions).of(path)
    here, chosen = path.rows[-1], tuple(fits[0] for fits in decided.labels)
    cover = sum(1 << f for f in chosen)
    found = hints([path], without_lone_labels(known, connected=True), cover, here)
    size = -(-opening.classifiers // 8)
    removed = tuple((f, Row(path.rows[t].to_bytes(size, "little"))) for f, t in found.removed)
    assumes = ("block", "deterministic", "realised", "connected")
    header = Header(
        method="certain",
        parameters=Parameters(actions=opening.actions, connected=True),
        functions=Described("finite", "bits", opening.classifiers, "lowest number"),
        assumptions=ASSUMPTIONS["certain"],
        provenance=provenance,
    )
    claim = Claim(
        table=decided.table,
        current=decided.current,
        classifiers=chosen,
        steps=len(path.actions),
        assumes=(*assumes, "two") if decided.supposes_two else assumes,
    )
    record = [entry for entry in entries if isinstance(entry, Trajectory | Steps)]
    proof = [Refutation(found.refutation)] if found.refutation else []
    closed = [Closed(labels) for labels in found.closed]
    return b"".join(lines(header, [*record, Hints(removed), *closed, *proof], claim))


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
