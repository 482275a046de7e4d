"""Random worlds of bits and of points, and runs of located STEEL on them beside the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

import numpy as np

from steel_verified.classes.finite import Components
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, Witnessed
from steel_verified.classes.rows import Integers, PackedBits, packed_bits
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import of_kind
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located, rounds
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.worlds.chains import least
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.simulated import Asked, SimulatedWorld
from tests.bounds import bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.learning.results import Result
    from steel_verified.theory.parameters import LocatedParameters


Rng: TypeAlias = np.random.Generator

_BLOCK = 1 << 13


class Noise(Protocol):
    """A part of the noise that is drawn anew with some chance in each step, else kept."""

    @property
    def renewal(self) -> Fraction: ...

    def drawn(self, rng: Rng) -> NDArray[np.int64]:
        """Return what each step of a block shows if it is drawn anew."""
        ...


def kept_noise(seed: int, parts: Sequence[Noise]) -> Callable[[int], NDArray[np.int64]]:
    """Return all parts of the noise, a row for each, up to any time, drawn from a seed."""
    rng = np.random.default_rng(seed)
    held = np.empty((len(parts), 0), dtype=np.int64)

    def block() -> NDArray[np.int64]:
        rows = []
        for number, part in enumerate(parts):
            drawn = part.drawn(rng)
            anew = rng.random(_BLOCK) < float(part.renewal)
            if held.shape[1]:
                drawn[0] = drawn[0] if anew[0] else held[number, -1]
            rows.append(drawn[np.maximum.accumulate(np.where(anew, np.arange(_BLOCK), 0))])
        return np.array(rows)

    def until(time: int) -> NDArray[np.int64]:
        nonlocal held
        while held.shape[1] <= time:
            held = np.concatenate([held, block()], axis=1)
        return held

    return until


@dataclass(frozen=True)
class NoiseBit:
    """A bit that is drawn anew with some chance in each step."""

    ones: Fraction
    renewal: Fraction

    def drawn(self, rng: Rng) -> NDArray[np.int64]:
        return (rng.random(_BLOCK) < float(self.ones)).astype(np.int64)


@dataclass(frozen=True)
class Bit:
    """A component of the observation: `shows[s][e]`, for noise bit `noise` being e."""

    noise: int
    shows: tuple[tuple[bool, bool], ...]


@dataclass(frozen=True)
class BitWorld:
    """Dynamics, noise and the observation bits; the class is that of single bits."""

    dynamics: Dynamics
    start: int
    noise: tuple[NoiseBit, ...]
    bits: tuple[Bit, ...]

    def mixing_time(self) -> int:
        """Return the least t after which the distances of all noise bits sum to at most 1/4."""
        return least(
            lambda steps: (
                steps > 0
                and 4 * sum(max(b.ones, 1 - b.ones) * (1 - b.renewal) ** steps for b in self.noise)
                <= 1
            )
        )

    def error(self, classifiers: Sequence[int], label: int, state: int) -> Fraction:
        """Return the error chance of the encoder on a state with this label, at stationarity.

        The encoder returns the first label whose classifier is 1, and label 0 if there is none.
        Conditions on different noise bits are independent.
        """
        first = [(f, False) for f in classifiers[:label]] + [(classifiers[label], True)]
        right = self._chance(first, state)
        if label == 0:
            right += self._chance([(f, False) for f in classifiers], state)
        return 1 - right

    def _chance(self, wanted: list[tuple[int, bool]], state: int) -> Fraction:
        chance = Fraction(1)
        for number, noise in enumerate(self.noise):
            weights = (1 - noise.ones, noise.ones)
            chance *= sum(
                (
                    weights[e]
                    for e in (0, 1)
                    if all(
                        self.bits[f].shows[state][e] == value
                        for f, value in wanted
                        if self.bits[f].noise == number
                    )
                ),
                Fraction(0),
            )
        return chance

    def world(self, seed: int) -> SimulatedWorld[PackedBits]:
        """Return the simulated world, with its noise drawn from a seed."""
        shows = np.array([bit.shows for bit in self.bits])
        which = np.array([bit.noise for bit in self.bits])
        until = kept_noise(seed, self.noise)

        def observe(asked: Sequence[Asked]) -> list[PackedBits]:
            found = []
            for each in asked:
                times, states = each.times, each.states
                noise = until(int(times.max()))[which[:, None], times]
                found.append(packed_bits(shows[np.arange(len(which))[:, None], states, noise].T))
            return found

        return SimulatedWorld(self.dynamics, self.start, observe)


def random_dynamics(rng: Rng, max_states: int) -> Dynamics:
    """Return random strongly connected tables, locks, cycles with a short cut, or permutations."""
    states, actions = int(rng.integers(1, max_states + 1)), int(rng.integers(1, 5))
    kind = rng.choice(["table", "lock", "ring", "permutations"])
    while True:
        table = rng.integers(0, states, size=(states, actions))
        if kind == "lock":
            table[:] = 0
            right = rng.integers(0, actions, size=states)
            table[np.arange(states), right] = (np.arange(states) + 1) % states
        elif kind == "ring":
            table[:] = ((np.arange(states) + 1) % states)[:, None]
            table[0, -1] = rng.integers(0, states)
        elif kind == "permutations":
            table = np.stack([rng.permutation(states) for _ in range(actions)], axis=1)
        elif rng.random() < 0.5:
            order = rng.permutation(states)
            table[order, rng.integers(0, actions, size=states)] = np.roll(order, -1)
        try:
            return Dynamics(tuple(tuple(map(int, row)) for row in table))
        except InvalidArgument:
            kind = "table" if kind == "permutations" else kind
            if kind == "table":
                order = rng.permutation(states)
                table[order, 0] = np.roll(order, -1)
                return Dynamics(tuple(tuple(map(int, row)) for row in table))


def random_world(rng: Rng, max_states: int) -> BitWorld:
    """Return a random world: slow noise, rare bits, mixtures, or noise that some states hide."""
    dynamics = random_dynamics(rng, max_states)
    states = dynamics.states
    noise = tuple(
        NoiseBit(
            ones=Fraction(int(rng.choice([1, 2, 5, 25, 50, 90])), 100),
            renewal=Fraction(1, int(rng.choice([1, 2, 4, 10, 25]))),
        )
        for _ in range(int(rng.integers(1, 6)))
    )
    own = [tuple((s == t,) * 2 for t in range(states)) for s in range(states)]
    others = [_mixture(rng, states) for _ in range(int(rng.integers(0, 2 * states + 6)))]
    shown = [*own, *others]
    bits = [Bit(int(rng.integers(len(noise))), shows) for shows in shown]
    order = rng.permutation(len(bits))
    return BitWorld(dynamics, int(rng.integers(states)), noise, tuple(bits[int(i)] for i in order))


def _mixture(rng: Rng, states: int) -> tuple[tuple[bool, bool], ...]:
    """Return noise alone, a state and noise, a set of states or noise, or partly hidden noise."""
    kind = int(rng.integers(6))
    one = int(rng.integers(states))
    some = rng.random(states) < rng.random()
    rows = []
    for s in range(states):
        inside = bool(some[s])
        rows.append(
            (
                (False, True),
                (False, s == one),
                (s == one, s == one or inside),
                (inside, not inside),
                (False, inside),
                (s == one, not inside),
            )[kind]
        )
    return tuple(rows)


class Mixing(Protocol):
    """A world whose mixing time is known."""

    @property
    def dynamics(self) -> Dynamics: ...

    def mixing_time(self) -> int: ...


def parameters_for(rng: Rng, world: Mixing, delta: Fraction) -> LocatedParameters:
    """Return correct bounds, some of them loose."""
    return bounds(
        world.dynamics.actions,
        world.dynamics.states + int(rng.integers(0, 4)),
        world.mixing_time(),
        delta=delta,
        epsilon=Fraction(1, int(rng.choice([2, 5, 20]))),
    )


_VALUES = 64
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

    def drawn(self, rng: Rng) -> NDArray[np.int64]:
        values = rng.integers(_VALUES, size=_BLOCK)
        values[rng.random(_BLOCK) < float(self.quiet)] = 0
        return values


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
        return least(
            lambda steps: (
                steps > 0 and 4 * sum((1 - chain.renewal) ** steps for chain in self.noise) <= 1
            )
        )

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
        until = kept_noise(seed, self.noise)

        def observe(asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
            found = []
            for each in asked:
                times, states = each.times, each.states
                first, second = until(int(times.max()))[:, times]
                moved = self.moves[0, states, first] + self.moves[1, states, second]
                found.append(self.points[states] + moved)
            return found

        return SimulatedWorld(self.dynamics, self.start, observe)


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


Batch = TypeVar("Batch", bound=Sized)

DELTA = Fraction(1, 10**7)
"""All worlds of a test together are wrong with chance at most 10⁻⁴."""
MOST_FEATURES = 20


@dataclass(frozen=True)
class RandomRun:
    """The result of a run on a random world, and its steps."""

    seed: int
    dynamics: Dynamics
    start: int
    first_action: int
    parameters: LocatedParameters
    class_size: int
    features: int
    """The dimension of the points; 0 for worlds of bits."""
    ended: str
    steps: int
    validating: int


def bits_run(seed: int, max_states: int, max_steps: int) -> RandomRun:
    """Run located STEEL on a random world of bits."""
    rng = np.random.default_rng(seed)
    truth = random_world(rng, max_states)
    parameters = parameters_for(rng, truth, DELTA)
    return _run(
        seed,
        truth.dynamics,
        truth.world(seed),
        Components(len(truth.bits)),
        parameters,
        first_action=int(rng.integers(parameters.actions)),
        max_steps=max_steps,
        error=lambda found, label, state: truth.error(of_kind(int, *found), label, state),
    )


def half_spaces_run(
    seed: int, max_states: int, max_steps: int, features: int | None = None
) -> RandomRun:
    """Run located STEEL on a random world of points in 2 to 20 dimensions."""
    rng = np.random.default_rng(seed)
    if features is None:
        features = int(rng.integers(2, MOST_FEATURES + 1))
    truth = random_half_spaces(rng, max_states, features)
    return _run(
        seed,
        truth.dynamics,
        truth.world(seed),
        truth.oracle(),
        parameters_for(rng, truth, DELTA),
        first_action=int(rng.integers(truth.dynamics.actions)),
        max_steps=max_steps,
        error=lambda found, label, state: truth.error(of_kind(HalfSpace, *found), label, state),
        features=features,
    )


def _run(
    seed: int,
    truth: Dynamics,
    world: SimulatedWorld[Batch],
    oracle: Class[Batch],
    parameters: LocatedParameters,
    *,
    first_action: int,
    max_steps: int,
    error: Callable[[Sequence[Classifier], int, int], Fraction],
    features: int = 0,
) -> RandomRun:
    start = world.state
    result = checked_run(
        world, oracle, Located(parameters, first_action=first_action), max_steps=max_steps
    )
    assert world.steps <= max_steps
    assert oracle.class_size is not None
    return RandomRun(
        seed=seed,
        dynamics=truth,
        start=start,
        first_action=first_action,
        parameters=parameters,
        class_size=oracle.class_size,
        features=features,
        ended=_ended(result, truth, world.state, parameters.epsilon, error),
        steps=world.steps,
        validating=sum(validation.steps for validation in rounds(result.ledger)),
    )


def _ended(
    result: Result,
    truth: Dynamics,
    state: int,
    epsilon: Fraction,
    error: Callable[[Sequence[Classifier], int, int], Fraction],
) -> str:
    match result:
        case NotAccepted():
            return "not accepted"
        case Accepted(model=model, current=current, classifiers=classifiers):
            meaning = relabelling(model, current, truth, state)
            if meaning is None or classifiers is None:
                return "wrong dynamics"
            errors = [error(classifiers, label, shown) for label, shown in enumerate(meaning)]
            return "right" if max(errors) <= epsilon else "wrong encoder"
        case _:
            return "contradicted"
