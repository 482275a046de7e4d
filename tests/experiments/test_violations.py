"""The recorded study of violated conditions: it meets its goals, and it can be repeated."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from steel_verified.cli import main
from steel_verified.errors import SteelError
from steel_verified.experiments.violations import BLOCK, WORLDS, Runs, all_runs, ended_runs
from steel_verified.reports.violation_rows import Rows, Tally
from steel_verified.reports.violations import recorded_rows, violations_page
from steel_verified.worlds.violated.judging import Check, Method, Outcome
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from steel_verified.sweeps.study import Row

ROOT = Path(__file__).parents[2]
CHECKED = 100
"""At least so many worlds of each kind are recorded with the self-check."""


@cache
def recorded() -> Rows:
    return recorded_rows()


@cache
def tally(violation: Violation, method: Method) -> Tally:
    return recorded().tally(violation, method, Check.USUAL)


def test_the_page_is_the_one_that_is_checked_in() -> None:
    assert (ROOT / "VIOLATIONS.md").read_text(encoding="utf-8") == violations_page()


def test_enough_runs_are_recorded() -> None:
    """All without the self-check; with it so many of each kind, the same worlds for all kinds."""
    assert recorded().rows.keys() <= {runs.key for runs in all_runs(WORLDS)}
    for violation in Violation:
        for method in Method:
            unchecked = recorded().tally(violation, method, Check.NONE)
            assert len(unchecked.ended) == WORLDS
            checked = [run.seed for run in tally(violation, method).ended]
            assert checked == list(range(len(checked)))
            assert len(checked) >= CHECKED


@pytest.mark.parametrize("method", Method)
def test_no_false_alarm_where_all_conditions_hold(method: Method) -> None:
    honest = tally(Violation.HONEST, method)
    assert honest.of(Outcome.RIGHT) == len(honest.ended)


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", Violation)
def test_hardly_anything_is_silently_wrong(violation: Violation, method: Method) -> None:
    """VIOLATIONS.md lists the worlds that are left, and how much there is to notice in each."""
    runs = tally(violation, method)
    assert runs.of(Outcome.SILENT) <= len(runs.ended) * 7 // 100


def repeated(runs: Runs, worlds: int) -> None:
    """Run the first worlds of a recorded block again."""
    first = replace(runs, worlds=worlds)
    was = recorded().rows[runs.key]["ended"]
    assert isinstance(was, str)
    assert ended_runs(first)["ended"] == was[:worlds], runs.key


@pytest.mark.parametrize("violation", Violation)
def test_recorded_runs_can_be_repeated(violation: Violation) -> None:
    """Some worlds of each kind, with the self-check."""
    for method in Method:
        repeated(Runs(violation, method, Check.USUAL), 3)


@pytest.mark.slow
@pytest.mark.parametrize("violation", Violation)
def test_many_recorded_runs_can_be_repeated(violation: Violation) -> None:
    for method in Method:
        for check in (Check.NONE, Check.USUAL):
            for first in (0, CHECKED - BLOCK):
                repeated(Runs(violation, method, check, first_seed=first), BLOCK)


def test_the_command_shows_the_recorded_runs() -> None:
    shown = CliRunner().invoke(main, ["reproduce", "violations", "--recorded", "--json"])
    without, looped, located, *_ = json.loads(shown.output)
    assert [row["worlds"] for row in without["numbers"]] == [WORLDS] * len(Violation)
    for table, method in ((looped, Method.LOOPED), (located, Method.LOCATED)):
        for row, violation in zip(table["numbers"], Violation, strict=True):
            assert row["silent"] == tally(violation, method).of(Outcome.SILENT)
            assert row["right"] == tally(violation, method).of(Outcome.RIGHT)


def test_rows_that_cannot_be_read_are_refused() -> None:
    runs = Runs(Violation.HONEST, Method.LOOPED, Check.USUAL, worlds=2)
    rows: list[tuple[Row, str]] = [
        ({"ended": "RX", "contrary": []}, "the letter X"),
        ({"ended": 3, "contrary": []}, "expected letters"),
        ({"ended": "RS", "contrary": ["1"]}, "expected whole numbers"),
    ]
    for row, because in rows:
        with pytest.raises(SteelError, match=because):
            Rows({runs.key: row}, (runs,)).tally(Violation.HONEST, Method.LOOPED, Check.USUAL)
