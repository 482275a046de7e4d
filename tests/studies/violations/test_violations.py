"""The recorded study of violated conditions: it meets its goals, and it can be repeated."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.studies.rows import recorded_rows
from tests.studies.violations.breaking import Violation
from tests.studies.violations.judging import Method, Outcome
from tests.studies.violations.page import (
    FAILS,
    FALSE_ALARM,
    UNLIKELY,
    largest_share,
    most_failures,
)
from tests.studies.violations.runs import FIRST_SEED, Runs, all_runs, ended, ended_runs, tally

ROWS = recorded_rows("violations")
TOLD = [(each, method) for each in Violation for method in Method if method.is_told(each)]
HONEST = [(each, method) for each, method in TOLD if not method.breaks(each)]
VIOLATED = [(each, method) for each, method in TOLD if method.breaks(each)]
REPEATED = 6
"""So many worlds of each kind are run again in every test run."""


def test_all_kinds_are_recorded_and_nothing_else() -> None:
    assert ROWS.keys() <= {runs.key for runs in all_runs()}
    assert all(tally(ROWS, violation, method).worlds for violation, method in TOLD)


@pytest.mark.parametrize(("violation", "method"), HONEST)
def test_false_alarms_stay_below_alpha_plus_delta(violation: Violation, method: Method) -> None:
    """A false alarm of this test has chance at most 1/1000, for each kind and method."""
    honest = tally(ROWS, violation, method)
    wrong = honest.worlds - honest.of(Outcome.RIGHT, Outcome.OPEN)
    assert wrong <= most_failures(honest.worlds, FAILS[method], FALSE_ALARM)


ONE_PERCENT = Fraction(1, 100)


@pytest.mark.parametrize("method", Method)
def test_at_most_one_percent_is_accepted_and_wrong(method: Method) -> None:
    """With 95 % confidence of all kinds together; and more is not shown of any kind."""
    tallies = [tally(ROWS, each, method) for each, of in VIOLATED if of is method]
    wrong = [each.of(Outcome.WRONG) for each in tallies]
    assert largest_share(sum(wrong), sum(each.worlds for each in tallies)) <= ONE_PERCENT
    for each, many in zip(tallies, wrong, strict=True):
        assert many <= most_failures(each.worlds, ONE_PERCENT, FALSE_ALARM)


def test_the_largest_share_is_exceeded_with_the_stated_chance() -> None:
    assert largest_share(0, 299) == pytest.approx(1 - UNLIKELY ** (1 / 299))
    assert largest_share(4, 4) == 1
    share = largest_share(2, 10)
    few = (1 - share) ** 10 + 10 * share * (1 - share) ** 9 + 45 * share**2 * (1 - share) ** 8
    assert few == pytest.approx(UNLIKELY)


@pytest.mark.parametrize("method", Method)
def test_the_right_cause_is_named_first_much_more_often_than_a_wrong_one(method: Method) -> None:
    tallies = [tally(ROWS, each, method) for each, of in VIOLATED if of is method]
    first, other = (
        sum(each.of(outcome) for each in tallies) for outcome in (Outcome.FIRST, Outcome.OTHER)
    )
    assert first >= 20 * other


@pytest.mark.parametrize(("violation", "method"), TOLD)
def test_recorded_runs_can_be_repeated(violation: Violation, method: Method) -> None:
    was = tally(ROWS, violation, method).outcomes
    for seed in range(FIRST_SEED, FIRST_SEED + REPEATED):
        assert ended(violation, method, seed) == was[seed].value, seed


@pytest.mark.slow
@pytest.mark.parametrize("runs", all_runs(), ids=lambda runs: runs.key)
def test_all_recorded_runs_can_be_repeated(runs: Runs) -> None:
    if runs.key in ROWS:
        assert ended_runs(runs)["ended"] == ROWS[runs.key]["ended"]
