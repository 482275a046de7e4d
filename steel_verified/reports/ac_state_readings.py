"""AC-State's results under other readings of the choices that the paper leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.baselines.ac_state.repeats import differences
from steel_verified.reports.ac_state_tables import quoted
from steel_verified.reports.tables import Cell, Column, Kind, Style, Table, as_markdown, records
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.baselines.ac_state.protocol import Protocol
    from steel_verified.baselines.ac_state.repeats import Difference
    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row

_COLUMNS = (
    Column("reading", style=Style.NAME),
    Column("t_max", heading="T_max (runs)"),
    Column("t_median", heading="median T (runs)"),
    Column("k_opt", Kind.CODE, heading="K_opt, least to most"),
    Column("changed", Kind.CODE, heading="runs changed"),
)


@dataclass(frozen=True, slots=True)
class Readings:
    """The same runs of the protocol, evaluated under several readings of the paper."""

    protocol: Protocol
    repeats: int
    found: tuple[Difference, ...]

    @property
    def title(self) -> str:
        p, q = self.protocol.pair
        return (
            f"AC-State's protocol under other readings: ({p}, {q}), {self.protocol.policy} policy, "
            f"{counted(self.repeats, 'run')}"
        )

    @property
    def command(self) -> str:
        p, q = self.protocol.pair
        exploring = " --exploring" if self.protocol.policy == "exploration" else ""
        return f"steel reproduce readings --pair {p},{q} --repeats {self.repeats}{exploring}"


def readings_table(protocol: Protocol, repeats: int, rows: Mapping[str, Row]) -> Readings:
    """All readings whose runs are complete."""
    return Readings(protocol, repeats, tuple(differences(protocol, repeats, rows)))


def as_table(table: Readings) -> Table:
    """A table with one row for each reading."""
    rows = tuple(
        (
            one.name,
            Cell(_spread(one.spread.t_max), one.spread.t_max),
            Cell(_spread(one.spread.t_median), one.spread.t_median),
            Cell(", ".join(map(str, one.spread.k_opt)), one.spread.k_opt),
            Cell(f"{one.changed} of {table.repeats}", one.changed),
        )
        for one in table.found
    )
    return Table(table.title, _COLUMNS, rows)


def _spread(values: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{quoted(steps)}\N{NO-BREAK SPACE}({runs})" for steps, runs in values)


def as_json(table: Readings) -> Json:
    return {
        "pair": list(table.protocol.pair),
        "policy": table.protocol.policy,
        "repeats": table.repeats,
        "readings": records(as_table(table)),
    }


def page_section(table: Readings) -> str:
    """The section of REPRODUCIBILITY.md about these readings."""
    return f"## {table.title}\n\n`{table.command}`\n\n{as_markdown(as_table(table))}"
