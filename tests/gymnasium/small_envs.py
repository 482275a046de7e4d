"""Small environments, each with one special property."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
