"""The recorded study of violated conditions: it meets its goals, and it can be repeated."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import SteelError
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.judging import Check, Method, Outcome, ending
from tests.studies.violations.page import (
    FAILS,
    FALSE_ALARM,
    NOTICED_FROM,
    most_failures,
    recorded_runs,
    violations_page,
)
from tests.studies.violations.runs import (
    FIRST_SEED,
    LETTERS,
    WORLDS,
    Rows,
    Runs,
    Tally,
    all_runs,
    ended_runs,
)
from tests.studies.violations.twins import MOST_DECADES

if TYPE_CHECKING:
    from steel_verified.sweeps.study import Row

ROOT = Path(__file__).parents[3]
RECORDED = 1_000
"""At least so many worlds of each kind are recorded."""
REPEATED = 30
"""So many worlds of each kind are run again in every test run."""


@cache
def recorded() -> Rows:
    return recorded_runs()


@cache
def tally(violation: Violation, method: Method) -> Tally:
    return recorded().tally(violation, method, Check.USUAL)


def test_the_page_is_the_one_that_is_checked_in() -> None:
    assert (ROOT / "docs" / "results" / "VIOLATIONS.md").read_text(
        encoding="utf-8"
    ) == violations_page()


def test_enough_runs_are_recorded() -> None:
    """The same worlds for all kinds, from seeds on that were not used for tuning."""
    assert recorded().rows.keys() <= {runs.key for runs in all_runs(WORLDS)}
    for violation in Violation:
        for method in Method:
            seeds = [run.seed for run in tally(violation, method).ended]
            assert seeds == list(range(FIRST_SEED, FIRST_SEED + len(seeds)))
            assert len(seeds) >= RECORDED


def test_each_pair_of_outcomes_has_its_own_letter() -> None:
    assert len(set(LETTERS.values())) == len(LETTERS)
    noticed = {ended for ended, before in LETTERS.values() if ended != before}
    assert noticed == {Outcome.FIRST, Outcome.NAMED, Outcome.OTHER, Outcome.NO_CAUSE}


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", [Violation.HONEST, Violation.HONEST_SLOW])
def test_false_alarms_stay_below_alpha_plus_delta(violation: Violation, method: Method) -> None:
    """A false alarm of this test has chance at most 1/1000, for each kind and method."""
    honest = tally(violation, method)
    wrong = len(honest.ended) - honest.of(Outcome.RIGHT)
    assert wrong <= most_failures(len(honest.ended), FAILS, FALSE_ALARM)


def test_the_most_failures_that_are_allowed() -> None:
    """By hand: of 2 fair coins, 2 heads have chance 1/4, and 1 or 2 heads 3/4."""
    assert most_failures(2, FAILS * 250, FALSE_ALARM * 250) == 1
    assert most_failures(2, FAILS * 250, FALSE_ALARM * 249) == 2
    assert most_failures(2, FAILS * 250, FALSE_ALARM * 750) == 0
    assert most_failures(10_000, FAILS / 2, FALSE_ALARM) == 21


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", Violation)
def test_silent_runs_have_less_evidence_than_the_stated_size(
    violation: Violation, method: Method
) -> None:
    """VIOLATIONS.md states the size from which on wrong models are noticed."""
    for run in tally(violation, method).ended:
        if run.outcome is Outcome.SILENT:
            assert run.decades is not None
            assert run.decades < NOTICED_FROM[method], run


def test_looped_runs_are_noticed_from_the_stated_size_on() -> None:
    """The power is at least 90 %: with less, so many would be noticed with chance below 10⁻⁶."""
    wrong = [
        tally(each, Method.LOOPED).of_decades(NOTICED_FROM[Method.LOOPED], MOST_DECADES)
        for each in Violation
    ]
    many, noticed = sum(len(each.ended) for each in wrong), sum(each.noticed for each in wrong)
    assert many == noticed
    assert Fraction(9, 10) ** many < Fraction(1, 10**6)


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", Violation)
def test_silently_wrong_runs_are_rare(violation: Violation, method: Method) -> None:
    runs = tally(violation, method)
    assert runs.of(Outcome.SILENT) <= len(runs.ended) * 5 // 100


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", Violation)
def test_with_fresh_steps_only_models_of_one_state_are_silently_wrong(
    violation: Violation, method: Method
) -> None:
    """If steps slip with chance 0.1, all states of two looped runs become one state."""
    silent = [
        run.seed
        for run in recorded().tally(violation, method, Check.FRESH).ended
        if run.outcome is Outcome.SILENT
    ]
    if (violation, method) != (Violation.SLIP_10, Method.LOOPED):
        assert silent == []
        return
    assert len(silent) == 2
    for seed in silent:
        result = ending(violated_world(violation, seed), method, Check.FRESH).result
        assert result.model.states == 1


def repeated(runs: Runs, worlds: int) -> None:
    """Run the first worlds of a recorded block again."""
    first = replace(runs, worlds=worlds)
    was = recorded().rows[runs.key]["ended"]
    assert isinstance(was, str)
    assert ended_runs(first)["ended"] == was[:worlds], runs.key


def first_block(violation: Violation, method: Method) -> Runs:
    return next(
        runs
        for runs in all_runs(WORLDS)
        if (runs.violation, runs.method, runs.check) == (violation, method, Check.USUAL)
    )


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", Violation)
def test_recorded_runs_can_be_repeated(violation: Violation, method: Method) -> None:
    repeated(first_block(violation, method), REPEATED)


@pytest.mark.slow
@pytest.mark.parametrize("runs", all_runs(WORLDS), ids=lambda runs: runs.key)
def test_all_recorded_runs_can_be_repeated(runs: Runs) -> None:
    if runs.key in recorded().rows:
        repeated(runs, runs.worlds)


def test_rows_that_cannot_be_read_are_refused() -> None:
    runs = Runs(Violation.HONEST, Method.LOOPED, worlds=2)
    rows: list[tuple[Row, str]] = [
        ({"ended": "RX"}, "the letter X"),
        ({"ended": 3}, "expected letters"),
        ({"ended": "RS", "decades": ["1"]}, "expected whole numbers"),
    ]
    for row, because in rows:
        with pytest.raises(SteelError, match=because):
            Rows({runs.key: row}, (runs,)).tally(Violation.HONEST, Method.LOOPED, Check.USUAL)


def test_how_a_run_would_have_ended_without_the_self_check_is_recorded_too() -> None:
    runs = Runs(Violation.SHARED, Method.LOOPED, worlds=4)
    rows = Rows({runs.key: {"ended": "Rb2S", "decades": [70, 1], "sizes": "1 1/2 1 1"}}, (runs,))
    checked = rows.tally(runs.violation, runs.method, Check.USUAL)
    unchecked = rows.tally(runs.violation, runs.method, Check.NONE)
    assert (checked.noticed, checked.of(Outcome.SILENT)) == (2, 1)
    assert (unchecked.noticed, unchecked.of(Outcome.SILENT)) == (1, 2)
    assert [run.decades for run in checked.ended] == [None, 70, None, 1]
    assert checked.of_decades(2, 99).noticed == 1
