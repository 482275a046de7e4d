"""Tables that are only ours: the runs of Tables 2 and 3 with other methods.

Where the runs that a cell needs are missing, it is empty, or says so if it has a number of steps.
"""

from __future__ import annotations

from statistics import mean, median
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.published import PRIME_LOOPS, SIMULATED
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.reports.comparison import Runs, recorded, runs_of, spread
from steel_verified.reports.tables import Column, Kind, Style, Table, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from steel_verified.experiments.seeded_runs import SeededRuns
    from steel_verified.sweeps.study import Row

    Rows = Mapping[str, Row]

_NAME: Final = Column("column", Kind.CODE, style=Style.NAME)
_HEADS: Final = (Column("environment"), _NAME)


def _number(name: str, heading: str | None = None) -> Column:
    return Column(name, Kind.NUMBER, heading=heading)


def _table(
    title: str, columns: tuple[Column, ...], rows: Iterable[tuple[Value, ...]], note: str
) -> Table:
    def shown(column: Column, value: Value) -> Value:
        return "not run" if value is None and column.name.endswith("_steps") else value

    written = tuple(tuple(map(shown, columns, row)) for row in rows)
    return Table(title, columns, written, notes=(note,), grouped=columns[0].name == "environment")


def _cells(runs: Runs | None, *measures: Callable[[Runs], Value]) -> list[Value]:
    """What is measured of some runs, if there are runs."""
    return [None if runs is None else measure(runs) for measure in measures]


def _steps(runs: Runs) -> list[int]:
    return runs.numbers("steps")


def _mean(field: str) -> Callable[[Runs], Value]:
    return lambda runs: round(mean(runs.numbers(field)))


def _most(field: str) -> Callable[[Runs], Value]:
    return lambda runs: max(runs.numbers(field))


def _fewer(total: Callable[[list[int]], int], old: Runs | None, new: Runs | None) -> Value:
    """How many times fewer steps the new runs take."""
    return None if old is None or new is None else total(_steps(old)) // total(_steps(new))


def _successes(runs: Runs) -> Value:
    return f"{runs.successes}/{len(runs.rows)}"


def _exact_right(runs: Runs) -> Value:
    right = sum(bool(row["dynamics_right"]) and bool(row["exact_right"]) for row in runs.rows)
    return f"{right}/{len(runs.rows)}"


def _all_exact(runs: Runs) -> Value:
    exact = sum(row["labels"] == row["exact_labels"] for row in runs.rows)
    return f"{exact}/{len(runs.rows)}"


def _simulated() -> Iterator[tuple[tuple[str, str], str, SeededRuns]]:
    """For each group of runs in Table 2: its heads, its printed steps, and its runs."""
    for column in TABLE2:
        steps = f"{int(SIMULATED[column.name].fixed_steps.value):,}"
        yield ("fixed environment", column.title), steps, column.fixed
    for column in TABLE2:
        steps = str(SIMULATED[column.name].mean_steps)
        yield ("variable environment", column.title), steps, column.variable


# --- located beside looped ------------------------------------------------------------------------


def located_table2(looped: Rows, located: Rows) -> Table:
    """The runs of Table 2 with located STEEL, beside those of the paper's algorithm."""
    columns = (
        *_HEADS,
        _number("looped_steps", "looped, mean steps"),
        _number("located_steps", "located, mean steps"),
        _number("exploring"),
        _number("validating"),
        _number("fewer", "times fewer"),
        _number("right"),
        _number("rounds", "most rounds"),
    )
    rows: list[tuple[Value, ...]] = []
    for heads, _, group in _simulated():
        old, new = runs_of(looped, "looped", group), runs_of(located, "located", group)
        steps = _cells(new, lambda r: spread(_steps(r)), _mean("exploring"), _mean("validating"))
        ended = _cells(new, _successes, _most("rounds"))
        rows.append((*heads, *_cells(old, _mean("steps")), *steps, _fewer(sum, old, new), *ended))
    note = "Times fewer: mean steps of looped divided by those of located, rounded down."
    return _table("Table 2 with located STEEL", columns, rows, note)


