"""The study of slips: recorded rows are made again, and counts agree with what is promised."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from tests.studies.rows import recorded_rows
from tests.studies.slips.page import ended_cells, once_table, slips_page, voted_table
from tests.studies.slips.runs import (
    Fate,
    How,
    catalogue_run,
    fates,
    random_run,
)

ROWS = recorded_rows("slips")
SURE_OF = Fraction(1, 10**6)
"""How likely so many failures may be, at most, if the bound holds."""


@pytest.mark.parametrize(
    "key", ["slips random once p=3e-04 seeds=000-019", "slips random once p=1e-02 seeds=000-019"]
)
def test_recorded_slip_rows_are_reproducible(key: str) -> None:
    rate = Fraction(key.split("p=")[1].split(maxsplit=1)[0])
    again = fates(("random", rate, False), range(20))
    assert again == {name: value for name, value in ROWS[key].items() if name in again}


def at_least(failures: int, runs: int, chance: Fraction) -> Fraction:
    """The chance of so many failures or more in so many runs."""
    return sum(
        (comb(runs, k) * chance**k * (1 - chance) ** (runs - k) for k in range(failures, runs + 1)),
        Fraction(0),
    )


def test_wrong_runs_with_slips_stay_below_the_bound() -> None:
    """False alarm: at most one in a million for each cell."""
    for one in ended_cells(ROWS, voted=False):
        cell = one.cell
        bound = min(Fraction(1), cell.setting.delta + cell.rate * cell.setting.most_steps)
        assert at_least(one.ended[Fate.SILENT.value], one.runs, bound) > SURE_OF
    for one in ended_cells(ROWS, voted=True):
        wrong = one.checked[Fate.SILENT.value]
        assert at_least(wrong, one.runs, one.cell.setting.delta) > SURE_OF


def test_a_run_without_a_slip_is_right() -> None:
    how = How(Fraction(0), 2_000, voted=False)
    for seed in range(3):
        went = random_run(how, seed)
        assert (went.ended, went.checked, went.slips) == (Fate.RIGHT, Fate.RIGHT, 0)
    went = catalogue_run("double-prime", {"p": 3, "q": 5}, how, 0)
    assert (went.ended, went.slips, went.attempts) == (Fate.RIGHT, 0, 1)


def test_tables_count_every_recorded_run() -> None:
    for table, voted in ((once_table(ROWS), False), (voted_table(ROWS), True)):
        assert len(table.rows) == len(ended_cells(ROWS, voted=voted))
    for one in ended_cells(ROWS, voted=False):
        assert one.runs == sum(one.ended.values()) == sum(one.checked.values()) <= one.cell.runs
        assert one.checked[Fate.NOTICED.value] >= one.ended[Fate.NOTICED.value]


def test_the_page_is_the_one_that_is_checked_in() -> None:
    page = Path(__file__).parents[3] / "docs" / "results" / "SLIPS.md"
    assert page.read_text(encoding="utf-8") == slips_page(ROWS)


def test_located_page_has_the_recorded_slip_counts() -> None:
    page = (Path(__file__).parents[3] / "docs" / "theory" / "LOCATED.md").read_text(
        encoding="utf-8"
    )
    once, voted = (ended_cells(ROWS, voted=voted) for voted in (False, True))
    silent = sum(one.ended[Fate.SILENT.value] for one in once)
    noticed = sum(one.ended[Fate.NOTICED.value] for one in once)
    right = sum(one.checked[Fate.RIGHT.value] for one in voted)
    for words in (
        f"{sum(one.runs for one in once):,} single runs",
        f"{sum(one.slipped for one in once)} of them with a slip: {noticed} noticed it",
        f"{silent} were silently wrong",
        f"right in {right} of {sum(one.runs for one in voted)} runs",
    ):
        assert words in page
