"""Restricts an environment to some of its actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.gymnasium_world import discrete_actions

if TYPE_CHECKING:
    from collections.abc import Sequence

Observation = TypeVar("Observation")


class SomeActions(gymnasium.ActionWrapper[Observation, np.int64, np.int64], Generic[Observation]):
    """An environment with some of its actions only: action i is the i-th of the given actions.

    Raises `InvalidArgument` unless the given actions are different actions of the environment.
    """

    def __init__(self, env: gymnasium.Env[Observation, np.int64], actions: Sequence[int]) -> None:
        super().__init__(env)
        space = discrete_actions(env)
        if (
            not actions
            or len(set(actions)) != len(actions)
            or not all(map(space.contains, actions))
        ):
            expected = f"different actions of {space}, at least one"
            raise InvalidArgument("actions", list(actions), expected)
        self._actions = tuple(actions)
        self.action_space = Discrete(len(self._actions))

    def action(self, action: np.int64) -> np.int64:
        return np.int64(self._actions[int(action)])
