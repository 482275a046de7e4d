"""What is known of the steps of a run before it: exactly, within bounds, measured, or estimated.

`predict` knows the parameters alone, `foreseen` the dynamics, too; `estimated` is what a user is
told before a run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan, World
from steel_verified.learning.certain import Certain
from steel_verified.learning.drive import AnyMethod, Fallback
from steel_verified.learning.graph import covering_cycle
from steel_verified.learning.located import Located, rounds
from steel_verified.learning.looped import Looped, calls
from steel_verified.learning.model import Model
from steel_verified.learning.slipping import Slipping
from steel_verified.theory import bounds
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
from steel_verified.worlds.costs import LOCATED_STEP, require_located, simulated_seconds
from steel_verified.worlds.dynamics import least_walk
from steel_verified.worlds.instances import Instance, RunnableInstance
from steel_verified.worlds.run_info import phases
from steel_verified.worlds.runs import method_named, run
from steel_verified.worlds.runs import predict as predicted_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.learning.results import Accepted

    Advance: TypeAlias = Callable[[int, int], None]
    AnyParameters: TypeAlias = Parameters | LocatedParameters

Batch = TypeVar("Batch")

ROUNDS: Final = 3
"""How many rounds of validation are shown."""
_FAR: Final = 64
"""Samples at least this many mixing times apart are counted as if they were this far apart."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a run, and its steps as far as they are known."""

    name: str
    least: int
    most: int | None
    """None if there is no bound."""
    known: str


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a run, part by part."""

    parts: tuple[Part, ...]

    @property
    def least(self) -> int:
        return sum(part.least for part in self.parts)

    @property
    def most(self) -> int | None:
        most = [part.most for part in self.parts if part.most is not None]
        return sum(most) if len(most) == len(self.parts) else None


# --- validation -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Round:
    """A round of validation: its share of δ, n for the shortest and longest walk, and its steps."""

    number: int
    share: Fraction
    most_samples: int
    least_samples: int
    """On a longer walk, samples of one label are farther apart, so fewer are enough."""
    least_steps: int
    most_steps: int


@dataclass(frozen=True, slots=True)
class Validation:
    """The possible lengths |ā| of the walk, j = ⌊|ā|/t̂_mix⌋, and the first rounds."""

    shortest: int
    longest: int
    least_gap: int
    most_gap: int
    rounds: tuple[Round, ...]


def validation(parameters: AnyParameters, walks: Iterable[int], rounds: int = ROUNDS) -> Validation:
    """The first rounds of validation, for walks of these lengths, each at least t̂_mix."""
    p, lengths = parameters, sorted(set(walks))
    apart = [length // p.mixing_time for length in lengths]
    made = []
    for number in range(1, rounds + 1):
        share = round_share(p.delta, number)
        samples = [validation_samples(p.epsilon, min(j, _FAR), share) for j in apart]
        # The first pass of the walk keeps no samples. Samples so far apart as `_FAR` are no fewer
        # than independent ones.
        steps = [(n + 1) * length for n, length in zip(samples, lengths, strict=True)]
        made.append(Round(number, share, max(samples), min(samples), min(steps), max(steps)))
    return Validation(lengths[0], lengths[-1], apart[0], apart[-1], tuple(made))


# --- parameters alone -----------------------------------------------------------------------------

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
_LARGE: Final = 10**300
"""The largest number that a float can hold."""
_WORTH: Final = Fraction(4, 5)
"""Advice is given if it saves at least a fifth of the steps."""


@dataclass(frozen=True, slots=True)
class LoopedForecast(Steps):
    """An estimate from runs on worlds of 5 to 101 states; the bound of Theorem 1, and its terms."""

    bound: int
    terms: tuple[tuple[str, int], ...]
    """The purpose and the steps of each term, the largest first."""


@dataclass(frozen=True, slots=True)
class LocatedForecast(Steps):
    """Exploring and the first round of validation, which passes in nearly every run.

    The least exploring is certain, since every transition must be taken once. The most is an
    estimate from runs with bits; half-spaces in many dimensions recognise states later.
    """

    shortest_walk: int
    longest_walk: int


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
        lines = [f"located STEEL takes {self._estimated(self.located, LOCATED_STEP)}"]
        if self.looped is not None:
            most = counted(self.looped.bound, "step")
            lines.append(f"looped STEEL takes {self._estimated(self.looped, 0)}, at most {most}")
        if self.steps_per_second is None:
            lines.append("the time is unknown without `steps_per_second` (see `speed_of`)")
        return "; ".join(lines)

    def _estimated(self, ahead: Steps, own: float) -> str:
        least, most = ahead.least, ahead.most or 0
        seconds = [self.seconds(steps, own) for steps in (least, most)]
        known = [each for each in seconds if each is not None]
        time = f" (about {duration_range(*known)})" if len(known) == 2 else ""
        return f"an estimated {counted_range(least, most, 'step')}{time}"

    def seconds(self, steps: int, own: float = 0.0) -> float | None:
        """The seconds for these steps, with `own` ones of the method for each, if that is known."""
        if self.steps_per_second is None:
            return None
        return min(steps, _LARGE) * (1 / self.steps_per_second + own)

    def is_hopeless(self, steps: int) -> bool:
        """Whether the steps take more than a day (at unknown speed: whether they are too many)."""
        seconds = self.seconds(steps)
        return steps > HOPELESS_STEPS if seconds is None else seconds > HOPELESS_SECONDS


def predict(
    parameters: Parameters | LocatedParameters,
    *,
    states: int | None = None,
    diameter: int | None = None,
    steps_per_second: float | None = None,
) -> Forecast:
    """Forecast a run on a world with this number of states and this diameter.

    |S| defaults to N, and D to D̂ or |S| − 1. With `LocatedParameters`, only located STEEL is
    forecast, which needs neither |F| nor D̂. Use `speed_of` to measure `steps_per_second`.
    """
    require_parameters(parameters)
    if steps_per_second is not None and not 0 < steps_per_second < inf:
        raise InvalidArgument("steps_per_second", steps_per_second, "a number, more than 0")
    if isinstance(parameters, Parameters):
        extent = largest_extent(parameters, states=states)
        extent = extent if diameter is None else Extent(extent.states, diameter)
        require_within(extent, parameters)
        looped = _looped_forecast(parameters, extent)
        advice = tuple(_advice(parameters, extent, looped.bound))
    else:
        count = parameters.max_states if states is None else states
        require_integer("states", count, at_least=1)
        extent = Extent(count, count - 1 if diameter is None else diameter)
        looped, advice = None, ()
        if count > parameters.max_states:
            expected = f"at most max_states = {parameters.max_states}"
            raise InvalidArgument("states", count, expected)
    return Forecast(extent, looped, _located_forecast(parameters, extent), steps_per_second, advice)


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


def _looped_forecast(p: Parameters, extent: Extent) -> LoopedForecast:
    exploring = bounds.simplified_exploration_bound(p, extent)
    waiting = bounds.exploration_bound_from_mixing(p, extent)
    sampling, far = bounds.sampling_bound(p, extent), bounds.sampling_bound_from_mixing(p, extent)
    terms = (
        ("exploring: loops through long words, |S||A| times", exploring - waiting),
        ("exploring: samples t̂_mix apart", waiting),
        ("samples for the encoder, on walks through all states", sampling - far),
        ("samples for the encoder, t̂_mix apart", far),
    )
    bound = bounds.total_bound(p, extent)
    least, most = int(bound * _LEAST_SHARE), int(bound * _MOST_SHARE)
    part = Part(
        "a whole run", least, most, "an estimate: measured runs took this part of the bound"
    )
    return LoopedForecast((part,), bound, tuple(sorted(terms, key=lambda term: -term[1])))


def _located_forecast(parameters: AnyParameters, extent: Extent) -> LocatedForecast:
    p, states, diameter = without_class(parameters), extent.states, extent.diameter
    shortest = max(states, p.mixing_time)
    longest = max(shortest, states * diameter, p.mixing_time + diameter)
    # The number of samples falls with j, so for each j the shortest and the longest walk decide.
    apart = range(shortest // p.mixing_time, min(longest // p.mixing_time, _FAR) + 1)
    walks = [max(shortest, j * p.mixing_time) for j in apart]
    walks += [min(longest, (j + 1) * p.mixing_time - 1) for j in apart]
    (first,) = validation(p, [*walks, shortest, longest], rounds=1).rounds
    # No walk has fewer samples than independent ones.
    fewest = independent_samples(p.epsilon, round_share(p.delta, 1)) + 1
    least = min(first.least_steps, fewest * max(shortest, _FAR * p.mixing_time))
    transitions = states * p.actions
    most = _MOST_MEASURED * transitions * (diameter + 1) + _PASSES_MEASURED * p.mixing_time
    exploring = "the minimum is certain; the maximum is estimated from runs on worlds with bits"
    validating = f"exact for a walk of {shortest:,} to {longest:,} actions"
    parts = (
        Part("exploring", transitions, int(most) + 2 * p.max_states, exploring),
        Part("validating", least, first.most_steps, validating),
    )
    return LocatedForecast(parts, shortest, longest)


def _advice(p: Parameters, extent: Extent, bound: int) -> Iterator[str]:
    """Changes of one parameter that save steps, each with the remaining percentage."""
    half = max(1, p.max_states // 2)
    fewer = replace(p, max_states=half, max_diameter=min(p.max_diameter, half - 1))
    smaller_class = max(extent.states, p.class_size // 100)
    changes = (
        ("a larger ε, if the encoder may err more often", replace(p, epsilon=Fraction(1, 4))),
        ("a quarter of t̂_mix", replace(p, mixing_time=max(1, p.mixing_time // 4))),
        ("half of N, if there are fewer states", fewer),
        ("half of D̂, if paths are shorter", replace(p, max_diameter=p.max_diameter // 2)),
        ("a hundredth of |F|, but at least |S|", replace(p, class_size=smaller_class)),
    )
    for change, better in changes:
        if better.epsilon >= p.epsilon:
            most = largest_extent(better)
            within = Extent(min(extent.states, most.states), min(extent.diameter, most.diameter))
            steps = bounds.total_bound(better, within)
            if steps <= bound * _WORTH:
                yield f"{change}: {100 * steps / bound:.1f} % of the steps"


# --- known dynamics -------------------------------------------------------------------------------

_MOST_LOOKS: Final = 10**8
"""About half a minute: some 360 states with two actions."""
_MOST_LEAST: Final = 20
"""A certain run that is measured ends after this many times the least number of steps."""
FORESEEN: Final = ("certain", "located", "looped")
"""The methods of which something is known beforehand."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How long real runs explored, one run for each noise seed 0, 1, …"""

    exploring: tuple[int, ...]
    """The steps of the first phase of the accepted runs, sorted."""
    seeds: int
    right: int
    most_rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead(Steps):
    """What is known of a run of a method on an instance; what a method does not have is None."""

    method: str
    chosen: Instance
    looped: Ledger
    """The predicted run of looped STEEL, for comparison."""
    validation: Validation | None = None
    measured: Measured | None = None
    """Exploring, as it was measured, if it depends on the noise."""


