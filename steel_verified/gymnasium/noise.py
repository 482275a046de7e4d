"""Exogenous noise, added to the observations of an environment or appended to them.

The noise has its own generator. It starts when the environment is reset with a seed, and continues
through every other reset. No action influences it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, MultiBinary

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.world import default_features, discrete_actions
from steel_verified.theory.parameters import require_integer, require_probability
from steel_verified.worlds.chains import (
    Chain,
    common_denominator,
    mixing_time_together,
    stationary,
    thresholds,
)
from steel_verified.worlds.stepped import Seen, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers

Observation = TypeVar("Observation")


class Noise(Protocol):
    """A kind of noise: its distribution, before values are drawn."""

    @property
    def mixing_time(self) -> int:
        """An upper bound on t_mix(1/4)."""
        ...

    def running(self, generator: np.random.Generator, like: Numbers) -> Iterator[Numbers]:
        """Yield the noise of each step, from its stationary distribution on.

        `like` is an observation of the kind to which it will be added.
        """
        ...

    def on(self, observation: Numbers, noise: Numbers) -> Numbers:
        """Return the observation with the noise."""
        ...


def running_chains(
    chains: Sequence[Chain], generator: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Independent Markov chains that start in their stationary distributions, sampled exactly."""

    def drawn(law: tuple[tuple[int, ...], int]) -> int:
        steps, whole = law
        number = int(generator.integers(whole))
        return sum(step <= number for step in steps)

    laws = [[_drawable(row) for row in chain.rows] for chain in chains]
    states = [drawn(_drawable(stationary(chain))) for chain in chains]
    while True:
        states = [drawn(rows[state]) for rows, state in zip(laws, states, strict=True)]
        yield np.array(states, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class NoiseBits:
    """Bits appended to the observation: the states of Markov chains with two states each."""

    chains: tuple[Chain, ...]

    def __post_init__(self) -> None:
        for chain in self.chains:
            if len(chain) != 2:
                raise InvalidArgument("chains", f"a chain of {len(chain)} states", "two states")
        if not self.chains:
            raise InvalidArgument("chains", "none", "at least one")

    @property
    def mixing_time(self) -> int:
        """Exact for one chain; for several, a bound by the sum of their distances (union bound)."""
        return mixing_time_together(self.chains)

    def running(self, generator: np.random.Generator, like: Numbers) -> Iterator[NDArray[np.int64]]:
        del like
        return running_chains(self.chains, generator)

    def on(self, observation: Numbers, noise: Numbers) -> Numbers:
        flat = observation.ravel()
        return np.concatenate([flat, noise.astype(flat.dtype)])


def flickering(bits: int, chance: Fraction) -> NoiseBits:
    """Return noise of `bits` independent bits; in every step each one changes with `chance`."""
    require_integer("bits", bits, at_least=1)
    require_probability("chance", chance)
    return NoiseBits((Chain(((1 - chance, chance), (chance, 1 - chance))),) * bits)


@dataclass(frozen=True, slots=True)
class NoisyPixels:
    """For each pixel an integer from −amplitude to amplitude, drawn anew in every step.

    Pixels must be integers. The noise is added, and the sum is clipped to 0, …, 255.
    """

    amplitude: int

    def __post_init__(self) -> None:
        if self.amplitude < 1:
            raise InvalidArgument("amplitude", self.amplitude, "at least 1")

    @property
    def mixing_time(self) -> int:
        return 1

    def running(self, generator: np.random.Generator, like: Numbers) -> Iterator[NDArray[np.int64]]:
        while True:
            yield generator.integers(-self.amplitude, self.amplitude + 1, size=like.shape)

    def on(self, observation: Numbers, noise: Numbers) -> Numbers:
        if observation.dtype.kind not in "iu":
            raise InvalidArgument("features", observation.dtype, "integers from 0 to 255")
        return np.clip(observation.astype(np.int64) + noise.astype(np.int64), 0, 255)


class WithNoise(
    gymnasium.ObservationWrapper["Numbers", np.int64, Observation], Generic[Observation]
):
    """An environment with noise added to its observations or appended to them.

    `features` maps an observation to numbers, as in `from_gymnasium`. Episodes must not end: wrap
    `Continuing(env)`, not the reverse.
    """

    def __init__(
        self,
        env: gymnasium.Env[Observation, np.int64],
        noise: Noise,
        features: Callable[[Observation], Seen] | None = None,
    ) -> None:
        discrete_actions(env)
        if not hasattr(noise, "running"):
            expected = "noise, such as flickering(6, Fraction(1, 3)) or NoisyPixels(35)"
            raise InvalidArgument("noise", repr(noise), expected)
        super().__init__(env)
        self.noise = noise
        self._features = default_features(env) if features is None else features
        first, _ = env.reset()
        self._like = np.asarray(self._features(first))
        self._running = noise.running(np.random.default_rng(), self._like)
        self.observation_space = space_like(self.observation(first))

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Numbers, dict[str, object]]:
        """Reset the environment. A seed also restarts the noise; without one, it continues."""
        if seed is not None:
            # Independent of the generator that an environment makes from the same seed.
            own = np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])
            self._running = self.noise.running(own, self._like)
        return super().reset(seed=seed, options=options)

    def observation(self, observation: Observation) -> Numbers:
        """Return the observation with noise, after advancing the noise by one step."""
        return self.noise.on(np.asarray(self._features(observation)), next(self._running))


def space_like(row: Numbers) -> MultiBinary | Box:
    """Return the space of bits, integers or floats with the shape of this observation."""
    kind = kind_of(row)
    if kind.entries == "bool":
        return MultiBinary(kind.width)
    low, high = (-(2**62), 2**62) if kind.entries == "int64" else (-np.inf, np.inf)
    return Box(low, high, shape=kind.shape, dtype=np.dtype(kind.entries).type)


def _drawable(law: tuple[Fraction, ...]) -> tuple[tuple[int, ...], int]:
    """Return a distribution as thresholds for a uniformly drawn integer, and the range of it."""
    whole = common_denominator([law])
    return thresholds(law, whole), whole
