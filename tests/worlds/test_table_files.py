"""Transition tables from files: what is read, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import read_table

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "text"),
    [("t.csv", "1,0\n0, 1\n\n"), ("t.csv", '"1","0"\r\n0,1'), ("t.json", "[[1, 0], [0, 1]]")],
)
def test_tables_are_read_from_json_and_csv(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    assert read_table(file).table == ((1, 0), (0, 1))


@pytest.mark.parametrize(
    "entry", ["１", "٠", "+1", "1_0", "-1", "0x1", "1.0", "one", "", "9" * 5000, "true"]
)
def test_only_plain_state_numbers_are_read_from_csv(entry: str, tmp_path: Path) -> None:
    """Python's `int` takes digits of all alphabets, signs and underscores."""
    file = tmp_path / "t.csv"
    file.write_text(f"1,0\n{entry},1\n", encoding="utf-8")
    with pytest.raises(InvalidArgument, match=r"line 2.*state numbers separated by commas"):
        read_table(file)


@pytest.mark.parametrize("entry", ["１", "true", "1.0", "null", '"1"', "[1]"])
def test_only_plain_state_numbers_are_read_from_json(entry: str, tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_text(f"[[1, 0], [{entry}, 1]]", encoding="utf-8")
    with pytest.raises(InvalidArgument):
        read_table(file)
