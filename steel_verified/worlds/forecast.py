"""What a run will take, before anything is run: of both methods, from the parameters alone.

What the paper's algorithm takes is bounded (Theorem 1). Of located STEEL the validation is known up
to the length of its walk; exploring is estimated from runs that were measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.theory.bounds import (
    exploration_bound_from_mixing,
    sampling_bound,
    sampling_bound_from_mixing,
    simplified_exploration_bound,
    total_bound,
)
from steel_verified.theory.parameters import (
    Extent,
    Parameters,
    largest_extent,
    require_within,
    require_world,
)
from steel_verified.theory.recipe import located, paper
from steel_verified.theory.validation import independent_samples, round_share, validation_samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.plans import World
    from steel_verified.theory.parameters import LocatedParameters

Batch = TypeVar("Batch")

HOPELESS_STEPS: Final = 10**9
"""At 100,000 steps a second, more steps take three hours or more."""
HOPELESS_SECONDS: Final = 24 * 60 * 60

_LEAST_SHARE, _MOST_SHARE = Fraction(1, 200), Fraction(2, 5)
"""What runs of the paper's algorithm take of their bound: 0.6 % (Taxi, 101 states) to 39 % (a lock
of 5 states) on these worlds, as predicted from their tables."""
_MOST_MEASURED: Final = Fraction(3, 2)
"""The most exploring steps that were measured, in units of |S||A|(D+1): 0.1 to 1.4 on the paper's
worlds and on FrozenLake, CliffWalking and Taxi, with bits as classifiers."""
_PASSES_MEASURED: Final = 8
"""Walks of t̂_mix steps on which labels are seen again: 7 were measured on the lock."""
_FAR: Final = 64
"""From so many mixing times between samples on, they are counted as independent."""
_LARGE: Final = 10**300
"""A number that a float can hold."""
_WORTH: Final = Fraction(4, 5)
"""Advice is given if it saves a fifth of the steps."""


@dataclass(frozen=True, slots=True)
class Term:
    """A part of the bound of Theorem 1: what it is for, and its steps."""

    name: str
    steps: int


@dataclass(frozen=True, slots=True)
class LoopedForecast:
    """The bound of Theorem 1, and the terms of which it is made, the largest first.

    Runs take less. `least` and `most` are estimates, from runs on worlds of 5 to 101 states; with a
    table of the dynamics, `steel predict --table` says exactly how many steps a run takes.
    """

    bound: int
    terms: tuple[Term, ...]

    @property
    def least(self) -> int:
        return int(self.bound * _LEAST_SHARE)

    @property
    def most(self) -> int:
        return int(self.bound * _MOST_SHARE)


@dataclass(frozen=True, slots=True)
class LocatedForecast:
    """What located STEEL takes: a validation between two bounds, and exploring.

    The validation is that of the first round, which passes in nearly every run. `exploring_least`
    is certain, since every transition is taken once. `exploring_most` is an estimate, from runs
    with bits; half-spaces in many dimensions recognise states later, and take more.
    """

    shortest_walk: int
    longest_walk: int
    validating_least: int
    validating_most: int
    exploring_least: int
    exploring_most: int

    @property
    def least(self) -> int:
        return self.validating_least + self.exploring_least

    @property
    def most(self) -> int:
        """An estimate, no bound."""
        return self.validating_most + self.exploring_most


@dataclass(frozen=True, slots=True)
class Forecast:
    """Steps to expect of both methods, for a world of this extent."""

    extent: Extent
    looped: LoopedForecast | None
    """None if |F| and D̂ are not given."""
    located: LocatedForecast
    steps_per_second: float | None
    advice: tuple[str, ...]
    """What would make the paper's algorithm take fewer steps."""

    @property
    def looped_is_hopeless(self) -> bool:
        return self.looped is not None and self.is_hopeless(self.looped.least)

    @property
    def located_is_hopeless(self) -> bool:
        return self.is_hopeless(self.located.least)

    def seconds(self, steps: int) -> float | None:
        """How long the environment alone takes for so many steps, if its speed is known."""
        if self.steps_per_second is None:
            return None
        return min(steps, _LARGE) / self.steps_per_second

    def is_hopeless(self, steps: int) -> bool:
        """Whether so many steps take more than a day, or, at unknown speed, are very many."""
        seconds = self.seconds(steps)
        return steps > HOPELESS_STEPS if seconds is None else seconds > HOPELESS_SECONDS


