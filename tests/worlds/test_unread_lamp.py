"""A located run that is accepted although F cannot read the lamp of the robot, and why.

F has the six bits of the robot as classifiers: it reads the place, and it reads the lamp, but not
both together. So three states are learned, and the lamp is taken for noise. It changes once, while
located STEEL explores: the walk of the validation never presses the switch.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log10
from typing import TYPE_CHECKING

import pytest

from examples.robot import STATES, Robot, after, seen
from steel_verified.classes.finite import Components, tables
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted, accepted
from steel_verified.theory.conditions import Condition
from steel_verified.theory.parameters import LocatedParameters, Parameters
from steel_verified.theory.self_check import SelfCheck
from steel_verified.using.attempt import attempt
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import ExBmdp, HiddenModel, certain, law
from tests.bounds import bounds, with_class
from tests.worlds.laws_of_data import hidden_model

from .laws_of_data import chance
from .readings import Reading, broken, reading_of

if TYPE_CHECKING:
    from .laws_of_data import History

HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)
CATS = (0, 1)
SHOWN = tuple(product(STATES, CATS))
"""What can be observed: the place and the lamp, and the cat."""
BITS = [[seen(state, cat)[bit] for state, cat in SHOWN] for bit in range(6)]
BOUNDS = LocatedParameters.of(Robot(0), max_states=8, mixing_time=1)


class Logged(Robot):
    """The robot, with what was done and seen."""

    history: History = ()

    def step(self, action: int) -> list[bool]:
        shown = super().step(action)
        self.history += ((action, SHOWN.index((self.state, self.cat))),)
        return shown


def true_robot() -> HiddenModel:
    """The robot with its cat; in each step the cat is in either place with chance 1/2."""
    moves = tuple(
        tuple(
            law({SHOWN.index((after(state, action), cat)): HALF for cat in CATS})
            for action in range(Robot.actions)
        )
        for state, _ in SHOWN
    )
    return HiddenModel(certain(0), moves, tuple(map(certain, range(len(SHOWN)))))


def lamp_as_noise(rare: Fraction) -> ExBmdp:
    """A robot without a switch. The lamp is noise: it goes off with a small chance in each step."""
    quarter = Fraction(1, 4)
    lamp = ((quarter, 1 - quarter), (rare, 1 - rare))
    noise = tuple(product((0, 1), CATS))
    return ExBmdp(
        dynamics=Dynamics(tuple(tuple(after((p, 1), a)[0] for a in range(3)) for p in range(3))),
        noise=Chain(tuple(tuple(lamp[on][to] * HALF for to, _ in noise) for on, _ in noise)),
        initial_noise=(ONE, ZERO, ZERO, ZERO),
        emission=tuple(
            tuple(
                tuple(Fraction(shown == ((place, on), cat)) for shown in SHOWN) for on, cat in noise
            )
            for place in range(3)
        ),
        start=0,
    )


@pytest.mark.parametrize("seed", range(3))
def test_honest_world_shows_the_same_run_with_a_small_chance(seed: int) -> None:
    """So the run has at most eleven decades of evidence. No bet can be won with it.

    The chance has a factor of 1/4 for each step in which the lamp stays off.
    """
    world = Logged(seed)
    check = SelfCheck(steps=0)
    result = accepted(attempt(world, Components(6), Located(BOUNDS), self_check=check))
    assert result.model.states == 3
    assert result.self_check is not None
    assert result.self_check.transitions == 4

    oracle, rare = tables(BITS), Fraction(1, 10**9)
    given = with_class(bounds(3, 8, delta=BOUNDS.delta, epsilon=BOUNDS.epsilon), 6)
    model, honest = true_robot(), lamp_as_noise(rare)
    latent = tuple(STATES.index(state) for state, _ in SHOWN)
    reading = Reading(model, latent, tuple(cat for _, cat in SHOWN))
    assert broken(reading, oracle, given) == {Condition.REALISABLE}
    assert broken(reading_of(honest), oracle, given) == set()

    dark = sum(not SHOWN[shown][0][1] for _, shown in world.history)
    lit = len(world.history) - dark
    less_likely = chance(hidden_model(honest), world.history) / chance(model, world.history)
    assert less_likely == Fraction(1, 4) ** dark * Fraction(3, 4) * (1 - rare) ** (lit - 1)
    assert -11 <= log10(less_likely) < -10
    assert dark < 20 < lit


def test_looped_notices_the_lamp() -> None:
    oracle = Components(6)
    given = Parameters.of(Robot(0), oracle, max_states=8, mixing_time=1)
    assert isinstance(attempt(Robot(0), oracle, Looped(given)), Contradicted)


def test_fresh_steps_show_the_lamp() -> None:
    """The usual fresh steps press the switch, and runs are contradicted; without them, none is."""
    for seed in range(4):
        result = attempt(Robot(seed), Components(6), Located(BOUNDS))
        assert isinstance(result, Contradicted), seed
        assert result.self_check is not None
        assert "classifier 3" in result.self_check.won[0].seen
        assert Condition.REALISABLE in [cause.condition for cause in result.causes]
    check = SelfCheck(steps=0)
    unchecked = attempt(Robot(0), Components(6), Located(BOUNDS), self_check=check)
    assert isinstance(unchecked, Accepted)
