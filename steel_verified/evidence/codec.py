"""The file formats: canonical JSON with a format name, a version and a digest.

Rows are lines with one object each and without a header. Reading is strict: it refuses duplicate
keys, numbers that are not integers, NaN, other formats, newer versions, truncated files and digests
that do not match. Each error names the file, the place and what to do.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from steel_verified.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Json: TypeAlias = "str | int | float | Sequence[Json] | Mapping[str, Json] | None"

_LONGEST_NUMBER: Final = 1000


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of document, with its newest version. Some had no header and no digest at first."""

    name: str
    version: int
    once_without_header: bool = False

    @property
    def header(self) -> dict[str, Json]:
        return {"format": self.name, "version": self.version}


def canonical(value: Json) -> bytes:
    """Return the canonical JSON text of a value: keys sorted, no spaces, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def sealed(document: Mapping[str, Json]) -> bytes:
    """Return a document (header and content) with its digest, ready to be written."""
    return canonical({**document, "digest": _digest(document)}) + b"\n"


def opened(data: bytes, expected: Format, name: str) -> dict[str, Json]:
    """Return the content of a document without header and digest; raise `Unreadable` for others.

    `name` is the file name for errors.
    """
    content = _object(data, name, "", "Write the file again")
    if "format" not in content and expected.once_without_header:
        return content
    _require_header(content, expected, name)
    digest = content.pop("digest", None)
    if digest is None:
        raise Unreadable(name, "", "has no digest", "Write the file again")
    if digest != _digest(content):
        found = "does not match its digest: it was changed after it was written"
        raise Unreadable(name, "", found, "Write the file again, or restore a copy")
    return {key: value for key, value in content.items() if key not in expected.header}


def rows_as_bytes(rows: Mapping[str, Mapping[str, Json]]) -> bytes:
    """Return all rows as a file, one line each, sorted by key: equal rows give equal bytes."""
    return b"".join(row_as_line(key, rows[key]) for key in sorted(rows))


def row_as_line(key: str, row: Mapping[str, Json]) -> bytes:
    return canonical({**row, "key": key}) + b"\n"


def rows_of(data: bytes, name: str) -> dict[str, dict[str, Json]]:
    """Return the rows of a file by key; raise `Unreadable`, naming the line, for anything else."""
    rows: dict[str, dict[str, Json]] = {}
    remedy = "Correct or remove that line; the others are kept"
    for number, line in enumerate(data.splitlines(keepends=True), start=1):
        place = f"line {number}"
        row = _object(line, name, place, remedy)
        if "format" in row:
            found = "has a format of its own, which is newer than version 1 of rows"
            raise Unreadable(name, place, found, "Read the file with a newer steel_verified")
        key = row.pop("key", None)
        if not isinstance(key, str):
            raise Unreadable(name, place, "has no key", remedy)
        if line != row_as_line(key, row):
            raise Unreadable(name, place, "was changed, or is cut short", remedy)
        if rows.setdefault(key, row) is not row:
            raise Unreadable(name, place, f"has {key} a second time", remedy)
    return rows


def _digest(document: Mapping[str, Json]) -> str:
    return hashlib.sha256(canonical(document)).hexdigest()


def _require_header(content: Mapping[str, Json], expected: Format, name: str) -> None:
    if content.get("format") != expected.name:
        found = f"is {_shown(content.get('format'))} and not {_shown(expected.name)}"
        raise Unreadable(name, "format", found, f"Give a file of format {expected.name}")
    version = content.get("version")
    if type(version) is not int or version < 1:
        found = f"is {_shown(version)} and not a whole number from 1 on"
        raise Unreadable(name, "version", found, "Write the file again")
    if version > expected.version:
        found = f"is {version}, newer than {expected.version}, the newest known here"
        raise Unreadable(name, "version", found, "Read the file with a newer steel_verified")


def _shown(value: Json) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}… ({len(text):,} letters)"


class _Refused(Exception):
    """JSON that Python accepts and this module does not; raised while parsing."""


def _object(data: bytes, name: str, place: str, remedy: str) -> dict[str, Json]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(name, place, f"is not UTF-8 at byte {error.start}", remedy) from None
    try:
        found: Json = json.loads(
            text,
            parse_int=_whole,
            parse_float=_refuse_float,
            parse_constant=_refuse_constant,
            object_pairs_hook=_without_repeats,
        )
    except json.JSONDecodeError as error:
        if _is_cut_off(text.rstrip(), error):
            raise Unreadable(name, place, "ends too early: it is cut off", remedy) from None
        where = f"column {error.colno}" if place else f"line {error.lineno}, column {error.colno}"
        raise Unreadable(name, place, f"is not JSON ({error.msg}, {where})", remedy) from None
    except _Refused as refused:
        raise Unreadable(name, place, str(refused), remedy) from None
    except RecursionError:
        raise Unreadable(name, place, "is nested too deeply", remedy) from None
    if not isinstance(found, dict):
        raise Unreadable(name, place, "is not a JSON object", remedy)
    return found


def _is_cut_off(text: str, error: json.JSONDecodeError) -> bool:
    """Return whether the text ends within a well-formed object."""
    if text and not text.startswith("{"):
        return False
    unfinished = error.pos >= len(text) or error.msg.startswith("Unterminated string")
    return unfinished or not text.endswith("}")


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise _Refused(f"has a number of {len(digits):,} digits")
    return int(digits)


def _refuse_float(digits: str) -> NoReturn:
    raise _Refused(f"has {digits[:40]} where a whole number or a string must be")


def _refuse_constant(word: str) -> NoReturn:
    raise _Refused(f"has {word}, which is not a number")


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        raise _Refused(f"has the key {_shown(twice)} twice")
    return found
