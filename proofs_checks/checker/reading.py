"""Reads files from untrusted sources strictly, within limits, and states what is wrong with them.

A certificate (certificate.md) is a sequence of lines: a header, the entries of the record, the
claim, and the digest of all lines before. Each line is one JSON object in canonical form (ASCII,
keys sorted, no spaces). Lines of the kinds in `RAW` are followed by bytes. Every object has exactly
its expected keys, numbers are integers of at most `LONGEST_NUMBER` digits, and fractions are
strings in lowest terms. A file that is not a certificate raises `Malformed`, and so does one that
takes too much work; one that breaks a rule has `Finding`s. Nothing in a file is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FORMAT, VERSION = "steel-certificate", 3

LARGEST_FILE = 1 << 30
"""A file is read as a whole. Its size limits no honest run: the work does."""
LONGEST_NUMBER = 100
LONGEST_FRACTION = 4000
LARGEST_ROW = 1 << 20
"""The maximal number of entries of a row."""

LEAST_STEPS, STEPS_PER_BYTE = 2_000_000, 40
"""Every file may take so many steps of work, and so many more for each byte."""
LABELS_PER_SHARE, MOST_SHARES = 100, 10
"""A located run compares every row with every label, so labels that its rows told apart raise the
limit: as many steps again per 100 labels."""

T = TypeVar("T")
Word: TypeAlias = tuple[int, ...]
Table: TypeAlias = list[list[int]]


class NoFile(Exception):
    """The file does not exist or cannot be read."""


class Malformed(Exception):
    """The file is not a certificate. The message starts with the place of the fault."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule, its place in the file, and a message."""

    rule: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}  [{self.rule}]"


class Broken(Exception):
    """An entry breaks a rule; `finding` says which and where."""

    def __init__(self, rule: str, place: str, message: str) -> None:
        super().__init__(message)
        self.finding = Finding(rule, place, message)


def require(holds: bool, rule: str, place: str, message: str) -> None:  # noqa: FBT001
    """Raise `Broken` unless what the rule says holds."""
    if not holds:
        raise Broken(rule, place, message)


