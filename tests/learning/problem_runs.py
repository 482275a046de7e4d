"""Runs of generated problems, a world with a coin, and worlds that record their states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.learning.drive import checked_run
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted
from steel_verified.strategies import problems
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics, Orbit, orbit
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.tabular import ExBmdp, tabular_world
from tests.bounds import bounds, with_class

if TYPE_CHECKING:
    import numpy as np
    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.strategies import Problem
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.simulated import SimulatedTrajectory


def run(problem: Problem, seed: int) -> tuple[Accepted, int]:
    """Return what was learned and the true final state; raise if the run is not accepted."""
    world = tabular_world(problem.world, seed)
    result = checked_run(
        world, problem.oracle, Looped(problem.parameters, first_action=problem.first_action)
    )
    return accepted(result), world.state


def predicted(problem: Problem, *, with_encoder: bool = True) -> Accepted:
    return ideal_run(
        problem.world.dynamics,
        problem.world.start,
        Looped(problem.parameters),
        first_action=problem.first_action,
        with_encoder=with_encoder,
    )


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


COIN = with_class(bounds(2, 2, epsilon=Fraction(1, 2)), 16)


def sure_problems(max_states: int = 4) -> SearchStrategy[Problem]:
    """Problems with δ = 10⁻⁹: a million runs together are wrong with chance 1/1000 at most."""
    return problems(max_states=max_states).map(
        lambda each: replace(each, parameters=replace(each.parameters, delta=Fraction(1, 10**9)))
    )


def true_parameters(truth: Dynamics, mixing_time: int) -> Parameters:
    """Return bounds that are equal to the true values."""
    known = bounds(truth.actions, truth.states, mixing_time, delta=Fraction(1, 2))
    return with_class(known, truth.states, truth.diameter)


def slow_coin(stay: Fraction) -> ExBmdp:
    """Return two states that one action swaps, and a coin that keeps its side with chance `stay`.

    The coin is visible in each state: the observation is 2s + e.
    """
    half = Fraction(1, 2)
    one, zero = Fraction(1), Fraction(0)
    certain = [tuple(one if x == y else zero for x in range(4)) for y in range(4)]
    return ExBmdp(
        dynamics=Dynamics(((1, 0), (0, 1))),
        noise=Chain(((stay, 1 - stay), (1 - stay, stay))),
        initial_noise=(half, half),
        emission=((certain[0], certain[1]), (certain[2], certain[3])),
        start=0,
    )
