"""Small environments, each with one special property."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Literal

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified import Learned


class Corridor(gymnasium.Env["NDArray[np.int8]", np.int64]):
    """Three cells and an end; action 1 goes right, action 0 stays. The fifth bit is noise.

    The noise is drawn from `np_random` in every step.
    """

    def __init__(self, *, truncates_at: int | None = None, hidden_end: bool = False) -> None:
        self.action_space = Discrete(2)
        self.observation_space = MultiBinary(5)
        self.cell = self.steps = 0
        self.truncates_at = truncates_at
        self.hidden_end = hidden_end

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, object]]:
        super().reset(seed=seed, options=options)
        self.cell = self.steps = 0
        return self._seen(), {}

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, object]]:
        self.cell += int(action)
        self.steps += 1
        truncated = self.steps == self.truncates_at
        return self._seen(), 0.0, self.cell == 3, truncated, {}

    def _seen(self) -> NDArray[np.int8]:
        cell = 2 if self.hidden_end and self.cell == 3 else self.cell
        noise = self.np_random.random() < 0.5
        return np.array([cell == place for place in range(4)] + [noise], dtype=np.int8)


class QuietCorridor(Corridor):
    """The corridor without noise."""

    def _seen(self) -> NDArray[np.int8]:
        return np.array([*super()._seen()[:4], False], dtype=np.int8)


class Picture(gymnasium.Env["NDArray[np.uint8]", np.int64]):
    """A bright pixel in one of the four corners of an image; two actions move it around."""

    def __init__(self) -> None:
        self.action_space = Discrete(2)
        self.observation_space = Box(0, 255, (2, 2), np.uint8)
        self.corner = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, object]]:
        super().reset(seed=seed, options=options)
        self.corner = 0
        return self._seen(), {}

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.uint8], float, Literal[False], Literal[False], dict[str, object]]:
        self.corner = (self.corner + (1 if action else 3)) % 4
        return self._seen(), 0.0, False, False, {}

    def _seen(self) -> NDArray[np.uint8]:
        image = np.full((2, 2), 40, dtype=np.uint8)
        image.flat[self.corner] = 200
        return image


class Small(gymnasium.Env["NDArray[np.int8]", np.int64]):
    """A table with terminal states, random starts, a limit of time, and bits of noise."""

    def __init__(
        self,
        table: list[list[int]],
        starts: tuple[int, ...] = (0,),
        ends: frozenset[int] = frozenset(),
        limit: int = 10,
        slow: float = 0.0,
    ) -> None:
        self._table, self._starts, self._ends, self._limit = table, starts, ends, limit
        self._slow = slow
        self.action_space = Discrete(len(table[0]))
        self.observation_space = MultiBinary(len(table) + 3)
        self.taken = 0
        self.begun: set[int] = set()

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, object]]:
        super().reset(seed=seed, options=options)
        self._random, self._steps = Random(int(self.np_random.integers(1 << 31))), 0
        self._state = self._random.choice(self._starts)
        self.begun.add(self._state)
        return self._look(), {}

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, object]]:
        time.sleep(self._slow * self._random.random())
        self._state = self._table[self._state][int(action)]
        self._steps += 1
        self.taken += 1
        return self._look(), 0.0, self._state in self._ends, self._steps >= self._limit, {}

    def _look(self) -> NDArray[np.int8]:
        states = len(self._table)
        row = np.zeros(states + 3, np.int8)
        row[self._state] = 1
        row[states:] = [self._random.randrange(2) for _ in range(3)]
        return row


def is_right(learned: Learned, table: list[list[int]], starts: tuple[int, ...]) -> bool:
    """Whether the model is all that can be reached from the starts, under other names."""
    reached = list(dict.fromkeys(starts))
    for state in reached:
        reached += [to for to in dict.fromkeys(table[state]) if to not in reached]
    shown = np.eye(len(table), len(table) + 3, dtype=np.int8)
    label_of = {state: learned.state_of(shown[state]) for state in reached}
    return sorted(label_of.values()) == list(range(learned.model.states)) and all(
        learned.model.table[label_of[state]] == tuple(label_of[to] for to in table[state])
        for state in reached
    )
