"""A learned model as a Gymnasium environment (extra `gymnasium`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.learning.graph import visits

try:
    import gymnasium
    from gymnasium.spaces import Discrete, Space
except ImportError as _missing:
    raise missing_extra("gymnasium", _missing) from _missing

if TYPE_CHECKING:
    from steel_verified.learning.model import Model


class ModelEnv(gymnasium.Env[np.int64, np.int64]):
    """The learned dynamics without noise: an observation is the label of the state."""

    def __init__(self, model: Model, start: int, goal: int | None) -> None:
        self.observation_space: Space[np.int64] = Discrete(model.states)
        self.action_space: Space[np.int64] = Discrete(model.actions)
        self._model = model
        self._start = start
        self._goal = goal
        self._state = start

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[np.int64, dict[str, object]]:
        super().reset(seed=seed, options=options)
        self._state = self._start
        return np.int64(self._state), {}

    def step(self, action: np.int64) -> tuple[np.int64, float, bool, bool, dict[str, object]]:
        if not self.action_space.contains(action):
            expected = f"a whole number from 0 to {self._model.actions - 1}"
            raise InvalidArgument("action", action, expected)
        (self._state,) = visits(self._model, self._state, (int(action),))
        arrived = self._state == self._goal
        return np.int64(self._state), float(arrived), arrived, False, {}
