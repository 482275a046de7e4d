"""Reads the certificate of a located run; raises `Malformed` with the place of a fault."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from proofs_checks.checker.document import (
    Fields,
    Malformed,
    chances,
    opened,
    require_about,
    row,
    text,
)
from proofs_checks.checker.entries import Ran
from proofs_checks.checker.located.classes import Finite
from proofs_checks.checker.located.conjunctions import Conjunctions
from proofs_checks.checker.located.entries import (
    Certificate,
    Checked,
    Fixed,
    Parameters,
    PeriodsLeft,
    Read,
    SameState,
)
from proofs_checks.checker.located.half_spaces import HalfSpaces, proofs_in
from proofs_checks.checker.located.number_classes import Boxes, Numbers, Thresholds
from proofs_checks.checker.planning import Work

if TYPE_CHECKING:
    from proofs_checks.checker.document import Document
    from proofs_checks.checker.located.entries import AnyClass, Entry

LARGEST_ROW = 1 << 20
"""The maximal number of features of a row."""


def read(data: bytes) -> Certificate:
    """Return the certificate in a file's bytes; raise `Malformed` if there is none."""
    return certificate_in(opened(data))


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if its fields are wrong."""
    r = Fields(
        document.content, "", "format", "version", "method", "recipe", "parameters", "class",
        "proofs", "assumptions", "record", "table", "current", "classifiers", "spent", "steps",
        "provenance", "digest",
    )  # fmt: skip
    require_about(r)
    table = r.list_of("table", row)
    work = Work(document.size, len(table))
    functions = _class(r["class"], r["proofs"], work)
    return Certificate(
        recipe=r.text("recipe"),
        parameters=_parameters(r["parameters"]),
        functions=functions,
        work=work,
        record=r.list_of("record", lambda value, place: _entry(value, place, functions)),
        table=table,
        current=r.whole("current"),
        classifiers=r.list_of("classifiers", functions.classifier),
        spent=r.fraction("spent"),
        steps=r.whole("steps"),
        digest=document.digest,
        digest_found=document.digest_found,
        size=document.size,
    )


def _parameters(value: object) -> Parameters:
    names = ("actions", "max_states", "mixing_time")
    r = Fields(value, "parameters", *names, "delta", "epsilon")
    for name in names:
        if r.whole(name) < 1:
            raise Malformed(f"parameters.{name}", "expected at least 1")
    actions, states, mixing = map(r.whole, names)
    return Parameters(actions, states, mixing, *chances(r))


def _class(value: object, proofs: object, work: Work) -> AnyClass:
    r = Fields(value, "class", "name", "entries", "width")
    name, entries, width = r.text("name"), r.text("entries"), r.whole("width")
    if not 1 <= width <= LARGEST_ROW:
        raise Malformed("class.width", f"expected 1 to {LARGEST_ROW}")
    if (proofs is not None) != (name == "half-spaces"):
        raise Malformed("proofs", "expected proofs for half-spaces, and for no other class")
    match name, entries:
        case "finite", "bits":
            return Finite(width)
        case "conjunctions", "bits":
            return Conjunctions(width, work)
        case "thresholds", ("int64" | "float64") as numbers:
            return Thresholds(numbers, width, work)
        case "boxes", ("int64" | "float64") as numbers:
            return Boxes(numbers, width, work)
        case "half-spaces", ("int64" | "float64") as numbers:
            return HalfSpaces(Numbers(numbers, width, work), proofs_in(proofs, width))
    raise Malformed("class", "unknown class of classifiers, or unknown kind of entries for it")


def _entry(value: object, place: str, functions: AnyClass) -> Entry:
    kind = value.get("kind") if isinstance(value, dict) else None

    def fields(*names: str) -> Fields:
        return Fields(value, place, "kind", *names)

    match kind:
        case "ran":
            r = fields("start", "word", "done", "steps")
            return Ran(r.whole("start"), r.wholes("word"), r.whole("done"), r.whole("steps"))
        case "read":
            r = fields("first", "times", "rows")
            times, rows = r.wholes("times"), _rows(r["rows"], f"{place}.rows", functions)
            if len(times) != len(rows):
                raise Malformed(f"{place}.rows", f"{len(rows)} rows for {len(times)} times")
            return Read(r.whole("first"), times, rows)
        case "periods":
            r = fields("count", "left")
            return PeriodsLeft(r.whole("count"), r.wholes("left"))
        case "same":
            r = fields("one", "other")
            return SameState(r.whole("one"), r.whole("other"))
        case "fixed":
            r = fields("at", "walk", "visits", "passes", "charge", "classifiers")
            return Fixed(
                r.whole("at"),
                r.wholes("walk"),
                r.wholes("visits"),
                r.whole("passes"),
                r.fraction("charge"),
                r.list_of("classifiers", functions.classifier),
            )
        case "checked":
            r = fields("number", "failed")
            return Checked(r.whole("number"), r.wholes("failed"))
    raise Malformed(place, "expected an entry of kind ran, read, periods, same, fixed or checked")


def _rows(value: object, place: str, functions: AnyClass) -> tuple[bytes, ...]:
    """Return the rows, which are concatenated and encoded in base 64."""
    said = text(value, place)
    try:
        data = base64.b64decode(said, validate=True)
    except (ValueError, binascii.Error):
        raise Malformed(place, "expected base 64") from None
    if base64.b64encode(data).decode("ascii") != said:
        raise Malformed(place, "expected canonical base 64")
    length = functions.row_bytes
    if len(data) % length:
        raise Malformed(
            place, f"expected rows of {length} bytes, but there are {len(data)} bytes in all"
        )
    rows = tuple(data[i : i + length] for i in range(0, len(data), length))
    for number, each in enumerate(rows):
        functions.require_row(each, f"{place}, row {number}")
    return rows
