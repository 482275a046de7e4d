"""The benchmarks' tables show every number whole on a terminal of 80 columns."""

import pytest

from steel_verified.reports.tables import Column, Table, as_text, text_width

from . import growth, random_worlds, tuples

TUPLES = (
    "Single(17, 19)",
    "exploration",
    "1e+08",
    "12.34",
    "123.45",
    "12.34",
    "1.2e+10",
    "3.4e+07",
)
RANDOM = (
    "20 dimensions, |S| ≤ 6",
    "200",
    "12",
    "1,234",
    "12,345",
    "12,345",
    "123,456,789",
    "123,456",
)


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (tuples.COLUMNS, (*TUPLES, "1234")),
        (growth.COLUMNS, ("noise bits", "2,048", "123,456", "1,234,567", "1,345,678", "exploring")),
        (random_worlds.COLUMNS, RANDOM),
    ],
)
@pytest.mark.parametrize("width", [60, 80])
def test_benchmark_tables_show_complete_numbers_at_80_columns(
    columns: tuple[Column, ...], row: tuple[str, ...], width: int
) -> None:
    text = as_text([Table("", columns, (row,))], width)
    assert max(map(text_width, text.split("\n"))) <= width
    shown = " ".join(text.split())
    assert all(value in shown for value in row)
