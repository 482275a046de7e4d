"""The tables and figures of located STEEL, from the recorded runs."""

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.experiments.registry import TABLE2
from steel_verified.experiments.steel_runs import Seeds, located_run
from steel_verified.reports.comparison import recorded
from steel_verified.reports.figures.methods import panels, steps_figure
from steel_verified.reports.steel_tables import located_table2, located_table3
from steel_verified.reports.tables import records

LOOPED = {**recorded("table2"), **recorded("table3")}
LOCATED = recorded("located")


def test_all_recorded_runs_are_accepted_and_right() -> None:
    assert len(LOCATED) == 400
    for row in LOCATED.values():
        assert row["accepted"]
        assert row["dynamics_right"]
        assert row["encoder_right"]


def test_a_recorded_run_can_be_repeated() -> None:
    was = dict(LOCATED["located single-prime p=17 q=19 env=07 noise=07"])
    was.pop("versions")
    was.pop("key", None)
    assert dict(located_run("single-prime", {"p": 17, "q": 19}, Seeds(7, 7))) == was


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
    key = TABLE2[0].fixed.located_keys[3]
    wrong = {**LOCATED, key: {**LOCATED[key], "encoder_right": False}}
    first = records(located_table2(LOOPED, wrong))[0]
    assert isinstance(first, dict)
    assert first["right"] == "19/20"
    missing = records(located_table2(LOOPED, {}))[0]
    assert isinstance(missing, dict)
    assert missing["looped_steps"] == "not run"
    with pytest.raises(InvalidArgument, match="Table 3"):
        panels(LOOPED, {})


def test_steps_are_drawn_in_two_panels() -> None:
    assert len(steps_figure(panels(LOOPED, LOCATED)).axes) == 2
