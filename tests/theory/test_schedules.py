"""Schedules satisfy the laws that the proofs need; each deliberate mistake violates one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.theory import counts
from steel_verified.theory.parameters import Parameters
from steel_verified.theory.schedules import (
    PeriodTest,
    PositionTimes,
    period_test,
    period_tests,
    position_times,
)
from tests.reaching import reach

from .schedule_laws import Loop, period_test_violations, position_violations
from .test_parameters import LOCK

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.theory.progressions import Progression


@dataclass(frozen=True)
class Case:
    """Parameters, a loop that can occur under them, and a hypothesis that can be tested on it."""

    parameters: Parameters
    loop: Loop
    hypothesis: int


@st.composite
def cases(draw: st.DrawFn, smallest: int = 2) -> Case:
    """Draw cases so small that every timestep can be listed; t̂_mix is below, near or above N|â|."""
    max_states = draw(st.integers(smallest, 5))
    word_length = draw(st.integers(1, 4))
    longest = max_states * word_length
    p = Parameters(
        actions=draw(st.integers(1, 2)),
        max_states=max_states,
        max_diameter=draw(st.integers(0, 4)),
        mixing_time=draw(st.integers(1, 3) | st.integers(1, 2 * longest) | st.integers(1, 90)),
        class_size=draw(st.integers(1, 9)),
        delta=draw(st.sampled_from([Fraction(9, 10), Fraction(1, 20)])),
        epsilon=Fraction(1, 2),
    )
    period = draw(st.integers(1, max_states))
    loop = Loop(
        word_length,
        passing=draw(st.integers(0, max_states - period)),
        period=period,
        states_within=draw(st.integers(1, word_length)),
    )
    return Case(p, loop, draw(st.integers(max(2, period), max(2, max_states))))


def laws_broken_in_test(
    case: Case, broken: Callable[[PeriodTest], PeriodTest] | None = None
) -> set[str]:
    """Return the laws that the period test of a case violates."""
    p, loop = case.parameters, case.loop
    test = period_test(p, loop.word_length, case.hypothesis)
    return set(
        period_test_violations(
            p,
            loop,
            rollout=counts.initial_rollout(p, loop.word_length),
            enough=counts.period_test_samples(p),
            test=broken(test) if broken else test,
        )
    )


def laws_broken_in_positions(
    case: Case, broken: Callable[[PositionTimes], PositionTimes] | None = None
) -> set[str]:
    """Return the laws that the position datasets of a case violate."""
    p, loop = case.parameters, case.loop
    positions = list(position_times(p, loop.word_length, loop.period))
    return set(
        position_violations(
            p,
            loop,
            rollout=counts.full_rollout(p, loop.word_length, loop.period),
            enough=counts.position_samples(p),
            positions=[broken(times) for times in positions] if broken else positions,
        )
    )


@given(case=cases())
def test_period_tests_satisfy_all_laws(case: Case) -> None:
    assert laws_broken_in_test(case) == set()


@given(case=cases(smallest=1))
def test_position_datasets_satisfy_all_laws(case: Case) -> None:
    assert laws_broken_in_positions(case) == set()


@given(case=cases())
def test_every_pooled_dataset_of_the_proofs_is_separated(case: Case) -> None:
    """The closed forms find all these pools separated."""
    p, loop = case.parameters, case.loop
    test = period_test(p, loop.word_length, case.hypothesis)
    for j in range(1, case.hypothesis):
        assert len(test.pooled(j)) == 2 * len(test.ones)
    positions = position_times(p, loop.word_length, loop.period)
    for times in positions:
        assert len(times.together()) == 2 * counts.position_samples(p)
        for other in positions:
            assert set(times.pooled(other)) == {*times.early, *other.late}


def moved(times: Progression, steps: int) -> Progression:
    return times.shifted(steps)


def recounted(times: Progression, more: int) -> Progression:
    outer, *inner = times.levels
    return replace(times, levels=(replace(outer, count=max(outer.count + more, 1)), *inner))


def restrided(times: Progression, less: int) -> Progression:
    outer, *inner = times.levels
    return replace(times, levels=(replace(outer, stride=max(outer.stride - less, 1)), *inner))


SEEN_TO_FAIL_IN_PERIOD_TESTS: dict[str, tuple[str, Callable[[PeriodTest], PeriodTest]]] = {
    "the offset is one less": (
        "after the transient and inside x_CF",
        lambda t: replace(t, ones=moved(t.ones, -1), zeros=moved(t.zeros, -1)),
    ),
    "one repetition more": (
        "after the transient and inside x_CF",
        lambda t: replace(t, ones=recounted(t.ones, 1), zeros=recounted(t.zeros, 1)),
    ),
    "one repetition fewer": (
        "enough samples",
        lambda t: replace(t, ones=recounted(t.ones, -1), zeros=recounted(t.zeros, -1)),
    ),
    "D_0 starts a word earlier": (
        "D_0 holds no state of D_1",
        lambda t: replace(t, zeros=moved(t.zeros, -t.zeros.levels[1].stride)),
    ),
    "D_0 starts a step earlier": (
        "a row of D_0 holds the states of D_1",
        lambda t: replace(t, zeros=moved(t.zeros, -1)),
    ),
    "the wait is a cycle shorter": (
        "D_1 ⊎ D_0^(j) is separated",
        lambda t: replace(t, zeros=moved(t.zeros, -t.hypothesis * t.zeros.levels[1].stride)),
    ),
    "the pattern repeats a word early": (
        "D_1 holds one state",
        lambda t: replace(
            t,
            ones=restrided(t.ones, t.zeros.levels[1].stride),
            zeros=restrided(t.zeros, t.zeros.levels[1].stride),
        ),
    ),
}


@pytest.mark.parametrize("mistake", SEEN_TO_FAIL_IN_PERIOD_TESTS)
def test_mistake_in_period_tests_violates_its_law(mistake: str) -> None:
    law, broken = SEEN_TO_FAIL_IN_PERIOD_TESTS[mistake]
    reach(cases(), lambda case: law in laws_broken_in_test(case, broken))


SEEN_TO_FAIL_IN_POSITIONS: dict[str, tuple[str, Callable[[PositionTimes], PositionTimes]]] = {
    "one sample more": (
        "after the transient and inside x_CF",
        lambda t: replace(t, late=recounted(t.late, 1)),
    ),
    "one sample fewer": ("enough samples", lambda t: replace(t, early=recounted(t.early, -1))),
    "the early half starts a step earlier": (
        "≡ i mod n_cyc|â|",
        lambda t: replace(t, early=moved(t.early, -1)),
    ),
    "the late half is one position off": (
        "D'_i holds one state",
        lambda t: replace(t, late=moved(t.late, 1)),
    ),
    "the stride is one less": (
        "D'_i is separated",
        lambda t: replace(t, early=restrided(t.early, 1), late=restrided(t.late, 1)),
    ),
    "the late half starts two steps earlier": (
        "D^A_i ⊎ D^B_j is separated",
        lambda t: replace(t, late=moved(t.late, -2)),
    ),
}


@pytest.mark.parametrize("mistake", SEEN_TO_FAIL_IN_POSITIONS)
def test_mistake_in_positions_violates_its_law(mistake: str) -> None:
    law, broken = SEEN_TO_FAIL_IN_POSITIONS[mistake]
    reach(cases(smallest=1), lambda case: law in laws_broken_in_positions(case, broken))


@given(case=cases(smallest=1))
def test_last_sample_is_one_step_before_the_end_of_the_rollout(case: Case) -> None:
    """The last sample is x_{c−1}, so c could be one less, but not two; so could the late start."""
    p, loop = case.parameters, case.loop
    positions = position_times(p, loop.word_length, loop.period)
    last = max(times.late.last for times in positions)
    assert last == counts.full_rollout(p, loop.word_length, loop.period) - 1
    between = min(late.late.first for late in positions) - max(e.early.last for e in positions)
    assert between == p.mixing_time + 1


def test_d_1_has_several_states_if_the_period_is_smaller() -> None:
    """The overview says that D_1 ⊎ D_0^(j') shows one state (l. 234). That holds only for pairs.

    The period is 2 and is tested as 3: D_1 is taken every 9 words and alternates between two
    states. The proof (l. 588) claims only that each sample of D_1 has a sample of the same state in
    row j'.
    """
    p = replace(LOCK, max_states=3, mixing_time=3)
    loop = Loop(word_length=1, passing=0, period=2)
    test = period_test(p, 1, 3)
    assert test.ones.levels[0].stride == 9
    assert len({loop.state(time) for time in test.ones}) == 2


def test_period_tests_go_from_n_down_to_two() -> None:
    tests = list(period_tests(LOCK, 3))
    assert [test.hypothesis for test in tests] == list(range(30, 1, -1))
    assert list(period_tests(replace(LOCK, max_states=1), 3)) == []


def test_position_times_are_in_the_order_of_the_cycle() -> None:
    assert [times.position for times in position_times(LOCK, 3, 4)] == list(range(12))
