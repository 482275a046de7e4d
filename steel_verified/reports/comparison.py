"""Printed numbers beside ours, each with its agreement or the reason why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from steel_verified.evidence.codec import Json
    from steel_verified.experiments.published import Printed


class Agreement(Enum):
    """How a number of ours stands to the printed one."""

    SAME = "same"
    """The printed number, to its last digit."""
    NEAR = "near"
    """Within a tenth of it, for a reason that is given."""
    DIFFERS = "differs"
    """Farther away, for a reason that is given."""
    MISSING = "not run"


def agreement(ours: Fraction | float, printed: Printed) -> Agreement:
    """How a number of ours stands to the printed one."""
    exactly = Fraction(ours)
    if printed.agrees_with(exactly):
        return Agreement.SAME
    near = abs(exactly - printed.value) * 10 <= printed.value
    return Agreement.NEAR if near else Agreement.DIFFERS


@dataclass(frozen=True, slots=True)
class Compared:
    """One printed number, and ours."""

    what: str
    column: str
    printed: str
    ours: str
    agreement: Agreement
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A table of the paper, number by number, and what must be said of it as a whole."""

    title: str
    place: str
    command: str
    numbers: tuple[Compared, ...]
    remarks: tuple[str, ...]


def as_json(table: Reproduction) -> Json:
    return {
        "title": table.title,
        "place": table.place,
        "numbers": [
            {
                "what": number.what,
                "column": number.column,
                "printed": number.printed,
                "ours": number.ours,
                "agreement": number.agreement.value,
                "reason": number.reason,
            }
            for number in table.numbers
        ],
        "remarks": table.remarks,
    }


_STYLES = {
    Agreement.SAME: "green",
    Agreement.NEAR: "",
    Agreement.DIFFERS: "yellow",
    Agreement.MISSING: "dim",
}


def as_text(table: Reproduction) -> RenderableType:
    grid = Table(
        title=f"{table.title} ({table.place})",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    grid.add_column("", no_wrap=True)
    grid.add_column("", style="cyan", no_wrap=True)
    grid.add_column("printed", justify="right", no_wrap=True)
    grid.add_column("ours", justify="right", no_wrap=True)
    grid.add_column("")
    for what in dict.fromkeys(number.what for number in table.numbers):
        for place, number in enumerate(n for n in table.numbers if n.what == what):
            grid.add_row(
                what if place == 0 else "",
                number.column,
                number.printed,
                number.ours,
                Text(_verdict(number), _STYLES[number.agreement]),
            )
        grid.add_section()
    return Group(grid, *(Text(remark + "\n") for remark in table.remarks))


def as_markdown(tables: Sequence[Reproduction]) -> str:
    parts = []
    for table in tables:
        parts.append(f"## {table.title} ({table.place})\n\n`{table.command}`\n")
        lines = ["| | | printed | ours | |", "|---|---|---:|---:|---|"]
        lines += [
            f"| {n.what} | {n.column} | {n.printed} | {n.ours} | {_verdict(n)} |"
            for n in table.numbers
        ]
        parts.append("\n".join(lines) + "\n")
        parts += [remark + "\n" for remark in table.remarks]
    return "\n".join(parts)


def _verdict(number: Compared) -> str:
    if not number.reason:
        return number.agreement.value
    return f"{number.agreement.value}: {number.reason}"
