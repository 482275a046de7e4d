"""The page reproducibility.md: each printed number beside ours, from the recorded runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.reports import method_tables, table1
from steel_verified.reports.ac_state_tables import ratios, table3_ac_state, table4
from steel_verified.reports.comparison import numbers_of, recorded
from steel_verified.reports.steel_tables import table2, table3
from steel_verified.reports.tables import Table, as_markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEAD: Final = """\
# Reproducibility

The numbers of the paper's tables beside ours. `steel reproduce page` generates this page from the
recorded runs in `steel_verified/experiments/recorded/`; nothing on it is typed by hand. The runs
were recorded by `steel reproduce table2 --results steel_verified/experiments/recorded` and the
corresponding commands for the other tables. *Same* means equal to the printed number in all its
digits. If a number is only *near*, the reason is given beside it.

Made with {versions}."""


_LOCATED: Final = (
    "located STEEL on the same worlds and seeds ([Located STEEL](../theory/located.md))"
)
_CERTAIN: Final = "certain STEEL beside the others ([Certain STEEL](../theory/certain.md))"


def page() -> str:
    """The whole page, as Markdown."""
    return "\n\n".join(block.strip("\n") for block in _blocks()) + "\n"


def _blocks() -> Iterator[str]:
    """The parts of the page, with a blank line between them."""
    names = ("table1", "table2", "table3", "ac_state", "located", "certain")
    rows = {name: recorded(name) for name in names}
    _, looped2, looped3, ac_state, located, certain = rows.values()
    made_with = {
        f"{name} {number}"
        for found in rows.values()
        for row in found.values()
        if isinstance(versions := row["versions"], dict)
        for name, number in versions.items()
    }
    yield _HEAD.format(versions=", ".join(sorted(made_with)))
    first, *others = table1.tables(rows["table1"])
    yield from _section(first, "`steel reproduce table1`", table1.REMARKS)
    for table in others:
        yield from (f"### {table.title}", as_markdown(table))
        if table.notes:
            yield "\n".join(f"- {note}" for note in table.notes)
    for compared in (
        table2(looped2),
        table3(looped3),
        table3_ac_state(ac_state),
        ratios(ac_state, looped3),
        table4(ac_state),
    ):
        yield from _section(numbers_of(compared), f"`{compared.command}`", compared.remarks)
    for own, what in (
        (method_tables.located_table2(looped2, located), _LOCATED),
        (method_tables.located_table3(looped3, located), _LOCATED),
        (method_tables.three_methods_table2(looped2, located, certain), _CERTAIN),
        (method_tables.three_methods_table3(looped3, located, certain), _CERTAIN),
    ):
        yield from _section(own, f"Not in the paper: {what}.", own.notes)


def _section(table: Table, first: str, remarks: Iterable[str]) -> tuple[str, ...]:
    return f"## {table.title}", first, as_markdown(table), *remarks
