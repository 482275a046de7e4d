"""The protocol on results that are made up; judging only as far as needed changes nothing."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.ac_state import protocol
from steel_verified.baselines.ac_state.protocol import (
    Outcome,
    Protocol,
    Stage,
    asked,
    curves,
    outcome,
    steps_of,
    study,
)
from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from steel_verified.baselines.ac_state.trajectories import Policy
    from steel_verified.sweeps.study import Job, Row, Study


Intervals = list[list[int]]


@dataclass(frozen=True)
class Truth:
    """Made-up results: on which K a trajectory is right, by T and trajectory."""

    right: Callable[[int, int], Intervals]
    tested: Callable[[int], int] | None = None
    """How many of 20 are right with K_opt, by T; if it is not given, those where it is right."""
    tied: Callable[[int, int], Intervals] = lambda _length, _index: []
    lags: int = 50_000

    def row(self, job: Job) -> Row:
        """What a job finds, as far as it looks."""
        assert isinstance(job.run, partial)
        _, stage, length, lags, batch = job.run.args
        if stage == "single":
            return {"signs": [-1 for _ in batch]}
        if stage == "test" and self.tested is not None:
            return {"signs": [1 if index < self.tested(length) else -1 for index in batch]}
        found = [[each for each in self.right(length, i) if each[0] <= lags] for i in batch]
        if stage == "test":
            return {"signs": [1 if any(lags <= k for _, k in each) else -1 for each in found]}
        most = min(self.lags, lags)
        return {
            "trajectories": [
                {
                    "lags": most,
                    "right": [[first, min(last, most)] for first, last in each],
                    "tied": self.tied(length, index),
                }
                for index, each in zip(batch, found, strict=True)
            ]
        }


def carried_out(work: Study, done: Callable[[Job], Row]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    while more := work(rows):
        assert len({job.key for job in more}) == len(more)
        assert not {job.key for job in more} & rows.keys()
        rows |= {job.key: done(job) for job in more}
    return rows


def found(truth: Truth) -> Outcome:
    protocol = Protocol((3, 5))
    rows = carried_out(study(protocol), truth.row)
    result = outcome(protocol, rows)
    assert result is not None
    return result


def from_length(least: int, window: list[int], late: int = 0) -> Callable[[int, int], Intervals]:
    """Right for the K of a window from some T on; the last trajectory only from `late` on."""
    return lambda length, index: [window] if length >= (late if index == 19 else least) else []


def test_decades_refinement_median_and_test() -> None:
    truth = Truth(
        from_length(3_500, [20, 30], late=3_500), tested=lambda length: min(20, length // 250)
    )
    result = found(truth)
    assert (result.decade, result.searched_length, result.k_opt) == (4, 4_000, 25)
    assert result.right_lags == (20, 30, 11)
    assert [right for _, right, _ in result.tested] == [4, 8, 12, 16, 20]
    assert (result.t_max, result.t_median, result.single[0]) == (5_000, 3_000, 20)


def test_the_decade_itself_is_the_last_refinement() -> None:
    result = found(Truth(from_length(10_000, [7, 8], late=10_000), tested=lambda _: 20))
    assert (result.decade, result.searched_length, result.t_max) == (4, 10_000, 1_000)


def test_the_test_goes_on_beyond_the_decade() -> None:
    truth = Truth(
        from_length(2_000, [7, 8], late=2_000), tested=lambda length: 20 if length > 14_000 else 9
    )
    assert (found(truth).t_max, found(truth).t_median) == (15_000, 15_000)


def test_different_k_for_different_trajectories_do_not_count() -> None:
    """Some K must be right on all 20: windows that do not meet are not enough."""
    truth = Truth(
        lambda length, index: (
            [[10 + index, 29 + index - (length < 10_000)]] if length >= 1_000 else []
        ),
        tested=lambda _: 20,
    )
    assert found(truth).decade == 4
    assert found(truth).right_lags == (29, 29, 1)


def test_exact_ties_count_as_right() -> None:
    truth = Truth(
        from_length(10_000, [20, 30], late=10_000),
        tested=lambda _: 20,
        tied=lambda length, _: [[1, 50_000]] if length < 10_000 else [],
    )
    assert found(truth).decade == 2


def test_lags_beyond_the_data_repeat_the_last_one() -> None:
    truth = Truth(from_length(100, [41, 50], late=100), tested=lambda _: 20, lags=50)
    assert found(truth).right_lags == (41, 50_000, 49_960)


def test_curves_say_for_each_length_how_many_are_right() -> None:
    protocol = Protocol((3, 5))
    truth = Truth(
        lambda length, index: [[20, 30 + index]] if length >= 5_000 else [], tested=lambda _: 20
    )
    rows = carried_out(study(protocol), truth.row)
    of_length = {curve.length: curve.steps for curve in curves(protocol, rows)}
    assert list(of_length) == [100, 1_000, 2_000, 3_000, 4_000, 5_000, 10_000]
    assert of_length[100] == ((1, 0),)
    steps = of_length[10_000]
    assert steps[:4] == ((1, 0), (20, 20), (31, 19), (32, 18))
    assert steps[-1] == (50, 0)
    assert outcome(protocol, {}) is None


def test_jobs_cover_all_trajectories_and_say_all_that_rows_depend_on() -> None:
    keys: list[str] = []
    policies: tuple[Policy, ...] = ("uniform", "exploration")
    stages: tuple[Stage, ...] = ("search", "test", "single")
    for policy, repeat, pair, length, stage in product(
        policies, range(2), ((3, 5), (5, 7)), (100, 10**5, 10**7), stages
    ):
        work = asked(Protocol(pair, policy, repeat), stage, length, 900).jobs
        covered = [
            index for job in work if isinstance(job.run, partial) for index in job.run.args[-1]
        ]
        assert covered == list(range(20))
        keys += [job.key for job in work]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("stage", ["search", "test", "single"])
@pytest.mark.parametrize("policy", ["uniform", "exploration"])
def test_a_row_is_plain_data_and_a_function_of_its_key(stage: str, policy: str) -> None:
    protocol = Protocol((3, 5), policy, repeat=3)  # type: ignore[arg-type]  # the names are the literals
    job = asked(protocol, stage, 600, 40).jobs[0]  # type: ignore[arg-type]  # the names are the literals
    first, again = job.run(), pickle.loads(pickle.dumps(job.run))()
    assert first == again == json.loads(json.dumps(first))


def test_rows_that_are_not_ours_are_refused() -> None:
    protocol = Protocol((3, 5))

    def strange(job: Job) -> Mapping[str, str]:
        return {"trajectories": job.key}

    with pytest.raises(SteelError, match="Expected `array`"):
        carried_out(study(protocol), strange)


def test_an_outcome_is_read_or_refused() -> None:
    kept: Row = {
        "decade": 2,
        "searched_length": 100,
        "right_lags": [41, 50_000, 49_960],
        "k_opt": 25_020,
        "tested": [[10, 20, 20]],
        "single": [20, 20],
    }
    truth = Truth(from_length(100, [41, 50], late=100), tested=lambda _: 20, lags=50)
    protocol = Protocol((3, 5))
    assert outcome(protocol, {protocol.outcome_key: kept}) == found(truth)
    for wrong in ({**kept, "k_opt": "7"}, {**kept, "single": 20}, {"k_opt": 7}):
        with pytest.raises(SteelError):
            outcome(protocol, {protocol.outcome_key: wrong})


@pytest.fixture
def few_lags(monkeypatch: pytest.MonkeyPatch) -> None:
    """K up to 600 instead of 50,000: the same decisions, and quick."""
    monkeypatch.setattr(protocol, "MOST_LAGS", 600)


def run(truth: Truth) -> tuple[Outcome, int]:
    """What is found, and how many trajectories were judged times K, in all."""
    steps, work = steps_of(Protocol((3, 5))), 0
    asked = next(steps)
    try:
        while True:
            for job in asked.jobs:
                assert isinstance(job.run, partial)
                work += job.run.args[3] * len(job.run.args[4])
            asked = steps.send([truth.row(job) for job in asked.jobs])
    except StopIteration as end:
        found: Outcome = end.value
        return found, work


@st.composite
def growing_windows(draw: st.DrawFn) -> Truth:
    """Trajectories that are right from some T on, for more and more K, with exceptions."""
    begin = draw(st.lists(st.integers(50, 6_000), min_size=20, max_size=20))
    least = draw(st.lists(st.integers(20, 60), min_size=20, max_size=20))
    unlucky = draw(st.sets(st.tuples(st.sampled_from([1_000, 2_000, 10_000]), st.integers(0, 19))))

    def window(length: int, index: int) -> Intervals:
        if length < begin[index] or (length, index) in unlucky:
            return []
        return [[least[index], min(600, least[index] + length // 20 * (1 + index % 3))]]

    return Truth(window)


@pytest.mark.usefixtures("few_lags")
@given(growing_windows())
def test_what_is_not_judged_does_not_change_the_outcome(truth: Truth) -> None:
    everything, all_work = run(truth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "LONG", 0)
        narrowed, work = run(truth)
    assert work <= all_work
    assert narrowed.decade == everything.decade
    assert (narrowed.searched_length, narrowed.right_lags, narrowed.k_opt) == (
        everything.searched_length,
        everything.right_lags,
        everything.k_opt,
    )
    assert (narrowed.t_max, narrowed.t_median) == (everything.t_max, everything.t_median)
    for (length, right, judged), (same, all_right, all_judged) in zip(
        narrowed.tested, everything.tested, strict=True
    ):
        assert (length, all_judged) == (same, 20)
        assert right <= all_right
        assert judged - right <= 20 - all_right


@pytest.mark.usefixtures("few_lags")
def test_much_less_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """All are right from T = 3,500 on for K from 20 to 30: few are asked about any other K."""
    truth = Truth(from_length(3_500, [20, 30], late=3_500))
    _, all_work = run(truth)
    monkeypatch.setattr(protocol, "LONG", 0)
    found, work = run(truth)
    assert (found.k_opt, found.t_max) == (25, 4_000)
    assert work < all_work / 10


@pytest.mark.usefixtures("few_lags")
def test_where_the_least_lags_fail_the_others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nineteen are right from K = 10 on, the last one only from 500 on: the decade needs both."""
    truth = Truth(lambda length, i: [[10 if i < 19 else 500, 600]] if length >= 1_000 else [])
    monkeypatch.setattr(protocol, "LONG", 0)
    found, _ = run(truth)
    assert found.decade == 3
    assert found.right_lags == (500, 600, 101)
