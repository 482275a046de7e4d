"""Tables 2 and 3 with all methods side by side: the printed steps, looped, located and certain."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.published import PRIME_LOOPS, SIMULATED
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.reports.comparison import runs_of
from steel_verified.reports.tables import Column, Kind, Style, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.experiments.registry import PrimeLoopColumn
    from steel_verified.experiments.seeded_runs import SeededRuns
    from steel_verified.reports.comparison import Runs
    from steel_verified.reports.tables import Value
    from steel_verified.sweeps.study import Row

    Rows = Mapping[str, Row]

_NOT_RUN: Final = "not run"
_SIMULATED: Final = (
    Column("environment"),
    Column("column", Kind.CODE, style=Style.NAME),
    Column("printed", Kind.NUMBER, heading="printed, looped"),
    Column("looped_steps", Kind.NUMBER, heading="looped"),
    Column("located_steps", Kind.NUMBER, heading="located"),
    Column("certain_steps", Kind.NUMBER, heading="certain"),
    Column("most", Kind.NUMBER, heading="at most"),
    Column("least_steps", Kind.NUMBER, heading="least walk"),
    Column("right", Kind.NUMBER, heading="certain: right"),
    Column("exact", Kind.NUMBER, heading="exact encoder"),
)
_PRIME_LOOPS: Final = (
    Column("column", Kind.CODE, style=Style.NAME),
    Column("printed", Kind.NUMBER, heading="printed, looped"),
    Column("looped_steps", Kind.NUMBER, heading="looped"),
    Column("located_steps", Kind.NUMBER, heading="located"),
    Column("double", Kind.NUMBER, heading="certain, DoublePrime"),
    Column("single", Kind.NUMBER, heading="certain, SinglePrime"),
    Column("least_steps", Kind.NUMBER, heading="least walk, SinglePrime"),
    Column("right", Kind.NUMBER, heading="certain: right"),
    Column("exact", Kind.NUMBER, heading="exact encoder"),
)
_MEANS: Final = (
    "Mean steps of 20 runs; those of certain STEEL are the steps until the rows decide, without "
    "the check after that. Least walk: the mean of the fewest steps in which every transition can "
    "be taken, with the first step, which shows the first row. Right: the dynamics are those of "
    "the world, and each classifier that is the only one left for its label is that of the state; "
    "exact encoder: this is so for every label. The independent checker accepted "
    "{accepted} of {all} certificates of certain STEEL."
)
_OPEN: Final = (
    "Most steps of 20 trajectories on each world. Open: on DoublePrime the rows never decide. Its "
    "dynamics have a proper quotient, the loop with the two copies as one, and F classifies all "
    "blocks of it; so two models explain all rows for ever (Theorem 8), and a method that is never "
    "wrong can choose neither (Theorem 7). Certain STEEL said so in {open} of {doubles} runs."
)


def three_methods_table2(looped: Rows, located: Rows, certain: Rows) -> Table:
    """The runs of Table 2 with the three methods."""
    kinds = (("fixed environment", "fixed"), ("variable environment", "variable"))
    rows: list[tuple[Value, ...]] = []
    found: list[Row] = []
    for title, kind in kinds:
        for column in TABLE2:
            group = column.fixed if kind == "fixed" else column.variable
            published = SIMULATED[column.name]
            printed = published.fixed_steps if kind == "fixed" else published.mean_steps
            shown = f"{int(printed.value):,}" if kind == "fixed" else str(printed)
            rows.append((title, column.title, shown, *_means(group, looped, located, certain)))
            runs = runs_of(certain, "certain", group)
            found += [] if runs is None else runs.rows
    accepted = sum(bool(row.get("certificate_accepted")) for row in found)
    note = _MEANS.format(accepted=accepted, all=len(found))
    title = "Table 2 with all three methods"
    return Table(title, _SIMULATED, tuple(rows), notes=(note,), grouped=True)


def _means(group: SeededRuns, looped: Rows, located: Rows, certain: Rows) -> tuple[Value, ...]:
    old, new, sure = (
        runs_of(looped, "looped", group),
        runs_of(located, "located", group),
        runs_of(certain, "certain", group),
    )
    if sure is None:
        return (*map(_mean, (old, new)), _NOT_RUN, None, None, None, None)
    return (
        *map(_mean, (old, new, sure)),
        max(sure.numbers("steps")),
        round(mean(sure.numbers("least_steps"))),
        *_right(sure),
    )


def _mean(runs: Runs | None) -> Value:
    return _NOT_RUN if runs is None else round(mean(runs.numbers("steps")))


def three_methods_table3(looped: Rows, located: Rows, certain: Rows) -> Table:
    """The runs of Table 3 with the three methods."""
    rows = tuple(_prime_loops(column, looped, located, certain) for column in TABLE3)
    doubles = [runs for column in TABLE3 if (runs := runs_of(certain, "certain", column.double))]
    found = [bool(row["accepted"]) for runs in doubles for row in runs.rows]
    note = _OPEN.format(open=found.count(False), doubles=len(found))
    return Table("Table 3 with all three methods", _PRIME_LOOPS, rows, notes=(note,))


def _prime_loops(
    column: PrimeLoopColumn, looped: Rows, located: Rows, certain: Rows
) -> tuple[Value, ...]:
    old = runs_of(looped, "looped", column.double, column.single)
    new = runs_of(located, "located", column.double, column.single)
    head = (str(column.pair), str(PRIME_LOOPS[column.pair].steel), _most(old), _most(new))
    double, single = (
        runs_of(certain, "certain", column.double),
        runs_of(certain, "certain", column.single),
    )
    if double is None or single is None:
        return (*head, _NOT_RUN, None, None, None, None)
    accepted = sum(bool(row["accepted"]) for row in double.rows)
    return (
        *head,
        f"{accepted}/{len(double.rows)} decided" if accepted else "open",
        max(single.numbers("steps")),
        max(single.numbers("least_steps")),
        *_right(single),
    )


def _right(runs: Runs) -> tuple[str, str]:
    """How many runs are right, and how many have one classifier left for each label."""
    right = sum(bool(row["dynamics_right"]) and bool(row["exact_right"]) for row in runs.rows)
    exact = sum(row["labels"] == row["exact_labels"] for row in runs.rows)
    return f"{right}/{len(runs.rows)}", f"{exact}/{len(runs.rows)}"


def _most(runs: Runs | None) -> Value:
    return _NOT_RUN if runs is None else max(runs.numbers("steps"))
