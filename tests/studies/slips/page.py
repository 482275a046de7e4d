"""The page slips.md: how runs end if each step slips with chance p."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.reports.tables import Column, Kind, Style, Table, as_markdown
from tests.studies.slips.runs import ended_cells

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.sweeps.study import Row

_HEAD: Final = """\
# When steps slip

Not in the paper: its Table 1 marks random latent transitions as not allowed for STEEL. Here each
step slips with chance p, in the paper's worlds to any other state, in the small ones to any state;
in the world of that column of our Table 1, a switch, action 1 fails to flip the state;
[Steps that slip](../theory/slips.md) says what is promised: what is accepted is wrong with chance δ
at most, and δ is 1/20 here. The steps are those until the rows decide, without the 200 that check
it.
`python -m tests.studies.slips` writes this page from the recorded rows in
`tests/studies/recorded/`; with `--run` it first makes those that are missing, in a few minutes.
"""
_COLUMNS: Final = (
    Column("world", Kind.CODE, style=Style.NAME),
    Column("rate", Kind.NUMBER, heading="p"),
    Column("runs", Kind.NUMBER),
    Column("right", Kind.NUMBER),
    Column("open", Kind.NUMBER),
    Column("noticed", Kind.NUMBER, heading="contradicted"),
    Column("wrong", Kind.NUMBER),
    Column("least", Kind.NUMBER, heading="steps, least"),
    Column("median", Kind.NUMBER),
    Column("most", Kind.NUMBER),
    Column("slipped", Kind.NUMBER, heading="slips in all"),
)
_NOTES: Final = """
*Right*: dynamics, encoder and present state. *Open*: not decided in 5,000 steps (2,000 in the small
worlds), among others where the noise may be the state: a clock that stops at slips, or a copy of
the state that never slips. The small worlds have 2 to 4 states, 1 or 2 actions, and up to four more
classifiers: fair coins, classifiers of a state that err on 4 % of the rows, clocks, and unions of
states. Every p uses the same seeds.

In Table 1 itself the switch flips with chance 1/2: then no way is usual, and p = 1/2 is not
allowed. Its noise, a bit, stays unchanged with chance 3/4, and F classifies it: if p is 2/5, this
bit may be the state, which slips with chance 1/4, so all runs stay open.
"""


def slips_table(rows: Mapping[str, Row]) -> Table:
    """How the runs of each cell ended."""
    return Table("Runs with slips", _COLUMNS, tuple(one.shown() for one in ended_cells(rows)))


def slips_page(rows: Mapping[str, Row]) -> str:
    """The content of slips.md."""
    table = slips_table(rows)
    return "\n".join([_HEAD, f"## {table.title}\n", as_markdown(table), _NOTES.lstrip("\n")])
