"""Simulated worlds whose steps slip; noise, observations and all other steps are unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds import simulated

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.worlds.dynamics import Dynamics

Batch = TypeVar("Batch")

_WHETHER: Final = 0x511B
_WHERE: Final = 0x511C
"""Streams of the slip seed: whether a step slips, and where it leads."""

_BLOCK: Final = 1 << 20
"""Steps that are looked at together, at some 30 bytes each."""


class Slipping(Protocol):
    """Which steps slip, and where they lead."""

    def slipped(self, times: NDArray[np.int64]) -> NDArray[np.bool_]: ...

    def target(self, time: int, usual: int, states: int) -> int: ...


@dataclass(frozen=True, slots=True)
class SlipLaw:
    """Each step slips independently with probability `rate`, to a uniformly random other state."""

    rate: Fraction
    seed: int

    def __post_init__(self) -> None:
        if not 0 <= self.rate < 1:
            raise InvalidArgument("rate", self.rate, "at least 0 and less than 1")

    def slipped(self, times: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the step at each time slips; the probability is exact up to 2^−64."""
        below = np.uint64(self.rate * simulated.WORD // 1)
        words = simulated.random_words(simulated.stream_origin(self.seed, _WHETHER), times)
        return np.asarray(words < below)

    def among(self, steps: int) -> int:
        """How many of the first steps slip."""
        blocks = range(1, steps + 1, _BLOCK)
        return sum(
            int(self.slipped(np.arange(one, min(one + _BLOCK, steps + 1))).sum()) for one in blocks
        )

    def target(self, time: int, usual: int, states: int) -> int:
        """A uniformly random other state, up to an error of 2^−50."""
        word = simulated.random_words(simulated.stream_origin(self.seed, _WHERE), np.array([time]))
        other = int(word[0]) % (states - 1)
        return other + (other >= usual)


class SlippingWorld(Generic[Batch]):
    """A simulation of known dynamics whose steps slip."""

    def __init__(
        self, dynamics: Dynamics, start: int, observe: simulated.Observe[Batch], law: Slipping
    ) -> None:
        if dynamics.states == 1:
            raise InvalidArgument("dynamics", "1 state", "at least two states")
        self.dynamics = dynamics
        self.state: int = start
        self.steps: int = 0
        self.slips: list[int] = []
        """The number of steps that slipped so far."""
        self._start = start
        self._observe = observe
        self._law = law
        self._states: list[int] = [start]

    @property
    def actions(self) -> int:
        return self.dynamics.actions

    def run(self, plan: Plan) -> simulated.SimulatedTrajectory[Batch]:
        if plan.done == 0:
            self._states = [self.state]
        times = np.arange(self.steps + 1, self.steps + plan.steps + 1)
        table, word = self.dynamics.table, plan.word
        here = self.state
        for number, slipped in enumerate(self._law.slipped(times).tolist()):
            here = table[here][word[(plan.done + number) % len(word)]]
            if slipped:
                time = self.steps + number + 1
                here = self._law.target(time, here, self.dynamics.states)
                self.slips.append(time)
            self._states.append(here)
        self.state = here
        self.steps += plan.steps
        start = self.steps - plan.done - plan.steps
        return simulated.SimulatedTrajectory(simulated.Walked(self._states), start, self._observe)

    def sight(self) -> Batch:
        return simulated.sight_of(self._observe, self._start)

    def retrace(self, plan: Plan) -> simulated.SimulatedTrajectory[Batch]:
        return self.run(plan)


def slipping(world: simulated.SimulatedWorld[Batch], law: Slipping) -> SlippingWorld[Batch]:
    return SlippingWorld(world.dynamics, world.state, world.observe, law)
