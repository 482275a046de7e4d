"""The paper's worlds as registered Gymnasium environments (extra `gymnasium`).

    import steel_verified.worlds.gymnasium_envs
    env = gymnasium.make("steel_verified/CombinationLock-v0", states=20, env_seed=0)

Episodes never end. `reset(seed=…)` chooses the noise; the instance is chosen when it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiBinary

from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.grid import COLUMNS, ROWS, grid
from steel_verified.worlds.multi_maze import multi_maze
from steel_verified.worlds.prime_loops import double_prime, single_prime

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Dynamics

Observation = TypeVar("Observation")


class Visible(Protocol[Observation]):
    """What an environment needs of a world."""

    @property
    def start(self) -> int: ...

    def dynamics(self) -> Dynamics: ...

    def see(self, noise_seed: int) -> Callable[[int, int], Observation]: ...

    def picture(self, seen: Observation) -> NDArray[np.uint8]: ...


class EndlessEnv(gymnasium.Env[Observation, np.int64], Generic[Observation]):
    """A world of the paper, without reward and without end."""

    # Gymnasium looks for this on the class.
    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        world: Visible[Observation],
        space: gymnasium.Space[Observation],
        render_mode: str | None,
    ) -> None:
        self._world = world
        self._table = world.dynamics().table
        self._see = world.see(0)
        self._state = world.start
        self._time = 0
        self.action_space = Discrete(len(self._table[0]))
        self.observation_space = space
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, dict[str, object]]:
        super().reset(seed=seed, options=options)
        self._see = self._world.see(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._state, self._time = self._world.start, 0
        return self._see(0, self._state), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, object]]:
        self._state = self._table[self._state][int(action)]
        self._time += 1
        return self._see(self._time, self._state), 0.0, False, False, {}

    def render(self) -> NDArray[np.uint8] | None:
        if self.render_mode != "rgb_array":
            return None
        return self._world.picture(self._see(self._time, self._state))


class CombinationLockEnv(EndlessEnv["NDArray[np.int8]"]):
    """The combination lock."""

    def __init__(
        self,
        env_seed: int = 0,
        states: int = 20,
        components: int = 512,
        least_noise: float = 0.1,
        render_mode: str | None = None,
    ) -> None:
        lock = combination_lock(
            env_seed, states=states, components=components, least_noise=least_noise
        )
        super().__init__(lock, MultiBinary(components), render_mode)


class MultiMazeEnv(EndlessEnv["NDArray[np.int8]"]):
    """The multi-maze."""

    def __init__(self, env_seed: int = 0, mazes: int = 9, render_mode: str | None = None) -> None:
        drawn = multi_maze(env_seed, mazes=mazes)
        super().__init__(drawn, MultiBinary(drawn.oracle().class_size), render_mode)


class DoublePrimeEnv(EndlessEnv[np.int64]):
    """Two prime loops."""

    def __init__(
        self, env_seed: int = 0, p: int = 11, q: int = 13, render_mode: str | None = None
    ) -> None:
        super().__init__(double_prime(env_seed, p=p, q=q), Discrete(2 * q), render_mode)


class SinglePrimeEnv(EndlessEnv[np.int64]):
    """One prime loop, seen through a coin."""

    def __init__(
        self, env_seed: int = 0, p: int = 11, q: int = 13, render_mode: str | None = None
    ) -> None:
        super().__init__(single_prime(env_seed, p=p, q=q), Discrete(2 * q), render_mode)


class GridEnv(EndlessEnv[np.int64]):
    """The grid of Figure 1."""

    def __init__(self, env_seed: int = 0, render_mode: str | None = None) -> None:
        super().__init__(grid(env_seed), Discrete(ROWS * COLUMNS), render_mode)


IDS: Final = {
    "steel_verified/CombinationLock-v0": CombinationLockEnv,
    "steel_verified/MultiMaze-v0": MultiMazeEnv,
    "steel_verified/DoublePrime-v0": DoublePrimeEnv,
    "steel_verified/SinglePrime-v0": SinglePrimeEnv,
    "steel_verified/Grid-v0": GridEnv,
}

for _id, _env in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(_id, entry_point=f"{__name__}:{_env.__name__}")
