"""Tables have every cell whole, however narrow the screen, in text, JSON and Markdown."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
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
