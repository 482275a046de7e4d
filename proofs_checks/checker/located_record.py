"""The record of a located run: every action, and every observation that was used.

Its steps are packed, six bytes each; the other entries are lines of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from proofs_checks.checker.classes import (
    ANNOUNCED,
    CHOICES,
    Boxes,
    Conjunctions,
    Finite,
    Thresholds,
)
from proofs_checks.checker.half_spaces import HalfSpaces, proofs_in
from proofs_checks.checker.reading import (
    Fields,
    Finding,
    Malformed,
    Ran,
    Stated,
    Work,
    entries_of,
    header_of,
    parameters_in,
    stated_in,
    wholes,
)
from proofs_checks.checker.version2 import opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from proofs_checks.checker.reading import Document, Line, Table, Word

AnyClass: TypeAlias = Finite | Conjunctions | Thresholds | Boxes | HalfSpaces

STEP = Struct("<HI")
"""A packed step: its action, and the number of the row after it."""
NAMED_BYTES, NAMED_PER_BYTE = 64 << 20, 16
"""The rows that entries name, each as often as it is named, have at most so many bytes, or so many
for each byte of the file, whichever is more. This bounds the memory that their unions take."""


@dataclass(frozen=True, slots=True)
class Parameters:
    actions: int
    max_states: int
    mixing_time: int
    delta: Fraction
    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Seen:
    """Rows `first`, `first` + 1, … were read at these times, counted from the start of the loop."""

    kind: ClassVar[str] = "seen"
    first: int
    times: tuple[int, ...]
    rows: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """Plans of one step, one after the other, each with the row after it: `Ran` and `Seen`, packed.

    They stay packed: a step of six bytes would take some hundred bytes as two entries.
    """

    kind: ClassVar[str] = "steps"
    packed: bytes
    rows_of_file: list[bytes]

    def __len__(self) -> int:
        return len(self.packed) // STEP.size

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Yield the action and the row of each step."""
        for action, row in STEP.iter_unpack(self.packed):
            yield action, self.rows_of_file[row]

    def at(self, place: int) -> tuple[int, bytes]:
        """Return the action and the row of one step."""
        action, row = STEP.unpack_from(self.packed, STEP.size * place)
        return action, self.rows_of_file[row]