def foreseen(name: str, chosen: Instance, seeds: int, advance: Advance) -> Ahead:
    """What is known of a run; what depends on the noise is measured over so many noise seeds.

    `advance` is called with how much is done, and with how much there is to do.
    """
    dynamics, checks, found = chosen.dynamics, None, None
    runnable = chosen if isinstance(chosen, RunnableInstance) and name != "looped" else None
    if name == "located":
        Located(chosen.parameters)
        _require_walks(chosen)
        if runnable is not None and seeds:
            require_located(runnable, Located.most_steps)
    transitions = dynamics.states * dynamics.actions
    looped = predicted_run(
        chosen, watch=lambda state: advance(len(state.model.transitions()), transitions)
    ).ledger
    if runnable is not None and seeds:
        found = measured(runnable, name, seeds, advance)
    if name == "looped":
        phase1 = sum(call.steps for call in calls(looped))
        known = "exact, whatever the noise"
        both = (("phase 1", phase1), ("phase 2", looped.steps - phase1))
        parts = tuple(Part(part, n, n, known) for part, n in both)
    elif name == "located":
        checks = validation(chosen.parameters, walks(chosen, lambda n: advance(n, dynamics.states)))
        first, known = checks.rounds[0], "every transition is taken; no bound is known"
        parts = (
            Part("exploring", transitions, None, known),
            Part("validating", first.least_steps, first.most_steps, "if the first round passes"),
        )
    else:
        known = "no learner that is never wrong takes fewer"
        parts = (
            Part("exploring", _least_explored(chosen), None, known),
            Part("checking", Certain(1, 1).check_steps, Certain(1, 1).check_steps, "exact"),
        )
    return Ahead(
        parts=parts, method=name, chosen=chosen, looped=looped, validation=checks, measured=found
    )


