"""The page certain.md: steps, time and memory of certain STEEL."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, Final

from steel_verified.reports.comparison import recorded
from steel_verified.reports.method_tables import three_methods_table2, three_methods_table3
from steel_verified.reports.tables import Column, Kind, Style, Table, as_markdown
from tests.studies.certain.sizes import CLASSES, LONG, PARTS, RANDOM, SLOW, STATES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.reports.tables import Value
    from steel_verified.sweeps.study import Row
    from tests.studies.certain.sizes import Size

_HEAD: Final = """\
# Certain STEEL, measured

[Certain STEEL](../theory/certain.md) says what it does and promises. Here: how many steps it
takes, how much time and memory. [When a condition does not hold](violations.md) says what is then
noticed.
`python -m tests.studies.certain` writes this page from recorded rows, and with `--run` first makes
those that are missing. Nothing on it is typed by hand. Steps and verdicts are reproducible; times
are those of one machine with two shared cores.
"""
_SIZE: Final = (
    Column("world", Kind.CODE, style=Style.NAME),
    Column("states", Kind.NUMBER),
    Column("actions", Kind.NUMBER),
    Column("classifiers", Kind.NUMBER, heading="|F|"),
    Column("slower", Kind.NUMBER, heading="noise slower by"),
    Column("steps", Kind.NUMBER, heading="steps, mean"),
    Column("least", Kind.NUMBER, heading="least walk"),
    Column("ratio", Kind.NUMBER, heading="steps / least"),
    Column("seconds", Kind.NUMBER, heading="seconds, mean"),
    Column("right", Kind.NUMBER),
)
_SIZES: Final = (
    "One bit is 1 exactly in each state, and all others flicker: each flips with its own chance of "
    "0.1 to 0.9 at each step, or so many times less. Steps are those until the rows decide. Least "
    "walk: the mean of the fewest steps in which every transition can be taken, with the first "
    "step, which shows the first row. Seconds: CPU time of the learner in one run."
)
_COST: Final = (
    Column("rows", Kind.CODE, style=Style.NAME),
    Column("microseconds", Kind.NUMBER, heading="microseconds a row"),
    Column("bytes", Kind.NUMBER, heading="bytes of what is known"),
)
_COSTS: Final = (
    "A lock of 20 states and 512 classifiers; nine of ten actions lead on. What is known grows "
    "with the labels, and not with the rows: its size is that of its pickled form after the last "
    "of these rows."
)


def size_table(rows: Mapping[str, Row]) -> Table:
    """Larger classes, slower noise, longer locks and random worlds."""
    groups = (
        ("lock, larger classes", CLASSES),
        ("lock, slower noise", SLOW),
        ("lock, more states", STATES),
        ("random tables", RANDOM),
    )
    listed = [_size(title, size, rows[size.key]) for title, sizes in groups for size in sizes]
    return Table("Steps and seconds by size", _SIZE, tuple(listed), (_SIZES,), grouped=True)


def _size(title: str, size: Size, row: Row) -> tuple[Value, ...]:
    steps, least = mean(_numbers(row, "steps")), mean(_numbers(row, "least"))
    return (
        title,
        size.states,
        size.actions,
        size.classifiers,
        size.slower,
        round(steps),
        round(least),
        f"{steps / least:.2f}",
        f"{mean(_numbers(row, 'milliseconds')) / 1000:.2f}",
        f"{row['right']}/{size.worlds}",
    )


def _numbers(row: Row, name: str) -> list[int]:
    listed = row[name]
    assert isinstance(listed, list)
    return [each for each in listed if isinstance(each, int)]


def cost_table(rows: Mapping[str, Row]) -> Table:
    """What a row costs early and late in a long run."""
    spent, size = _numbers(rows[LONG], "nanoseconds"), _numbers(rows[LONG], "bytes")
    listed = [
        (f"{first:,} to {end:,}", round(cost / 1000), held)
        for (first, end), cost, held in zip(PARTS, spent, size, strict=True)
    ]
    return Table("What a row costs", _COST, tuple(listed), (_COSTS,))


def certain_page(rows: Mapping[str, Row]) -> str:
    """The content of certain.md."""
    certain, located = recorded("certain"), recorded("located")
    parts = [_HEAD]
    for table in (
        three_methods_table2(recorded("table2"), located, certain),
        three_methods_table3(recorded("table3"), located, certain),
        size_table(rows),
        cost_table(rows),
    ):
        notes = [part for note in table.notes for part in (note, "")]
        parts += [f"## {table.title}\n", as_markdown(table), *notes]
    return "\n".join(parts)
