"""All claims, in the order of the paper."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from proofs_checks import paper, sharper
from proofs_checks.entries import claims_in

if TYPE_CHECKING:
    from proofs_checks.claim import Claim


@cache
def all_claims() -> tuple[Claim, ...]:
    """Return every claim in `paper/` and `sharper/`, sorted by its first line in the paper."""
    found: list[Claim] = []
    for folder in (*paper.__path__, *sharper.__path__):
        for file in sorted(Path(folder).rglob("*.toml")):
            found += claims_in(file)
    twice = {claim.id for claim in found if sum(other.id == claim.id for other in found) > 1}
    if twice:
        raise ValueError(f"claims with the same id: {sorted(twice)}")
    return tuple(sorted(found, key=lambda claim: (_first_line(claim), claim.id)))


def _first_line(claim: Claim) -> int:
    digits = "".join(c if c.isdigit() else " " for c in claim.lines).split()
    return int(digits[0])