def _require_walks(chosen: Instance) -> None:
    states, actions = chosen.dynamics.states, chosen.dynamics.actions
    if (looks := states**3 * actions) > _MOST_LOOKS:
        raise InvalidArgument(
            "method",
            "located",
            f"|S|³|A| of at most {_MOST_LOOKS:,}, not {looks:,}: a walk through all {states:,} "
            "states is searched from each of them",
        )


def walks(chosen: Instance, advance: Callable[[int], None] = lambda _: None) -> Iterator[int]:
    """|ā| on the true dynamics from each state, with labels in the order of the true states."""
    model = Model(chosen.dynamics.actions, chosen.dynamics.table)
    for home in range(model.states):
        yield len(covering_cycle(model, home, chosen.parameters.mixing_time))
        advance(home + 1)


def measured(chosen: RunnableInstance, name: str, seeds: int, advance: Advance) -> Measured:
    """Run a method with noise seeds 0, 1, …; where certain cannot decide, it gives up sooner."""
    exploring, right, most_rounds = [], 0, 0
    limit = _MOST_LEAST * _least_explored(chosen) if name == "certain" else None
    for seed in range(seeds):
        result, info = run(chosen, method_named(name, chosen), seed, max_steps=limit)
        if info.findings is not None:
            exploring.append(next(part.steps for part in phases(result)))
            right += info.findings.all_right
            most_rounds = max(most_rounds, len(rounds(result.ledger)))
        advance(seed + 1, seeds)
    return Measured(tuple(sorted(exploring)), seeds, right, most_rounds)


