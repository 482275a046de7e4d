"""All numbers of both audits by their keys. Each definition follows those that it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.reports.formulas.bounds import BOUNDS, LOCATED, SHARES, TERMS, round_formulas
from steel_verified.reports.formulas.expressions import Value
from steel_verified.reports.formulas.looped import DELTA, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.reports.formulas.expressions import Expression

ROUNDS: Final = 3
"""How many rounds of located STEEL the audit shows."""


def _definitions() -> Iterator[tuple[str, Expression]]:
    for symbols in (*SECTIONS.values(), LOCATED):
        for symbol in symbols:
            if not isinstance(symbol.formula, str):
                yield symbol.key, symbol.formula
    for share in SHARES:
        yield f"tests_{share.key}", share.tests
        yield f"allotted_{share.key}", share.allotted
        yield f"spent_{share.key}", share.spent
    first, second, third = (Value(f"spent_{share.key}") for share in SHARES)
    yield "spent", first + second + third
    yield "left", DELTA - Value("spent")
    for bound in BOUNDS:
        yield f"exact_{bound.key}", bound.exact
        yield f"bound_{bound.key}", bound.bound
    for key, term in TERMS:
        yield f"term_{key}", term
    for number in range(1, ROUNDS + 1):
        one = round_formulas(number)
        yield f"share_{number}", one.share
        yield f"samples_{number}", one.samples
        yield f"limit_{number}", one.limit
        yield f"steps_{number}", one.steps


DEFINITIONS: Final[dict[str, Expression]] = dict(_definitions())
