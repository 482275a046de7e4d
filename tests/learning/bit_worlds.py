"""Random worlds of bits: bits may show a state, the noise, or a mixture, also rarely.

Each bit is a function of the latent state and of one noise bit. Noise bits are independent: in each
step a noise bit is drawn anew with chance `renewal`, as 1 with chance `ones`; otherwise it stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from steel_verified.classes.rows import PackedBits, packed_bits
from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Rng: TypeAlias = np.random.Generator

_BLOCK = 1 << 13


@dataclass(frozen=True)
class NoiseBit:
    """A bit that is drawn anew with some chance in each step."""

    ones: Fraction
    renewal: Fraction


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

    def distance(self, steps: int) -> Fraction:
        """Return an upper bound on the distance of the noise from stationarity after `steps`."""
        return sum(
            (max(b.ones, 1 - b.ones) * (1 - b.renewal) ** steps for b in self.noise), Fraction(0)
        )

    def mixing_time(self) -> int:
        """Return the least t after which the distances of all noise bits sum to at most 1/4."""
        steps = 1
        while self.distance(steps) > Fraction(1, 4):
            steps += 1
        return steps

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
        rng = np.random.default_rng(seed)
        shows = np.array([bit.shows for bit in self.bits])
        which = np.array([bit.noise for bit in self.bits])
        held = np.empty((len(self.noise), 0), dtype=np.int64)

        def noise_until(time: int) -> NDArray[np.int64]:
            nonlocal held
            while held.shape[1] <= time:
                held = np.concatenate([held, self._more(rng, held)], axis=1)
            return held

        def observe(asked: Sequence[Asked]) -> list[PackedBits]:
            found = []
            for times, states in asked:
                noise = noise_until(int(times.max()))[which[:, None], times]
                found.append(packed_bits(shows[np.arange(len(which))[:, None], states, noise].T))
            return found

        return SimulatedWorld(self.dynamics, self.start, observe)

    def _more(self, rng: Rng, held: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the next block of all noise bits."""
        rows = []
        for number, noise in enumerate(self.noise):
            drawn = (rng.random(_BLOCK) < float(noise.ones)).astype(np.int64)
            anew = rng.random(_BLOCK) < float(noise.renewal)
            if held.shape[1]:
                drawn[0] = drawn[0] if anew[0] else held[number, -1]
            since = np.maximum.accumulate(np.where(anew, np.arange(_BLOCK), 0))
            rows.append(drawn[since])
        return np.array(rows)


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
    return LocatedParameters(
        actions=world.dynamics.actions,
        max_states=world.dynamics.states + int(rng.integers(0, 4)),
        mixing_time=world.mixing_time(),
        delta=delta,
        epsilon=Fraction(1, int(rng.choice([2, 5, 20]))),
    )
