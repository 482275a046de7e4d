"""The reproduced tables: what is run, what is shipped, and what is printed of it."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from steel_verified.baselines.ac_state.protocol import Protocol, outcome, study
from steel_verified.cli.reproduce import accepts
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.registry import TABLE2
from steel_verified.experiments.seeded_runs import Seeds, seeded_run
from steel_verified.reports.ac_state_tables import completed, ratios, table3_ac_state
from steel_verified.reports.comparison import Agreement, recorded
from steel_verified.reports.figures.measured import panels, searches
from steel_verified.reports.method_tables import (
    located_table2,
    located_table3,
    three_methods_table2,
    three_methods_table3,
)
from steel_verified.reports.reproducibility import page
from steel_verified.reports.steel_tables import table2, usual_medians
from steel_verified.reports.tables import records

from ..baselines.ac_state.test_protocol import Truth, carried_out, from_length

if TYPE_CHECKING:
    from steel_verified.sweeps.study import Row


LOOPED = {**recorded("table2"), **recorded("table3")}
LOCATED = recorded("located")
CERTAIN = recorded("certain")
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


def test_certain_runs_are_right_wherever_the_rows_can_decide() -> None:
    assert len(CERTAIN) == 400
    for key, row in CERTAIN.items():
        assert row["accepted"] == (not key.startswith("certain double-prime"))
        if row["accepted"]:
            assert row["dynamics_right"]
            assert row["exact_right"]
            assert row["certificate_accepted"]
            assert isinstance(row["steps"], int)
            assert isinstance(row["least_steps"], int)
            assert row["least_steps"] <= row["steps"]


def test_recorded_runs_can_be_repeated() -> None:
    """Up to what names the versions: these, and the certificate that has them in it."""
    sizes, seeds = {"p": 17, "q": 19}, Seeds(7, 7)
    name = "single-prime p=17 q=19 env=07 noise=07"
    for method, shipped in (("looped", LOOPED), ("located", LOCATED), ("certain", CERTAIN)):
        was = shipped[f"{method} {name}"]
        now = seeded_run(method, "single-prime", sizes, seeds, accepts)
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
    assert (ROOT / "docs" / "results" / "reproducibility.md").read_text(encoding="utf-8") == page()


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
    assert missing["located_steps"] == "not run"
    with pytest.raises(InvalidArgument, match="all runs of located"):
        panels(looped=LOOPED, located={}, certain=CERTAIN)


def test_three_methods_are_side_by_side_and_wrong_or_missing_runs_are_shown() -> None:
    rows = records(three_methods_table2(LOOPED, LOCATED, CERTAIN))
    assert len(rows) == 8
    for row in rows:
        assert isinstance(row, dict)
        names = ("least_steps", "certain_steps", "located_steps", "looped_steps")
        steps = [number for name in names if isinstance(number := row[name], int)]
        assert len(steps) == 4
        assert steps == sorted(steps)
        assert row["right"] == "20/20"
    for row in records(three_methods_table3(LOOPED, LOCATED, CERTAIN)):
        assert isinstance(row, dict)
        assert (row["double"], row["right"]) == ("open", "20/20")
    key = TABLE2[0].fixed.keys("certain")[3]
    wrong = {**CERTAIN, key: {**CERTAIN[key], "exact_right": False}}
    first = records(three_methods_table2(LOOPED, LOCATED, wrong))[0]
    assert isinstance(first, dict)
    assert first["right"] == "19/20"
    missing = records(three_methods_table2(LOOPED, LOCATED, {}))[0]
    assert isinstance(missing, dict)
    assert missing["certain_steps"] == "not run"


def rows_of(*right_from: int) -> dict[str, Row]:
    """One repeat of (3, 5) for each: all is right from some T on, for K = 20 … 30."""
    rows: dict[str, Row] = {}
    for repeat, least in enumerate(right_from):
        truth = Truth(from_length(least, [20, 30], late=least))
        rows |= carried_out(study(Protocol((3, 5), repeat=repeat)), truth.row)
    return rows


def test_ac_state_table_shows_agreement_and_missing_pairs() -> None:
    table = table3_ac_state(rows_of(4_000))
    most = [number for number in table.numbers if number.what == "AC-State, max steps"]
    assert [number.column for number in most][:2] == ["(3, 5)", "(5, 7)"]
    assert (most[0].printed, most[0].ours, most[0].agreement) == ("4·10³", "4·10³", Agreement.SAME)
    assert {number.agreement for number in most[1:]} == {Agreement.MISSING}
    median = next(number for number in table.numbers if number.what == "AC-State, median steps")
    assert (median.printed, median.ours, median.reason) == ("3·10³", "4·10³", "random variation")
    assert any("φ_SP on 20 of 20" in remark for remark in table.remarks)
    assert any(
        "(3, 5): 25 (K = 20 to 30 at T = 4·10³; no K below 13" in one for one in table.remarks
    )


def test_the_spread_over_runs_is_shown() -> None:
    rows = rows_of(4_000, 5_000, 4_000)
    assert len(completed(rows, (3, 5), "uniform")) == 3
    first = table3_ac_state(rows).numbers[0]
    assert first.reason == "in 3 runs 4·10³ (2), 5·10³ (1)"


@pytest.mark.parametrize("last", [" search T=00000003000 ", " test T=00000004000 ", " single "])
def test_a_run_that_is_not_finished_is_not_shown(last: str) -> None:
    rows = {key: row for key, row in rows_of(4_000).items() if last not in key}
    assert table3_ac_state(rows).numbers[0].agreement is Agreement.MISSING


def test_a_recorded_outcome_is_what_its_run_finds() -> None:
    """The trajectories of a repeat whose rows are not shipped, drawn and judged again."""
    protocol = Protocol((3, 5), repeat=1)
    again: dict[str, Row] = {}
    while jobs := study(protocol)(again):
        again |= {job.key: job.run() for job in jobs}
    shipped = recorded("ac_state")
    assert not again.keys() & shipped.keys()
    assert outcome(protocol, shipped) == outcome(protocol, again)


def test_ratios_divide_what_both_tables_have() -> None:
    first, _, second, *_ = ratios(rows_of(4_000), recorded("table3")).numbers
    assert (first.printed, first.ours, first.agreement) == ("0.07", "0.065", Agreement.NEAR)
    assert second.agreement is Agreement.MISSING


def test_searches_are_drawn_as_they_were_run() -> None:
    (search,) = searches(rows_of(4_000), "uniform")
    assert (search.pair, search.chosen) == ((3, 5), 25)
    decisive = search.decisive
    assert decisive is not None
    assert decisive.length == 4_000
    assert decisive.steps == ((1, 0), (20, 20), (31, 0))
