"""The numbers of both audits under the keys of `formulas.definitions`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.reports.formulas.bounds import SHARES, TERMS
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.reports.audit import Audit
    from steel_verified.reports.located_audit import LocatedAudit


def audit_values(looped: Audit, located: LocatedAudit) -> dict[str, Fraction]:
    """The numbers computed by `theory/`, which the page shows at first."""
    pairs = (*_of_looped(looped), *_of_located(located))
    return {key: Fraction(value) for key, value in pairs}


def _of_looped(audit: Audit) -> Iterator[tuple[str, int | Fraction]]:
    yield from audit.values.items()
    for share, formulas in zip(audit.shares, SHARES, strict=True):
        yield f"tests_{formulas.key}", share.tests
        yield f"allotted_{formulas.key}", share.allotted
        yield f"spent_{formulas.key}", share.spent
    yield "spent", audit.budget.spent
    yield "left", audit.budget.left
    for bound in audit.steps:
        yield f"exact_{bound.key}", bound.exact
        yield f"bound_{bound.key}", bound.bound
    for term, (key, _) in zip(audit.terms, TERMS, strict=True):
        yield f"term_{key}", term.steps


def _of_located(audit: LocatedAudit) -> Iterator[tuple[str, int | Fraction]]:
    yield "shortest", audit.shortest
    yield "longest", audit.longest
    yield "gap", audit.gap
    yield "distance", distance_after(audit.gap)
    for one in audit.rounds:
        yield f"share_{one.number}", one.share
        yield f"samples_{one.number}", one.samples
        yield f"limit_{one.number}", one.limit
        yield f"steps_{one.number}", one.steps
