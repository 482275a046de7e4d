"""What a rule finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that is broken, and where."""

    rule: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}  [{self.rule}]"


def counted(number: int, thing: str) -> str:
    """A number and what is counted, in the plural unless it is one."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def shown(number: Fraction) -> str:
    """A fraction in a message, not too long."""
    text = str(number)
    return text if len(text) <= 80 else f"{text[:40]}…{text[-20:]}"
