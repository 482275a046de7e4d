"""Policies for rewards are optimal: compared with all policies of small models."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified import Components, Episode
from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model
from steel_verified.using.learned import Learned
from steel_verified.using.rewards import best

from .material import RING, ring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.using.rewards import Rewards

RINGED = ring(Components(4), [0, 1, 2])


@st.composite
def problems(draw: st.DrawFn) -> tuple[Model, Rewards, Fraction, int | None]:
    """A small model, rewards with many ties, a discount, and perhaps a goal."""
    states, actions = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    ends = st.tuples(*[st.integers(0, states - 1)] * actions)
    table = draw(st.tuples(*[ends] * states))
    gain = st.sampled_from([Fraction(n, 2) for n in (-2, -1, 0, 0, 0, 1, 2)])
    rewards = draw(st.tuples(*[st.tuples(*[gain] * actions)] * states))
    discount = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(9, 10)]))
    return Model(actions, table), rewards, discount, draw(st.none() | st.integers(0, states - 1))


def _solved(matrix: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, by elimination; the last column is the right side."""
    size = len(matrix)
    for here in range(size):
        pivot = next(row for row in range(here, size) if matrix[row][here])
        matrix[here], matrix[pivot] = matrix[pivot], matrix[here]
        matrix[here] = [each / matrix[here][here] for each in matrix[here]]
        for row in set(range(size)) - {here}:
            share = matrix[row][here]
            matrix[row] = [a - share * b for a, b in zip(matrix[row], matrix[here], strict=True)]
    return [row[-1] for row in matrix]


def _worth(
    model: Model, rewards: Rewards, discount: Fraction, goal: int | None, taken: Sequence[int]
) -> list[Fraction]:
    """The value of each state under a policy: v = r + γPv, and 0 in the goal."""
    matrix = []
    for state, action in enumerate(taken):
        row = [Fraction(state == column) for column in range(model.states)] + [Fraction(0)]
        to = model.table[state][action]
        if state != goal and to is not None:
            row[to] -= discount
            row[-1] = rewards[state][action]
        matrix.append(row)
    return _solved(matrix)


@given(problem=problems())
def test_no_policy_is_better_in_any_state(
    problem: tuple[Model, Rewards, Fraction, int | None],
) -> None:
    model, *_, goal = problem
    found = best(*problem)
    policies = list(product(range(model.actions), repeat=model.states))
    worth = {taken: _worth(*problem, taken) for taken in policies}
    assert list(found.values) == [max(each) for each in zip(*worth.values(), strict=True)]
    assert worth[tuple(action or 0 for action in found.actions)] == list(found.values)
    lowest = min(taken for taken in policies if worth[taken] == list(found.values))
    assert found.actions == tuple(
        None if state == goal else action for state, action in enumerate(lowest)
    )


def test_a_difference_below_the_precision_of_floats_decides() -> None:
    """Two loops: one gives 1 at each step, the other 1 + 10^-30."""
    model = Model(2, ((1, 2), (1, 1), (2, 2)))
    more = 1 + Fraction(1, 10**30)
    rewards = ((Fraction(0),) * 2, (Fraction(1),) * 2, (more,) * 2)
    found = best(model, rewards, Fraction(99, 100), None)
    assert found.actions[0] == 1
    assert found.values == (99 * more, Fraction(100), 100 * more)


@pytest.mark.parametrize(
    "reward",
    [
        lambda label, action: label == 2 and action == 0,
        lambda label, action: np.bool_(label == 2 and action == 0),
        {(2, 0): 1},
        {(np.int64(2), np.int64(0)): np.float32(1)},
        [[0, 0], [0, 0], [1, 0]],
        np.array([[0, 0], [0, 0], [1, 0]]),
        np.array([[0, 0], [0, 0], [1.0, 0]]),
    ],
    ids=["function", "numpy function", "mapping", "numpy mapping", "rows", "integers", "floats"],
)
def test_rewards_in_all_forms_give_the_same_policy(reward: object) -> None:
    policy = RINGED.policy(reward=reward, discount=0.5)  # type: ignore[arg-type]  # all forms
    assert policy.actions == (0, 0, 0)
    assert policy.values == (Fraction(2, 7), Fraction(4, 7), Fraction(8, 7))
    assert policy([0, 1, 0, 1]) == 0


