"""Simulated worlds: states follow the plan; observations are a function of time and state."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from steel_verified.worlds.dynamics import Dynamics, orbit, times_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression

Batch = TypeVar("Batch")

_SIGHT: Final = 64
"""So many steps of noise tell one world from another."""


class Asked(NamedTuple):
    """A dataset that is asked for: steps of the whole trajectory, and the latent states then."""

    times: NDArray[np.int64]
    states: NDArray[np.int64]


Observe: TypeAlias = "Callable[[Sequence[Asked]], Sequence[Batch]]"


def one_at_a_time(observe: Observe[NDArray[np.int64]]) -> Callable[[int, int], np.int64]:
    """What is seen at a time, in a latent state, where observations are numbers."""

    def see(time: int, state: int) -> np.int64:
        (seen,) = observe([Asked(np.array([time]), np.array([state]))])
        return np.int64(seen[0])

    return see


class StatesOfLoop(Protocol):
    """The latent states of a loop."""

    def at_each(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """The states after so many steps."""
        ...


@dataclass(frozen=True)
class SimulatedTrajectory(Generic[Batch]):
    """One loop; observations are computed when they are asked for."""

    loop: StatesOfLoop
    start: int
    observe: Observe[Batch]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Batch, ...]:
        if not datasets:
            return ()
        steps = [times_of(pieces) for pieces in datasets]
        together = np.concatenate(steps)
        times, states = self.start + together, self.loop.at_each(together)
        ends = list(accumulate(map(len, steps), initial=0))
        asked = [Asked(times[i:j], states[i:j]) for i, j in pairwise(ends)]
        return tuple(self.observe(asked))


class SimulatedWorld(Generic[Batch]):
    """Known dynamics under way.

    `observe` gives the observations of datasets, from their times and latent states. It is all that
    is random, and it never learns of an action.
    """

    state: int
    steps: int

    def __init__(self, dynamics: Dynamics, start: int, observe: Observe[Batch]) -> None:
        self.dynamics = dynamics
        self.state = self._start = start
        self.steps = 0
        self.observe = observe
        self._loop = orbit(dynamics, start, (0,))
        self._loop_start = 0

    @property
    def actions(self) -> int:
        return self.dynamics.actions

    def run(self, plan: Plan) -> SimulatedTrajectory[Batch]:
        if plan.done == 0:
            self._loop = orbit(self.dynamics, self.state, plan.word)
            self._loop_start = self.steps
        self.steps += plan.steps
        self.state = self._loop.at(plan.done + plan.steps)
        return SimulatedTrajectory(self._loop, self._loop_start, self.observe)

    def sight(self) -> Batch:
        """What the first steps show to somebody who stays at the start."""
        times = np.arange(1, _SIGHT + 1)
        (seen,) = self.observe([Asked(times, np.full(_SIGHT, self._start))])
        return seen

    def retrace(self, plan: Plan) -> SimulatedTrajectory[Batch]:
        """Run a plan that was run before: rows that are not asked for are not computed."""
        return self.run(plan)
