"""Translates certificates of version 2, one JSON object in one line, into those of version 3.

Every part of an old file has its place in the new one, so a fault in the old file is the same fault
in the new one: the checker gives both the same verdict. What has no place in a file of version 3 is
malformed in one of version 2, too. The method and the recipe of an old file become one word.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from proofs_checks.checker import reading
from proofs_checks.checker.reading import (
    LARGEST_ROW,
    VERSION,
    Fields,
    Malformed,
    canonical,
    digest_of,
    object_in,
    text,
    version_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.reading import Document

KINDS = {
    "looped": ("ran", "read", "period", "labels", "encoder"),
    "located": ("ran", "read", "periods", "same", "fixed", "checked"),
}
BATCH = 1000
"""The new rows of so many entries are written before them, as in files of version 3."""
RECIPES = {"looped": "paper", "located": "located"}


def opened(data: bytes) -> Document:
    """Return the document in the bytes of a file of version 2 or 3; raise `Malformed` if none.

    The limits for the work of the checker are those of the file itself.
    """
    return replace(reading.opened(of_version_3(data)), size=len(data))


def of_version_3(data: bytes) -> bytes:
    """Return a certificate of version 2 translated, and any other file as it is."""
    first = data[: data.find(b"\n") + 1] or data
    return translated(data) if version_in(object_in(first, "")) == 2 else data


def translated(data: bytes) -> bytes:
    """Return a certificate of version 2 as one of version 3; raise `Malformed` if it is none."""
    old = object_in(data, "")
    if version_in(old) != 2:
        raise Malformed("version", "expected a certificate of version 2")
    digest = text(old.get("digest"), "digest")
    is_right = digest == digest_of({key: part for key, part in old.items() if key != "digest"})
    content = b"".join(_content(old))
    found = hashlib.sha256(content).hexdigest()
    return content + canonical({"digest": found if is_right else digest, "kind": "end"}) + b"\n"


def _content(old: dict[str, object]) -> Iterator[bytes]:
    is_located = old.get("method") == "located"
    more = ("class", "proofs") if is_located else ()
    r = Fields(
        old, "", "format", "version", "method", "recipe", "parameters", "record", "table",
        "current", "classifiers", "spent", "steps", "assumptions", "provenance", "digest", *more,
    )  # fmt: skip
    method, recipe = r.text("method"), r.text("recipe")
    functions = _class(r["class"]) if is_located else None
    header = {
        "format": reading.FORMAT,
        "version": VERSION,
        "method": method if RECIPES.get(method) == recipe else f"{method} ({recipe})",
        "parameters": r["parameters"],
        "class": functions,
        "assumptions": r["assumptions"],
        "provenance": r["provenance"],
    }
    yield canonical(header) + b"\n"
    yield from _record(r["record"], functions)
    if is_located and r["proofs"] is not None:
        proofs = Fields(r["proofs"], "proofs", "separators", "meetings", "answers")
        names = ("separators", "meetings", "answers")
        yield _entry({"kind": "proofs", **{name: proofs[name] for name in names}})
    claimed = ("table", "current", "classifiers", "spent", "steps")
    yield _entry({"kind": "claim", **{name: r[name] for name in claimed}})


def _class(value: object) -> dict[str, object]:
    r = Fields(value, "class", "name", "entries", "width")
    if not 1 <= r.whole("width") <= LARGEST_ROW:
        raise Malformed("class.width", f"expected 1 to {LARGEST_ROW}")
    rule = "lowest number" if r.text("name") == "finite" else "announced"
    return {"name": r["name"], "entries": r["entries"], "width": r["width"], "rule": rule}


def _record(value: object, functions: dict[str, object] | None) -> Iterator[bytes]:
    """Yield the entries, the new rows of each batch before it."""
    if not isinstance(value, list):
        raise Malformed("record", "expected a list")
    numbers: dict[bytes, int] = {}
    for start in range(0, len(value), BATCH):
        before, lines = len(numbers), list[bytes]()
        for i, entry in enumerate(value[start : start + BATCH], start):
            lines.append(_entry(_translated(entry, f"record[{i}]", functions, numbers)))
        if new := list(numbers)[before:]:
            yield _entry({"kind": "rows", "count": len(new)}) + b"".join(new) + b"\n"
        yield from lines


def _translated(
    entry: object, place: str, functions: dict[str, object] | None, numbers: dict[bytes, int]
) -> dict[str, object]:
    """Return an entry as version 3 has it; rows that are new get the next numbers."""
    kinds = KINDS["looped" if functions is None else "located"]
    if not isinstance(entry, dict) or entry.get("kind") not in kinds:
        raise Malformed(place, f"expected an entry of kind {', '.join(kinds)}")
    if functions is None or entry["kind"] != "read":
        return entry
    r = Fields(entry, place, "kind", "first", "times", "rows")
    rows = _rows(r.text("rows"), f"{place}.rows", reading.row_bytes(functions))
    seen = [numbers.setdefault(row, len(numbers)) for row in rows]
    return {"kind": "seen", "first": r["first"], "times": r["times"], "rows": seen}


def _entry(value: dict[str, object]) -> bytes:
    return canonical(value) + b"\n"


def _rows(said: str, place: str, length: int) -> list[bytes]:
    """Return the rows, which are concatenated and encoded in base 64."""
    try:
        data = base64.b64decode(said, validate=True)
    except (ValueError, binascii.Error):
        raise Malformed(place, "expected base 64") from None
    if base64.b64encode(data).decode("ascii") != said:
        raise Malformed(place, "expected canonical base 64")
    if len(data) % length:
        raise Malformed(
            place, f"expected rows of {length} bytes, but there are {len(data)} bytes in all"
        )
    return [data[i : i + length] for i in range(0, len(data), length)]