def test_floats_are_read_as_the_decimals_that_they_print_as() -> None:
    policy = RINGED.policy(reward={(0, 1): 0.1}, discount="9/10")
    assert policy.values[0] == 1
    assert policy.actions == (1, 1, 0)


def test_an_episode_ends_in_the_goal() -> None:
    policy = RINGED.policy(2, reward=lambda _label, _action: -1, discount="0.9")
    assert policy.actions == (0, 0, None)
    assert policy.values == (Fraction(-19, 10), Fraction(-1), Fraction(0))
    assert policy([0, 0, 1, 0]) is None


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({}, "goal = None: expected a state, an observation, or else a reward"),
        ({"goal": 1, "discount": 0.5}, "discount = 0.5: expected None without a reward"),
        ({"reward": {}}, "discount = None: expected a number from 0 up to 1"),
        ({"reward": {}, "discount": 1}, "discount = 1: expected a number from 0 up to 1"),
        ({"reward": {}, "discount": "much"}, "discount = 'much': expected a number from 0"),
        ({"reward": [[1, 2]], "discount": 0.5}, r"reward = shape \(1, 2\): expected a function"),
        ({"reward": 7, "discount": 0.5}, r"reward = shape \(\): expected a function of label"),
        ({"reward": {(3, 0): 1}, "discount": 0.5}, r"key \(3, 0\): expected pairs of a label"),
        ({"reward": {3: 1}, "discount": 0.5}, "key 3: expected pairs of a label below 3"),
        ({"reward": {(0, 0): np.nan}, "discount": 0.5}, r"reward\[0, 0\] = nan: expected a finite"),
        ({"reward": lambda _s, _a: "x", "discount": 0}, r"reward\(0, 0\) = 'x': expected a finite"),
    ],
)
def test_wrong_rewards_and_discounts_are_refused(wrong: dict[str, object], text: str) -> None:
    with pytest.raises(InvalidArgument, match=text):
        RINGED.policy(**wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_rewards_of_a_log_are_averaged_by_label_and_action() -> None:
    seen = np.eye(4, dtype=np.int64)
    log = [
        Episode(seen[[0, 1, 2, 0]], [0, 0, 0], rewards=[1, 0.1, 4]),
        Episode(seen[[1, 2]], [0, 1], rewards=np.array([0.3, 2.0])),
    ]
    means = RINGED.mean_rewards(log)
    assert means == {(0, 0): 1, (1, 0): Fraction(1, 5), (2, 0): 4, (2, 1): 2}
    assert RINGED.mean_rewards(log[0])[1, 0] == Fraction(1, 10)
    assert RINGED.policy(reward=means, discount=0).actions == (0, 0, 0)


@pytest.mark.parametrize("rewards", [None, [1.0]])
def test_a_log_without_a_reward_for_each_action_is_refused(rewards: list[float] | None) -> None:
    episode = Episode(np.eye(4, dtype=np.int64)[:3], [0, 0], rewards=rewards)
    with pytest.raises(InvalidArgument, match=r"rewards of episode 0 = .*: expected 2 rewards"):
        RINGED.mean_rewards(episode)


def test_environment_gives_the_rewards_and_their_discounted_sum_is_the_value() -> None:
    """The reward is that of the state in which the action was taken, not of the one after it."""
    rewards = {(0, 0): 1, (1, 0): 0.5, (2, 0): -2, (1, 1): 0.25}
    learned = Learned(RING, 1, 9, None, None)
    policy = learned.policy(reward=rewards, discount=0.5)
    env = learned.to_gymnasium(start=0, reward=rewards)
    label, _ = env.reset()
    total, share = 0.0, 1.0
    for _ in range(60):
        action = policy.actions[int(label)]
        assert action is not None
        label, gain, ended, _, _ = env.step(np.int64(action))
        total, share = total + share * float(gain), share / 2
        assert not ended
    assert total == pytest.approx(float(policy.values[0]))


def test_environment_with_rewards_ends_in_the_goal_without_another_reward() -> None:
    env = RINGED.to_gymnasium(start=0, goal=1, reward={(0, 0): -3})
    env.reset()
    _, gain, ended, _, _ = env.step(np.int64(0))
    assert (gain, ended) == (-3.0, True)
