"""Evidence: what a kernel has shown, and how strongly. Only kernels make it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Strength(IntEnum):
    """How much a check shows, strongest first."""

    PROVED = 0
    """A symbolic identity, a certificate for all integers or reals, or a proof that is replayed."""
    ENCLOSED = 1
    """Rigorous interval arithmetic over the whole range."""
    EXHAUSTED = 2
    """All instances up to a stated size."""
    EXACT = 3
    """Rational arithmetic on generated instances."""
    SAMPLED = 4
    """Floating point or Monte Carlo, with its chance of a false alarm. Never called verified."""
    ASSUMED = 5
    """A hypothesis of the paper; nothing is checked."""


class NotEarned(Exception):
    """A check did not show what it was to show."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a check has shown, and how."""

    strength: Strength
    how: str
