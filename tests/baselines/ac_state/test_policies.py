"""Trajectories: right by the dynamics, with the right law, and a function of the seed."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.ac_state.trajectories import (
    Half,
    Loops,
    Place,
    Policy,
    explore,
    from_decisions,
    walk,
)
from steel_verified.worlds.prime_loops import PrimeLoops
from tests.baselines.ac_state.counting import LOOPS, POLICIES, halves, observations, unrolled


def table_of(loops: Loops) -> tuple[tuple[int, ...], ...]:
    return PrimeLoops(loops.copies, loops.p, loops.q, start=0, first_action=0).dynamics().table


@given(halves())
def test_rounds_follow_the_dynamics(half: Half) -> None:
    table = np.array(table_of(half.loops))
    seen = observations(half)
    _, _, actions = unrolled(half)
    assert len(seen) == half.seen
    assert np.array_equal(table[seen[:-1], actions[:-1]], seen[1:])
    assert seen[-1] == -half.last.before % half.loops.q + half.loops.q * half.last.copy
    visited = sum(int(mask).bit_count() for mask in half.visited(np.arange(half.rounds)))
    assert visited == half.seen


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_trajectory_is_a_function_of_its_seed(policy: Policy, copies: int) -> None:
    loops = Loops(5, 7, copies)
    first, again, other = (
        walk(policy, loops, Place(4, 0), 400, seed) for seed in ((1, 2), (1, 2), (1, 3))
    )
    assert np.array_equal(first.actions, again.actions)
    assert not np.array_equal(first.actions[:40], other.actions[:40])
    with pytest.raises(ValueError, match="read-only"):
        first.actions[0] = 0


@pytest.mark.parametrize("policy", POLICIES)
def test_actions_elsewhere_are_fair_coins(policy: Policy) -> None:
    """Some 10⁵ of them: a share off by 0.01 has probability below 2·e^(−18)."""
    half = walk(policy, Loops(11, 13), Place(0, 0), 10**5, (3,))
    _, before, actions = unrolled(half)
    assert abs(actions[before > 0].mean() - 0.5) < 0.01
    assert abs(np.corrcoef(actions[before > 0][:-1], actions[before > 0][1:])[0, 1]) < 0.02


def step_by_step(
    loops: Loops, start: Place, steps: int, draw: Callable[[], float]
) -> tuple[list[bool], list[tuple[list[int], int]]]:
    """The exploration policy one timestep after the other, on a table of the dynamics.

    Returns what was done in 0 and 0', and the visits of all states with each goal that was drawn.
    `visits` are known to be at least the number of long rounds of each copy, less 2.
    """
    q, states = loops.q, loops.copies * loops.q
    position = [state // q * q + -state % q for state in range(states)]  # its own inverse
    table = table_of(loops)

    def distance(here: int, goal: int) -> int:
        reached, far = {here}, 0
        while goal not in reached:
            reached |= {to for state in reached for to in table[state]}
            far += 1
        return far

    def choose() -> int:
        weights = [visits[position[state]] for state in range(states)]
        least = min(long) - 2
        if least < 1:
            least = min(weights)
        if least == 0:
            never = [state for state in range(states) if weights[state] == 0]
            return never[int(draw() * len(never))]
        while True:
            state = int(draw() * states)
            if draw() * weights[state] < least:
                return state

    here, time = position[start.before + q * start.copy], 0
    visits, long = [0] * states, [0] * loops.copies
    visits[here] += 1
    long[start.copy] += start.before >= loops.p
    done, drawn = [], []
    while time < steps:
        chosen = choose()
        drawn.append(([visits[position[state]] for state in range(states)], chosen))
        goal, fresh = position[chosen], True
        while (fresh or here != goal) and time < steps:
            stay, cross = (distance(to, goal) for to in table[here])
            action = cross < stay
            if here % q == 0:
                if fresh or stay == cross:
                    action = draw() < 0.5
                done.append(action)
                long[table[here][action] // q] += not action
            here, time, fresh = table[here][action], time + 1, False
            visits[here] += 1
    return done, drawn


@given(
    st.sampled_from([*LOOPS, Loops(3, 5, 1), Loops(2, 11), Loops(3, 5, 2)]),
    st.integers(0, 1000),
    st.integers(0, 200),
    st.integers(0, 2**32),
)
def test_exploration_by_rounds_is_exploration_step_by_step(
    loops: Loops, where: int, steps: int, seed: int
) -> None:
    start = Place(where % loops.q, where % loops.copies)
    done = explore(loops, start, steps, np.random.Generator(np.random.PCG64(seed)))
    raw = np.random.PCG64(seed)
    expected, _ = step_by_step(loops, start, steps, lambda: int(raw.random_raw() >> 11) * 2.0**-53)
    assert done[: len(expected)].tolist() == expected
    half = from_decisions(loops, start, steps, done, np.zeros(len(done), dtype=np.uint64))
    assert half.seen == steps + 1


def test_goals_are_drawn_inversely_to_visits() -> None:
    """Some 4,000 goals, each against its weights when it was drawn.

    With independent draws the number of times that a state is drawn is off by more than 5 standard
    deviations with probability below 10⁻⁵ for all ten states together. The seed is fixed.
    """
    random = np.random.default_rng(3)
    _, drawn = step_by_step(Loops(3, 5), Place(0, 0), 20_000, random.random)
    chances = np.array([1 / np.array(visits) for visits, _ in drawn[200:]])
    chances /= chances.sum(axis=1, keepdims=True)
    counts = np.bincount([goal for _, goal in drawn[200:]], minlength=10)
    deviations = np.sqrt((chances * (1 - chances)).sum(axis=0))
    assert len(drawn) > 4_000
    assert np.all(np.abs(counts - chances.sum(axis=0)) < 5 * deviations)
