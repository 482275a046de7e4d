"""Random worlds whose observations are integer points, and whose classifiers are half-spaces.

Each state has a point. Two independent noise chains add a vector to it, which depends on the value
of the chain; some states hide a chain. In each step a chain is drawn anew with chance `renewal`: it
becomes quiet (value 0, no movement) with chance `quiet`, otherwise any of its values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.classes.rows import Integers
from steel_verified.worlds.simulated import Asked, SimulatedWorld

from .bit_worlds import random_dynamics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.half_spaces import HalfSpace
    from steel_verified.worlds.dynamics import Dynamics

    from .bit_worlds import Rng

_VALUES = 64
_BLOCK = 1 << 13
_LARGEST_MOVE = 5


@dataclass(frozen=True)
class NoiseChain:
    """A value that is drawn anew with some chance: 0, which is quiet, or any of all values."""

    quiet: Fraction
    renewal: Fraction

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The chance of each value, at stationarity and when it is drawn anew."""
        other = (1 - self.quiet) / _VALUES
        return (self.quiet + other, *(other,) * (_VALUES - 1))


@dataclass(frozen=True, eq=False)
class HalfSpaceWorld:
    """State s with values e, f of the chains shows points[s] + moves[0, s, e] + moves[1, s, f]."""

    dynamics: Dynamics
    start: int
    noise: tuple[NoiseChain, ...]
    points: NDArray[np.int64]
    moves: NDArray[np.int64]

    @property
    def features(self) -> int:
        return int(self.points.shape[1])

    def oracle(self) -> Witnessed:
        """Return all half-spaces, on the cube that contains every observation."""
        far = int(np.abs(self.points).max() + np.abs(self.moves).max(axis=(1, 2, 3)).sum())
        return Witnessed(HalfSpaces(self.features, Integers(-far, max(1, far))))

    def mixing_time(self) -> int:
        """Return the least t after which the distances of both chains sum to at most 1/4."""
        steps = 1
        while sum((1 - chain.renewal) ** steps for chain in self.noise) > Fraction(1, 4):
            steps += 1
        return steps

    def shown(self, state: int) -> NDArray[np.int64]:
        """Return all observations of a state, one row for each pair of values of the chains."""
        first, second = self.moves[:, state]
        moved: NDArray[np.int64] = self.points[state] + first[:, None] + second[None, :]
        return moved.reshape(-1, self.features)

    def error(self, classifiers: Sequence[HalfSpace], label: int, state: int) -> Fraction:
        """Return the error chance of the encoder on a state with this label, at stationarity."""
        shown = self.shown(state)
        weights = [p * q for p, q in product(*(chain.weights for chain in self.noise))]
        ones = np.stack([self._values(one, shown) for one in classifiers])
        named = np.where(ones.any(axis=0), ones.argmax(axis=0), 0)
        wrong = np.flatnonzero(named != label).tolist()
        return sum((weights[i] for i in wrong), Fraction(0))

    def _values(self, classifier: HalfSpace, shown: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return the classifier's value on each row; weights may need more than 64 bits."""
        totals = shown.astype(object) @ np.array(classifier.weights, dtype=object)
        return np.array(totals + classifier.bias > 0, dtype=np.bool_)

    def world(self, seed: int) -> SimulatedWorld[NDArray[np.int64]]:
        """Return the simulated world, with its noise drawn from a seed."""
        rng = np.random.default_rng(seed)
        held = np.empty((len(self.noise), 0), dtype=np.int64)

        def observe(asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
            nonlocal held
            found = []
            for times, states in asked:
                while held.shape[1] <= times.max():
                    held = np.concatenate([held, self._more(rng, held)], axis=1)
                first, second = held[:, times]
                moved = self.moves[0, states, first] + self.moves[1, states, second]
                found.append(self.points[states] + moved)
            return found

        return SimulatedWorld(self.dynamics, self.start, observe)

    def _more(self, rng: Rng, held: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the next block of both chains."""
        rows = []
        for number, chain in enumerate(self.noise):
            drawn = rng.integers(_VALUES, size=_BLOCK)
            drawn[rng.random(_BLOCK) < float(chain.quiet)] = 0
            anew = rng.random(_BLOCK) < float(chain.renewal)
            if held.shape[1]:
                drawn[0] = drawn[0] if anew[0] else held[number, -1]
            since = np.maximum.accumulate(np.where(anew, np.arange(_BLOCK), 0))
            rows.append(drawn[since])
        return np.array(rows)


def random_half_spaces(rng: Rng, max_states: int, features: int) -> HalfSpaceWorld:
    """Return a random world: slow noise, rare noise, or noise that some states hide.

    Every state has its own half-space. In the first coordinates the states are corners of a cube,
    or points of a parabola if there are too few coordinates; the noise there is too small to
    matter. All other coordinates are noise. Then coordinates are added to others, so that single
    coordinates do not show the state: half-spaces stay half-spaces.
    """
    dynamics = random_dynamics(rng, max_states)
    states = dynamics.states
    noise = tuple(
        NoiseChain(
            quiet=Fraction(int(rng.choice([0, 0, 50, 90])), 100),
            renewal=Fraction(1, int(rng.choice([1, 2, 4, 10, 25]))),
        )
        for _ in range(2)
    )
    moves = rng.integers(-_LARGEST_MOVE, _LARGEST_MOVE + 1, size=(2, states, _VALUES, features))
    if rng.random() < 0.5:
        moves[:] = moves[:, :1]  # all states show the noise in the same way
    moves[:, rng.random(states) < 0.2] = 0
    moves[:, :, 0] = 0
    points = np.zeros((states, features), dtype=np.int64)
    corners = max(1, (states - 1).bit_length())
    if corners < features:
        # w = 2·corner − side is at least side²/2 larger on its own corner; moves are smaller.
        side = 4 * corners * 2 * _LARGEST_MOVE
        chosen = rng.choice(1 << corners, size=states, replace=False)
        points[:, :corners] = side * (chosen[:, None] >> np.arange(corners) & 1)
    else:
        # w = (2t, −1) is largest on t's own point of the parabola, by `side`.
        side = 4 * (2 * states + 1) * 2 * _LARGEST_MOVE
        order = rng.permutation(states)
        points[:, 0], points[:, 1] = side * order, side * order**2
    for _ in range(features):
        one, other = rng.choice(features, size=2, replace=False)
        points[:, one] += points[:, other]
        moves[..., one] += moves[..., other]
    return HalfSpaceWorld(dynamics, int(rng.integers(states)), noise, points, moves)
