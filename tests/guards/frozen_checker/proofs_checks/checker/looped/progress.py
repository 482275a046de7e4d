"""The state of the checker after the entries checked so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from proofs_checks.checker.findings import Finding, shown
from proofs_checks.checker.looped.formulas import setting_of
from proofs_checks.checker.planning import Model, Work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.entries import Word
    from proofs_checks.checker.looped.entries import (
        Certificate,
        Entry,
        LabelsFound,
        PeriodFound,
        Trained,
    )
    from proofs_checks.checker.looped.formulas import Setting

KINDS = {
    "Ran": "ran",
    "Read": "read",
    "PeriodFound": "period",
    "LabelsFound": "labels",
    "Trained": "encoder",
}


@dataclass(slots=True)
class Call:
    """A call of CycleFind: the repeated word, and the period and labels found."""

    place: str
    word: Word = ()
    period: int = 1
    steps: int = 0
    labels: list[int] = field(default_factory=list)

    @property
    def current(self) -> int:
        """Return the state in which the call ends (l. 440)."""
        return self.labels[self.steps % len(self.labels)]


class Progress:
    """The state of the checker after the entries checked so far."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.setting: Setting = setting_of(certificate.parameters)
        self.work = Work(certificate.size)
        self.model = Model(certificate.parameters.actions)
        self.entries = 0
        self.now = 0
        """Steps taken."""
        self.loop = 0
        """The step at which the loop of the last plan began."""
        self.looped = 0
        """Steps taken of that loop."""
        self.datasets = 0
        self.decisions = 0
        self.spent = Fraction(0)
        self.calls: list[Call] = []
        self.known: list[int] = []
        """The id of the first dataset of each state."""
        self.kept_until: int | None = None
        """The last step at which a row of these datasets was read."""

    @property
    def place(self) -> str:
        """Return the place of the next entry, such as record[3]."""
        return f"record[{self.entries}]"

    def peek(self) -> Entry | None:
        """Return the next entry, or None at the end."""
        record = self.certificate.record
        return record[self.entries] if self.entries < len(record) else None

    def expected(self, kind: str) -> Finding:
        """Return the finding that the next entry is not of this kind."""
        entry = self.peek()
        found = "the record ends" if entry is None else f"it is {KINDS[type(entry).__name__]!r}"
        return Finding("order", self.place, f"expected an entry of kind {kind!r}, but {found}")

    def paid(
        self, entry: PeriodFound | LabelsFound | Trained, place: str, charge: Fraction
    ) -> Iterator[Finding]:
        """Check that a decision has the next number and is charged what its tests cost."""
        if entry.number != self.decisions:
            message = f"{entry.number}, expected {self.decisions}"
            yield Finding("numbers", f"{place}.number", message)
        if entry.charge != charge:
            message = f"{shown(entry.charge)}, but these tests cost {shown(charge)}"
            yield Finding("charges", f"{place}.charge", message)
        self.decisions += 1
        self.spent += charge