@dataclass(frozen=True, slots=True)
class PeriodsLeft:
    """The periods that the `count` rows of the loop did not refute."""

    kind: ClassVar[str] = "periods"
    count: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SameState:
    """Two labels were proved to be the same state."""

    kind: ClassVar[str] = "same"
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Joins:
    """For each proper congruence of the table a block for which F has no classifier.

    `complete` says that these are all of them.
    """

    kind: ClassVar[str] = "joins"
    excluded: tuple[tuple[int, ...], ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Fixed:
    """A round of validation was fixed: walk, time of each state's check in a pass, and passes."""

    kind: ClassVar[str] = "fixed"
    at: int
    walk: Word
    visits: tuple[int, ...]
    passes: int
    charge: Fraction
    classifiers: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A pass was checked; `failed` are the states for which the encoder named another state."""

    kind: ClassVar[str] = "checked"
    number: int
    failed: tuple[int, ...]


Entry: TypeAlias = Ran | Seen | Steps | PeriodsLeft | SameState | Joins | Fixed | Checked


@dataclass(frozen=True, slots=True)
class Certificate:
    stated: Stated
    parameters: Parameters
    functions: AnyClass
    work: Work
    """Counts the steps of work of the checker."""
    record: tuple[Entry, ...]
    classifiers: tuple[object, ...] | None
    """None if the run was for the dynamics only."""


def read(data: bytes) -> Certificate:
    """Return the certificate in a file's bytes; raise `Malformed` if there is none."""
    return certificate_in(opened(data))


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if its fields are wrong."""
    r, (stated, claim) = header_of(document), stated_in(document)
    (actions, states, mixing), delta, epsilon = parameters_in(
        r["parameters"], {"actions": 1, "max_states": 1, "mixing_time": 1}
    )
    work = Work.of_file(document.size)
    functions = class_in(r["class"], _proofs(document), work)
    for number, row in enumerate(document.rows):
        functions.require_row(row, f"row {number}")
    if isinstance(functions, HalfSpaces):
        work.halve()  # every comparison has its proof in the file
    record = entries_of(
        document, lambda line, place: _entry(line, place, functions, document.rows), "proofs"
    )
    named = sum(
        len(entry) if isinstance(entry, Steps) else len(entry.rows)
        for entry in record
        if isinstance(entry, Seen | Steps)
    )
    if named * functions.row_bytes > max(NAMED_BYTES, NAMED_PER_BYTE * document.size):
        raise Malformed("record", "too costly: long rows are named too often")
    return Certificate(
        stated,
        Parameters(actions, states, mixing, delta, epsilon),
        functions,
        work,
        record,
        None
        if claim["classifiers"] is None
        else claim.list_of("classifiers", functions.classifier),
    )


def _proofs(document: Document) -> object:
    """Return the proofs for half-spaces, None if there are none; raise `Malformed` for several."""
    found = [line.value for line in document.record if line.value.get("kind") == "proofs"]
    if len(found) > 1:
        raise Malformed("proofs", "expected one entry of this kind")
    return {key: part for key, part in found[0].items() if key != "kind"} if found else None


def class_in(value: object, proofs: object, work: Work) -> AnyClass:
    """Return the class that a header describes."""
    r = Fields(value, "class", "name", "entries", "width", "rule")
    name, entries, width = r.text("name"), r.text("entries"), r.whole("width")
    rule = r.text("rule")
    if rule not in CHOICES.get(name, (ANNOUNCED,)):
        raise Malformed("class.rule", "unknown rule for this class")
    if (proofs is not None) != (name == "half-spaces"):
        raise Malformed("proofs", "expected proofs for half-spaces, and for no other class")
    match name, entries:
        case "finite", "bits":
            return Finite(width)
        case "conjunctions", "bits":
            return Conjunctions(width, work, rule)
        case "thresholds", ("int64" | "float64") as numbers:
            return Thresholds(numbers, width, work, rule)
        case "boxes", ("int64" | "float64") as numbers:
            return Boxes(numbers, width, work, rule)
        case "half-spaces", ("int64" | "float64") as numbers:
            return HalfSpaces(numbers, width, work, proofs_in(proofs, width, work))
    raise Malformed("class", "unknown class of classifiers, or unknown kind of entries for it")


def _entry(line: Line, place: str, functions: AnyClass, rows: list[bytes]) -> Entry:
    def fields(*names: str) -> Fields:
        return Fields(line.value, place, "kind", *names)

    match line.value.get("kind"):
        case "ran":
            return Ran.read(line.value, place)
        case "seen":
            r = fields("first", "times", "rows")
            times, numbers = r.wholes("times"), r.wholes("rows")
            if len(times) != len(numbers):
                raise Malformed(f"{place}.rows", f"{len(numbers)} rows for {len(times)} times")
            if max(numbers, default=-1) >= line.rows:
                raise Malformed(f"{place}.rows", f"expected rows below {line.rows}, written before")
            return Seen(r.whole("first"), times, tuple([rows[number] for number in numbers]))
        case "steps":
            if max(row for _, row in STEP.iter_unpack(line.raw)) >= line.rows:
                raise Malformed(place, f"expected rows below {line.rows}, written before")
            return Steps(line.raw, rows)
        case "periods":
            r = fields("count", "left")
            return PeriodsLeft(r.whole("count"), r.wholes("left"))
        case "same":
            r = fields("one", "other")
            return SameState(r.whole("one"), r.whole("other"))
        case "joins":
            r = fields("complete", "excluded")
            if type(complete := r["complete"]) is not bool:
                raise Malformed(f"{place}.complete", "expected true or false")
            return Joins(r.list_of("excluded", wholes), complete)
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
    kinds = "ran, seen, steps, periods, same, joins, fixed or checked"
    raise Malformed(place, f"expected an entry of kind {kinds}")


# --- the true dynamics ----------------------------------------------------------------------------


def check_truth(c: Certificate, table: Table, start: int) -> Iterator[Finding]:
    """Run all plans from the true start, then compare both tables from the end state."""
    here = start
    for entry in c.record:
        if isinstance(entry, Steps):
            for action, _ in entry:
                here = table[here][action]
        elif isinstance(entry, Ran):
            for step in range(entry.done, entry.done + entry.steps):
                here = table[here][entry.word[step % len(entry.word)]]
    truth = {c.stated.current: here}
    waiting = [c.stated.current]
    while waiting:
        state = waiting.pop()
        for action, to in enumerate(c.stated.table[state]):
            right = table[truth[state]][action]
            if to not in truth:
                truth[to] = right
                waiting.append(to)
            elif truth[to] != right:
                message = f"T({state}, {action}) = {to} contradicts the true dynamics"
                yield Finding("truth", f"table[{state}]", message)
                return
    if len(set(truth.values())) < len(truth):
        yield Finding("truth", "table", "two states of the table are the same true state")
    elif len(truth) != len(table):
        message = f"{len(truth)} states were learned, but the true dynamics have {len(table)}"
        yield Finding("truth", "table", message)
