"""A forecast of the steps of a run, for both methods, from the parameters alone.

For the paper's algorithm, Theorem 1 bounds the steps. For located STEEL, the validation is known up
to the length of its walk; the exploration is estimated from measured runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan, World
from steel_verified.theory.bounds import (
    exploration_bound_from_mixing,
    sampling_bound,
    sampling_bound_from_mixing,
    simplified_exploration_bound,
    total_bound,
)
from steel_verified.theory.parameters import (
    Extent,
    LocatedParameters,
    Parameters,
    largest_extent,
    require_integer,
    require_parameters,
    require_within,
    require_world,
    without_class,
)
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.validation import independent_samples, round_share, validation_samples
from steel_verified.theory.wording import counted, counted_range, duration_range
from steel_verified.worlds.costs import LOCATED_STEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


Batch = TypeVar("Batch")

HOPELESS_STEPS: Final = 10**9
"""At 100,000 steps per second, more steps than this take three hours or longer."""
HOPELESS_SECONDS: Final = 24 * 60 * 60

_LEAST_SHARE, _MOST_SHARE = Fraction(1, 200), Fraction(2, 5)
"""The part of their bound that runs of the paper's algorithm take: 0.6 % (Taxi, 101 states) to 39 %
(a lock of 5 states) on these worlds, as predicted from their tables."""
_MOST_MEASURED: Final = Fraction(3, 2)
"""The most exploring steps that were measured, in units of |S||A|(D+1): 0.1 to 1.4 on the paper's
worlds and on FrozenLake, CliffWalking and Taxi, with bits as classifiers."""
_PASSES_MEASURED: Final = 8
"""Walks of t̂_mix steps until labels are recognised again: 7 were measured on the lock."""
_FAR: Final = 64
"""Samples at least this many mixing times apart are counted as independent."""
_LARGE: Final = 10**300
"""The largest number that a float can hold."""
_WORTH: Final = Fraction(4, 5)
"""Advice is given if it saves at least a fifth of the steps."""


@dataclass(frozen=True, slots=True)
class Term:
    """A part of the bound of Theorem 1: its purpose and its number of steps."""

    name: str
    steps: int


@dataclass(frozen=True, slots=True)
class LoopedForecast:
    """The bound of Theorem 1 and its terms, the largest term first.

    Runs take fewer steps. `least` and `most` are estimates, from runs on worlds of 5 to 101 states.
    If a table of the dynamics is known, `steel predict --table` computes the exact number.
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
    """The steps of located STEEL: validation between two bounds, and exploration.

    The validation is that of the first round, which passes in nearly every run. `exploring_least`
    is certain, since every transition must be taken once. `exploring_most` is an estimate from runs
    with bits; half-spaces in many dimensions recognise states later, and take more steps.
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
        """An estimate, not a bound."""
        return self.validating_most + self.exploring_most


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected steps of both methods on a world of this extent."""

    extent: Extent
    looped: LoopedForecast | None
    """None if |F| and D̂ are not given."""
    located: LocatedForecast
    steps_per_second: float | None
    advice: tuple[str, ...]
    """Changes that would make the paper's algorithm take fewer steps."""

    @property
    def looped_is_hopeless(self) -> bool:
        return self.looped is not None and self.is_hopeless(self.looped.least)

    @property
    def located_is_hopeless(self) -> bool:
        return self.is_hopeless(self.located.least)

    def __str__(self) -> str:
        told = [f"located STEEL takes {_estimated(self.located, self.located_seconds)}"]
        if (looped := self.looped) is not None:
            most = counted(looped.bound, "step")
            told.append(f"looped STEEL takes {_estimated(looped, self.seconds)}, at most {most}")
        if self.steps_per_second is None:
            told.append("the time is unknown without `steps_per_second` (see `speed_of`)")
        return "; ".join(told)

    def seconds(self, steps: int) -> float | None:
        """The seconds that the environment needs for these steps; None if its speed is unknown."""
        if self.steps_per_second is None:
            return None
        return min(steps, _LARGE) / self.steps_per_second

    def located_seconds(self, steps: int) -> float | None:
        """The same, with the time that located STEEL itself takes."""
        seconds = self.seconds(steps)
        return None if seconds is None else seconds + min(steps, _LARGE) * LOCATED_STEP

    def is_hopeless(self, steps: int) -> bool:
        """Whether the steps take more than a day (at unknown speed: whether they are too many)."""
        seconds = self.seconds(steps)
        return steps > HOPELESS_STEPS if seconds is None else seconds > HOPELESS_SECONDS


def _estimated(
    ahead: LoopedForecast | LocatedForecast, seconds: Callable[[int], float | None]
) -> str:
    steps, least, most = (ahead.least, ahead.most), seconds(ahead.least), seconds(ahead.most)
    time = "" if least is None or most is None else f" (about {duration_range(least, most)})"
    return f"an estimated {counted_range(*steps, 'step')}{time}"


