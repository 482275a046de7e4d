"""Warnings about false bounds: before a run, in its outcome, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from steel_verified.reports.outcome import COLUMNS
from steel_verified.reports.tables import Cell, Style, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.catalogue import FalseBound


def as_sentence(bound: FalseBound) -> str:
    """The warning before the run."""
    return (
        f"Warning: {bound.symbol} = {bound.given:,} is too small: {bound.because}. This run has no "
        f"guarantee, because the guarantee assumes that {bound.condition.statement}."
    )


def in_parts(parts: tuple[Part, ...], bounds: Sequence[FalseBound]) -> tuple[Part, ...]:
    """The outcome with a red row for each false bound, in its table if the table has room."""
    if not bounds:
        return parts
    rows = tuple(_row(bound) for bound in bounds)
    for number, part in enumerate(parts):
        if isinstance(part, Table) and part.columns == COLUMNS:
            symbols = {bound.symbol for bound in bounds}
            kept = tuple(row for row in part.rows if row[0] not in symbols)
            return (*parts[:number], replace(part, rows=kept + rows), *parts[number + 1 :])
    return (*parts, Table("", COLUMNS, rows))


def _row(bound: FalseBound) -> tuple[Value, ...]:
    remark = f"too small: {bound.because}; nothing is guaranteed"
    return (bound.symbol, bound.given, Cell(remark, remark, Style.BAD))


def in_json(outcome: Json, bounds: Sequence[FalseBound]) -> Json:
    """The outcome as JSON, with the warnings under a separate key."""
    assert isinstance(outcome, Mapping), "outcomes are objects with keys"
    warnings: list[Json] = [
        {
            "condition": bound.condition.name,
            "argument": bound.argument,
            "given": bound.given,
            "needed": bound.needed,
            "message": as_sentence(bound),
        }
        for bound in bounds
    ]
    return {**outcome, "warnings": warnings}
