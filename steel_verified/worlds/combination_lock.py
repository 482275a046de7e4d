"""The combination lock: the right action leads on, the other back to the first state (l. 273)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import Dynamics

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class CombinationLock:
    """One lock: the components that show states, the right actions, how the rest flickers."""

    turns_on: NDArray[np.float64]
    """The chance 0 → 1 of each component that shows no state."""
    turns_off: NDArray[np.float64]
    """The chance 1 → 0."""
    indicators: tuple[int, ...]
    """The component that is 1 exactly in state 0, 1, …"""
    right_actions: tuple[int, ...]
    start: int
    first_action: int

    def dynamics(self) -> Dynamics:
        """T(i, a*_i) = i + 1 (of the last state: 0), T(i, other) = 0."""
        states = len(self.right_actions)
        rows = (
            tuple((i + 1) % states if action == right else 0 for action in (0, 1))
            for i, right in enumerate(self.right_actions)
        )
        return Dynamics(tuple(rows))


def combination_lock(
    env_seed: int, *, states: int = 20, components: int = 512, least_noise: float = 0.1
) -> CombinationLock:
    """Draw a lock; the order of the draws makes seed 0 the instance of the published runs."""
    if not 1 <= states <= components:
        raise InvalidArgument("states", states, f"1 to {components}, the number of components")
    if not 0 < least_noise <= 0.5:
        raise InvalidArgument("least_noise", least_noise, "more than 0, at most 0.5")
    draw = np.random.default_rng(env_seed)
    return CombinationLock(
        turns_on=draw.uniform(least_noise, 1 - least_noise, components),
        turns_off=draw.uniform(least_noise, 1 - least_noise, components),
        indicators=tuple(int(i) for i in draw.choice(components, states, replace=False)),
        right_actions=tuple(int(u >= 0.5) for u in draw.random(states)),
        start=int(draw.integers(states)),
        first_action=int(draw.integers(2)),
    )
