"""Tables have every cell whole, and there is one report for every method and every result."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.reports.run import as_json, as_parts, is_right
from steel_verified.reports.tables import (
    Cell,
    Column,
    Kind,
    Prose,
    Style,
    Table,
    as_markdown,
    as_text,
    cell,
    records,
    text_width,
)
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.run_info import RunInfo, phases
from steel_verified.worlds.runs import method_named, run

WIDTHS = st.integers(40, 200)
LETTERS = "abcßé|·★漢t̂"
WORDS = st.text(LETTERS, min_size=1, max_size=14)
TEXTS = st.lists(WORDS, max_size=25).map(" ".join)
NUMBERS = st.one_of(
    st.integers(-(10**12), 10**40),
    st.builds(
        lambda mean, spread: Cell(f"{mean:,} ± {spread:,}", [mean, spread], Style.GOOD),
        st.integers(0, 10**9),
        st.integers(0, 10**6),
    ),
)
CODES = st.one_of(WORDS, st.builds("{} / {}".format, WORDS, WORDS))
CELLS = {Kind.NUMBER: NUMBERS, Kind.CODE: CODES, Kind.TEXT: TEXTS}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    kinds = draw(st.lists(st.sampled_from(Kind), min_size=2, max_size=9))
    columns = tuple(
        Column(
            f"column_{number}",
            kind,
            priority=draw(st.integers(0, 2)),
            style=draw(st.sampled_from(Style)),
            heading=draw(st.none() | TEXTS),
        )
        for number, kind in enumerate(kinds)
    )
    rows = draw(
        st.lists(st.tuples(*(CELLS[kind] | st.none() for kind in kinds)), min_size=1, max_size=6)
    )
    notes = tuple(draw(st.lists(TEXTS, max_size=2)))
    return Table(draw(TEXTS), columns, tuple(rows), notes, grouped=draw(st.booleans()))


def whole_cells(table: Table) -> list[list[Cell]]:
    return [[cell(value) for value in row] for row in table.rows]


@given(table=tables(), width=WIDTHS)
def test_no_word_of_any_cell_is_lost_or_cut(table: Table, width: int) -> None:
    shown = Counter(as_text([table], width).split())
    rows = [row[1:] for row in whole_cells(table)] if table.grouped else whole_cells(table)
    wanted = Counter(word for row in rows for one in row for word in one.text.split())
    groups = {row[0].text for row in whole_cells(table)} if table.grouped else set()
    wanted += Counter(word for group in groups for word in group.split())
    wanted += Counter(word for text in (table.title, *table.notes) for word in text.split())
    assert wanted <= shown


@given(table=tables(), width=WIDTHS)
def test_no_number_is_broken_across_lines(table: Table, width: int) -> None:
    lines = as_text([table], width).split("\n")
    for row in whole_cells(table):
        for column, one in list(zip(table.columns, row, strict=True))[table.grouped :]:
            assert column.kind is not Kind.NUMBER or any(one.text in line for line in lines)


@given(table=tables(), width=WIDTHS)
def test_lines_fit_unless_one_word_or_number_does_not(table: Table, width: int) -> None:
    margin = 8
    pieces = [word for column in table.columns for word in column.shown_heading.split()]
    for row in whole_cells(table):
        for column, one in zip(table.columns, row, strict=True):
            pieces += one.text.split() if column.kind is Kind.TEXT else [one.text]
    longest = max(map(text_width, pieces), default=0)
    widest = max(map(text_width, as_text([table], width).split("\n")))
    assert widest <= max(width, margin + longest)


@given(table=tables())
def test_without_a_width_every_row_is_one_line(table: Table) -> None:
    lines = as_text([Table("", table.columns, table.rows)]).split("\n")
    heads = 2 if any(column.shown_heading.strip() for column in table.columns) else 0
    assert len(lines) == heads + len(table.rows)
    for line, row in zip(lines[heads:], whole_cells(table), strict=True):
        assert Counter(line.split()) == Counter(w for one in row for w in one.text.split())


@given(table=tables(), width=WIDTHS)
def test_coloured_text_without_codes_equals_plain_text(table: Table, width: int) -> None:
    prose = Prose("a few words", Style.BAD)
    colored = as_text([prose, table], width, colored=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == as_text([prose, table], width)


TABLE = Table(
    "Runs",
    (
        Column("world", Kind.CODE),
        Column("steps", Kind.NUMBER),
        Column("reason", priority=2),
        Column("place", Kind.CODE, priority=1),
    ),
    (
        ("lock", 1_878_923, "the printed number to its last digit, as it should be", "l. 369, 542"),
        ("maze", 38_819_636, "", ""),
    ),
)


def test_column_that_does_not_fit_moves_below_its_row() -> None:
    assert as_text([TABLE], 40) == (
        "Runs\n"
        "world       steps  place\n"
        "──────────────────────────────\n"
        "lock    1,878,923  l. 369, 542\n"
        "    reason: the printed number to its\n"
        "      last digit, as it should be\n"
        "maze   38,819,636"
    )


def test_groups_have_a_heading_and_no_column() -> None:
    table = Table(
        "", (Column("what"), Column("n", Kind.NUMBER)), (("a", 1), ("a", 2), ("b", 3)), grouped=True
    )
    assert as_text([table], 40) == "  n\n  ─\na\n  1\n  2\n\nb\n  3"


def test_prose_keeps_its_margin_and_its_bullets() -> None:
    text = "  assuming that all words count\n  • one thing and another thing"
    assert as_text([Prose(text)], 20) == (
        "  assuming that all\n  words count\n  • one thing and\n    another thing"
    )
    assert as_text([Prose(text)]) == text


def test_a_cell_cannot_move_the_cursor() -> None:
    table = Table("", (Column("name", Kind.CODE, heading=""),), (("a\x1b[2J\nb\u200b",),))
    assert as_text([table], 40) == r"a\x1b[2J b\u200b"


def test_accents_take_no_room_and_wide_letters_two() -> None:
    assert text_width("t̂_mix") == 5
    assert text_width("漢字") == 4


COLUMNS = (Column("word", Kind.CODE), Column("new_states", Kind.NUMBER, heading="new"))


def test_table_json_has_values_instead_of_shown_text() -> None:
    table = Table("", COLUMNS, ((Cell("01…", [0, 1, 1]), 1_234_567), ("x", None)))
    assert records(table) == [
        {"word": [0, 1, 1], "new_states": 1_234_567},
        {"word": "x", "new_states": None},
    ]


def test_markdown_aligns_numbers_and_escapes_bars() -> None:
    table = Table("", COLUMNS, (("|â|", 1_234),))
    assert as_markdown(table) == "| word | new |\n|---|---:|\n| \\|â\\| | 1,234 |\n"


def test_rows_and_columns_must_match() -> None:
    with pytest.raises(InvalidArgument, match=r"rows\[1\].*2 values"):
        Table("", COLUMNS, (("x", 1), ("y",)))
    with pytest.raises(InvalidArgument, match="different names"):
        Table("", (Column("a"), Column("a")), ())
    with pytest.raises(InvalidArgument, match="at least one to show"):
        Table("", (Column("a"),), (), grouped=True)


GRID = instance("grid", 0)
REPORTS = Path(__file__).parents[2] / "steel_verified" / "reports"
RUNNING = {
    "steel_verified.learning.drive",
    *(f"steel_verified.worlds.{name}" for name in ("doubling", "driver", "ideal", "runs")),
}


@pytest.mark.parametrize("module", sorted(REPORTS.rglob("*.py")), ids=lambda path: path.stem)
def test_reports_run_nothing(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.ImportFrom) or node.module not in RUNNING


@pytest.mark.parametrize("name", ["looped", "located", "fallback"])
def test_every_result_has_a_report_of_the_same_shape(name: str) -> None:
    method = method_named(name, GRID)
    right, about = run(GRID, method, 0, self_check=DEFAULT_CHECK)
    ended, short = run(GRID, method_named("located", GRID), 0, max_steps=100)
    assert isinstance(right, Accepted)
    assert not isinstance(ended, Accepted | Contradicted)
    assert is_right(right, about)
    assert not is_right(ended, short)
    accepted, limited = as_json(right, about), as_json(ended, short)
    assert accepted.keys() == limited.keys()
    assert (accepted["accepted"], limited["accepted"]) == (True, False)
    for result in (right, ended):
        assert sum(phase.steps for phase in phases(result)) == result.ledger.steps
    assert f"Learned grid with {right.method.name} STEEL." in as_text(as_parts(right, about))
    assert "the limit of 100 steps was reached" in as_text(as_parts(ended, short))


def test_a_report_needs_only_the_name_of_the_world() -> None:
    right, _ = run(GRID, method_named("located", GRID), 0, self_check=None)
    shown = as_text(as_parts(right, RunInfo("mine")))
    assert "Learned mine with located STEEL." in shown
    assert "dynamics" not in shown
    assert as_json(right, RunInfo("mine"))["dynamics_right"] is None
