"""Finite worlds given by tables of exact probabilities.

An exogenous block MDP has transitions, a noise chain and emissions. A controlled hidden Markov
model also describes worlds that violate a condition of the guarantee.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import common_denominator, require_distribution, thresholds
from steel_verified.worlds.dynamics import Dynamics, times_of
from steel_verified.worlds.simulated import SimulatedWorld

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.chains import Chain, Distribution


_BLOCK: Final = 1 << 12


@dataclass(frozen=True)
class ExBmdp:
    """M = ⟨X, A, S, E, Q, T, T_e, π_init⟩ with X = {0, …, observations − 1} (l. 141).

    `emission[s][e]` is the distribution of the observation in latent state s and noise state e. The
    same observation may come from several e, but only from one s: this is the block assumption.
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

    Draws are made in blocks that depend only on the seed and the number of the block. They are
    integers below a common denominator of all weights, so every distribution is exact.
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
        self._have(int(times.max(initial=0)))
        return self._states[times]

    def observations(
        self, times: NDArray[np.int64], latent: NDArray[np.int64]
    ) -> NDArray[np.int64]:
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
        blocks = range(len(self._states) // _BLOCK, time // _BLOCK + 1)
        made = [np.random.default_rng((self._seed, block)) for block in blocks]
        for_states = [draw.integers(self._moves_of, size=_BLOCK) for draw in made]
        for_emissions = [draw.integers(self._emissions_of, size=_BLOCK) for draw in made]
        if made:
            walked = self._walk(np.concatenate(for_states).tolist())
            self._states = np.append(self._states, np.array(walked, dtype=np.int64))
            self._draws = np.append(self._draws, np.concatenate(for_emissions))

    def _walk(self, draws: list[int]) -> list[int]:
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
        lambda asked: [noise.observations(each.times, each.states) for each in asked],
    )


Law: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Outcomes in increasing order, each with its positive weight. The weights sum to 1."""

_DRAWS_AT_ONCE: Final = 1 << 8


def certain(outcome: int) -> Law:
    return ((outcome, Fraction(1)),)


def law(weights: Mapping[int, Fraction]) -> Law:
    return tuple(sorted((outcome, weight) for outcome, weight in weights.items() if weight))


@dataclass(frozen=True)
class HiddenModel:
    """A controlled hidden Markov model with exact probabilities.

    `start` is the distribution of the hidden state before the first action, `moves[h][a]` that of
    the next one, and `shows[h]` that of the observation, which comes after each action.
    """

    start: Law
    moves: tuple[tuple[Law, ...], ...]
    shows: tuple[Law, ...]

    def __post_init__(self) -> None:
        if len(self.moves) != len(self.shows):
            raise InvalidArgument("shows", len(self.shows), f"{len(self.moves)} laws")
        for h, row in enumerate(self.moves):
            if not row or len(row) != self.actions:
                raise InvalidArgument(f"moves[{h}]", len(row), "a law for each action")
        for name, each in self._laws():
            _require_law(name, each, below=None if name == "shows" else len(self.moves))

    @property
    def actions(self) -> int:
        return len(self.moves[0])

    def __len__(self) -> int:
        return len(self.moves)

    def denominator(self) -> int:
        return common_denominator(_weights(each) for _, each in self._laws())

    def _laws(self) -> Iterator[tuple[str, Law]]:
        yield "start", self.start
        for row in self.moves:
            for each in row:
                yield "moves", each
        for each in self.shows:
            yield "shows", each


def _weights(given: Law) -> Distribution:
    return tuple(weight for _, weight in given)


def _require_law(name: str, given: Law, *, below: int | None) -> None:
    outcomes = [outcome for outcome, _ in given]
    in_order = outcomes == sorted(set(outcomes)) and all(weight > 0 for weight in _weights(given))
    if not in_order or sum(_weights(given)) != 1:
        raise InvalidArgument(name, given, "increasing outcomes with positive weights of sum 1")
    if outcomes[0] < 0 or (below is not None and outcomes[-1] >= below):
        last = "" if below is None else f" to {below - 1}"
        raise InvalidArgument(name, given, f"outcomes from 0{last}")


class HiddenWorld:
    """A running hidden model with a seed. Observations are numbers.

    Each time has two random integers below `denominator` that depend only on the seed and the time:
    one moves the hidden state, the other chooses the observation.
    """

    def __init__(self, model: HiddenModel, seed: int, denominator: int | None = None) -> None:
        whole = model.denominator() if denominator is None else denominator
        if whole % model.denominator():
            raise InvalidArgument("denominator", whole, f"a multiple of {model.denominator()}")
        self.model = model
        self.steps: int = 0
        self._seed = seed
        self._whole = whole
        self._moves = [[_Drawn.of(each, whole) for each in row] for row in model.moves]
        self._shows = [_Drawn.of(each, whole) for each in model.shows]
        self._draws: list[list[int]] = []
        self._seen: list[int] = []
        first, _ = self._draw(0)
        self.state: int = _Drawn.of(model.start, whole).at(first)

    @property
    def actions(self) -> int:
        return self.model.actions

    def run(self, plan: Plan) -> HiddenTrajectory:
        if plan.done == 0:
            self._seen = []
        for n in range(plan.done, plan.done + plan.steps):
            self.steps += 1
            move, show = self._draw(self.steps)
            self.state = self._moves[self.state][plan.word[n % len(plan.word)]].at(move)
            self._seen.append(self._shows[self.state].at(show))
        return HiddenTrajectory(np.array(self._seen, dtype=np.int64))

    def _draw(self, time: int) -> tuple[int, int]:
        block, within = divmod(time, _DRAWS_AT_ONCE)
        if within == 0:
            made = np.random.default_rng((self._seed, block))
            self._draws = made.integers(self._whole, size=(_DRAWS_AT_ONCE, 2)).tolist()
        move, show = self._draws[within]
        return move, show


@dataclass(frozen=True, slots=True)
class HiddenTrajectory:
    seen: NDArray[np.int64]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[NDArray[np.int64], ...]:
        return tuple(self.seen[times_of(pieces) - 1] for pieces in datasets)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A distribution as cumulative weights in units of 1/M, for a draw from 0, …, M − 1."""

    outcomes: tuple[int, ...]
    thresholds: tuple[int, ...]

    @staticmethod
    def of(given: Law, whole: int) -> _Drawn:
        return _Drawn(tuple(outcome for outcome, _ in given), thresholds(_weights(given), whole))

    def at(self, draw: int) -> int:
        return self.outcomes[bisect_right(self.thresholds, draw)]
