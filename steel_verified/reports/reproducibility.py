"""The page reproducibility.md: each printed number beside ours, from the recorded runs."""

from __future__ import annotations

from typing import Final

from steel_verified.reports import comparison, method_tables, table1
from steel_verified.reports.ac_state_tables import ratios, table3_ac_state, table4
from steel_verified.reports.comparison import recorded
from steel_verified.reports.steel_tables import table2, table3
from steel_verified.reports.tables import Table, as_markdown

_HEAD: Final = """\
# Reproducibility

The numbers of the paper's tables beside ours. `steel reproduce page` generates this page from the
recorded runs in `steel_verified/experiments/recorded/`; nothing on it is typed by hand. The runs
were recorded by `steel reproduce table2 --results steel_verified/experiments/recorded` and the
corresponding commands for the other tables. *Same* means equal to the printed number in all its
digits. If a number is only *near*, the reason is given beside it.

Made with {versions}.
"""


def page() -> str:
    """The whole page, as Markdown."""
    names = ("table1", "table2", "table3", "ac_state", "located", "certain")
    rows = {name: recorded(name) for name in names}
    made_with = {
        f"{name} {number}"
        for found in rows.values()
        for row in found.values()
        if isinstance(versions := row["versions"], dict)
        for name, number in versions.items()
    }
    tables = [
        table2(rows["table2"]),
        table3(rows["table3"]),
        table3_ac_state(rows["ac_state"]),
        ratios(rows["ac_state"], rows["table3"]),
        table4(rows["ac_state"]),
    ]
    located = "located STEEL on the same worlds and seeds ([located.md](../theory/located.md))"
    certain = "certain STEEL beside the others ([certain.md](../theory/certain.md))"
    beside = [
        _own_section(method_tables.located_table2(rows["table2"], rows["located"]), located),
        _own_section(method_tables.located_table3(rows["table3"], rows["located"]), located),
        _own_section(
            method_tables.three_methods_table2(rows["table2"], rows["located"], rows["certain"]),
            certain,
        ),
        _own_section(
            method_tables.three_methods_table3(rows["table3"], rows["located"], rows["certain"]),
            certain,
        ),
    ]
    head = _HEAD.format(versions=", ".join(sorted(made_with)))
    sections = [*map(comparison.page_section, tables), *beside]
    return "\n".join([head, table1.page_section(rows["table1"]), *sections])


def _own_section(table: Table, what: str) -> str:
    """The section about a table that is not in the paper."""
    text = f"Not in the paper: {what}."
    return "\n".join([f"## {table.title}\n\n{text}\n", as_markdown(table), *table.notes, ""])