def _least_explored(chosen: Instance) -> int:
    """The first row comes after the first action, and then every transition is taken."""
    table = chosen.dynamics.table
    return 1 + least_walk(table, table[chosen.start][chosen.first_action])


# --- a run that is about to begin -----------------------------------------------------------------


class Estimated(NamedTuple):
    """The steps and seconds of a run, as known or estimated before it."""

    least: int
    most: int | None
    """Equal to the least if the number is known; None if nothing is likely."""
    seconds: tuple[float, float] | None = None
    remark: str = ""


def estimated(
    chosen: RunnableInstance, method: AnyMethod, predicted: Accepted | None, *, checked: bool
) -> Estimated | None:
    """What is known of a run before it; None if a bound is false, so that nothing is."""
    if isinstance(method, Looped):
        if predicted is None:
            return None
        seconds = simulated_seconds(predicted.ledger, chosen.width, checked=checked)
        return Estimated(predicted.ledger.steps, predicted.ledger.steps, (seconds, seconds))
    if isinstance(method, Certain | Slipping):
        return Estimated(_least_explored(chosen) + (method.check_steps if checked else 0), None)
    own, extent, remark = without_class(method.parameters), chosen.extent, ""
    if extent.states > own.max_states:
        return None
    if isinstance(method, Fallback):
        own, limit = replace(own, delta=own.delta / 2), method.after
        remark = (
            f"If located STEEL is not accepted in {counted(limit, 'step')}, looped STEEL "
            f"continues, for at most {counted(10 * limit, 'step')}."
        )
    elif not method.with_encoder:
        remark = "If no validation is needed, it takes fewer."
    found = _located_forecast(own, extent)
    least, most = found.least, found.most or 0
    return Estimated(least, most, (LOCATED_STEP * least, LOCATED_STEP * most), remark)
