"""The paper's worlds and learned models as Gymnasium environments (extra `gymnasium`).

    import steel_verified.gymnasium
    env = gymnasium.make("steel_verified/CombinationLock-v0", states=20, env_seed=0)

The worlds are registered, and their episodes never end. `reset(seed=…)` chooses the noise;
`env_seed` of `make` chooses the instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.learning.graph import visits
from steel_verified.worlds.catalogue import KINDS, kind_of
from steel_verified.worlds.pictures import enlarged

try:
    import gymnasium
    from gymnasium.spaces import Discrete, MultiBinary, Space
except ImportError as _missing:
    raise missing_extra("gymnasium", _missing) from _missing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from steel_verified.learning.model import Model


class EndlessEnv(gymnasium.Env[object, np.int64]):
    """A world of the catalogue, without reward and without end."""

    # Gymnasium looks for this on the class.
    metadata: dict[str, object] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(
        self, world: str, *, env_seed: int = 0, render_mode: str | None = None, **sizes: float
    ) -> None:
        kind = kind_of(world, sizes)
        self._chosen = kind.instance(env_seed, sizes)
        self._choose_noise(0)
        self._state = self._chosen.start
        self._time = 0
        self.action_space: Space[np.int64] = Discrete(self._chosen.dynamics.actions)
        shows = MultiBinary if kind.shows_bits else Discrete
        self.observation_space: Space[object] = shows(kind.width(sizes))
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[object, dict[str, object]]:
        super().reset(seed=seed, options=options)
        self._choose_noise(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._state, self._time = self._chosen.start, 0
        return self._see(0, self._state), {}

    def step(self, action: np.int64) -> tuple[object, float, bool, bool, dict[str, object]]:
        self._state = self._chosen.dynamics.table[self._state][int(action)]
        self._time += 1
        return self._see(self._time, self._state), 0.0, False, False, {}

    def _choose_noise(self, noise_seed: int) -> None:
        self._see = self._chosen.simulation.drawn.see(noise_seed)
        self._picture = self._chosen.simulation.pictures(noise_seed)

    def render(self) -> NDArray[np.uint8] | None:
        if self.render_mode != "rgb_array":
            return None
        return enlarged(self._picture(self._time, self._state))


class ModelEnv(gymnasium.Env[np.int64, np.int64]):
    """The learned dynamics without noise: an observation is the label of the state."""

    def __init__(
        self,
        model: Model,
        start: int,
        goal: int | None,
        rewards: Sequence[Sequence[Fraction]] | None = None,
    ) -> None:
        self.observation_space: Space[np.int64] = Discrete(model.states)
        self.action_space: Space[np.int64] = Discrete(model.actions)
        self._model = model
        self._start = start
        self._goal = goal
        self._rewards = rewards
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
        before = self._state
        (self._state,) = visits(self._model, before, (int(action),))
        arrived = self._state == self._goal
        gain = arrived if self._rewards is None else self._rewards[before][int(action)]
        return np.int64(self._state), float(gain), arrived, False, {}


for _kind in KINDS:
    if _kind.gymnasium_id not in gymnasium.registry:
        gymnasium.register(
            _kind.gymnasium_id,
            entry_point=f"{__name__}:{EndlessEnv.__name__}",
            kwargs={"world": _kind.name},
        )