def located_table3(looped: Rows, located: Rows) -> Table:
    """The runs of Table 3 with located STEEL, beside the paper's algorithm and AC-State."""
    columns = (
        _NAME,
        _number("ac_state", "AC-State, printed"),
        _number("looped_steps", "looped, max steps"),
        _number("located_steps", "located, max steps"),
        _number("located_median", "median on DoublePrime"),
        _number("fewer", "times fewer than looped"),
        _number("fewer_than_ac_state", "than AC-State"),
        _number("right"),
    )
    rows: list[tuple[Value, ...]] = []
    for column in TABLE3:
        printed = PRIME_LOOPS[column.pair].ac_state
        old = runs_of(looped, "looped", column.double, column.single)
        new = runs_of(located, "located", column.double, column.single)
        double = runs_of(located, "located", column.double)
        middle = _cells(double, lambda runs: f"{median(_steps(runs)):,.0f}")
        of_ac_state = None if new is None else int(printed.value) // max(_steps(new))
        most = *_cells(old, _most("steps")), *_cells(new, _most("steps")), *middle
        fewer = _fewer(max, old, new), of_ac_state
        rows.append((str(column.pair), str(printed), *most, *fewer, *_cells(new, _successes)))
    note = (
        "Steps: the maximum over 20 trajectories on DoublePrime and 20 on SinglePrime, as in Table "
        "3. Times fewer: the quotient of these maxima, rounded down."
    )
    return _table("Table 3 with located STEEL", columns, rows, note)


def recorded_exploring(name: str) -> list[int] | None:
    """The exploring steps of the recorded runs of a named experiment; None if there are none."""
    groups: dict[str, SeededRuns] = {column.name: column.fixed for column in TABLE2}
    groups |= {"double-prime-{}-{}".format(*one.pair): one.double for one in TABLE3}
    runs = None if name not in groups else runs_of(recorded("located"), "located", groups[name])
    return None if runs is None else runs.numbers("exploring")


# --- all three methods ----------------------------------------------------------------------------

_PRINTED: Final = _number("printed", "printed, looped")
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
    columns = (
        *_HEADS,
        _PRINTED,
        _number("looped_steps", "looped"),
        _number("located_steps", "located"),
        _number("certain_steps", "certain"),
        _number("most", "at most"),
        _number("least_steps", "least walk"),
        _number("right", "certain: right"),
        _number("exact", "exact encoder"),
    )
    steps = _mean("steps")
    of_certain = steps, _most("steps"), _mean("least_steps"), _exact_right, _all_exact
    rows: list[tuple[Value, ...]] = []
    made: list[Row] = []
    for heads, printed, group in _simulated():
        old, new = runs_of(looped, "looped", group), runs_of(located, "located", group)
        sure = runs_of(certain, "certain", group)
        made += [] if sure is None else sure.rows
        others = *_cells(old, steps), *_cells(new, steps)
        rows.append((*heads, printed, *others, *_cells(sure, *of_certain)))
    accepted = sum(bool(row.get("certificate_accepted")) for row in made)
    note = _MEANS.format(accepted=accepted, all=len(made))
    return _table("Table 2 with all three methods", columns, rows, note)


def three_methods_table3(looped: Rows, located: Rows, certain: Rows) -> Table:
    """The runs of Table 3 with the three methods."""
    columns = (
        _NAME,
        _PRINTED,
        _number("looped_steps", "looped"),
        _number("located_steps", "located"),
        _number("double", "certain, DoublePrime"),
        _number("single", "certain, SinglePrime"),
        _number("least_steps", "least walk, SinglePrime"),
        _number("right", "certain: right"),
        _number("exact", "exact encoder"),
    )
    steps = _most("steps")
    rows: list[tuple[Value, ...]] = []
    doubles: list[Row] = []
    for column in TABLE3:
        old = runs_of(looped, "looped", column.double, column.single)
        new = runs_of(located, "located", column.double, column.single)
        double = runs_of(certain, "certain", column.double)
        single = runs_of(certain, "certain", column.single)
        doubles += [] if double is None else double.rows
        heads = str(column.pair), str(PRIME_LOOPS[column.pair].steel)
        others = *_cells(old, steps), *_cells(new, steps), *_cells(double, _decided)
        ended = _cells(single, steps, _most("least_steps"), _exact_right, _all_exact)
        rows.append((*heads, *others, *ended))
    still_open = sum(not row["accepted"] for row in doubles)
    note = _OPEN.format(open=still_open, doubles=len(doubles))
    return _table("Table 3 with all three methods", columns, rows, note)


def _decided(runs: Runs) -> Value:
    accepted = sum(bool(row["accepted"]) for row in runs.rows)
    return f"{accepted}/{len(runs.rows)} decided" if accepted else "open"
