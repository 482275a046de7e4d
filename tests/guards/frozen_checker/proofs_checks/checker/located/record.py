"""Takes the entries of a record one by one and compares them with the expected ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from proofs_checks.checker.entries import Ran
from proofs_checks.checker.findings import Finding
from proofs_checks.checker.located.entries import Checked, Fixed, PeriodsLeft, Read, SameState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofs_checks.checker.entries import Word
    from proofs_checks.checker.located.entries import Entry

Kind = TypeVar("Kind", Ran, Read, PeriodsLeft, SameState, Fixed, Checked)

KINDS = {
    "Ran": "ran",
    "Read": "read",
    "PeriodsLeft": "periods",
    "SameState": "same",
    "Fixed": "fixed",
    "Checked": "checked",
}


class Broken(Exception):
    """An entry breaks a rule; `finding` says which and where."""

    def __init__(self, rule: str, place: str, message: str) -> None:
        super().__init__(message)
        self.finding = Finding(rule, place, message)


class Record:
    """The entries, and how many of them have been taken."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        self.taken = 0
        """Number of entries taken."""
        self.steps = 0
        """Number of steps of the plans taken."""
        self.rows = 0
        """Number of rows taken."""

    @property
    def place(self) -> str:
        """Return the place of the next entry, such as record[3]."""
        return f"record[{self.taken}]"

    def peek(self, kind: type[Kind]) -> Kind:
        """Return the next entry without taking it; raise `Broken` if it has another kind."""
        entry = self.entries[self.taken] if self.taken < len(self.entries) else None
        if isinstance(entry, kind):
            return entry
        found = "the record ends" if entry is None else f"it is {KINDS[type(entry).__name__]!r}"
        expected = KINDS[kind.__name__]
        raise Broken("order", self.place, f"expected an entry of kind {expected!r}, but {found}")

    def take(self, kind: type[Kind]) -> tuple[Kind, str]:
        """Take the next entry; return it with its place. Raise `Broken` if its kind differs."""
        entry, place = self.peek(kind), self.place
        self.taken += 1
        return entry, place

    def ran(self, word: Word, done: int, steps: int) -> None:
        """Take a plan: `steps` steps of repeating `word`, after `done` steps of repeating it."""
        entry, place = self.take(Ran)
        if entry.word != word:
            raise Broken("plans", f"{place}.word", "not the word that the algorithm runs here")
        for name, stated, right in (
            ("start", entry.start, self.steps),
            ("done", entry.done, done),
            ("steps", entry.steps, steps),
        ):
            if stated != right:
                raise Broken("plans", f"{place}.{name}", f"{stated}, expected {right}")
        self.steps += steps

    def read(self, times: Sequence[int]) -> tuple[bytes, ...]:
        """Take and return the rows that were read at these times of the loop."""
        entry, place = self.take(Read)
        if entry.first != self.rows:
            raise Broken("rows", f"{place}.first", f"{entry.first}, expected {self.rows}")
        # Compare the lengths first: the times of a loop that claims to be long can fill memory.
        if len(entry.times) != len(times) or entry.times != tuple(times):
            raise Broken(
                "rows", f"{place}.times", "not the times at which the algorithm reads rows"
            )
        self.rows += len(times)
        return entry.rows
