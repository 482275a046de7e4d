"""The type of a symbol in the audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.reports.formulas.text import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.reports.formulas.expressions import Expression


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol. Programs find its value under its key.

    `formula` is an expression, or a text if the value is given instead of computed.
    """

    key: str
    symbol: str
    meaning: str
    formula: Expression | str
    place: str
    claims: tuple[str, ...] = ()
    """The claims that justify the formula, by their ids."""


def formula_text(symbol: Symbol, names: Mapping[str, str]) -> str:
    """The formula on one line; `names` are the symbols by their keys."""
    return symbol.formula if isinstance(symbol.formula, str) else as_text(symbol.formula, names)
