"""Reads the certificate of a looped run; raises `Malformed` with the place of a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.document import (
    Fields,
    Malformed,
    chances,
    list_of,
    opened,
    require_about,
    row,
    text,
    whole,
    wholes,
)
from proofs_checks.checker.entries import Ran
from proofs_checks.checker.looped.entries import (
    Certificate,
    LabelsFound,
    Parameters,
    PeriodFound,
    Read,
    Trained,
)

if TYPE_CHECKING:
    from proofs_checks.checker.document import Document
    from proofs_checks.checker.looped.entries import Entry, Piece, Sample

MOST_LEVELS = 4
"""The maximal number of nested progressions; schedules use at most two."""


def read(data: bytes) -> Certificate:
    """Return the certificate in a file's bytes; raise `Malformed` if there is none."""
    return certificate_in(opened(data))


def _piece(value: object, place: str) -> Piece:
    found = wholes(value, place)
    if len(found) % 2 != 1 or len(found) > 1 + 2 * MOST_LEVELS or 0 in found[1:]:
        message = "expected [first, count, stride, …], each count and stride at least 1"
        raise Malformed(place, message)
    return found


def _sample(value: object, place: str) -> Sample:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed(place, "expected [rows, times]")
    return whole(value[0], f"{place}[0]"), list_of(value[1], f"{place}[1]", _piece)


def _test(value: object, place: str) -> tuple[int, ...]:
    found = wholes(value, place, 4)
    if found[3] > 1:
        raise Malformed(f"{place}[3]", "expected 0 or 1")
    return found


def _position(value: object, place: str) -> tuple[int, str, int]:
    if not isinstance(value, list) or len(value) != 3:
        raise Malformed(place, "expected [dataset, verdicts, label]")
    verdicts = text(value[1], f"{place}[1]")
    if verdicts.strip("01"):
        raise Malformed(f"{place}[1]", "expected a string of 0 and 1")
    return whole(value[0], f"{place}[0]"), verdicts, whole(value[2], f"{place}[2]")


def _entry(value: object, place: str) -> Entry:
    kind = value.get("kind") if isinstance(value, dict) else None

    def fields(*names: str) -> Fields:
        return Fields(value, place, "kind", *names)

    match kind:
        case "ran":
            r = fields("start", "word", "done", "steps")
            return Ran(r.whole("start"), r.wholes("word"), r.whole("done"), r.whole("steps"))
        case "read":
            r = fields("loop", "after", "first", "samples")
            samples = r.list_of("samples", _sample)
            return Read(r.whole("loop"), r.whole("after"), r.whole("first"), samples)
        case "period":
            r = fields("number", "tests", "period", "charge")
            tests = r.list_of("tests", _test)
            return PeriodFound(r.whole("number"), tests, r.whole("period"), r.fraction("charge"))
        case "labels":
            r = fields("number", "known", "positions", "charge")
            known, positions = r.wholes("known"), r.list_of("positions", _position)
            return LabelsFound(r.whole("number"), known, positions, r.fraction("charge"))
        case "encoder":
            r = fields("number", "datasets", "charge")
            datasets = r.list_of("datasets", wholes)
            return Trained(r.whole("number"), datasets, r.fraction("charge"))
    raise Malformed(place, "expected an entry of kind ran, read, period, labels or encoder")


def _parameters(value: object) -> Parameters:
    least = {"actions": 1, "max_states": 1, "max_diameter": 0, "mixing_time": 1, "class_size": 1}
    r = Fields(value, "parameters", *least, "delta", "epsilon")
    for name, bound in least.items():
        if r.whole(name) < bound:
            raise Malformed(f"parameters.{name}", f"expected at least {bound}")
    actions, states, diameter, mixing, size = map(r.whole, least)
    return Parameters(actions, states, diameter, mixing, size, *chances(r))


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if its fields are wrong."""
    r = Fields(
        document.content, "", "format", "version", "method", "recipe", "parameters", "assumptions",
        "record", "table", "current", "classifiers", "spent", "steps", "provenance", "digest",
    )  # fmt: skip
    require_about(r)
    return Certificate(
        method=r.text("method"),
        recipe=r.text("recipe"),
        parameters=_parameters(r["parameters"]),
        record=r.list_of("record", _entry),
        table=r.list_of("table", row),
        current=r.whole("current"),
        classifiers=None if r["classifiers"] is None else r.wholes("classifiers"),
        spent=r.fraction("spent"),
        steps=r.whole("steps"),
        digest=document.digest,
        digest_found=document.digest_found,
        size=document.size,
    )
