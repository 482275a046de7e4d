"""A small world without noise for tests of the record: the observation is the state."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.classes.finite import tables
from steel_verified.evidence.ledger import opened
from steel_verified.evidence.observed import read, run
from steel_verified.evidence.plans import Plan
from steel_verified.learning.looped import Looped
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import SimulatedWorld
from tests.bounds import bounds, with_class

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.sealed import Loop, Sample

TURN: Final = Dynamics(((1, 0), (0, 1)))
"""Action 0 swaps two states, action 1 stays."""
ORACLE: Final = tables([[True, False], [False, True]])
RECIPE: Final = Looped(with_class(bounds(2, 2, 2, epsilon=Fraction(1, 2)), 2))
EVERY_TENTH: Final = Progression(10, (Level(3, 10),))


def turning(*, at: int = 0) -> SimulatedWorld[NDArray[np.int64]]:
    """Return the world after `at` steps."""
    world = SimulatedWorld(TURN, 0, lambda asked: [each.states for each in asked])
    world.steps = at
    return world


def looped(word: tuple[int, ...] = (0,)) -> Loop[NDArray[np.int64]]:
    """Return a loop of 40 steps at the start of a run."""
    return run(opened(RECIPE.parameters), turning(), Plan(word, 40))


def two_samples(
    oracle: Class[NDArray[np.int64]] = ORACLE,
) -> tuple[Sample, Sample, Ledger]:
    """Return datasets of state 0 and of state 1, and the ledger after they were read."""
    loop = looped()
    odd = EVERY_TENTH.shifted(1)
    (zeros, ones), ledger = read(loop.ledger, loop, oracle, ((EVERY_TENTH,), (odd,)))
    return zeros, ones, ledger
