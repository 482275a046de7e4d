"""The study of slips: recorded rows are made again, and what is promised was kept."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from tests.studies.rows import recorded_rows
from tests.studies.slips.page import slips_page
from tests.studies.slips.runs import CELLS, RIGHT, WRONG, catalogue_run, ended_cells, small_run

ROWS = recorded_rows("slips")


def test_every_cell_is_recorded_and_the_page_is_current() -> None:
    assert [one.cell.key for one in ended_cells(ROWS)] == [cell.key for cell in CELLS]
    page = Path(__file__).parents[3] / "docs" / "results" / "slips.md"
    assert page.read_text(encoding="utf-8") == slips_page(ROWS)


@pytest.mark.parametrize(("name", "seed"), [("grid", 3), ("small", 11)])
def test_recorded_rows_are_reproducible(name: str, seed: int) -> None:
    for one in ended_cells(ROWS):
        if one.cell.name != name:
            continue
        again = one.cell.run(one.cell.rate, seed)
        assert again == (one.fates[seed], one.steps[seed], one.slips[seed])


def test_wrong_runs_stay_below_delta() -> None:
    """False alarm: at most one in a million. With 500 small runs, 46 wrong ones would be seen."""
    for name in dict.fromkeys(cell.name for cell in CELLS):
        fates = "".join(one.fates for one in ended_cells(ROWS) if one.cell.name == name)
        wrong, runs, delta = fates.count(WRONG), len(fates), Fraction(1, 20)
        as_many = sum(
            comb(runs, k) * delta**k * (1 - delta) ** (runs - k) for k in range(wrong, runs + 1)
        )
        assert as_many > Fraction(1, 10**6)
        assert fates.count(RIGHT) >= 0.8 * runs


def test_prime_loops_stay_open_as_without_slips() -> None:
    fate, _, _ = catalogue_run("double-prime", {"p": 2, "q": 3}, Fraction(1, 1000), 0)
    assert fate != WRONG
    assert small_run(Fraction(1, 1000), 0)[0] != WRONG