def predict(
    parameters: Parameters | LocatedParameters,
    *,
    states: int | None = None,
    diameter: int | None = None,
    steps_per_second: float | None = None,
) -> Forecast:
    """Forecast a run on a world with so many states and this diameter.

    |S| is N unless given, and D is D̂, or |S| − 1. With `LocatedParameters` only located STEEL is
    forecast, as it needs neither |F| nor D̂. `steps_per_second` measures the speed of a world.
    """
    if steps_per_second is not None and not 0 < steps_per_second < inf:
        raise InvalidArgument("steps_per_second", steps_per_second, "a number, more than 0")
    if isinstance(parameters, Parameters):
        extent = _extent(parameters, states, diameter)
        looped = _looped(parameters, extent)
        advice = tuple(_advice(parameters, extent, looped.bound))
    else:
        count = parameters.max_states if states is None else states
        extent = Extent(count, count - 1 if diameter is None else diameter)
        looped, advice = None, ()
        if count > parameters.max_states:
            expected = f"at most max_states = {parameters.max_states}"
            raise InvalidArgument("states", count, expected)
    return Forecast(extent, looped, _located(parameters, extent), steps_per_second, advice)


def speed_of(world: World[Batch], *, steps: int = 1000) -> float:
    """Steps per second of a world that runs so many steps for this; use another one to learn."""
    require_world(world)
    word = tuple(action % world.actions for action in range(min(steps, 2 * world.actions)))
    begun = perf_counter()
    world.run(Plan(word, steps))
    return steps / max(perf_counter() - begun, 1e-9)


def _extent(parameters: Parameters, states: int | None, diameter: int | None) -> Extent:
    largest = largest_extent(parameters, states=states)
    extent = largest if diameter is None else Extent(largest.states, diameter)
    require_within(extent, parameters)
    return extent


def _looped(parameters: Parameters, extent: Extent) -> LoopedForecast:
    recipe = paper(parameters)
    exploring = simplified_exploration_bound(recipe, extent)
    waiting = exploration_bound_from_mixing(recipe, extent)
    sampling, far = sampling_bound(recipe, extent), sampling_bound_from_mixing(recipe, extent)
    terms = (
        Term("exploring: loops through long words, |S||A| times", exploring - waiting),
        Term("exploring: samples t̂_mix apart", waiting),
        Term("samples for the encoder, on walks through all states", sampling - far),
        Term("samples for the encoder, t̂_mix apart", far),
    )
    largest_first = sorted(terms, key=lambda term: -term.steps)
    return LoopedForecast(total_bound(recipe, extent), tuple(largest_first))


def _located(parameters: Parameters | LocatedParameters, extent: Extent) -> LocatedForecast:
    p, states, diameter = located(parameters).parameters, extent.states, extent.diameter
    shortest = max(states, p.mixing_time)
    longest = max(shortest, states * diameter, p.mixing_time + diameter)
    share = round_share(p.delta, 1)
    fewest = independent_samples(p.epsilon, share) + 1
    least, most = [fewest * max(shortest, _FAR * p.mixing_time)], []
    for apart in range(shortest // p.mixing_time, min(longest // p.mixing_time, _FAR) + 1):
        # The first pass of the walk is not looked at.
        passes = validation_samples(p.epsilon, apart, share) + 1
        least.append(passes * max(shortest, apart * p.mixing_time))
        most.append(passes * min(longest, (apart + 1) * p.mixing_time - 1))
    if longest // p.mixing_time >= _FAR:
        # Samples that are further apart are never more.
        most.append((validation_samples(p.epsilon, _FAR, share) + 1) * longest)
    transitions = states * p.actions
    exploring = _MOST_MEASURED * transitions * (diameter + 1) + _PASSES_MEASURED * p.mixing_time
    return LocatedForecast(
        shortest_walk=shortest,
        longest_walk=longest,
        validating_least=min(least),
        validating_most=max(most),
        exploring_least=transitions,
        exploring_most=int(exploring) + 2 * p.max_states,
    )


def _advice(parameters: Parameters, extent: Extent, bound: int) -> Iterator[str]:
    """Changes of one parameter that save steps, with what would be left of them."""
    p = parameters
    changes = (
        ("a larger ε, if the encoder may err more often", replace(p, epsilon=Fraction(1, 4))),
        ("a t̂_mix of a quarter", replace(p, mixing_time=max(1, p.mixing_time // 4))),
        ("half of N, if there are fewer states", _with_states(p, max(1, p.max_states // 2))),
        ("half of D̂, if ways are shorter", replace(p, max_diameter=p.max_diameter // 2)),
        (
            "a class of a hundredth, or of |S|",
            replace(p, class_size=max(extent.states, p.class_size // 100)),
        ),
    )
    for told, better in changes:
        if better.epsilon >= p.epsilon:
            within = largest_extent(better)
            smaller = Extent(
                min(extent.states, within.states), min(extent.diameter, within.diameter)
            )
            steps = total_bound(paper(better), smaller)
            if steps <= bound * _WORTH:
                yield f"{told}: {100 * steps / bound:.1f} % of the steps"


def _with_states(parameters: Parameters, states: int) -> Parameters:
    diameter = min(parameters.max_diameter, states - 1)
    return replace(parameters, max_states=states, max_diameter=diameter)
