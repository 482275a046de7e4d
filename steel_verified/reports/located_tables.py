"""Tables 2 and 3 with located STEEL: the same worlds and seeds, beside the paper's algorithm."""

from __future__ import annotations

from statistics import mean, median, stdev
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.published import PRIME_LOOPS
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.reports.run_rows import located_runs, steel_runs
from steel_verified.reports.tables import Column, Kind, Style, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.experiments.registry import PrimeLoopColumn, SimulationColumn
    from steel_verified.experiments.steel_runs import SteelRuns
    from steel_verified.reports.tables import Value
    from steel_verified.sweeps.study import Row

_NOT_RUN: Final = "not run"
_SIMULATED: Final = (
    Column("environment"),
    Column("column", Kind.CODE, style=Style.NAME),
    Column("looped_steps", Kind.NUMBER, heading="looped, mean steps"),
    Column("located_steps", Kind.NUMBER, heading="located, mean steps"),
    Column("exploring", Kind.NUMBER),
    Column("validating", Kind.NUMBER),
    Column("fewer", Kind.NUMBER, heading="times fewer"),
    Column("right", Kind.NUMBER),
    Column("rounds", Kind.NUMBER, heading="most rounds"),
)
_PRIME_LOOPS: Final = (
    Column("column", Kind.CODE, style=Style.NAME),
    Column("ac_state", Kind.NUMBER, heading="AC-State, printed"),
    Column("looped_steps", Kind.NUMBER, heading="looped, max steps"),
    Column("located_steps", Kind.NUMBER, heading="located, max steps"),
    Column("located_median", Kind.NUMBER, heading="median on DoublePrime"),
    Column("fewer", Kind.NUMBER, heading="times fewer than looped"),
    Column("fewer_than_ac_state", Kind.NUMBER, heading="than AC-State"),
    Column("right", Kind.NUMBER),
)
_FEWER: Final = "Times fewer: mean steps of looped divided by those of located, rounded down."
_FEWER_AT_MOST: Final = (
    "Steps: the maximum over 20 trajectories on DoublePrime and 20 on SinglePrime, as in Table 3. "
    "Times fewer: the quotient of these maxima, rounded down."
)


def located_table2(looped: Mapping[str, Row], located: Mapping[str, Row]) -> Table:
    """The runs of Table 2 with located STEEL, beside those of the paper's algorithm."""
    rows = [
        _simulated(title, column, group, looped, located)
        for title, groups in (
            ("fixed environment", [column.fixed for column in TABLE2]),
            ("variable environment", [column.variable for column in TABLE2]),
        )
        for column, group in zip(TABLE2, groups, strict=True)
    ]
    return Table(
        "Table 2 with located STEEL", _SIMULATED, tuple(rows), notes=(_FEWER,), grouped=True
    )


def _simulated(
    title: str,
    column: SimulationColumn,
    group: SteelRuns,
    looped: Mapping[str, Row],
    located: Mapping[str, Row],
) -> tuple[Value, ...]:
    old, new = steel_runs(looped, group), located_runs(located, group)
    if old is None or new is None:
        return (title, column.title, _NOT_RUN, *[None] * (len(_SIMULATED) - 3))
    before, after = old.numbers("steps"), new.numbers("steps")
    return (
        title,
        column.title,
        round(mean(before)),
        f"{mean(after):,.0f} ± {stdev(after):,.0f}",
        round(mean(new.numbers("exploring"))),
        round(mean(new.numbers("validating"))),
        sum(before) // sum(after),
        f"{new.successes}/{len(new.rows)}",
        max(new.numbers("rounds")),
    )


def located_table3(looped: Mapping[str, Row], located: Mapping[str, Row]) -> Table:
    """The runs of Table 3 with located STEEL, beside the paper's algorithm and AC-State."""
    rows = tuple(_prime_loops(column, looped, located) for column in TABLE3)
    return Table("Table 3 with located STEEL", _PRIME_LOOPS, rows, notes=(_FEWER_AT_MOST,))


def _prime_loops(
    column: PrimeLoopColumn, looped: Mapping[str, Row], located: Mapping[str, Row]
) -> tuple[Value, ...]:
    printed = PRIME_LOOPS[column.pair].ac_state
    old = steel_runs(looped, column.double, column.single)
    new = located_runs(located, column.double, column.single)
    double = located_runs(located, column.double)
    if old is None or new is None or double is None:
        return (str(column.pair), str(printed), _NOT_RUN, *[None] * (len(_PRIME_LOOPS) - 3))
    before, after = max(old.numbers("steps")), max(new.numbers("steps"))
    return (
        str(column.pair),
        str(printed),
        before,
        after,
        f"{median(double.numbers('steps')):,.0f}",
        before // after,
        printed.value // after,
        f"{new.successes}/{len(new.rows)}",
    )
