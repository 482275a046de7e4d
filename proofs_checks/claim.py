"""A claim of the paper: what it says, where, what it assumes, and how strongly we check it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """A printed statement that is false as it stands, kept with what is true instead."""

    printed: str
    counterexample: str
    refuted: Callable[[], bool]
    """Evaluates the counterexample; true if it refutes the printed statement."""
    corrected: str
    consequence: str
    """What it means for the theorem."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """The claim with a plausible mistake in it. Its check must be refused (`NotEarned`)."""

    mistake: str
    check: Callable[[], Evidence]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement. For an erratum, `check` is of the corrected statement."""

    id: str
    lines: str
    section: str
    statement: str
    strength: Strength
    check: Callable[[], Evidence]
    assumptions: tuple[str, ...] = ()
    erratum: Erratum | None = None
    mutants: tuple[Mutant, ...] = ()


def evidence_for(claim: Claim) -> Evidence:
    """Run the check; raise `NotEarned` if it shows less than the claim declares."""
    found = claim.check()
    if type(found) is not Evidence:
        raise NotEarned(f"{claim.id}: the check returns no evidence, but {found!r}")
    if found.strength > claim.strength:
        raise NotEarned(
            f"{claim.id} is declared {claim.strength.name.lower()}, but only "
            f"{found.strength.name.lower()}: {found.how}"
        )
    if claim.erratum is not None and not claim.erratum.refuted():
        raise NotEarned(f"{claim.id}: the counterexample does not refute the printed statement")
    return found
