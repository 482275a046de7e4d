"""The study of certain STEEL: rows are made again, and the page says what the rows say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.studies.certain.page import certain_page
from tests.studies.certain.sizes import CLASSES, LONG, RANDOM, SIZES, SLOW, learned_row
from tests.studies.rows import recorded_rows

if TYPE_CHECKING:
    from tests.studies.certain.sizes import Size

ROWS = recorded_rows("certain")
ROOT = Path(__file__).parents[3]


def test_the_page_is_the_one_that_is_checked_in() -> None:
    """If this fails: `python -m tests.studies.certain`."""
    page = ROOT / "docs" / "results" / "certain.md"
    assert page.read_text(encoding="utf-8") == certain_page(ROWS)


@pytest.mark.parametrize("size", [CLASSES[0], CLASSES[3], SLOW[3], RANDOM[1]])
def test_recorded_sizes_can_be_repeated(size: Size) -> None:
    again, was = learned_row(size), ROWS[size.key]
    assert all(again[name] == was[name] for name in ("steps", "least", "right"))


def test_all_recorded_runs_are_right() -> None:
    assert all(ROWS[size.key]["right"] == size.worlds for size in SIZES)


def test_late_rows_were_as_cheap_as_early_ones() -> None:
    spent, held = ROWS[LONG]["nanoseconds"], ROWS[LONG]["bytes"]
    assert isinstance(spent, list)
    assert isinstance(held, list)
    early, _, late = (cost for cost in spent if isinstance(cost, int))
    assert late <= 1.5 * early
    assert held[1] == held[2]
