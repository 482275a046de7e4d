"""A world that records its latent states, for tests that compare a run with the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.worlds.dynamics import Orbit, orbit
from steel_verified.worlds.tabular import ExBmdp, tabular_world

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.simulated import SimulatedTrajectory


@dataclass(frozen=True)
class Stretch:
    """One loop of the trajectory, from its first step to its last."""

    start: int
    end: int
    loop: Orbit


class RecordedWorld:
    """A tabular world that records its latent states."""

    def __init__(self, world: ExBmdp, noise_seed: int) -> None:
        self._inner = tabular_world(world, noise_seed)
        self.stretches: list[Stretch] = []

    @property
    def actions(self) -> int:
        return self._inner.actions

    @property
    def steps(self) -> int:
        return self._inner.steps

    @property
    def state(self) -> int:
        """The current latent state."""
        return self._inner.state

    def run(self, plan: Plan) -> SimulatedTrajectory[NDArray[np.int64]]:
        before, state = self._inner.steps, self._inner.state
        trajectory = self._inner.run(plan)
        if plan.done == 0:
            loop = orbit(self._inner.dynamics, state, plan.word)
            self.stretches.append(Stretch(before, self._inner.steps, loop))
        else:
            last = self.stretches.pop()
            self.stretches.append(Stretch(last.start, self._inner.steps, last.loop))
        return trajectory

    def states_at(self, times: Progression) -> frozenset[int]:
        """Return the latent states at times within one loop."""
        (stretch,) = (s for s in self.stretches if s.start < times.first <= s.end)
        assert times.last <= stretch.end
        return stretch.loop.within(times.shifted(-stretch.start))
