"""Tests that a world of your own should have: here, of the robot."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.robot import OBSERVATIONS, STATES, TRUTH, Robot, after, seen
from steel_verified import (
    Accepted,
    Conjunctions,
    Learned,
    Located,
    LocatedParameters,
    attempt,
)
from steel_verified.findings import Condition
from steel_verified.strategies import check_world_laws

ACTIONS = st.integers(0, 2)
BOUNDS = LocatedParameters.of(Robot(seed=0), max_states=8, mixing_time=1)


def test_the_robot_keeps_the_laws_of_worlds() -> None:
    check_world_laws(lambda: Robot(seed=5), Conjunctions(6), tries=10)


@given(seed=st.integers(0, 2**32 - 1), word=st.lists(ACTIONS, max_size=12))
def test_observation_determines_the_state(seed: int, word: list[int]) -> None:
    robot, state = Robot(seed), (0, 0)
    for action in word:
        row = robot.step(action)
        state = after(state, action)
        assert [s for s, rows in enumerate(OBSERVATIONS) if row in rows] == [STATES.index(state)]


def require_a_free_cat(robot: type[Robot], seed: int, pairs: list[tuple[int, int]]) -> None:
    """Two robots with one seed that act differently see the cat in the same places."""
    one, other = robot(seed), robot(seed)
    for action, another in pairs:
        one.step(action)
        other.step(another)
        assert one.cat == other.cat, "the robot moves the cat"


@given(seed=st.integers(0, 2**32 - 1), pairs=st.lists(st.tuples(ACTIONS, ACTIONS), max_size=12))
def test_no_action_changes_where_the_cat_goes(seed: int, pairs: list[tuple[int, int]]) -> None:
    require_a_free_cat(Robot, seed, pairs)


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_robot_is_learned_whatever_the_cat_does(seed: int) -> None:
    """The chance of a wrong model is at most δ = 1/20 for each seed, and in fact far smaller."""
    oracle = Conjunctions(6)
    learned = Learned.of(attempt(Robot(seed), oracle, Located(BOUNDS)), oracle)
    assert learned.renaming(TRUTH, OBSERVATIONS)


class LateRobot(Robot):
    """A mistake that is easily made: it shows what was there before the action."""

    def step(self, action: int) -> list[bool]:
        before = seen(self.state, self.cat)
        super().step(action)
        return before


def test_law_checks_reject_a_robot_that_shows_the_old_state() -> None:
    with pytest.raises(AssertionError, match="a step too late"):
        check_world_laws(lambda: LateRobot(seed=5), Conjunctions(6))


class ScaredCat(Robot):
    """Another mistake: the switch frightens the cat, so the cat is not noise."""

    def step(self, action: int) -> list[bool]:
        super().step(action)
        if action == 2:
            self.cat = 0
        return seen(self.state, self.cat)


def test_cat_property_fails_if_the_switch_moves_the_cat() -> None:
    """By the property above. The laws of worlds hold: the cat could be a part of the state."""
    with pytest.raises(AssertionError, match="moves the cat"):
        require_a_free_cat(ScaredCat, seed=5, pairs=[(0, 2)] * 12)
    check_world_laws(lambda: ScaredCat(seed=5), Conjunctions(6))


def test_too_small_n_is_the_first_named_cause() -> None:
    """No bit tells the six states apart, but bits together do: the lamp is not taken for noise."""
    few = LocatedParameters.of(Robot(seed=1), max_states=5, mixing_time=1)
    result = attempt(Robot(seed=1), Conjunctions(6), Located(few), max_steps=1_000)
    assert not isinstance(result, Accepted)
    assert result.causes[0].condition is Condition.MAX_STATES
    assert "6 states are told apart, for N = 5" in result.causes[0].because