def predict(
    parameters: Parameters | LocatedParameters,
    *,
    states: int | None = None,
    diameter: int | None = None,
    steps_per_second: float | None = None,
) -> Forecast:
    """Forecast a run on a world with this number of states and this diameter.

    |S| defaults to N, and D to D̂ or |S| − 1. With `LocatedParameters`, only located STEEL is
    forecast, which needs neither |F| nor D̂. Use `speed_of` to measure `steps_per_second`. Raises
    `InvalidArgument` if `steps_per_second` is not positive or there are more states than N.
    """
    require_parameters(parameters)
    if steps_per_second is not None and not 0 < steps_per_second < inf:
        raise InvalidArgument("steps_per_second", steps_per_second, "a number, more than 0")
    if isinstance(parameters, Parameters):
        extent = _extent(parameters, states, diameter)
        looped = _looped(parameters, extent)
        advice = tuple(_advice(parameters, extent, looped.bound))
    else:
        count = parameters.max_states if states is None else states
        require_integer("states", count, at_least=1)
        extent = Extent(count, count - 1 if diameter is None else diameter)
        looped, advice = None, ()
        if count > parameters.max_states:
            expected = f"at most max_states = {parameters.max_states}"
            raise InvalidArgument("states", count, expected)
    return Forecast(extent, looped, _located(parameters, extent), steps_per_second, advice)


def speed_of(world: World[Batch], *, steps: int = 1000) -> float:
    """Measure a world's steps per second by running it this long; learn in another world.

    All rows are read, since a simulated world computes only what is read.
    """
    require_world(world)
    require_integer("steps", steps, at_least=1)
    word = tuple(action % world.actions for action in range(min(steps, 2 * world.actions)))
    times = (Progression(1, (Level(steps, 1),)),)
    begun = perf_counter()
    world.run(Plan(word, steps, keeps=times)).rows(times)
    return steps / max(perf_counter() - begun, 1e-9)


def _extent(parameters: Parameters, states: int | None, diameter: int | None) -> Extent:
    largest = largest_extent(parameters, states=states)
    extent = largest if diameter is None else Extent(largest.states, diameter)
    require_within(extent, parameters)
    return extent


def _looped(parameters: Parameters, extent: Extent) -> LoopedForecast:
    exploring = simplified_exploration_bound(parameters, extent)
    waiting = exploration_bound_from_mixing(parameters, extent)
    sampling, far = (
        sampling_bound(parameters, extent),
        sampling_bound_from_mixing(parameters, extent),
    )
    terms = (
        Term("exploring: loops through long words, |S||A| times", exploring - waiting),
        Term("exploring: samples t̂_mix apart", waiting),
        Term("samples for the encoder, on walks through all states", sampling - far),
        Term("samples for the encoder, t̂_mix apart", far),
    )
    largest_first = sorted(terms, key=lambda term: -term.steps)
    return LoopedForecast(total_bound(parameters, extent), tuple(largest_first))


def _located(parameters: Parameters | LocatedParameters, extent: Extent) -> LocatedForecast:
    p, states, diameter = without_class(parameters), extent.states, extent.diameter
    shortest = max(states, p.mixing_time)
    longest = max(shortest, states * diameter, p.mixing_time + diameter)
    share = round_share(p.delta, 1)
    fewest = independent_samples(p.epsilon, share) + 1
    least, most = [fewest * max(shortest, _FAR * p.mixing_time)], []
    for apart in range(shortest // p.mixing_time, min(longest // p.mixing_time, _FAR) + 1):
        # The first pass of the walk keeps no samples.
        passes = validation_samples(p.epsilon, apart, share) + 1
        least.append(passes * max(shortest, apart * p.mixing_time))
        most.append(passes * min(longest, (apart + 1) * p.mixing_time - 1))
    if longest // p.mixing_time >= _FAR:
        # A larger distance between samples never needs more of them.
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
    """Changes of one parameter that save steps, each with the remaining percentage."""
    p = parameters
    changes = (
        ("a larger ε, if the encoder may err more often", replace(p, epsilon=Fraction(1, 4))),
        ("a quarter of t̂_mix", replace(p, mixing_time=max(1, p.mixing_time // 4))),
        ("half of N, if there are fewer states", _with_states(p, max(1, p.max_states // 2))),
        ("half of D̂, if paths are shorter", replace(p, max_diameter=p.max_diameter // 2)),
        (
            "a hundredth of |F|, but at least |S|",
            replace(p, class_size=max(extent.states, p.class_size // 100)),
        ),
    )
    for told, better in changes:
        if better.epsilon >= p.epsilon:
            within = largest_extent(better)
            smaller = Extent(
                min(extent.states, within.states), min(extent.diameter, within.diameter)
            )
            steps = total_bound(better, smaller)
            if steps <= bound * _WORTH:
                yield f"{told}: {100 * steps / bound:.1f} % of the steps"


def _with_states(parameters: Parameters, states: int) -> Parameters:
    diameter = min(parameters.max_diameter, states - 1)
    return replace(parameters, max_states=states, max_diameter=diameter)
