"""The robot with an N that is too small, and located STEEL."""

from __future__ import annotations

from fractions import Fraction

from examples.robot import Robot
from steel_verified import Accepted, Conjunctions, Located, LocatedParameters, learn
from steel_verified.findings import Condition


def test_too_small_n_is_the_first_named_cause() -> None:
    """No bit tells the six states apart, but bits together do: the lamp is not taken for noise."""
    bounds = LocatedParameters(
        actions=3, max_states=5, mixing_time=1, delta=Fraction(1, 20), epsilon=Fraction(1, 20)
    )
    result = learn(Robot(seed=1), Conjunctions(6), Located(bounds), max_steps=1_000)
    assert not isinstance(result, Accepted)
    assert result.causes[0].condition is Condition.MAX_STATES
    assert "6 states are told apart, for N = 5" in result.causes[0].because