def counted(number: int, thing: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def shown(number: Fraction) -> str:
    """Return a fraction as text, shortened if it is long."""
    said = str(number)
    return said if len(said) <= 80 else f"{said[:40]}…{said[-20:]}"


class Work:
    """Counts steps of work, and raises `Malformed` when there are too many.

    This is the only limit on the time of checking, for every method. A step is about a tenth of a
    microsecond. Work is counted where it is done, except for work that is linear in the size of the
    file.
    """

    def __init__(self, limit: int, most_shares: int = MOST_SHARES) -> None:
        self.limit = limit
        self.share = limit
        self.most_shares = most_shares
        """How many times as much many labels may take."""
        self.done = 0

    @staticmethod
    def of_file(size: int) -> Work:
        """Return the count for a file with so many bytes."""
        return Work(LEAST_STEPS + STEPS_PER_BYTE * size)

    def allow(self, steps: int) -> None:
        """Allow so many more steps, for what the file declares."""
        self.limit += steps

    def halve(self) -> None:
        """Allow only half as much, for every number of labels."""
        self.limit = self.share = self.limit // 2
        self.most_shares = 1

    def allow_for(self, labels: int) -> None:
        """Raise the limit for a run that compares its rows with so many labels."""
        shares = min(1 + labels // LABELS_PER_SHARE, self.most_shares)
        self.limit = max(self.limit, self.share * shares)

    def add(self, steps: int) -> None:
        """Add to the count; raise `Malformed` if it exceeds the limit."""
        self.done += steps
        if self.done > self.limit:
            raise Malformed("", f"too costly: more than {self.limit:,} steps of work")

    def multiply(self, bits: int, by: int) -> None:
        """Count a product of two integers with so many bits."""
        self.add(1 + (bits * by >> 16))

    def divide(self, bits: int, by: int) -> None:
        """Count a quotient or a greatest common divisor of two integers with so many bits."""
        self.add(1 + (bits * by >> 14))


# --- files ----------------------------------------------------------------------------------------


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a regular file.

    Raises `NoFile` if there is no such file, or if it is a pipe or a device: opening or reading
    those could block forever. Raises `Malformed` if it has more than `LARGEST_FILE` bytes.
    """
    try:
        _require_regular(path.stat())
        # If the file is replaced by a pipe after the check, O_NONBLOCK keeps `open` from blocking.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            found = os.fstat(file.fileno())
            _require_regular(found)
            if found.st_size > LARGEST_FILE:
                raise Malformed(
                    "", f"the file has {found.st_size:,} bytes; the limit is {LARGEST_FILE:,}"
                )
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: null byte in the name
        raise NoFile(str(error)) from None
    if len(data) > LARGEST_FILE:
        raise Malformed("", f"the file has more than {LARGEST_FILE:,} bytes, the limit")
    return data


def _require_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise NoFile("not a regular file; give the path of a certificate on disk")


def read_table(data: bytes, actions: int) -> Table:
    """Return the true dynamics: row s is [T(s,0), T(s,1), …]. Raises `Malformed`."""
    try:
        rows: object = json.loads(data.decode("ascii"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed("dynamics", f"not valid JSON ({error})") from None
    if not isinstance(rows, list) or not rows:
        raise Malformed("dynamics", "expected a list of rows, [[T(0,0), T(0,1), …], …]")
    for state, found in enumerate(rows):
        if not (
            isinstance(found, list)
            and len(found) == actions
            and all(type(to) is int and 0 <= to < len(rows) for to in found)
        ):
            raise Malformed(
                f"dynamics[{state}]",
                f"expected {actions} states, one per action, each 0 to {len(rows) - 1}",
            )
    return rows


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the record: its object, the bytes after it, and how many rows come before it."""

    value: dict[str, object]
    raw: bytes
    rows: int


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a certificate, before its fields are checked."""

    header: dict[str, object]
    rows: list[bytes]
    """Each distinct row, in the order of the file; entries name rows by their number."""
    record: list[Line]
    """The entries in order, without those that only hold rows."""
    claim: dict[str, object]
    digest: str
    digest_found: str
    size: int
    """Bytes of the file."""


STEP_BYTES = 6
"""A step of a trajectory: its action in 2 bytes and the number of the row after it in 4 bytes."""
RAW = ("rows", "steps")
"""The kinds of lines that are followed by bytes, and a newline."""


def object_in(line: bytes, place: str) -> dict[str, object]:
    """Return the JSON object that is a line of canonical JSON; raise `Malformed` for others."""
    try:
        value: object = json.loads(
            line.decode("ascii"),
            parse_int=_number,
            parse_float=_refuse,
            parse_constant=_refuse,
            object_pairs_hook=_object,
        )
        # Deeply nested JSON may parse but fail to serialise: RecursionError.
        is_canonical = line == canonical(value) + b"\n"
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed(place, f"not valid certificate JSON ({error})") from None
    if not isinstance(value, dict):
        raise Malformed(place, "expected a JSON object")
    if not is_canonical:
        raise Malformed(place, "not in canonical form (keys sorted, no spaces, one line)")
    return value


def version_in(value: dict[str, object]) -> int:
    """Return the version of a certificate, given its first object."""
    if value.get("format") != FORMAT:
        raise Malformed("", f"expected a JSON object whose 'format' is {FORMAT!r}")
    return whole(value.get("version"), "version")


def opened(data: bytes) -> Document:
    """Return the document in the bytes of a file of version 3; raise `Malformed` if it is none."""
    header, at = _line(data, 0, "header")
    if (version := version_in(header)) != VERSION:
        raise Malformed("version", f"{version}, but this checker reads version {VERSION}")
    rows, record = list[bytes](), list[Line]()
    distinct = set[bytes]()
    length = row_bytes(header.get("class"))
    while True:
        place = f"record[{len(record)}]"
        value, at = _line(data, at, place)
        kind, raw = value.get("kind"), b""
        if kind == "claim":
            break
        if kind in RAW:
            count = Fields(value, place, "count", "kind").whole("count")
            size = length if kind == "rows" else STEP_BYTES
            raw, at = _raw(data, at, count * size, place)
        if kind != "rows":
            record.append(Line(value, raw, len(rows)))
            continue
        new = [raw[i : i + length] for i in range(0, len(raw), length)]
        rows += new
        distinct.update(new)
        if len(distinct) != len(rows):
            raise Malformed(place, "a row that the file has already")
    digest_found = hashlib.sha256(memoryview(data)[:at]).hexdigest()
    last, end = _line(data, at, "end")
    digest = Fields(last, "end", "digest", "kind").text("digest")
    if last["kind"] != "end" or end != len(data):
        raise Malformed("end", "expected the digest as the last line of the file")
    return Document(header, rows, record, value, digest, digest_found, len(data))


def _line(data: bytes, start: int, place: str) -> tuple[dict[str, object], int]:
    """Return the object in the line that starts here, and where the next one starts."""
    end = data.find(b"\n", start) + 1
    if not end:
        raise Malformed(place, "the file ends without a complete line here")
    return object_in(data[start:end], place), end


def _raw(data: bytes, start: int, size: int, place: str) -> tuple[bytes, int]:
    if not size:
        raise Malformed(place, "expected at least one row of a class that has rows, or one step")
    end = start + size
    if data[end : end + 1] != b"\n":
        raise Malformed(place, f"expected {size:,} bytes and a newline after this line")
    return data[start:end], end + 1


def row_bytes(value: object) -> int:
    """Return the length of a row, 0 for a certificate without rows."""
    if value is None:
        return 0
    r = Fields(value, "class", "name", "entries", "width", "rule")
    width, entries = r.whole("width"), r.text("entries")
    if not 1 <= width <= LARGEST_ROW or entries not in ("bits", "int64", "float64"):
        raise Malformed("class", f"expected 1 to {LARGEST_ROW} bits, int64 or float64")
    return -(-width // 8) if entries == "bits" else 8 * width


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


# --- values ---------------------------------------------------------------------------------------


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


# --- what the certificates of all methods have ----------------------------------------------------


def row(value: object, place: str) -> tuple[int, ...]:
    """Return a row of the table; −1 stands for an unknown transition."""
    if not isinstance(value, list) or not all(type(to) is int and to >= -1 for to in value):
        raise Malformed(place, "expected a list of states (whole numbers from -1)")
    return tuple(value)


def header_of(document: Document) -> Fields:
    """Return the header. Checks the shape of assumptions and provenance; no rule reads them."""
    r = Fields(
        document.header, "", "format", "version", "method", "parameters", "class", "assumptions",
        "provenance",
    )  # fmt: skip
    r.list_of("assumptions", text)
    about = Fields(
        r["provenance"], "provenance", "world", "env_seed", "noise_seed", "python", "versions"
    )
    versions = about["versions"]
    if not isinstance(versions, dict):
        raise Malformed("provenance.versions", "expected an object")
    for said in (about["world"], about["python"], *versions.values()):
        text(said, "provenance")
    for seed in ("env_seed", "noise_seed"):
        about.whole(seed)
    return r


def parameters_in(value: object, least: dict[str, int]) -> tuple[list[int], Fraction, Fraction]:
    """Return the bounds with these least values, δ and ε; raise `Malformed` if one is wrong."""
    r = Fields(value, "parameters", *least, "delta", "epsilon")
    for name, bound in least.items():
        if r.whole(name) < bound:
            raise Malformed(f"parameters.{name}", f"expected at least {bound}")
    delta, epsilon = r.fraction("delta"), r.fraction("epsilon")
    for name, chance in (("delta", delta), ("epsilon", epsilon)):
        if not 0 < chance < 1 or chance.denominator > 10**LONGEST_NUMBER:
            raise Malformed(f"parameters.{name}", "expected a simple fraction in (0, 1)")
    return [r.whole(name) for name in least], delta, epsilon


@dataclass(frozen=True, slots=True)
class Stated:
    """What the certificates of looped and of located runs claim."""

    method: str
    table: tuple[tuple[int, ...], ...]
    current: int
    spent: Fraction
    steps: int
    digest: str
    digest_found: str
    size: int
    """Bytes of the file."""


def stated_in(document: Document) -> tuple[Stated, Fields]:
    """Return the claim, and its fields for the classifiers."""
    r = Fields(document.claim, "claim", "kind", "table", "current", "classifiers", "spent", "steps")
    stated = Stated(
        text(document.header.get("method"), "method"),
        r.list_of("table", row),
        r.whole("current"),
        r.fraction("spent"),
        r.whole("steps"),
        document.digest,
        document.digest_found,
        document.size,
    )
    return stated, r


def entries_of(document: Document, entry: Callable[[Line, str], T], *aside: str) -> tuple[T, ...]:
    """Return the entries of the record, as `entry` reads them; those of the kinds `aside` are not.

    The place of an entry is its number among those that are read.
    """
    lines = (line for line in document.record if line.value.get("kind") not in aside)
    return tuple([entry(line, f"record[{i}]") for i, line in enumerate(lines)])


def check_digest(c: Document | Stated) -> Iterator[Finding]:
    if c.digest != c.digest_found:
        message = f"stated {c.digest[:12]!r}…, but the content has {c.digest_found[:12]!r}…"
        yield Finding("digest", "digest", message)


def findings_of(c: Document | Stated, rules: Iterator[Finding]) -> list[Finding]:
    """Return what breaks the rules, the digest first, up to the first rule that raises `Broken`."""
    found = list(check_digest(c))
    try:
        for finding in rules:
            found.append(finding)  # noqa: PERF402 -- those before `Broken` count
    except Broken as broken:
        found.append(broken.finding)
    return found


def unknown_method(method: str, expected: str) -> Finding:
    return Finding("method", "method", f"unknown method {method[:40]!r}; expected {expected}")


def check_totals(
    c: Stated, *, delta: Fraction, spent: Fraction, steps: int, current: int
) -> Iterator[Finding]:
    """The stated totals are those of the record."""
    if c.spent != spent:
        message = f"{shown(c.spent)} stated, but the charges sum to {shown(spent)}"
        yield Finding("budget", "spent", message)
    if spent > delta:
        yield Finding("budget", "spent", f"{shown(spent)} is more than δ = {shown(delta)}")
    if c.steps != steps:
        yield Finding("steps", "steps", f"{c.steps} stated, but the plans have {steps} steps")
    if c.current != current:
        yield Finding("current", "current", f"{c.current} stated, but the run ended in {current}")


# --- records --------------------------------------------------------------------------------------


class Entry(Protocol):
    """An entry of a record."""

    kind: ClassVar[str]


E = TypeVar("E", bound=Entry)


@dataclass(frozen=True, slots=True)
class Ran:
    """A plan was executed: `word` was repeated for `steps` steps, after `done` steps of it."""

    kind: ClassVar[str] = "ran"
    start: int
    word: Word
    done: int
    steps: int

    @staticmethod
    def read(value: object, place: str) -> Ran:
        r = Fields(value, place, "kind", "start", "word", "done", "steps")
        return Ran(r.whole("start"), r.wholes("word"), r.whole("done"), r.whole("steps"))


class Record:
    """The entries of a certificate, and how many of them have been taken."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        self.taken = 0

    @property
    def place(self) -> str:
        """Return the place of the next entry, such as record[3]."""
        return f"record[{self.taken}]"

    def peek(self, kind: type[E]) -> E:
        """Return the next entry without taking it; raise `Broken` if it has another kind."""
        entry = self.entries[self.taken] if self.taken < len(self.entries) else None
        if isinstance(entry, kind):
            return entry
        found = "the record ends" if entry is None else f"it is {entry.kind!r}"
        message = f"expected an entry of kind {kind.kind!r}, but {found}"
        raise Broken("order", self.place, message)

    def next_is(self, kind: type[Entry]) -> bool:
        """Return whether the next entry is of this kind."""
        return self.taken < len(self.entries) and isinstance(self.entries[self.taken], kind)

    def take(self, kind: type[E]) -> tuple[E, str]:
        """Take the next entry; return it with its place. Raise `Broken` if its kind differs."""
        entry, place = self.peek(kind), self.place
        self.taken += 1
        return entry, place

    def check_end(self) -> Iterator[Finding]:
        if self.taken < len(self.entries):
            yield Finding("order", self.place, "unexpected entry after the end of the run")
