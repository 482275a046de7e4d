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
"""This many steps of noise identify a world."""


class Asked(NamedTuple):
    """A requested dataset: steps of the whole trajectory, and the latent states at these steps."""

    times: NDArray[np.int64]
    states: NDArray[np.int64]


Observe: TypeAlias = "Callable[[Sequence[Asked]], Sequence[Batch]]"


def one_at_a_time(observe: Observe[NDArray[np.int64]]) -> Callable[[int, int], np.int64]:
    """A function that returns the observation (a number) at a time, in a latent state."""

    def see(time: int, state: int) -> np.int64:
        (seen,) = observe([Asked(np.array([time]), np.array([state]))])
        return np.int64(seen[0])

    return see


class StatesOfLoop(Protocol):
    """The latent states of a loop."""

    def at_each(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """The states after these numbers of steps."""
        ...


@dataclass(frozen=True)
class SimulatedTrajectory(Generic[Batch]):
    """One loop; observations are computed when they are requested."""

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
    """A simulation of known dynamics.

    `observe` computes the observations of datasets from their times and latent states. It is the
    only source of randomness, and it has no access to the actions.
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
        """The observations of the first steps if the state stays the start state."""
        times = np.arange(1, _SIGHT + 1)
        (seen,) = self.observe([Asked(times, np.full(_SIGHT, self._start))])
        return seen

    def retrace(self, plan: Plan) -> SimulatedTrajectory[Batch]:
        """Repeat a plan that was run before; rows that are not requested are not computed."""
        return self.run(plan)
