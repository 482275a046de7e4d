"""A certificate as one value, so that tests can change any part of it, and back.

The value has the fields of the header and of the claim, the `record`, the `proofs` (null without)
and the `digest`. The rows of an entry are one text in base 64 there. Steps are lists of actions;
those of a located run are plans of one step, each with its row.
"""

from __future__ import annotations

import base64
import hashlib
import json
from struct import Struct
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.checker.reading import canonical, opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | None"

CLAIM = ("table", "current", "classifiers", "spent", "steps", "assumes", "factors")
APART = ("record", "proofs", "digest")
WITH_ROWS = ("seen", "trajectory", "steps")
STEP = Struct("<HI")
NO_ROW = 10**6
BATCH = 1000
"""The new rows of this many entries are written together, before them."""


def as_json(data: bytes) -> bytes:
    """Return the content of a certificate of version 3, as JSON."""
    document = opened(data)
    record, proofs = list[object](), None
    taken = read = 0
    for line in document.record:
        entry = dict(line.value)
        kind = entry["kind"]
        if kind == "proofs":
            proofs = {key: part for key, part in entry.items() if key != "kind"}
            continue
        if kind == "steps" and document.header["method"] == "located":
            for action, number in STEP.iter_unpack(line.raw):
                entry = {"kind": "ran", "start": taken, "word": [action], "done": 0, "steps": 1}
                text = base64.b64encode(document.rows[number]).decode()
                seen = {"kind": "seen", "first": read, "times": [1], "rows": text}
                record += [entry, seen]
                taken, read = taken + 1, read + 1
            continue
        if kind == "steps":
            pairs = list(STEP.iter_unpack(line.raw))
            entry = {"kind": kind, "actions": [a for a, _ in pairs], "rows": [r for _, r in pairs]}
        if kind == "ran" and isinstance(steps := entry.get("steps"), int):
            taken += steps
        numbers = [entry.pop("row")] if kind == "trajectory" else entry.get("rows")
        if isinstance(numbers, list):
            read += len(numbers)
            rows = b"".join(document.rows[number] for number in numbers)
            entry["rows"] = base64.b64encode(rows).decode()
        record.append(entry)
    claim = {key: part for key, part in document.claim.items() if key != "kind"}
    more = {} if document.header["class"] is None else {"proofs": proofs}
    content = {**document.header, **claim, **more, "record": record, "digest": document.digest}
    return canonical(content)


def unpacked(data: bytes) -> bytes:
    """Return the same certificate with each step of a located run in lines of its own."""
    content: dict[str, Value] = json.loads(as_json(data))
    return written(content)


def written(content: Mapping[str, Value], digest: str | None = None) -> bytes:
    """Return the file with this content, and its own digest if no other is given.

    What has no place in a file becomes something that is malformed there, too.
    """
    data = b"".join(_lines(content))
    found = hashlib.sha256(data).hexdigest() if digest is None else digest
    return data + canonical({"kind": "end", "digest": found}) + b"\n"


def _lines(content: Mapping[str, Value]) -> Iterator[bytes]:
    header = {k: v for k, v in content.items() if k not in (*CLAIM, *APART)}
    yield canonical(header) + b"\n"
    record, numbers, size = (
        content.get("record"),
        dict[bytes, int](),
        _row_bytes(content.get("class")),
    )
    entries = record if isinstance(record, list) else [record]
    for start in range(0, len(entries), BATCH):
        lines, before = list[bytes](), len(numbers)
        for entry in entries[start : start + BATCH]:
            if isinstance(entry, dict) and entry.get("kind") in WITH_ROWS and "rows" in entry:
                rows = _rows(entry["rows"], size)
                seen = [numbers.setdefault(row, len(numbers)) for row in rows or ()]
                lines.append(_with_rows(entry, [NO_ROW] if rows is None else seen))
            else:
                lines.append(canonical(entry))
        if new := list(numbers)[before:]:
            yield canonical({"kind": "rows", "count": len(new)}) + b"\n" + b"".join(new) + b"\n"
        yield from (line + b"\n" for line in lines)
    if content.get("proofs") is not None:
        proofs = content["proofs"]
        entry = {"kind": "proofs", **proofs} if isinstance(proofs, dict) else {"kind": "proofs"}
        yield canonical(entry) + b"\n"
    yield canonical({"kind": "claim", **{k: content[k] for k in CLAIM if k in content}}) + b"\n"


def _with_rows(entry: dict[str, Value], rows: list[int]) -> bytes:
    """Return the line of an entry that names rows by their numbers."""
    if entry["kind"] == "trajectory":
        return canonical({"kind": "trajectory", "row": rows[0]})
    if entry["kind"] == "seen":
        return canonical({**entry, "rows": rows})
    actions = entry["actions"]
    assert isinstance(actions, list)
    steps = [STEP.pack(a, row) for a, row in zip(actions, rows, strict=True)]
    return canonical({"kind": "steps", "count": len(steps)}) + b"\n" + b"".join(steps)


def _row_bytes(functions: Value) -> int:
    width = functions.get("width") if isinstance(functions, dict) else None
    if not isinstance(functions, dict) or type(width) is not int or not 0 < width < 1 << 21:
        return 1
    return -(-width // 8) if functions.get("entries") == "bits" else 8 * width


def _rows(text: Value, size: int) -> list[bytes] | None:
    """Return the rows in a text; None if it has none."""
    try:
        data = base64.b64decode(text, validate=True) if isinstance(text, str) else b"?" * (size + 1)
    except ValueError:
        return None
    if len(data) % size:
        return None
    return [data[i : i + size] for i in range(0, len(data), size)]
