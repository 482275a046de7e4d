"""Exogenous block MDPs given by tables: transitions, a noise chain, and emissions."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import common_denominator, require_distribution, thresholds
from steel_verified.worlds.simulated import SimulatedWorld

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.worlds.chains import Chain, Distribution
    from steel_verified.worlds.dynamics import Dynamics

_BLOCK: Final = 1 << 12


@dataclass(frozen=True)
class ExBmdp:
    """M = ⟨X, A, S, E, Q, T, T_e, π_init⟩ with X = {0, …, observations − 1} (l. 141).

    `emission[s][e]` is the distribution of the observation in latent state s and noise state e. The
    same observation may come from several e, but only from one s: this is the block assumption.
    Raises `InvalidArgument` if the tables do not fit together or violate this assumption.
    """

    dynamics: Dynamics
    noise: Chain
    initial_noise: Distribution
    emission: tuple[tuple[Distribution, ...], ...]
    start: int

    def __post_init__(self) -> None:
        if len(self.initial_noise) != len(self.noise):
            raise InvalidArgument(
                "initial_noise", len(self.initial_noise), f"{len(self.noise)} weights"
            )
        require_distribution("initial_noise", self.initial_noise)
        if not 0 <= self.start < self.dynamics.states:
            raise InvalidArgument("start", self.start, f"0 to {self.dynamics.states - 1}")
        if len(self.emission) != self.dynamics.states:
            raise InvalidArgument("emission", len(self.emission), f"{self.dynamics.states} rows")
        owner: dict[int, int] = {}
        for s, row in enumerate(self.emission):
            if len(row) != len(self.noise):
                raise InvalidArgument(f"emission[{s}]", len(row), f"{len(self.noise)} laws")
            for e, law in enumerate(row):
                name = f"emission[{s}][{e}]"
                if len(law) != self.observations:
                    raise InvalidArgument(name, len(law), f"{self.observations} weights")
                require_distribution(name, law)
                for x, weight in enumerate(law):
                    if weight and owner.setdefault(x, s) != s:
                        expected = f"only observations that state {owner[x]} does not emit"
                        raise InvalidArgument(name, f"observation {x}", expected)

    @property
    def observations(self) -> int:
        return len(self.emission[0][0])

    def encoder(self) -> tuple[int | None, ...]:
        """φ*: the state that emits each observation, or None if none does."""
        return tuple(
            next((s for s, row in enumerate(self.emission) if any(law[x] for law in row)), None)
            for x in range(self.observations)
        )


class TabularNoise:
    """The noise of a tabular world: noise states and emission draws, a function of seed and time.

    Draws are made in blocks that depend only on the seed and the number of the block, and never on
    actions. So the noise at a time is the same however the trajectory is divided and read. Draws
    are integers below a common denominator of all weights, so every distribution is exact.
    """

    def __init__(self, world: ExBmdp, seed: int) -> None:
        moves = (world.initial_noise, *world.noise.rows)
        self._seed = seed
        self._moves_of = common_denominator(moves)
        self._emissions_of = common_denominator(law for row in world.emission for law in row)
        self._start, *self._moves = (thresholds(law, self._moves_of) for law in moves)
        self._emissions = [
            [np.array(thresholds(law, self._emissions_of)) for law in row] for row in world.emission
        ]
        self._states = np.empty(0, dtype=np.int64)
        self._draws = np.empty(0, dtype=np.int64)

    def states(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """The noise states e at these times."""
        self._have(int(times.max(initial=0)))
        return self._states[times]

    def observations(
        self, times: NDArray[np.int64], latent: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The observations at these times in these latent states."""
        noise = self.states(times)
        draws = self._draws[times]
        seen = np.empty(len(times), dtype=np.int64)
        for s, row in enumerate(self._emissions):
            for e, law in enumerate(row):
                here = (latent == s) & (noise == e)
                seen[here] = np.searchsorted(law, draws[here], side="right")
        seen.setflags(write=False)
        return seen

    def _have(self, time: int) -> None:
        """Compute the blocks up to this time."""
        blocks = range(len(self._states) // _BLOCK, time // _BLOCK + 1)
        made = [np.random.default_rng((self._seed, block)) for block in blocks]
        for_states = [draw.integers(self._moves_of, size=_BLOCK) for draw in made]
        for_emissions = [draw.integers(self._emissions_of, size=_BLOCK) for draw in made]
        if made:
            walked = self._walk(np.concatenate(for_states).tolist())
            self._states = np.append(self._states, np.array(walked, dtype=np.int64))
            self._draws = np.append(self._draws, np.concatenate(for_emissions))

    def _walk(self, draws: list[int]) -> list[int]:
        """The next noise states, one for each draw."""
        walked = []
        law = self._moves[self._states[-1]] if len(self._states) else self._start
        for draw in draws:
            here = bisect_right(law, draw)
            walked.append(here)
            law = self._moves[here]
        return walked


def tabular_world(world: ExBmdp, noise_seed: int) -> SimulatedWorld[NDArray[np.int64]]:
    """A simulation of a tabular Ex-BMDP with one noise seed. Observations are numbers."""
    noise = TabularNoise(world, noise_seed)
    return SimulatedWorld(
        world.dynamics,
        world.start,
        lambda asked: [noise.observations(times, states) for times, states in asked],
    )
