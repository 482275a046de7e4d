"""Tables as values: their JSON and Markdown forms, and what is refused."""

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.reports.tables import Cell, Column, Kind, Table, as_markdown, records

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
