"""Several combination locks at once: a world of many joint states, of which F classifies parts.

Each lock has two actions of its own, or all share the same two. The right action leads to the next
value, the other to value 0; other actions leave it alone. For each value of each lock, one
component of an observation is 1 exactly then. All other components flicker. F is the single
components, so it has no classifier for any joint state.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.classes.finite import Components
from steel_verified.errors import InvalidArgument
from steel_verified.worlds.stepped import SteppedWorld

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.learning.factors import Factor
    from steel_verified.worlds.stepped import StoredLoop

_ROWS_OF_SIGHT: Final = 8
_LEAST_NOISE: Final = 0.1
"""Each flickering component changes with at least this chance."""


class Locks(SteppedWorld):
    """Locks side by side; `table(lock)` and `indicators[lock]` are the truth."""

    def __init__(
        self,
        locks: int,
        values: int,
        *,
        components: int = 512,
        shared: bool = False,
        env_seed: int = 0,
        noise_seed: int = 0,
    ) -> None:
        if locks < 1:
            raise InvalidArgument("locks", locks, "at least 1")
        if values < 2:
            raise InvalidArgument("values", values, "at least 2")
        if components < locks * values:
            expected = f"at least {locks * values}, one for each value of each lock"
            raise InvalidArgument("components", components, expected)
        draw = np.random.default_rng(env_seed)
        chosen = draw.permutation(components)
        self.shared = shared
        self.actions = 2 if shared else 2 * locks
        self.indicators = [chosen[i * values : (i + 1) * values].tolist() for i in range(locks)]
        self._right = draw.integers(0, 2, (locks, values)).tolist()
        self.state: list[int] = draw.integers(0, values, locks).tolist()
        self._flickering = chosen[locks * values :]
        bounds = (_LEAST_NOISE, 1 - _LEAST_NOISE, len(self._flickering))
        self._turns_on, self._turns_off = draw.uniform(*bounds), draw.uniform(*bounds)
        self._noise = np.random.default_rng(noise_seed)
        self._shown = self._noise.random(len(self._flickering)) < 1 / 2
        self._components = components

    def functions(self) -> Components:
        return Components(self._components)

    def table(self, lock: int) -> tuple[tuple[int, ...], ...]:
        """Return the next value of a lock for each value and action."""
        return tuple(
            tuple(self._after(lock, value, action) for action in range(self.actions))
            for value in range(len(self._right[lock]))
        )

    def lock_of(self, factor: Factor) -> int | None:
        """Return the lock that a factor is, with its exact table and present value, or None."""
        named = [fits[0] for fits in factor.classifiers]
        for lock, indicators in enumerate(self.indicators):
            if sorted(named) == sorted(indicators):
                value, table = [indicators.index(f) for f in named], self.table(lock)
                moves = all(
                    tuple(value[to] for to in line) == table[value[label]]
                    for label, line in enumerate(factor.table)
                )
                is_now = value[factor.current] == self.state[lock]
                return lock if moves and is_now else None
        return None

    def step(self, action: int) -> NDArray[np.bool_]:
        self.state = [self._after(lock, value, action) for lock, value in enumerate(self.state)]
        drawn = self._noise.random(len(self._shown))
        self._shown = np.where(self._shown, drawn >= self._turns_off, drawn < self._turns_on)
        seen = np.zeros(self._components, dtype=np.bool_)
        seen[self._flickering] = self._shown
        for lock, value in enumerate(self.state):
            seen[self.indicators[lock][value]] = True
        return seen

    def retrace(self, plan: Plan) -> StoredLoop:
        """Follow a plan that was run before, from the beginning: the rows are the same again."""
        return self.run(plan)

    def sight(self) -> NDArray[np.generic[object]]:
        """Return some rows, which show the seeds; the world itself stays as it is."""
        copy = deepcopy(self)
        return np.stack([copy.step(0) for _ in range(_ROWS_OF_SIGHT)])

    def _after(self, lock: int, value: int, action: int) -> int:
        if not self.shared and action // 2 != lock:
            return value
        right = self._right[lock]
        return (value + 1) % len(right) if action % 2 == right[value] else 0
