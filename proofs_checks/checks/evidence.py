"""Evidence: what a check has shown, and with which strength."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction


class Strength(IntEnum):
    """How a claim is shown, strongest first."""

    PROVED = 0
    """By a theorem that Coq checks, without axioms."""
    IDENTITY = 1
    """By exact algebra for all values: identities, and polynomials with coefficients ≥ 0."""
    ENCLOSED = 2
    """By rigorous interval arithmetic over the whole range."""
    EXHAUSTED = 3
    """In all instances up to a stated size."""
    COMPUTED = 4
    """By exact arithmetic on the numbers of one instance."""
    EXACT = 5
    """By exact arithmetic on some instances."""
    ARGUED = 6
    """In words only, or in part: the claim says which part of it is not shown."""


class NotEarned(Exception):
    """A check did not show its statement."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a check has shown, and how. Only the modules of `proofs_checks.checks` make it."""

    strength: Strength
    how: str


def all_of(*found: Evidence) -> Evidence:
    """Return evidence for all parts together, with the strength of the weakest part."""
    if not found:
        raise NotEarned("there are no parts")
    return Evidence(max(part.strength for part in found), "; ".join(part.how for part in found))


def require_number(value: object) -> None:
    """Raise `NotEarned` unless the value is an `int` or a `Fraction`, not a subclass."""
    if type(value) not in {int, Fraction}:
        raise NotEarned(f"expected an int or a Fraction, not a {type(value).__name__}: {value!r}")
