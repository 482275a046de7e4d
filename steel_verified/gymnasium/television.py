"""A television beside an environment: its channel is noise, and it can be switched on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.noise import RunningChains, noise_generator, space_like
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.gymnasium_world import default_features, discrete_actions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.classes.numbers import Numbers
    from steel_verified.worlds.row_kinds import Seen

Observation = TypeVar("Observation")


class Television(
    gymnasium.ObservationWrapper["Numbers", np.int64, Observation], Generic[Observation]
):
    """An environment of bits with a television, and one more action that presses its switch.

    An observation has the bits of the environment, one bit that is 1 while the television is on,
    and the bits of its screen: the picture of the channel, or zeros. The channel is the state of
    the Markov chain `chain`. It changes whether or not the television is on, and no action
    influences it. So there are two states for each state of the environment, and the picture is
    only noise. Learn it with `Conjunctions`.
    """

    def __init__(
        self,
        env: gymnasium.Env[Observation, np.int64],
        chain: Chain,
        pictures: Sequence[Sequence[bool]],
        features: Callable[[Observation], Seen] | None = None,
    ) -> None:
        super().__init__(env)
        self._screen = np.asarray(pictures, dtype=np.bool_)
        if self._screen.ndim != 2 or len(self._screen) != len(chain):
            expected = f"{len(chain)} rows of bits of one length, one for each state of the chain"
            raise InvalidArgument("pictures", f"shape {self._screen.shape}", expected)
        inner = discrete_actions(env)
        self.action_space = Discrete(int(inner.n) + 1, start=int(inner.start))
        self.press: np.int64 = np.int64(inner.start + inner.n)
        self.mixing_time: int = mixing_time(chain)
        self._chain = chain
        self._features = default_features(env) if features is None else features
        self._on = False
        self._running = RunningChains([chain], np.random.default_rng())
        self.observation_space = space_like(self.observation(env.reset()[0]))

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Numbers, dict[str, object]]:
        """Reset the environment, with the television off. A seed also chooses the channels."""
        if seed is not None:
            self._running = RunningChains([self._chain], noise_generator(seed))
        self._on = False
        return super().reset(seed=seed, options=options)

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, dict[str, object]]:
        if action == self.press:
            self._on = not self._on
            return self._shown(), 0.0, False, False, {}
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, float(reward), terminated, truncated, info

    def observation(self, observation: Observation) -> Numbers:
        """Return the next observation, after the channel advances by one step."""
        bits = np.asarray(self._features(observation))
        if bits.dtype != np.bool_:
            raise InvalidArgument("features", bits.dtype, "booleans")
        self._beside = bits.ravel()
        return self._shown()

    def _shown(self) -> Numbers:
        picture = self._screen[int(self._running.next()[0])] & self._on
        return np.concatenate([self._beside, [self._on], picture])
