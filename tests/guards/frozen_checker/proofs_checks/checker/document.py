"""Reads canonical JSON strictly, or raises `Malformed` with the place. Never executes file content.

The bytes must be in canonical form (ASCII, keys sorted, no spaces, one line), so each certificate
has exactly one file. Every object has exactly its expected keys, numbers are integers of at most
`LONGEST_NUMBER` digits, and fractions are strings in lowest terms.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT, VERSION = "steel-certificate", 2
LONGEST_NUMBER = 100
LONGEST_FRACTION = 4000

_PROVENANCE = ("world", "env_seed", "noise_seed", "python", "versions")

T = TypeVar("T")


class Malformed(Exception):
    """The file is not a certificate. The message starts with the place of the fault."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a certificate, before its fields are checked."""

    content: dict[str, object]
    digest: str
    digest_found: str
    size: int
    """Bytes of the file."""


def opened(data: bytes) -> Document:
    """Return the document in a file's bytes; raise `Malformed` if there is none."""
    try:
        return _document(data)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed("", f"not valid certificate JSON ({error})") from None


def _document(data: bytes) -> Document:
    value: object = json.loads(
        data.decode("ascii"),
        parse_int=_number,
        parse_float=_refuse,
        parse_constant=_refuse,
        object_pairs_hook=_object,
    )
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise Malformed("", f"expected a JSON object whose 'format' is {FORMAT!r}")
    if (version := whole(value.get("version"), "version")) != VERSION:
        raise Malformed("version", f"{version}, but this checker reads version {VERSION}")
    # Deeply nested JSON may parse but fail to serialise: RecursionError, which `opened` handles.
    if data != canonical(value) + b"\n":
        raise Malformed("", "not in canonical form (keys sorted, no spaces, one line)")
    digest = text(value.get("digest"), "digest")
    found = digest_of({key: part for key, part in value.items() if key != "digest"})
    return Document(value, digest, found, len(data))


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a value: keys sorted, no spaces, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def digest_of(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def _number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(digits)} digits; at most {LONGEST_NUMBER} are allowed")
    return int(digits)


def _refuse(digits: str) -> object:
    raise ValueError(f"{digits[:40]} is not a whole number")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


class Fields:
    """A JSON object with exactly these keys; each method returns the value of one key."""

    def __init__(self, value: object, place: str, *keys: str) -> None:
        if not isinstance(value, dict):
            raise Malformed(place, "expected an object")
        if set(value) != set(keys):
            wrong = [key[:40] for key in sorted(set(value) ^ set(keys))[:5]]
            raise Malformed(place, f"keys {wrong} are missing or unexpected")
        self._value: dict[str, object] = value
        self._place = f"{place}." if place else ""

    def __getitem__(self, key: str) -> object:
        return self._value[key]

    def whole(self, key: str) -> int:
        return whole(self._value[key], self._place + key)

    def text(self, key: str) -> str:
        return text(self._value[key], self._place + key)

    def fraction(self, key: str) -> Fraction:
        return fraction(self._value[key], self._place + key)

    def wholes(self, key: str) -> tuple[int, ...]:
        return wholes(self._value[key], self._place + key)

    def list_of(self, key: str, part: Callable[[object, str], T]) -> tuple[T, ...]:
        return list_of(self._value[key], self._place + key, part)


def whole(value: object, place: str) -> int:
    # `type` and not `isinstance`, because isinstance(True, int) is true.
    if type(value) is not int or value < 0:
        raise Malformed(place, "expected a whole number, not negative")
    return value


def text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise Malformed(place, "expected a string")
    return value


def fraction(value: object, place: str) -> Fraction:
    said = text(value, place)
    if len(said) > LONGEST_FRACTION or not re.fullmatch(r"[0-9]+(/[0-9]*[1-9][0-9]*)?", said):
        raise Malformed(place, "expected a fraction such as 1/20")
    found = Fraction(said)
    if str(found) != said:
        raise Malformed(place, "expected a fraction in lowest terms")
    return found


def list_of(value: object, place: str, part: Callable[[object, str], T]) -> tuple[T, ...]:
    if not isinstance(value, list):
        raise Malformed(place, "expected a list")
    return tuple([part(item, f"{place}[{i}]") for i, item in enumerate(value)])


def wholes(value: object, place: str, length: int | None = None) -> tuple[int, ...]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        expected = "a list" if length is None else f"{length} numbers"
        raise Malformed(place, f"expected {expected}")
    for i, item in enumerate(value):
        if type(item) is not int or item < 0:
            raise Malformed(f"{place}[{i}]", "expected a whole number, not negative")
    return tuple(value)


def row(value: object, place: str) -> tuple[int, ...]:
    """Return a row of the table; −1 stands for an unknown transition."""
    if not isinstance(value, list) or not all(type(to) is int and to >= -1 for to in value):
        raise Malformed(place, "expected a list of states (whole numbers from -1)")
    return tuple(value)


def chances(fields: Fields) -> tuple[Fraction, Fraction]:
    """Return δ and ε of the parameters; raise `Malformed` unless both are in (0, 1)."""
    delta, epsilon = fields.fraction("delta"), fields.fraction("epsilon")
    for name, chance in (("delta", delta), ("epsilon", epsilon)):
        if not 0 < chance < 1 or chance.denominator > 10**LONGEST_NUMBER:
            raise Malformed(f"parameters.{name}", "expected a simple fraction in (0, 1)")
    return delta, epsilon


def require_about(fields: Fields) -> None:
    """Check the shape of the assumptions and the provenance. No rule reads their content."""
    fields.list_of("assumptions", text)
    r = Fields(fields["provenance"], "provenance", *_PROVENANCE)
    versions = r["versions"]
    if not isinstance(versions, dict):
        raise Malformed("provenance.versions", "expected an object")
    for said in (r["world"], r["python"], *versions.values()):
        text(said, "provenance")
    for seed in ("env_seed", "noise_seed"):
        r.whole(seed)
