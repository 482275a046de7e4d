"""The recorded study of violated conditions: it meets its goals, and it can be repeated."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

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
    WORLDS,
    Rows,
    Runs,
    Tally,
    all_runs,
    ended_runs,
)
from tests.studies.violations.twins import MOST_DECADES

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


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", [Violation.HONEST, Violation.HONEST_SLOW])
def test_false_alarms_stay_below_alpha_plus_delta(violation: Violation, method: Method) -> None:
    """A false alarm of this test has chance at most 1/1000, for each kind and method."""
    honest = tally(violation, method)
    wrong = len(honest.ended) - honest.of(Outcome.RIGHT)
    assert wrong <= most_failures(len(honest.ended), FAILS, FALSE_ALARM)


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


def repeated(runs: Runs, first: int, end: int) -> None:
    """Run some worlds of a recorded block again."""
    some = replace(runs, first_seed=runs.first_seed + first, worlds=end - first)
    was = recorded().rows[runs.key]["ended"]
    assert isinstance(was, str)
    assert ended_runs(some)["ended"] == was[first:end], runs.key


def first_block(violation: Violation, method: Method) -> Runs:
    return next(
        runs
        for runs in all_runs(WORLDS)
        if (runs.violation, runs.method, runs.check) == (violation, method, Check.USUAL)
    )


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("violation", Violation)
@pytest.mark.parametrize("first", range(0, REPEATED, 10))
def test_recorded_runs_can_be_repeated(violation: Violation, method: Method, first: int) -> None:
    """Ten worlds at a time, so that no test takes long."""
    repeated(first_block(violation, method), first, first + 10)


@pytest.mark.slow
@pytest.mark.parametrize("runs", all_runs(WORLDS), ids=lambda runs: runs.key)
def test_all_recorded_runs_can_be_repeated(runs: Runs) -> None:
    if runs.key in recorded().rows:
        repeated(runs, 0, runs.worlds)


def test_how_a_run_would_have_ended_without_the_self_check_is_recorded_too() -> None:
    runs = Runs(Violation.SHARED, Method.LOOPED, worlds=4)
    rows = Rows({runs.key: {"ended": "Rb2S", "decades": [70, 1], "sizes": "1 1/2 1 1"}}, (runs,))
    checked = rows.tally(runs.violation, runs.method, Check.USUAL)
    unchecked = rows.tally(runs.violation, runs.method, Check.NONE)
    assert (checked.noticed, checked.of(Outcome.SILENT)) == (2, 1)
    assert (unchecked.noticed, unchecked.of(Outcome.SILENT)) == (1, 2)
    assert [run.decades for run in checked.ended] == [None, 70, None, 1]
    assert checked.of_decades(2, 99).noticed == 1
