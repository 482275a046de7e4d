"""A claim of the paper: its sentence, its lines, its assumptions, and the strength of its proof."""

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
    """A printed statement that is false as printed, with a corrected statement."""

    printed: str
    counterexample: str
    refuted: str
    """A call that evaluates the counterexample: it returns True if the printed statement fails."""
    corrected: str
    consequence: str
    """The consequence for the theorem."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The claim with a plausible mistake in it. The kernel must refuse its `way`."""

    says: str
    way: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A part of the program that a theory describes, and the checks that compare the two.

    A test verifies that these checks exist, have the stated sizes, and import the code they check.
    """

    part: str
    code: str
    """The module, below `steel_verified/`"""
    calls: tuple[str, ...]
    """The functions that the checks call: those of this module, or functions that call them"""
    trials: tuple[str, ...]
    """Claims whose `tried` calls them, each with the number of its cases: `B07: 12,888`"""
    tests: tuple[str, ...]
    size: str
    uncovered: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement. For an erratum, `shown` proves the corrected statement."""

    id: str
    lines: str
    section: str
    says: str
    strength: Strength
    shown: tuple[str, ...]
    """The proofs and checks that justify the strength."""
    tried: tuple[str, ...]
    """Additional checks: they must succeed, and do not change the strength."""
    assuming: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    rests: tuple[str, ...]
    """The claims that its proofs cite; `tree.require_rests` compares them with the proofs."""
    tied: tuple[Tie, ...]
    """The parts of the program that its theories describe, and how far this is checked."""
    beyond: str
    """The part of the sentence that is not replayed; only for `argued` claims"""
    erratum: Erratum | None
    notation: Notation
    file: str
    """The file of its entry, relative to `proofs_checks/`"""


def evidence_for(claim: Claim) -> Evidence:
    """Check a claim; raise `NotEarned` if the evidence is weaker than its declared strength."""
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
