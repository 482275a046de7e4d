"""Steps never exceed the paper's bounds, and some parameters attain the bounds."""

from dataclasses import replace
from math import floor, log

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.learning.looped import Looped
from steel_verified.strategies import extents, parameters
from steel_verified.theory import bounds, counts
from steel_verified.theory.parameters import Extent, Parameters
from tests.reaching import reach

from .test_counts import MAZE
from .test_parameters import LOCK

words = st.integers(1, 60)


@given(data=st.data(), p=parameters(), word_length=words)
def test_steps_of_a_call_are_at_most_the_bound_of_the_proposition(
    data: st.DataObject, p: Parameters, word_length: int
) -> None:
    """Claim B02, for every period that is possible with |S| states."""
    states = data.draw(st.integers(1, p.max_states))
    bound = bounds.cycle_find_bound(p, states, word_length)
    for period in range(1, states + 1):
        assert counts.cycle_find_steps(p, word_length, period) <= bound


@given(p=parameters(), word_length=words)
def test_bound_of_a_call_equals_the_longer_of_its_branches(p: Parameters, word_length: int) -> None:
    """The first branch of the bound is c_init; the second is that of a cycle of one word."""
    transient = max((p.max_states - 1) * word_length - p.mixing_time, 0)
    positions = 2 * (p.mixing_time + word_length - 1) * counts.position_samples(p)
    longest = max(counts.initial_rollout(p, word_length), positions + transient + 2)
    assert p.max_states == 1 or bounds.cycle_find_bound(p, 1, word_length) == longest


@pytest.mark.parametrize("n_cyc_dominates", [True, False])
def test_bound_of_a_call_is_attained_in_both_branches(*, n_cyc_dominates: bool) -> None:
    """The bound is attained, so it would be false with one action fewer."""

    def reaches(case: tuple[Parameters, int]) -> bool:
        p, word_length = case
        period = bounds.worst_period(p, p.max_states, word_length)
        steps = counts.cycle_find_steps(p, word_length, period)
        initial = counts.initial_rollout(p, word_length)
        attained = steps == bounds.cycle_find_bound(p, p.max_states, word_length)
        return attained and (steps == initial) == n_cyc_dominates

    reach(st.tuples(parameters(), words), reaches)


@given(
    p=parameters(),
    word_length=st.integers(1, 6),
    states=st.integers(1, 12),
    whole_words=st.booleans(),
)
@example(
    # c, not c_init, decides: many position samples, because D̂ is huge.
    p=replace(LOCK, max_states=5, max_diameter=10**9, mixing_time=4),
    word_length=1,
    states=5,
    whole_words=True,
)
def test_worst_period_equals_the_maximum_over_all_periods(
    p: Parameters, word_length: int, states: int, *, whole_words: bool
) -> None:
    """This includes a t̂_mix of whole words, the border between two ranges of periods."""
    states = min(states, p.max_states)
    if whole_words:
        p = replace(p, mixing_time=word_length * (p.mixing_time % 30 + 1))
    found = bounds.worst_period(p, states, word_length)
    assert found == max(
        range(1, states + 1), key=lambda n: (counts.cycle_find_steps(p, word_length, n), n)
    )


@given(data=st.data(), p=parameters())
def test_each_bound_is_at_least_the_one_it_simplifies(data: st.DataObject, p: Parameters) -> None:
    """exact ≤ Proposition ≤ simplified, in each phase, and the closed form bounds their sum."""
    extent = data.draw(extents(p))
    phase1, phase2 = (
        bounds.exploration_steps(p, extent),
        bounds.sampling_steps(p, extent),
    )
    by_proposition = bounds.exploration_bound(p, extent)
    simplified = bounds.simplified_exploration_bound(p, extent)
    sampling = bounds.sampling_bound(p, extent)
    longest = max(
        counts.cycle_find_steps(p, bounds.longest_word(extent), period)
        for period in range(1, extent.states + 1)
    )
    assert phase1 == bounds.most_calls(p, extent) * longest
    assert phase1 <= by_proposition <= simplified
    assert phase2 <= sampling
    # The bound ignores the samples of phase 1 and counts |S| − 2 passes too many.
    unused = 2 * counts.position_samples(p) + extent.states - 2
    cover = bounds.longest_covering_cycle(p, extent)
    rest = sampling - unused * cover
    assert phase2 == (rest if rest > cover else 0)
    assert simplified + sampling <= bounds.total_bound(p, extent)


