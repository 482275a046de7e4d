"""The necessity constructions as tables: predicted failures beside measured ones."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.necessity import (
    FALLING_CELLS,
    RUNS,
    SLOW_CELLS,
    chance_unchanged,
    gamma_of,
    quiet_steps,
)
from steel_verified.reports.tables import Column, Kind, Style, Table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from steel_verified.experiments.necessity import Cell
    from steel_verified.sweeps.study import Row

_FATES: Final = (
    Column("right", Kind.NUMBER),
    Column("noticed", Kind.NUMBER),
    Column("wrong", Kind.NUMBER, heading="silently wrong"),
)
_SLOW: Final = (
    Column("method", Kind.CODE, style=Style.NAME),
    Column("steps", Kind.NUMBER),
    Column("gamma", Kind.NUMBER, heading="γ"),
    Column("world", Kind.CODE),
    Column("predicted", Kind.NUMBER, heading="predicted failures"),
    *_FATES,
)
_FALLING: Final = (
    Column("method", Kind.CODE, style=Style.NAME),
    Column("world", Kind.CODE),
    Column("predicted", Kind.NUMBER, heading="predicted failures"),
    *_FATES,
)


def fates_of(cell: Cell, rows: Mapping[str, Row]) -> tuple[int, int, int]:
    """How many runs of a cell were right, noticed or wrong, over all blocks of seeds."""

    def total(fate: str) -> int:
        return sum(count for key in cell.keys if isinstance(count := rows[key][fate], int))

    return total("right"), total("noticed"), total("wrong")


def slow_noise_table(rows: Mapping[str, Row]) -> Table:
    """Runs on M_2(γ) and M_3(γ) with t̂_mix = 1."""
    listed = []
    for cell in SLOW_CELLS:
        assert cell.share is not None
        steps, gamma = quiet_steps(cell.method), gamma_of(cell.method, cell.share)
        same = _down(chance_unchanged(gamma, steps))
        predicted = f"≥ {same}" if cell.world == "M_3" else f"≤ {1 - same}"
        fates = fates_of(cell, rows)
        listed.append((cell.method, steps, str(gamma), cell.world, predicted, *fates))
    return Table(f"Slow noise, {RUNS:,} runs in each row", _SLOW, tuple(listed))


def falling_table(rows: Mapping[str, Row]) -> Table:
    """Runs on M and M', in which one state cannot be reached again."""
    listed = tuple(
        (cell.method, cell.world, "≥ 1/2", *fates_of(cell, rows)) for cell in FALLING_CELLS
    )
    return Table(f"A fall, {RUNS:,} runs in each row", _FALLING, listed)


def _down(chance: Fraction) -> Decimal:
    """A chance in thousandths, rounded down."""
    return Decimal(int(chance * 1000)).scaleb(-3)
