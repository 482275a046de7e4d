"""A proof for all sizes beside a trial of all small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.claim import Evidence, NotEarned, Strength

if TYPE_CHECKING:
    from collections.abc import Callable


def proved_and_tried(proof: Callable[[], Evidence], trial: Callable[[], Evidence]) -> Evidence:
    """Show both; the evidence is as strong as the proof.

    The trial adds nothing to the proof. It ties the statement that is proved, about numbers and
    functions that stand for the dynamics, to the dynamics themselves: each refuses what the other
    cannot see.
    """
    shown = proof()
    if shown.strength is not Strength.PROVED:
        raise NotEarned(f"no proof, but {shown.strength.name.lower()}: {shown.how}")
    return Evidence(Strength.PROVED, f"{shown.how}. Also tried: {trial().how}")
