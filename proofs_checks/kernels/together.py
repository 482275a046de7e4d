"""Evidence for several parts: as strong as the weakest of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, issue

if TYPE_CHECKING:
    from collections.abc import Callable


def together(*parts: Callable[[], Evidence]) -> Evidence:
    """Show every part; refused as soon as one of them is."""
    return all_of(*(part() for part in parts))


def all_of(*found: Evidence) -> Evidence:
    """What has been shown of all parts: as strong as the weakest."""
    if not found:
        raise NotEarned("there are no parts")
    for part in found:
        if type(part) is not Evidence:
            raise NotEarned(f"expected evidence, not {part!r}")
    return issue(max(part.strength for part in found), "; ".join(part.how for part in found))


def beside(trial: Callable[[], Evidence], *proofs: Callable[[], Evidence]) -> partial[Evidence]:
    """A check that shows the proofs and makes the trial; it is as strong as the proofs."""
    return partial(proved_and_tried, trial, *proofs)


def proved_and_tried(trial: Callable[[], Evidence], *proofs: Callable[[], Evidence]) -> Evidence:
    """Show the proofs and make the trial; the evidence is as strong as the proofs.

    The trial adds nothing to a proof. It ties the statement that is proved, about numbers and
    functions that stand for the dynamics, to the dynamics themselves: each refuses what the other
    cannot see.
    """
    shown = [all_of(part()) for part in proofs]
    if not shown or (weak := [part for part in shown if part.strength > Strength.ENCLOSED]):
        raise NotEarned(f"no proof, but {weak if shown else 'nothing'}")
    told = "\n  ".join(part.how for part in shown)
    strength = max(part.strength for part in shown)
    return issue(strength, f"{told}\n  and tried in {all_of(trial()).how}")
