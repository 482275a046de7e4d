"""The reproduced tables: what is run, what is shipped, and what is printed of it."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from steel_verified.cli import main
from steel_verified.cli.reproduce import accepts
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.experiments.seeded_runs import Seeds, looped_run
from steel_verified.reports.comparison import Agreement, recorded
from steel_verified.reports.reproducibility import page
from steel_verified.reports.steel_tables import table2, table3, usual_medians

ROOT = Path(__file__).parents[2]


def test_tables_without_rows_mark_all_numbers_as_missing() -> None:
    for table in (table2({}), table3({})):
        assert {number.agreement for number in table.numbers} == {Agreement.MISSING}


def test_all_recorded_runs_are_right_predicted_and_certified() -> None:
    rows = {**recorded("table2"), **recorded("table3")}
    runs = [row for row in rows.values() if "steps" in row]
    assert len(runs) == 400
    for row in runs:
        assert row["dynamics_right"]
        assert row["encoder_right"]
        assert row["as_predicted"]
        assert row["certificate_accepted"]
        assert row["steps"] == row["predicted_steps"]


def test_noise_does_not_change_a_single_step() -> None:
    rows = recorded("table2")
    for column in TABLE2:
        assert len({rows[key]["steps"] for key in column.fixed.looped_keys}) == 1
        assert len({rows[key]["certificate_sha256"] for key in column.fixed.looped_keys}) == 20


@pytest.mark.parametrize(
    ("world", "sizes", "seeds", "key"),
    [
        (
            "combination-lock",
            {"states": 20},
            Seeds(0, 3),
            "looped combination-lock states=20 env=00 noise=03",
        ),
        (
            "single-prime",
            {"p": 17, "q": 19},
            Seeds(7, 7),
            "looped single-prime p=17 q=19 env=07 noise=07",
        ),
    ],
)
def test_a_recorded_run_can_be_repeated(
    world: str, sizes: dict[str, float], seeds: Seeds, key: str
) -> None:
    """Up to what names the versions: these, and the certificate that has them in it."""
    was = dict({**recorded("table2"), **recorded("table3")}[key])
    now = dict(looped_run(world, sizes, seeds, accepts))
    for row in (was, now):
        row.pop("versions", None)
        row.pop("certificate_sha256")
    assert now == was


def test_failed_or_varying_run_is_shown_in_table_2() -> None:
    rows = dict(recorded("table2"))
    key = TABLE2[0].fixed.looped_keys[4]
    rows[key] = {**rows[key], "encoder_right": False, "steps": 1_900_000, "as_predicted": False}
    table = table2(rows)
    first = {number.what: number for number in table.numbers if number.column == "Lock, K = 20"}
    assert first["fixed environment, learned"].ours == "19/20"
    assert first["fixed environment, learned"].agreement is Agreement.DIFFERS
    assert not first["fixed environment, steps"].ours.endswith("± 0")
    assert "160 runs: 159 went as predicted" in table.remarks[0]


def test_the_page_is_the_one_that_is_checked_in() -> None:
    assert (ROOT / "docs" / "results" / "REPRODUCIBILITY.md").read_text(encoding="utf-8") == page()


def test_recorded_tables_are_shown_without_running() -> None:
    shown = CliRunner().invoke(main, ["reproduce", "table2", "--recorded"])
    assert shown.exit_code == 0
    assert "1,878,923 ± 0" in shown.output
    assert "1886582 ± 0" in shown.output.replace(",", "")
    plain = CliRunner().invoke(main, ["reproduce", "table3", "--recorded", "--json"])
    table, of_located = json.loads(plain.output)
    assert len(table["numbers"]) == 2 * len(TABLE3)
    assert len(of_located["numbers"]) == len(TABLE3)


def test_invalid_reproduce_options_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = CliRunner().invoke
    for words in (
        ["table2", "--jobs", "0"],
        ["table2", "--results", str(tmp_path / "file" / "below")],
        ["table2", "--cluster", "nonsense", "--results", str(tmp_path)],
        ["table9"],
    ):
        done = run(main, ["reproduce", *words])
        assert done.exit_code == 2, done.output


def test_usual_medians_cover_95_percent_of_all_draws() -> None:
    """All 4⁵ draws of five from four values: the interval has a chance of at least 19/20."""
    values = [1, 2, 2, 10]
    low, high = usual_medians(values, 5)
    inside = sum(low <= sorted(draw)[2] <= high for draw in product(values, repeat=5))
    assert 20 * inside >= 19 * 4**5
    assert (low, high) == (1, 10)
    assert usual_medians([3, 5, 5, 5, 5, 5, 5, 5, 5, 5], 5) == (5, 5)
    assert usual_medians([4, 8], 20) == (4, 8)
