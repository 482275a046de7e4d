"""Learned worlds for the tests of this room."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from steel_verified.learning.located import Located
from steel_verified.learning.model import Model
from steel_verified.learning.results import Guarantee
from steel_verified.using.attempt import attempt
from steel_verified.using.encoder import Encoder
from steel_verified.using.learned import Learned
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.worlds.simulated import SimulatedWorld

Batch = TypeVar("Batch")

RING = Model(2, ((1, 0), (2, 0), (0, 0)))
"""Three states: action 0 goes to the next one, action 1 goes back to 0."""
GUARANTEE = Guarantee("located", Fraction(1, 20), Fraction(1, 10), certified=True)


class LearnedLock(NamedTuple):
    learned: Learned
    world: SimulatedWorld[BitRows]
    """The world at the end of the run."""
    seen: NDArray[np.bool_]
    """An observation of each true state."""


def lock(noise_seed: int = 1) -> LearnedLock:
    """Return a small combination lock that located STEEL has learned."""
    drawn = combination_lock(0, states=4, components=30, least_noise=0.1)
    world, oracle = drawn.world(noise_seed), drawn.oracle()
    parameters = instance("combination-lock", 0, states=4, components=30).parameters
    learned = Learned.of(attempt(world, oracle, Located(parameters)), oracle)
    see = drawn.see(99)
    seen = np.array([see(1000 + 50 * state, state) for state in range(4)], dtype=np.bool_)
    return LearnedLock(learned, world, seen)


@cache
def one_lock() -> LearnedLock:
    """Return a shared lock; its world must not be stepped."""
    return lock()


def ring(functions: Class[Batch], classifiers: Sequence[Classifier]) -> Learned:
    """Return the ring with these classifiers for its three states."""
    encoder = Encoder(functions, tuple(classifiers))
    return Learned(RING, 1, 1234, GUARANTEE, encoder)
