"""What AC-State's protocol gives if it is read otherwise where the paper leaves it open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from steel_verified.baselines.ac_state.repeats import differences
from steel_verified.reports.ac_state_tables import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.baselines.ac_state.protocol import Protocol
    from steel_verified.baselines.ac_state.repeats import Difference
    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row

_COLUMNS = ("reading", "T_max (runs)", "median T (runs)", "K_opt, least to most", "runs changed")


@dataclass(frozen=True, slots=True)
class Readings:
    """The same runs of the protocol, read in several ways."""

    protocol: Protocol
    repeats: int
    found: tuple[Difference, ...]

    @property
    def title(self) -> str:
        p, q = self.protocol.pair
        return (
            f"AC-State's protocol, read otherwise: ({p}, {q}), {self.protocol.policy} policy, "
            f"{self.repeats} runs"
        )

    @property
    def command(self) -> str:
        p, q = self.protocol.pair
        exploring = " --exploring" if self.protocol.policy == "exploration" else ""
        return f"steel reproduce readings --pair {p},{q} --repeats {self.repeats}{exploring}"


def readings_table(protocol: Protocol, repeats: int, rows: Mapping[str, Row]) -> Readings:
    """Every reading whose runs are complete."""
    return Readings(protocol, repeats, tuple(differences(protocol, repeats, rows)))


def _cells(one: Difference, repeats: int) -> tuple[str, ...]:
    least, middle, most = one.spread.k_opt
    return (
        one.name,
        _spread(one.spread.t_max),
        _spread(one.spread.t_median),
        f"{least}, {middle}, {most}",
        f"{one.changed} of {repeats}",
    )


def _spread(values: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{quoted(steps)} ({runs})" for steps, runs in values)


def as_json(table: Readings) -> Json:
    return {
        "pair": list(table.protocol.pair),
        "policy": table.protocol.policy,
        "repeats": table.repeats,
        "readings": [
            {
                "reading": one.name,
                "t_max": one.spread.t_max,
                "t_median": one.spread.t_median,
                "k_opt": one.spread.k_opt,
                "changed": one.changed,
            }
            for one in table.found
        ],
    }


def as_text(table: Readings) -> Table:
    grid = Table(
        title=table.title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for title in _COLUMNS:
        grid.add_column(title)
    for one in table.found:
        grid.add_row(*_cells(one, table.repeats))
    return grid


def as_markdown(table: Readings) -> str:
    lines = [f"## {table.title}", "", f"`{table.command}`", ""]
    lines += [f"| {' | '.join(_COLUMNS)} |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(_cells(one, table.repeats))} |" for one in table.found]
    return "\n".join(lines) + "\n"
