"""The reproduced tables: what is run, what is shipped, and what is printed of it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from steel_verified.cli.reproduce import accepts
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.registry import TABLE2
from steel_verified.experiments.seeded_runs import Seeds, located_run, looped_run
from steel_verified.reports.comparison import Agreement, recorded
from steel_verified.reports.figures.measured import panels
from steel_verified.reports.reproducibility import page
from steel_verified.reports.steel_tables import (
    located_table2,
    located_table3,
    table2,
    usual_medians,
)
from steel_verified.reports.tables import records

LOOPED = {**recorded("table2"), **recorded("table3")}
LOCATED = recorded("located")
ROOT = Path(__file__).parents[2]


def test_all_recorded_runs_are_right_predicted_and_certified() -> None:
    runs = [row for row in LOOPED.values() if "steps" in row]
    assert len(runs) == len(LOCATED) == 400
    assert all(
        r["accepted"] and r["dynamics_right"] and r["encoder_right"] for r in LOCATED.values()
    )
    for row in runs:
        assert row["dynamics_right"]
        assert row["encoder_right"]
        assert row["as_predicted"]
        assert row["certificate_accepted"]
        assert row["steps"] == row["predicted_steps"]


def test_noise_does_not_change_a_single_step() -> None:
    rows = recorded("table2")
    for column in TABLE2:
        assert len({rows[key]["steps"] for key in column.fixed.keys("looped")}) == 1
        assert len({rows[key]["certificate_sha256"] for key in column.fixed.keys("looped")}) == 20


def test_recorded_runs_can_be_repeated() -> None:
    """Up to what names the versions: these, and the certificate that has them in it."""
    sizes, seeds = {"p": 17, "q": 19}, Seeds(7, 7)
    name = "single-prime p=17 q=19 env=07 noise=07"
    for was, now in (
        (LOOPED[f"looped {name}"], looped_run("single-prime", sizes, seeds, accepts)),
        (LOCATED[f"located {name}"], located_run("single-prime", sizes, seeds)),
    ):
        unnamed = {"versions", "certificate_sha256", "key"}
        assert {k: v for k, v in was.items() if k not in unnamed} == {
            k: v for k, v in now.items() if k not in unnamed
        }


def test_failed_or_varying_run_is_shown_in_table_2() -> None:
    rows = dict(recorded("table2"))
    key = TABLE2[0].fixed.keys("looped")[4]
    rows[key] = {**rows[key], "encoder_right": False, "steps": 1_900_000, "as_predicted": False}
    table = table2(rows)
    first = {number.what: number for number in table.numbers if number.column == "Lock, K = 20"}
    assert first["fixed environment, learned"].ours == "19/20"
    assert first["fixed environment, learned"].agreement is Agreement.DIFFERS
    assert not first["fixed environment, steps"].ours.endswith("± 0")
    assert "160 runs: 159 went as predicted" in table.remarks[0]


def test_the_page_is_the_one_that_is_checked_in() -> None:
    assert (ROOT / "docs" / "results" / "REPRODUCIBILITY.md").read_text(encoding="utf-8") == page()


def test_usual_medians_cover_95_percent_of_all_draws() -> None:
    """All 4⁵ draws of five from four values: the interval has a chance of at least 19/20."""
    values = [1, 2, 2, 10]
    low, high = usual_medians(values, 5)
    inside = sum(low <= sorted(draw)[2] <= high for draw in product(values, repeat=5))
    assert 20 * inside >= 19 * 4**5
    assert (low, high) == (1, 10)
    assert usual_medians([3, 5, 5, 5, 5, 5, 5, 5, 5, 5], 5) == (5, 5)
    assert usual_medians([4, 8], 20) == (4, 8)


@pytest.mark.parametrize(
    ("column", "least"),
    [("Lock, K = 20", 250), ("Lock, K = 30", 500), ("Lock, K = 40", 800), ("Multi-maze", 800)],
)
def test_located_takes_at_least_this_many_times_fewer_steps(column: str, least: int) -> None:
    rows = [row for row in records(located_table2(LOOPED, LOCATED)) if isinstance(row, dict)]
    (row,) = (
        row
        for row in rows
        if row["column"] == column and row["environment"] == "variable environment"
    )
    assert isinstance(row["fewer"], int)
    assert row["fewer"] >= least
    assert row["right"] == "20/20"


def test_fewer_steps_than_the_printed_ac_state_on_every_pair() -> None:
    rows = [row for row in records(located_table3(LOOPED, LOCATED)) if isinstance(row, dict)]
    assert len(rows) == 6
    for row in rows:
        assert isinstance(row["fewer_than_ac_state"], int)
        assert row["fewer_than_ac_state"] > 1
        assert row["right"] == "40/40"


def test_wrong_or_missing_located_run_is_shown() -> None:
    key = TABLE2[0].fixed.keys("located")[3]
    wrong = {**LOCATED, key: {**LOCATED[key], "encoder_right": False}}
    first = records(located_table2(LOOPED, wrong))[0]
    assert isinstance(first, dict)
    assert first["right"] == "19/20"
    missing = records(located_table2(LOOPED, {}))[0]
    assert isinstance(missing, dict)
    assert missing["looped_steps"] == "not run"
    with pytest.raises(InvalidArgument, match="Table 3"):
        panels(LOOPED, {})
