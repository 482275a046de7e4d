"""Tables that are only ours: the runs of Tables 2 and 3 with other methods.

A table has heads and measures. Where runs that a measure needs are missing, it is empty, and a
number of steps says so.
"""

from __future__ import annotations

from statistics import mean, median
from typing import TYPE_CHECKING, Final, TypeAlias

from steel_verified.experiments.published import PRIME_LOOPS, SIMULATED
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.reports.comparison import Runs, recorded, runs_of, spread
from steel_verified.reports.tables import Column, Kind, Style, Table, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from steel_verified.experiments.seeded_runs import SeededRuns
    from steel_verified.sweeps.study import Row

    Rows: TypeAlias = Mapping[str, Row]
    Found: TypeAlias = Mapping[str, Runs | None]
    """The runs of a row by name; None if some are missing."""
    Measure: TypeAlias = tuple[Column, Callable[[Found], Value]]
    Group: TypeAlias = tuple[tuple[Value, ...], Found]
    """The heads of a row, and its runs."""

_NOT_RUN: Final = "not run"
_NAME: Final = Column("column", Kind.CODE, style=Style.NAME)


def _number(name: str, heading: str | None = None) -> Column:
    return Column(name, Kind.NUMBER, heading=heading)


def _table(
    title: str,
    heads: Sequence[Column],
    measures: Sequence[Measure],
    groups: Iterable[Group],
    note: str,
) -> Table:
    def value(column: Column, of: Callable[[Found], Value], found: Found) -> Value:
        shown = of(found)
        return _NOT_RUN if shown is None and column.name.endswith("_steps") else shown

    rows = tuple((*head, *(value(*one, found) for one in measures)) for head, found in groups)
    columns = (*heads, *(column for column, _ in measures))
    return Table(title, columns, rows, notes=(note,), grouped=heads[0].name == "environment")


def _of(name: str, measure: Callable[[Runs], Value]) -> Callable[[Found], Value]:
    """A measure of the runs with this name."""

    def value(found: Found) -> Value:
        runs = found[name]
        return None if runs is None else measure(runs)

    return value


def _fewer(total: Callable[[list[int]], int]) -> Callable[[Found], Value]:
    """How many times fewer steps located STEEL takes."""

    def value(found: Found) -> Value:
        old, new = found["looped"], found["located"]
        return None if old is None or new is None else total(_steps(old)) // total(_steps(new))

    return value


def _steps(runs: Runs) -> list[int]:
    return runs.numbers("steps")


def _mean(runs: Runs) -> Value:
    return round(mean(_steps(runs)))


def _most(runs: Runs) -> Value:
    return max(_steps(runs))


def _mean_of(field: str) -> Callable[[Runs], Value]:
    return lambda runs: round(mean(runs.numbers(field)))


def _most_of(field: str) -> Callable[[Runs], Value]:
    return lambda runs: max(runs.numbers(field))


def _successes(runs: Runs) -> Value:
    return f"{runs.successes}/{len(runs.rows)}"


def _exact_right(runs: Runs) -> Value:
    right = sum(bool(row["dynamics_right"]) and bool(row["exact_right"]) for row in runs.rows)
    return f"{right}/{len(runs.rows)}"


def _all_exact(runs: Runs) -> Value:
    exact = sum(row["labels"] == row["exact_labels"] for row in runs.rows)
    return f"{exact}/{len(runs.rows)}"


def _simulated(**by_method: Rows) -> Iterable[tuple[str, Group]]:
    """The groups of Table 2, each with its printed steps."""
    for is_fixed in (True, False):
        for column in TABLE2:
            group = column.fixed if is_fixed else column.variable
            published = SIMULATED[column.name]
            steps = published.fixed_steps if is_fixed else published.mean_steps
            head = "fixed environment" if is_fixed else "variable environment", column.title
            printed = f"{int(steps.value):,}" if is_fixed else str(steps)
            found = {name: runs_of(rows, name, group) for name, rows in by_method.items()}
            yield printed, (head, found)


# --- located beside looped ------------------------------------------------------------------------


def located_table2(looped: Rows, located: Rows) -> Table:
    """The runs of Table 2 with located STEEL, beside those of the paper's algorithm."""
    measures: tuple[Measure, ...] = (
        (_number("looped_steps", "looped, mean steps"), _of("looped", _mean)),
        (
            _number("located_steps", "located, mean steps"),
            _of("located", lambda r: spread(_steps(r))),
        ),
        (_number("exploring"), _of("located", _mean_of("exploring"))),
        (_number("validating"), _of("located", _mean_of("validating"))),
        (_number("fewer", "times fewer"), _fewer(sum)),
        (_number("right"), _of("located", _successes)),
        (_number("rounds", "most rounds"), _of("located", _most_of("rounds"))),
    )
    groups = (group for _, group in _simulated(looped=looped, located=located))
    note = "Times fewer: mean steps of looped divided by those of located, rounded down."
    heads = (Column("environment"), _NAME)
    return _table("Table 2 with located STEEL", heads, measures, groups, note)


