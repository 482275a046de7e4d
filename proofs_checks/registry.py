"""All claims, in the order of the paper."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from proofs_checks import paper, sharper
from proofs_checks.data import claims_in

if TYPE_CHECKING:
    from proofs_checks.claim import Claim


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every claim of every module below `paper/`, by their first line in the paper."""
    found: list[Claim] = []
    for module in pkgutil.walk_packages(paper.__path__, f"{paper.__name__}."):
        if not module.ispkg:
            found += vars(import_module(module.name)).get("CLAIMS", ())
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
