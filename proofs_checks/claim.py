"""A claim of the paper: what it says, where, what it assumes, and how strongly it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import NotEarned, all_of
from proofs_checks.ways import holds, show

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence, Strength
    from proofs_checks.notation import Notation


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """A printed statement that is false as it stands, kept with what is true instead."""

    printed: str
    counterexample: str
    refuted: str
    """A call that evaluates the counterexample; true if it refutes the printed statement."""
    corrected: str
    consequence: str
    """What it means for the theorem."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The claim with a plausible mistake in it, and the way to show it, which must be refused."""

    says: str
    way: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A part of the program that a theory describes: what ties them, and what this leaves open.

    A test checks that the trials exist, are as large as is said, and import what they try.
    """

    part: str
    code: str
    """The module, below `steel_verified/`"""
    calls: tuple[str, ...]
    """What the trials call: functions of this module, or functions that lead there"""
    trials: tuple[str, ...]
    """Claims whose `tried` calls them, each with the number of its cases: `B07: 12,888`"""
    tests: tuple[str, ...]
    size: str
    uncovered: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement. For an erratum, `shown` is of the corrected statement."""

    id: str
    lines: str
    section: str
    says: str
    strength: Strength
    shown: tuple[str, ...]
    """The ways that earn the strength."""
    tried: tuple[str, ...]
    """Checks beside them: they must succeed, and do not weaken the claim."""
    assuming: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    rests: tuple[str, ...]
    """The claims that its proofs cite; `tree.require_rests` compares them with the proofs."""
    tied: tuple[Tie, ...]
    """What in its theories stands for code, and how far this is tried."""
    beyond: str
    """What of the sentence is not replayed: said of a claim that is argued, and of no other"""
    erratum: Erratum | None
    notation: Notation
    file: str
    """Where its entry is, below `proofs_checks/`"""


def evidence_for(claim: Claim) -> Evidence:
    """Show a claim; raise `NotEarned` if that shows less than the claim declares."""
    found = all_of(*(show(way, claim.notation) for way in claim.shown))
    if found.strength > claim.strength:
        raise NotEarned(
            f"{claim.id} is declared {claim.strength.name.lower()}, but only "
            f"{found.strength.name.lower()}: {found.how}"
        )
    for way in claim.tried:
        show(way, claim.notation)
    if claim.erratum is not None and not holds(claim.erratum.refuted, claim.notation):
        raise NotEarned(f"{claim.id}: the counterexample does not refute the printed statement")
    return found
