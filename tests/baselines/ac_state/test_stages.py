"""Judging long trajectories only as far as needed gives the protocol's answers."""

from collections.abc import Callable
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.ac_state import protocol
from steel_verified.baselines.ac_state.protocol import (
    Outcome,
    Protocol,
    outcome,
    so_far,
    steps_of,
    study,
)
from steel_verified.sweeps.study import Job, Row

Windows = Callable[[int, int], tuple[int, int] | None]
"""The K from which and to which a trajectory is right, by T and trajectory; None: for no K."""


def made_up(windows: Windows, job: Job) -> Row:
    """What a job would find: the window as far as the job looks, or the sign of its one K."""
    assert isinstance(job.run, partial)
    _, stage, length, lags, batch = job.run.args
    if stage == "single":
        return {"signs": [-1 for _ in batch]}
    found: list[tuple[int, int] | None] = [windows(length, index) for index in batch]
    if stage == "test":
        return {
            "signs": [1 if window and window[0] <= lags <= window[1] else -1 for window in found]
        }
    return {
        "trajectories": [
            {
                "lags": lags,
                "tied": [],
                "right": [[window[0], min(window[1], lags)]]
                if window and window[0] <= lags
                else [],
            }
            for window in found
        ]
    }


@pytest.fixture(autouse=True)
def few_lags(monkeypatch: pytest.MonkeyPatch) -> None:
    """K up to 600 instead of 50,000: the same decisions, and quick."""
    monkeypatch.setattr(protocol, "MOST_LAGS", 600)


def run(windows: Windows) -> tuple[Outcome, int]:
    """What is found, and how many trajectories were judged times K, in all."""
    steps, work = steps_of(Protocol((3, 5))), 0
    asked = next(steps)
    try:
        while True:
            for job in asked.jobs:
                assert isinstance(job.run, partial)
                work += job.run.args[3] * len(job.run.args[4])
            asked = steps.send([made_up(windows, job) for job in asked.jobs])
    except StopIteration as end:
        found: Outcome = end.value
        return found, work


def test_study_asks_for_the_steps_one_after_the_other() -> None:
    """Each time it goes through the steps again, as far as there are rows."""

    def windows(length: int, _: int) -> tuple[int, int] | None:
        return (20, 30) if length >= 500 else None

    protocol, rows = Protocol((3, 5)), dict[str, Row]()
    while asked := study(protocol)(rows):
        _, waiting = so_far(protocol, rows)
        assert waiting is not None
        assert {job.key for job in asked} <= {job.key for job in waiting.jobs}
        rows |= {job.key: made_up(windows, job) for job in asked}
    found = outcome(protocol, rows)
    assert found is not None
    assert so_far(protocol, rows) == (found, None)
    reached, _ = run(windows)
    assert found == msgspec.structs.replace(reached, single=(20, 20))


@st.composite
def growing_windows(draw: st.DrawFn) -> Windows:
    """Trajectories that are right from some T on, for more and more K, with exceptions."""
    begin = draw(st.lists(st.integers(50, 6_000), min_size=20, max_size=20))
    least = draw(st.lists(st.integers(20, 60), min_size=20, max_size=20))
    unlucky = draw(st.sets(st.tuples(st.sampled_from([1_000, 2_000, 10_000]), st.integers(0, 19))))

    def window(length: int, index: int) -> tuple[int, int] | None:
        if length < begin[index] or (length, index) in unlucky:
            return None
        return least[index], min(600, least[index] + length // 20 * (1 + index % 3))

    return window


@given(growing_windows())
def test_what_is_not_judged_does_not_change_the_outcome(windows: Windows) -> None:
    everything, all_work = run(windows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "LONG", 0)
        narrowed, work = run(windows)
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


def test_much_less_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """All are right from T = 3,500 on for K from 20 to 30: few are asked about any other K."""

    def windows(length: int, _: int) -> tuple[int, int] | None:
        return (20, 30) if length >= 3_500 else None

    _, all_work = run(windows)
    monkeypatch.setattr(protocol, "LONG", 0)
    found, work = run(windows)
    assert (found.k_opt, found.t_max) == (25, 4_000)
    assert work < all_work / 10


def test_where_the_least_lags_fail_the_others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nineteen are right from K = 10 on, the last one only from 500 on: the decade needs both."""

    def windows(length: int, index: int) -> tuple[int, int] | None:
        return (10 if index < 19 else 500, 600) if length >= 1_000 else None

    monkeypatch.setattr(protocol, "LONG", 0)
    found, _ = run(windows)
    assert found.decade == 3
    assert found.right_lags == (500, 600, 101)
