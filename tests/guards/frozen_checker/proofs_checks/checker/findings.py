"""Findings: broken rules, with their place and message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule, its place in the file, and a message."""

    rule: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}  [{self.rule}]"


def counted(number: int, thing: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def shown(number: Fraction) -> str:
    """Return a fraction as text, shortened if it is long."""
    text = str(number)
    return text if len(text) <= 80 else f"{text[:40]}…{text[-20:]}"
