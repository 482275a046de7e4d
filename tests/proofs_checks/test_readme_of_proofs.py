"""The line counts and the worked example in the README of proofs_checks agree with the files."""

import re
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2] / "proofs_checks"
README = (HOME / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^|]+)` \| ([\d,]+) \|", README, re.MULTILINE)


def lines(pattern: str) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in HOME.glob(pattern))


@pytest.mark.parametrize(("patterns", "stated"), ROWS)
def test_stated_line_counts_are_within_10_percent(patterns: str, stated: str) -> None:
    found = sum(map(lines, patterns.split("`, `")))
    assert abs(int(stated.replace(",", "")) - found) <= found / 10


def test_every_python_and_coq_file_is_in_a_row() -> None:
    listed = {
        file for patterns, _ in ROWS for one in patterns.split("`, `") for file in HOME.glob(one)
    }
    assert {*HOME.rglob("*.py"), *HOME.rglob("*.v")} <= listed


def test_python_is_below_9600_lines() -> None:
    assert lines("**/*.py") < 9_600


def test_worked_example_equals_the_files() -> None:
    pieces = re.findall(r"```(\w+) (\S+)\n(.*?)```", README, re.DOTALL)
    assert len(pieces) >= 2
    for _, file, piece in pieces:
        whole = (HOME / file).read_text(encoding="utf-8")
        for part in re.split(r"^ *…\n", piece, flags=re.MULTILINE):
            assert part in whole, file
