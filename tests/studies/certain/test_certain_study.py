"""The study of certain STEEL: rows are made again, and the page says what the rows say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.studies.certain.broken import CHECKS, KINDS, Fate, block_keys, fates, tally
from tests.studies.certain.page import CHECK_STEPS, certain_page, wrong_shares
from tests.studies.certain.sizes import CLASSES, LONG, RANDOM, SIZES, SLOW, learned_row
from tests.studies.rows import recorded_rows

if TYPE_CHECKING:
    from tests.studies.certain.sizes import Size

ROWS = recorded_rows("certain")
ROOT = Path(__file__).parents[3]


def test_the_page_is_the_one_that_is_checked_in() -> None:
    """If this fails: `python -m tests.studies.certain`."""
    page = ROOT / "docs" / "results" / "CERTAIN.md"
    assert page.read_text(encoding="utf-8") == certain_page(ROWS)


@pytest.mark.parametrize("name", KINDS)
def test_recorded_runs_can_be_repeated(name: str) -> None:
    key, seeds = block_keys(name)[-1]
    letters, decided = ROWS[key]["ended"], ROWS[key]["decided"]
    assert isinstance(letters, list)
    assert isinstance(decided, list)
    for place in (0, 7):
        assert fates(KINDS[name], seeds[place]) == (letters[place], decided[place])


@pytest.mark.parametrize("size", [CLASSES[0], CLASSES[3], SLOW[3], RANDOM[1]])
def test_recorded_sizes_can_be_repeated(size: Size) -> None:
    again, was = learned_row(size), ROWS[size.key]
    assert all(again[name] == was[name] for name in ("steps", "least", "right"))


def test_runs_are_never_wrong_nor_contradicted_if_the_assumptions_hold() -> None:
    for name in (name for name, kind in KINDS.items() if not kind.violates):
        assert set("".join(tally(ROWS, name).ended)) <= {Fate.RIGHT.value, Fate.OPEN.value}
    for size in SIZES:
        assert ROWS[size.key]["right"] == size.worlds


def test_fewer_than_1_percent_of_violating_runs_are_accepted_and_wrong() -> None:
    wrong, runs = wrong_shares(ROWS)[CHECK_STEPS]
    assert CHECK_STEPS in CHECKS
    assert 100 * wrong < runs


def test_what_can_never_be_refuted_is_never_refuted() -> None:
    """Except where a transition changed: it can be taken later."""
    for name in (name for name in KINDS if name != "change"):
        for letters in tally(ROWS, name).ended:
            assert "TN" not in letters
            assert "TW" not in letters


def test_late_rows_were_as_cheap_as_early_ones() -> None:
    spent, held = ROWS[LONG]["nanoseconds"], ROWS[LONG]["bytes"]
    assert isinstance(spent, list)
    assert isinstance(held, list)
    early, _, late = (cost for cost in spent if isinstance(cost, int))
    assert late <= 1.5 * early
    assert held[1] == held[2]
