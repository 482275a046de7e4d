"""Reads the rounds of validation of a located run from its ledger."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from steel_verified.evidence.ledger import Checked, Fixed, Ran

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.plans import Word


@dataclass(frozen=True, slots=True)
class Round:
    """One round of validation, up to its last pass."""

    at: int
    """τ: the step at which it was fixed."""
    walk: Word
    passes: int
    """n: the number of passes in which each label was to be checked."""
    share: Fraction
    """The share of δ that was charged."""
    steps: int = 0
    """The number of steps, including the first pass of the walk, which is not checked."""
    checked: int = 0
    """The number of passes that were checked."""
    failed: tuple[int, ...] = ()
    """The states on which the encoder was wrong in the last pass."""

    @property
    def passed(self) -> bool:
        return self.checked == self.passes and not self.failed


def rounds(ledger: Ledger) -> tuple[Round, ...]:
    """Return every round of validation, in order."""
    found: list[Round] = []
    validating = False
    for entry in ledger.entries:
        match entry:
            case Fixed():
                share = entry.charge.amount
                found.append(Round(entry.at, entry.walk, entry.passes, share))
                validating = True
            case Ran() if validating:
                found[-1] = replace(found[-1], steps=found[-1].steps + entry.steps)
            case Checked():
                found[-1] = replace(found[-1], checked=entry.number, failed=entry.failed)
                validating = not (entry.failed or found[-1].passed)
    return tuple(found)