def located_table3(looped: Rows, located: Rows) -> Table:
    """The runs of Table 3 with located STEEL, beside the paper's algorithm and AC-State."""
    measures: tuple[Measure, ...] = (
        (_number("looped_steps", "looped, max steps"), _of("looped", _most)),
        (_number("located_steps", "located, max steps"), _of("located", _most)),
        (
            _number("located_median", "median on DoublePrime"),
            _of("double", lambda runs: f"{median(_steps(runs)):,.0f}"),
        ),
        (_number("fewer", "times fewer than looped"), _fewer(max)),
        (
            _number("fewer_than_ac_state", "than AC-State"),
            _of("located", lambda new: _printed_by_ac_state(new) // max(_steps(new))),
        ),
        (_number("right"), _of("located", _successes)),
    )
    groups: list[Group] = []
    for column in TABLE3:
        both = (column.double, column.single)
        found = {
            "looped": runs_of(looped, "looped", *both),
            "located": runs_of(located, "located", *both),
            "double": runs_of(located, "located", column.double),
        }
        groups.append(((str(column.pair), str(PRIME_LOOPS[column.pair].ac_state)), found))
    note = (
        "Steps: the maximum over 20 trajectories on DoublePrime and 20 on SinglePrime, as in Table "
        "3. Times fewer: the quotient of these maxima, rounded down."
    )
    heads = (_NAME, _number("ac_state", "AC-State, printed"))
    return _table("Table 3 with located STEEL", heads, measures, groups, note)


def _printed_by_ac_state(runs: Runs) -> int:
    world = str(runs.rows[0]["world"])
    (pair,) = (pair for pair in PRIME_LOOPS if world.endswith("-{}-{}".format(*pair)))
    return int(PRIME_LOOPS[pair].ac_state.value)


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
    measures: tuple[Measure, ...] = (
        (_number("looped_steps", "looped"), _of("looped", _mean)),
        (_number("located_steps", "located"), _of("located", _mean)),
        (_number("certain_steps", "certain"), _of("certain", _mean)),
        (_number("most", "at most"), _of("certain", _most)),
        (_number("least_steps", "least walk"), _of("certain", _mean_of("least_steps"))),
        (_number("right", "certain: right"), _of("certain", _exact_right)),
        (_number("exact", "exact encoder"), _of("certain", _all_exact)),
    )
    listed = list(_simulated(looped=looped, located=located, certain=certain))
    groups = (((*head, printed), found) for printed, (head, found) in listed)
    runs = [row for _, (_, found) in listed if (own := found["certain"]) for row in own.rows]
    accepted = sum(bool(row.get("certificate_accepted")) for row in runs)
    note = _MEANS.format(accepted=accepted, all=len(runs))
    heads = (Column("environment"), _NAME, _PRINTED)
    return _table("Table 2 with all three methods", heads, measures, groups, note)


def three_methods_table3(looped: Rows, located: Rows, certain: Rows) -> Table:
    """The runs of Table 3 with the three methods."""
    measures: tuple[Measure, ...] = (
        (_number("looped_steps", "looped"), _of("looped", _most)),
        (_number("located_steps", "located"), _of("located", _most)),
        (_number("double", "certain, DoublePrime"), _of("double", _decided)),
        (_number("single", "certain, SinglePrime"), _of("single", _most)),
        (_number("least_steps", "least walk, SinglePrime"), _of("single", _most_of("least_steps"))),
        (_number("right", "certain: right"), _of("single", _exact_right)),
        (_number("exact", "exact encoder"), _of("single", _all_exact)),
    )
    groups: list[Group] = []
    for column in TABLE3:
        found = {
            "looped": runs_of(looped, "looped", column.double, column.single),
            "located": runs_of(located, "located", column.double, column.single),
            "double": runs_of(certain, "certain", column.double),
            "single": runs_of(certain, "certain", column.single),
        }
        groups.append(((str(column.pair), str(PRIME_LOOPS[column.pair].steel)), found))
    doubles = [row for _, found in groups if (own := found["double"]) for row in own.rows]
    still_open = sum(not row["accepted"] for row in doubles)
    note = _OPEN.format(open=still_open, doubles=len(doubles))
    heads = (_NAME, _PRINTED)
    return _table("Table 3 with all three methods", heads, measures, groups, note)


def _decided(runs: Runs) -> Value:
    accepted = sum(bool(row["accepted"]) for row in runs.rows)
    return f"{accepted}/{len(runs.rows)} decided" if accepted else "open"
