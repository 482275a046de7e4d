"""Worlds in which broken located learners are tested."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.classes.finite import Components
from steel_verified.classes.rows import PackedBits, packed_bits
from steel_verified.worlds.catalogue import setting
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld
from tests.bounds import bounds

from .random_worlds import parameters_for, random_world

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.theory.parameters import LocatedParameters


@dataclass(frozen=True)
class Scene:
    """A world that starts anew for each run, its class, and correct parameters."""

    world: Callable[[], World[BitRows]]
    oracle: Class[BitRows]
    parameters: LocatedParameters
    first_action: int = 0


def random_scene(seed: int, noise_seed: int = 0) -> Scene:
    """Return a random world of bits."""
    rng = np.random.default_rng(seed)
    world = random_world(rng, max_states=5)
    parameters = parameters_for(rng, world, Fraction(1, 20))
    return Scene(lambda: world.world(noise_seed), Components(len(world.bits)), parameters)


def scene_of(
    dynamics: Dynamics,
    noise: Callable[[int], int],
    classifiers: Sequence[Sequence[bool]],
    parameters: LocatedParameters,
) -> Scene:
    """Return a scene in which state s with noise e shows all classifiers on s·letters + e.

    The noise is a function of the step. A classifier is given by its list of values.
    """
    values = np.array(classifiers).T
    letters = len(values) // dynamics.states

    def observe(asked: Sequence[Asked]) -> list[PackedBits]:
        return [
            packed_bits(values[letters * each.states + [noise(int(time)) for time in each.times]])
            for each in asked
        ]

    return Scene(
        lambda: SimulatedWorld(dynamics, 0, observe), Components(len(classifiers)), parameters
    )


def parameters(actions: int, max_states: int, mixing_time: int, hard: int) -> LocatedParameters:
    """Return parameters with δ = 1/20 and ε = 1/hard."""
    return bounds(actions, max_states, mixing_time, epsilon=Fraction(1, hard))


def hasty_scene(rare: Callable[[int], bool]) -> Scene:
    """Two alternating states; the first classifier recognises state 0 only if the noise is 0."""
    return scene_of(
        Dynamics(((1,), (0,))),
        lambda time: int(rare(time)),
        [[True, False, False, False], [True, True, False, False], [False, False, True, True]],
        parameters(1, 2, 2, 20),
    )


LOCK: Final = combination_lock(7, states=4, components=12, least_noise=0.1)
LOCKED: Final = Scene(
    lambda: LOCK.world(5),
    LOCK.oracle(),
    parameters(
        2, 6, setting("combination-lock", states=4, components=12).parameters.mixing_time, 5
    ),
    LOCK.first_action,
)
"""This scene has merges, refuted periods, and a validation that passes."""
HASTY: Final = hasty_scene(lambda time: time == 30)
"""The first round fails."""
RICH: Final = scene_of(
    Dynamics(((1, 0), (2, 0), (3, 0), (0, 2))),
    lambda _: 0,
    [[bool(which >> s & 1) for s in range(4)] for which in range(1, 15)],
    parameters(2, 5, 1, 5),
)
"""Every set of states has a classifier, so the learner does not notice wrong merges."""
PERIODIC: Final = scene_of(
    Dynamics(((0, 1), (1, 0))),
    lambda time: time % 6 if time <= 6 else 0,
    [
        *([x % 6 % 2 == r for x in range(12)] for r in range(2)),
        *([x % 6 % 3 == r for x in range(12)] for r in range(3)),
        *([x // 6 == s for x in range(12)] for s in range(2)),
    ],
    parameters(2, 3, 1, 5),
)
"""At first the noise makes the periods 2 and 3 possible, although the state does not change."""
ALONE: Final = scene_of(Dynamics(((0,),)), lambda _: 0, [[True]], parameters(1, 2, 1, 5))
"""There is one state, and N is 2."""
CROWDED: Final = replace(LOCKED, parameters=replace(LOCKED.parameters, max_states=3))
"""There are more states than N."""
