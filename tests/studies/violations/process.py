"""Controlled processes given by tables, which may violate any condition of the guarantee.

An `ExBmdp` rejects random dynamics, noise that depends on actions, and shared observations. A
`Process` allows them, and its dynamics may change once.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from steel_verified.worlds.chains import common_denominator, require_distribution, thresholds
from steel_verified.worlds.dynamics import times_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.chains import Distribution

Laws = tuple[tuple["Distribution", ...], ...]

_BLOCK: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class Process:
    """Latent states and noise states that move at each step, and their observations."""

    moves: Laws
    """`moves[s][a]` is the distribution of the next latent state after action a in s."""
    noise: Laws
    """`noise[a][e]` is the distribution of the next noise state after action a in noise state e."""
    emission: Laws
    """`emission[s][e]` is the distribution of the observation."""
    initial_noise: Distribution
    start: int

    def __post_init__(self) -> None:
        for name in ("moves", "noise", "emission"):
            laws: Laws = getattr(self, name)
            for i, row in enumerate(laws):
                for j, law in enumerate(row):
                    require_distribution(f"{name}[{i}][{j}]", law)
        require_distribution("initial_noise", self.initial_noise)

    @property
    def actions(self) -> int:
        return len(self.noise)


@dataclass(frozen=True, slots=True)
class Change:
    """After step `after`, the latent states move with other distributions."""

    after: int
    moves: Laws


class Step(NamedTuple):
    """An action, followed by the latent state, the noise state and the observation after it."""

    action: int
    state: int
    noise: int
    seen: int


@dataclass(frozen=True, slots=True)
class RecordedLoop:
    """The observations of one loop: row t − 1 is the observation after its t-th step."""

    seen: NDArray[np.int64]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[NDArray[np.int64], ...]:
        return tuple(self.seen[times_of(pieces) - 1] for pieces in datasets)


class ProcessWorld:
    """A running process. Equal seeds give equal draws at each step, whatever the actions are."""

    def __init__(self, process: Process, seed: int, change: Change | None = None) -> None:
        self.process = process
        self.state: int = process.start
        self.steps: int = 0
        self.path: list[Step] = []
        self._change = change
        laws = (process.moves, change.moves if change else ())
        moves_of = common_denominator(law for table in laws for row in table for law in row)
        noises = (*process.noise, (process.initial_noise,))
        noise_of = common_denominator(law for row in noises for law in row)
        shows_of = common_denominator(law for row in process.emission for law in row)
        self._moves, self._later = (_cut(table, moves_of) for table in laws)
        self._noise = [[thresholds(law, noise_of) for law in row] for row in process.noise]
        self._shows = np.array(
            [
                [
                    np.searchsorted(thresholds(law, shows_of), np.arange(shows_of), "right")
                    for law in row
                ]
                for row in process.emission
            ]
        )
        self._draws = _Draws(seed, (moves_of, noise_of, shows_of))
        self._noise_state = bisect_right(
            thresholds(process.initial_noise, noise_of), int(self._draws.between(0, 1)[0, 1])
        )
        self._seen: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    @property
    def actions(self) -> int:
        return self.process.actions

    @property
    def has_changed(self) -> bool:
        return self._change is not None and self.steps > self._change.after

    def run(self, plan: Plan) -> RecordedLoop:
        length = len(plan.word)
        actions = list(
            islice(cycle(plan.word), plan.done % length, plan.done % length + plan.steps)
        )
        # Row 0 of the draws chose the first noise state.
        draws = self._draws.between(self.steps + 1, self.steps + 1 + plan.steps)
        until = plan.steps
        if self._change is not None:
            until = min(max(0, self._change.after - self.steps), plan.steps)
        states, noises = self._walk(self._moves, actions[:until], draws[:until])
        later = self._walk(self._later, actions[until:], draws[until:])
        states, noises = states + later[0], noises + later[1]
        seen = self._shows[states, noises, draws[:, 2]]
        self.path += map(Step, actions, states, noises, seen.tolist())
        self._seen = np.concatenate([self._seen, seen]) if plan.done else seen
        self.steps += plan.steps
        return RecordedLoop(self._seen)

    def _walk(
        self,
        moves: list[list[int | tuple[int, ...]]],
        actions: list[int],
        draws: NDArray[np.int64],
    ) -> tuple[list[int], list[int]]:
        """Take one step for each action; return the latent and noise states after each step."""
        here, noise = self.state, self._noise_state
        states, noises = [], []
        for action, move, turn in zip(
            actions, draws[:, 0].tolist(), draws[:, 1].tolist(), strict=True
        ):
            law = moves[here][action]
            here = law if isinstance(law, int) else bisect_right(law, move)
            noise = bisect_right(self._noise[action][noise], turn)
            states.append(here)
            noises.append(noise)
        self.state, self._noise_state = here, noise
        return states, noises


def _cut(table: Laws, whole: int) -> list[list[int | tuple[int, ...]]]:
    """The thresholds of each distribution, or its outcome if there is only one."""
    return [[law.index(1) if 1 in law else thresholds(law, whole) for law in row] for row in table]


class _Draws:
    """Three integers for each step, each uniform below a bound; a function of seed and step."""

    def __init__(self, seed: int, below: Sequence[int]) -> None:
        self._seed = seed
        self._below = below
        self._made: NDArray[np.int64] = np.empty((0, len(below)), dtype=np.int64)

    def between(self, first: int, end: int) -> NDArray[np.int64]:
        """The draws of the steps first, …, end − 1."""
        if end > len(self._made):
            blocks = range(len(self._made) // _BLOCK, (end - 1) // _BLOCK + 1)
            new = [
                np.random.default_rng((self._seed, block)).integers(
                    self._below, size=(_BLOCK, len(self._below))
                )
                for block in blocks
            ]
            self._made = np.concatenate([self._made, *new])
        return self._made[first:end]
