"""Small worlds in which no single component shows the state, one for each class of classifiers.

The observation is a function of the state and of some noise: numbers that are uniform on [0, 1).
In each step all of them are drawn anew with chance 1/2 and kept otherwise. So the noise mixes
within two steps.

A learner without proof, for tests: a perceptron.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.fitted import Fitted
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, encode
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.simulated import Asked, SimulatedWorld
from tests.bounds import bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.fitted import Values
    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class
    from steel_verified.theory.parameters import LocatedParameters


Show: TypeAlias = "Callable[[NDArray[np.int64], NDArray[np.float64]], Numbers]"
"""Maps the states and the noise to the observations, one row for each."""

MOST_STEPS: Final = 40_000
EPSILON: Final = Fraction(1, 10)
_JUDGED: Final = 5_000


@dataclass(frozen=True)
class ShownWorld:
    """Dynamics, the number of random numbers in the noise, and the observation function."""

    dynamics: Dynamics
    features: int
    noise: int
    show: Show

    def world(self, seed: int) -> SimulatedWorld[Numbers]:
        """Return the simulated world, with its noise drawn from a seed."""
        rng = np.random.default_rng(seed)
        drawn = rng.random((MOST_STEPS + 1, self.noise))
        anew = rng.random(MOST_STEPS + 1) < 0.5
        since = np.maximum.accumulate(np.where(anew, np.arange(MOST_STEPS + 1), 0))

        def observe(asked: Sequence[Asked]) -> list[Numbers]:
            return [self.show(each.states, drawn[since[each.times]]) for each in asked]

        return SimulatedWorld(self.dynamics, 0, observe)

    def seen(self, state: int) -> Numbers:
        """Return many observations of one state, under stationary noise."""
        rng = np.random.default_rng(state)
        return self.show(np.full(_JUDGED, state), rng.random((_JUDGED, self.noise)))

    @property
    def parameters(self) -> LocatedParameters:
        return bounds(
            self.dynamics.actions,
            self.dynamics.states + 1,
            2,
            delta=Fraction(1, 1000),
            epsilon=EPSILON,
        )


@dataclass(frozen=True)
class Learned:
    """The result of a run: a correct model, up to labels, and an encoder that was tested."""

    states: int
    worst_error: float
    """The largest share of wrongly encoded observations of a state."""
    steps: int


def learned(
    truth: ShownWorld,
    oracle: Class[Numbers],
    seed: int,
    *,
    max_steps: int = MOST_STEPS,
) -> Learned | str:
    """Run located STEEL; return what it learned, or the reason why it is not accepted."""
    world = truth.world(seed)
    result = checked_run(world, oracle, Located(truth.parameters), max_steps=max_steps)
    if not isinstance(result, Accepted):
        return result.because
    assert result.classifiers is not None
    meaning = relabelling(result.model, result.current, truth.dynamics, world.state)
    if meaning is None:
        return f"a wrong model with {result.model.states} states"
    errors = [
        float((encode(oracle, result.classifiers, truth.seen(state)) != label).mean())
        for label, state in enumerate(meaning)
    ]
    return Learned(len(meaning), max(errors), world.steps)


def _ring(states: int) -> Dynamics:
    """Action 0 goes to the next state; action 1 does so from even states and else goes to 0."""
    return Dynamics(
        tuple(((s + 1) % states, 0 if s % 2 else (s + 1) % states) for s in range(states))
    )


def sensors() -> ShownWorld:
    """Four states, each with its own high sensor, and two sensors that show only noise."""

    def show(states: NDArray[np.int64], noise: NDArray[np.float64]) -> Numbers:
        shown = 0.5 * noise
        shown[np.arange(len(states)), states] += 0.6
        return shown

    return ShownWorld(_ring(4), 6, 6, show)


def rooms() -> ShownWorld:
    """Six rooms in two rows of three; the position within a room is noise."""
    rows, columns = 2, 3
    table = []
    for s in range(rows * columns):
        y, x = divmod(s, columns)
        table.append(
            tuple(
                min(max(y + dy, 0), rows - 1) * columns + min(max(x + dx, 0), columns - 1)
                for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))
            )
        )

    def show(states: NDArray[np.int64], noise: NDArray[np.float64]) -> Numbers:
        y, x = np.divmod(states, columns)
        return np.column_stack([x + 0.8 * noise[:, 0], y + 0.8 * noise[:, 1], noise[:, 2]])

    return ShownWorld(Dynamics(tuple(table)), 3, 3, show)


def codes() -> ShownWorld:
    """Eight states as numbers of three bits, among nine bits of noise, four of them rarely 1."""
    chances = np.array([0.5] * 5 + [0.1] * 4)
    places = np.random.default_rng(0).permutation(12)

    def show(states: NDArray[np.int64], noise: NDArray[np.float64]) -> Numbers:
        code = (states[:, None] >> np.arange(3) & 1).astype(np.bool_)
        return np.column_stack([code, noise < chances])[:, places]

    return ShownWorld(_ring(8), 12, 9, show)


def images() -> ShownWorld:
    """Grey images of 2 × 4 pixels under changing light; in each state another column is brighter.

    The light varies by 100 and each pixel by 16, but a column is brighter only by 40. So no single
    pixel shows the state, but the comparison of a column with the others does.
    """

    def show(states: NDArray[np.int64], noise: NDArray[np.float64]) -> Numbers:
        light = np.floor(100 * noise[:, :1])
        pixels = np.floor(17 * noise[:, 1:]) + light
        bright = np.arange(8) % 4 == states[:, None]
        shown: NDArray[np.float64] = pixels + 40 * bright
        return shown.astype(np.uint8)

    return ShownWorld(_ring(4), 8, 9, show)


def discs() -> ShownWorld:
    """Two states: near a point or far from it, in any direction."""

    def show(states: NDArray[np.int64], noise: NDArray[np.float64]) -> Numbers:
        angle = 2 * np.pi * noise[:, 0]
        radius = np.where(states, 1.3 + 0.7 * noise[:, 1], noise[:, 1])
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])

    return ShownWorld(Dynamics(((1, 0), (0, 1))), 2, 2, show)


def elevator(order: Sequence[int] = range(8)) -> ShownWorld:
    """Four floors, six weak features and then two strong ones; `order` permutes these features.

    A weak feature numbers the floors in an order of its own, and its noise is normal, so that
    floors are rarely mistaken. A strong feature shows the floor with noise of less than 1.
    """
    floors, weak, strong = 4, 6, 2
    rng = np.random.default_rng(5)
    numbers = np.array([rng.permutation(floors) for _ in range(weak)]).T
    normal = np.vectorize(NormalDist().inv_cdf)

    def show(states: NDArray[np.int64], noise: NDArray[np.float64]) -> Numbers:
        mistaken = numbers[states] + 0.3 * normal(np.clip(noise[:, :weak], 1e-9, 1 - 1e-9))
        shown = states[:, None] + 0.5 * noise[:, weak:]
        return np.column_stack([mistaken, shown])[:, order]

    up_and_down = tuple((min(s + 1, floors - 1), max(s - 1, 0)) for s in range(floors))
    return ShownWorld(Dynamics(up_and_down), weak + strong, weak + strong, show)


MOST_PASSES: Final = 400


def _above(weights: NDArray[np.float64]) -> Values:
    return lambda rows: np.asarray(rows @ weights[:-1] + weights[-1] > 0)


def perceptron(zeros: NDArray[np.float64], ones: NDArray[np.float64]) -> Values | None:
    """Move the weights towards all misclassified rows until there are none."""
    rows = np.concatenate([zeros, ones])
    rows = np.column_stack([rows, np.ones(len(rows))])
    sides = np.repeat([-1.0, 1.0], [len(zeros), len(ones)])
    weights = np.append(ones.mean(axis=0) - zeros.mean(axis=0), 0.0)
    for _ in range(MOST_PASSES):
        wrong = sides * (rows @ weights) <= 0
        if not wrong.any():
            return _above(weights)
        weights = weights + (sides[wrong, None] * rows[wrong]).mean(axis=0)
    return None


@dataclass(frozen=True)
class Example:
    """A world, and the class with which it is learned."""

    name: str
    truth: ShownWorld
    functions: Class[Numbers]
    learned: Callable[[int], Learned | str]
    """Learns the world with noise from a seed."""


def _example(name: str, truth: ShownWorld, oracle: Class[Numbers]) -> Example:
    return Example(name, truth, oracle, lambda seed: learned(truth, oracle, seed))


_QUADRATIC: Final = Monomials(2, 2)

EXAMPLES: Final = (
    _example("thresholds", sensors(), Thresholds(6)),
    _example("boxes", rooms(), Boxes(3)),
    _example("conjunctions", codes(), Conjunctions(12)),
    _example("half-spaces", images(), HalfSpaces(8, Integers(0, 255))),
    _example("half-spaces on floats", images(), HalfSpaces(8)),
    _example("monomials", discs(), Featured(_QUADRATIC, HalfSpaces(_QUADRATIC.size))),
    _example("perceptron", images(), Fitted(8, perceptron)),
)