def test_closed_form_includes_period_tests_if_n_is_two() -> None:
    """With t̂_mix = 1 and one state, the period tests take longer than the position tests."""
    p, extent = replace(LOCK, max_states=2, mixing_time=1), Extent(1, 0)
    simplified = bounds.simplified_exploration_bound(p, extent)
    assert simplified + bounds.sampling_bound(p, extent) <= bounds.total_bound(p, extent)


@given(data=st.data(), p=parameters())
def test_mixing_part_of_each_bound_is_proportional_to_t_mix(
    data: st.DataObject, p: Parameters
) -> None:
    extent = data.draw(extents(p))
    exploration = bounds.simplified_exploration_bound(p, extent)
    assert 0 < bounds.exploration_bound_from_mixing(p, extent) <= exploration
    # 2·t̂_mix steps for each sample in |S||A| calls, for the kind of test that takes longest.
    calls, n = bounds.most_calls(p, extent), counts.period_test_samples(p)
    words = 3 * p.max_states * bounds.longest_word(extent)
    if exploration != calls * (2 * p.mixing_time + words - 2) * n:
        n = counts.position_samples(p)
    mixing = 2 * p.mixing_time * calls * n
    assert bounds.exploration_bound_from_mixing(p, extent) == mixing
    sampling = bounds.sampling_bound(p, extent)
    mixing = bounds.sampling_bound_from_mixing(p, extent)
    # ā has the length of the tour, or t̂_mix + D; then mixing takes its share of each pass.
    tour, wait = extent.states * extent.diameter, p.mixing_time + extent.diameter
    assert mixing * wait == (0 if tour >= wait else sampling * p.mixing_time)


def test_transient_decides_which_tests_take_longest() -> None:
    """The period tests take 188·25 steps and the position tests 138·34, a few steps fewer. But the
    position tests also wait 22 steps for the transient, so they take longest."""
    p, extent = replace(LOCK, max_states=5, max_diameter=4, mixing_time=20), Extent(5, 1)
    calls, n = bounds.most_calls(p, extent), counts.position_samples(p)
    assert bounds.simplified_exploration_bound(p, extent) == calls * (138 * 34 + 22)
    assert bounds.exploration_bound_from_mixing(p, extent) == calls * 2 * 20 * n


@given(data=st.data(), p=parameters())
def test_mixing_part_of_phase_2_is_zero_up_to_the_border(
    data: st.DataObject, p: Parameters
) -> None:
    """At t̂_mix = |S|D − D both are |S|D and the mixing part is 0; at one more it is positive."""
    extent = data.draw(extents(p).filter(lambda extent: extent.states > 1))
    border = (extent.states - 1) * extent.diameter
    at, beyond = (Looped(replace(p, mixing_time=border + more)) for more in (0, 1))
    assert bounds.sampling_bound_from_mixing(at.parameters, extent) == 0
    passes = counts.encoder_samples(beyond.parameters, extent.states) - 1 + extent.states
    assert bounds.sampling_bound_from_mixing(beyond.parameters, extent) == passes * (border + 1)


def test_closed_form_agrees_with_floating_point() -> None:
    """A floating-point evaluation agrees, because the value is far from an integer here."""
    # In the last two cases the position tests take longest: D̂ is far too large, or mixing is slow.
    loose, slow = replace(LOCK, max_diameter=10**12), replace(LOCK, mixing_time=10**6)
    for p, s, d in ((LOCK, 20, 19), (MAZE, 68, 16), (loose, 20, 19), (slow, 20, 19)):
        n, a, f, t = p.max_states, p.actions, p.class_size, p.mixing_time
        delta, epsilon = float(p.delta), float(p.epsilon)
        cover = max(d + t, s * d) * (3 * s * log(16 * s**2 * f / delta) / epsilon + s)
        period = (2 * t + 3 * n * s * (d + 1) - 2) * (
            log(4 * a * n * (n - 1) * f / delta) / log(16 / 9) + 1
        )
        position = (
            2
            * (t + s**2 * (d + 1) - 1)
            * (log(4 * a * n**4 * (p.max_diameter + 1) * f / delta) / log(16 / 9) + 1)
        )
        position += 2 + max((n - 1) * s * (d + 1) - t, 0)
        closed = cover + s * a * max(period, position)
        assert bounds.total_bound(p, Extent(s, d)) == floor(closed)
