"""Recorded runs, and printed numbers beside ours: each agrees, or has a stated reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from importlib.resources import files
from statistics import mean, stdev
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.evidence.codec import Json, rows_of
from steel_verified.reports.tables import (
    Cell,
    Column,
    Kind,
    Prose,
    Style,
    Table,
    records,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from steel_verified.experiments.published import Printed
    from steel_verified.experiments.seeded_runs import SeededRuns
    from steel_verified.reports.tables import Part
    from steel_verified.sweeps.study import Row


def recorded(name: str, folder: Path | None = None) -> Mapping[str, Row]:
    """The recorded rows that the package contains, or those in the given folder."""
    place = files("steel_verified.experiments") / "recorded" if folder is None else folder
    file = place / f"{name}.jsonl"
    if not file.is_file():
        raise InvalidArgument("results", folder, f"a folder that contains {name}.jsonl")
    return rows_of(file.read_bytes(), str(file))


@dataclass(frozen=True, slots=True)
class Runs:
    """The rows of one group of runs."""

    rows: Sequence[Row]

    def numbers(self, field: str) -> list[int]:
        found = [row[field] for row in self.rows]
        numbers = [value for value in found if isinstance(value, int)]
        if len(numbers) < len(found):
            raise SteelError(f"{field} in a row of results: expected a whole number")
        return numbers

    @property
    def successes(self) -> int:
        """How many runs learned both the dynamics and the encoder correctly."""
        return sum(
            bool(row.get("dynamics_right")) and bool(row.get("encoder_right")) for row in self.rows
        )


def spread(steps: Sequence[int]) -> str:
    return f"{mean(steps):,.0f} ± {stdev(steps):,.0f}"


def runs_of(rows: Mapping[str, Row], method: str, *groups: SeededRuns) -> Runs | None:
    """The rows of these groups with a method, or None if some are missing."""
    keys = [key for group in groups for key in group.keys(method)]
    return Runs([rows[key] for key in keys]) if all(key in rows for key in keys) else None


class Agreement(Enum):
    """How one of our numbers compares with the printed one."""

    SAME = "same"
    """Equal to the printed number in all its digits."""
    NEAR = "near"
    """Within a tenth of the printed number, with a stated reason."""
    DIFFERS = "differs"
    """Farther away, for a reason that is given."""
    MISSING = "not run"


def agreement(ours: Fraction | float, printed: Printed) -> Agreement:
    exactly = Fraction(ours)
    if printed.agrees_with(exactly):
        return Agreement.SAME
    near = abs(exactly - printed.value) * 10 <= printed.value
    return Agreement.NEAR if near else Agreement.DIFFERS


@dataclass(frozen=True, slots=True)
class Compared:
    """One printed number and ours."""

    what: str
    column: str
    printed: str
    ours: str
    agreement: Agreement
    reason: str = ""


def compared(
    what: str,
    column: object,
    printed: Printed,
    ours: float | None,
    shown: str = "",
    reason: str = "",
) -> Compared:
    """One of our numbers, or None if it was not run, beside the printed one."""
    if ours is None:
        return Compared(what, str(column), str(printed), "", Agreement.MISSING, reason)
    return Compared(what, str(column), str(printed), shown, agreement(ours, printed), reason)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A table of the paper, compared number by number, with remarks on the whole table."""

    title: str
    place: str
    command: str
    numbers: tuple[Compared, ...]
    remarks: tuple[str, ...]


_COLUMNS = (
    Column("what"),
    Column("column", Kind.CODE, style=Style.NAME),
    Column("printed", Kind.NUMBER),
    Column("ours", Kind.NUMBER),
    Column("agreement", Kind.CODE),
    Column("reason", priority=1),
)
_STYLES = {
    Agreement.SAME: Style.GOOD,
    Agreement.NEAR: Style.PLAIN,
    Agreement.DIFFERS: Style.ODD,
    Agreement.MISSING: Style.FAINT,
}


def numbers_of(table: Reproduction) -> Table:
    """The numbers of a table, row by row."""
    order = list(dict.fromkeys(number.what for number in table.numbers))
    rows = tuple(
        (
            number.what,
            number.column,
            number.printed,
            number.ours,
            Cell(number.agreement.value, number.agreement.value, _STYLES[number.agreement]),
            number.reason,
        )
        for number in sorted(table.numbers, key=lambda number: order.index(number.what))
    )
    return Table(f"{table.title} ({table.place})", _COLUMNS, rows, grouped=True)


def as_json(table: Reproduction) -> Json:
    return {
        "title": table.title,
        "place": table.place,
        "numbers": records(numbers_of(table)),
        "remarks": table.remarks,
    }


def as_parts(table: Reproduction) -> tuple[Part, ...]:
    return numbers_of(table), *(Prose(remark) for remark in table.remarks)
