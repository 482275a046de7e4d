"""Evidence for several parts: as strong as the weakest of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import Evidence, NotEarned, issue

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
