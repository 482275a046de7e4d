"""What is known of a run before it, for each method: exactly, within bounds, or as measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import Certain
from steel_verified.learning.drive import Fallback
from steel_verified.learning.graph import covering_cycle
from steel_verified.learning.located import Located, rounds
from steel_verified.learning.looped import Looped, calls
from steel_verified.learning.model import Model
from steel_verified.theory.parameters import without_class
from steel_verified.theory.validation import round_share, validation_samples
from steel_verified.theory.wording import counted
from steel_verified.worlds.costs import LOCATED_STEP, require_located, simulated_seconds
from steel_verified.worlds.forecast import predict as forecast
from steel_verified.worlds.instances import RunnableInstance
from steel_verified.worlds.least_walk import least_walk
from steel_verified.worlds.run_info import phases
from steel_verified.worlds.runs import method_named, predict, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from fractions import Fraction

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.learning.drive import AnyMethod
    from steel_verified.learning.results import Accepted
    from steel_verified.theory.parameters import LocatedParameters, Parameters
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.instances import Instance

    Told: TypeAlias = Callable[[int, int], None]

_MOST_LOOKS: Final = 10**8
"""About half a minute: some 360 states with two actions."""

_MOST_LEAST: Final = 20
"""A certain run that is measured ends after this many times the least number of steps."""

ROUNDS: Final = 3
"""How many rounds of validation are shown."""


@dataclass(frozen=True, slots=True)
class RoundAhead:
    """A round of validation: its share of δ, n for the shortest and longest walk, and its steps."""

    number: int
    share: Fraction
    most_samples: int
    least_samples: int
    """On a longer walk, samples of one label are farther apart, so fewer are enough."""
    least_steps: int
    most_steps: int


@dataclass(frozen=True, slots=True)
class ValidationAhead:
    """The possible lengths |ā| of the walk, j = ⌊|ā|/t̂_mix⌋, and the first rounds."""

    shortest: int
    longest: int
    least_gap: int
    most_gap: int
    rounds: tuple[RoundAhead, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """How long real runs explored, one run for each noise seed 0, 1, …"""

    exploring: tuple[int, ...]
    """The steps of the first phase of the accepted runs, sorted."""
    seeds: int
    right: int
    most_rounds: int


def require_walks(dynamics: Dynamics) -> None:
    """Raise `InvalidArgument` if searching the walks of these dynamics would take too long."""
    looks = dynamics.states**3 * dynamics.actions
    if looks > _MOST_LOOKS:
        raise InvalidArgument(
            "method",
            "located",
            f"|S|³|A| of at most {_MOST_LOOKS:,}, not {looks:,}: a walk through all "
            f"{dynamics.states:,} states is searched from each of them",
        )


def walks(chosen: Instance, told: Callable[[int], None] = lambda _: None) -> tuple[int, ...]:
    """|ā| on the true dynamics from each state, with labels in the order of the true states.

    Calls `told` with the number of states that are finished.
    """
    model = Model(chosen.dynamics.actions, chosen.dynamics.table)
    apart = chosen.parameters.mixing_time
    lengths = []
    for home in range(model.states):
        lengths.append(len(covering_cycle(model, home, apart)))
        told(home + 1)
    return tuple(lengths)


def validation_ahead(
    parameters: Parameters | LocatedParameters, lengths: tuple[int, ...]
) -> ValidationAhead:
    """The first rounds of validation, for walks of these lengths, each at least t̂_mix."""
    apart = parameters.mixing_time
    return ValidationAhead(
        shortest=min(lengths),
        longest=max(lengths),
        least_gap=min(lengths) // apart,
        most_gap=max(lengths) // apart,
        rounds=tuple(_rounds(parameters, sorted(set(lengths)))),
    )


def _rounds(parameters: Parameters | LocatedParameters, lengths: list[int]) -> Iterator[RoundAhead]:
    p = parameters
    for number in range(1, ROUNDS + 1):
        share = round_share(p.delta, number)
        samples = [validation_samples(p.epsilon, one // p.mixing_time, share) for one in lengths]
        # The first pass of the walk keeps no samples.
        steps = [(n + 1) * length for n, length in zip(samples, lengths, strict=True)]
        yield RoundAhead(number, share, max(samples), min(samples), min(steps), max(steps))


def measured(
    chosen: RunnableInstance, name: str, seeds: int, told: Told = lambda _done, _of: None
) -> Measured:
    """Run a method with noise seeds 0, 1, …; calls `told` with the number of finished runs.

    Where certain STEEL cannot decide, it would go on for long: here it gives up sooner.
    """
    exploring, right, most_rounds = [], 0, 0
    limit = _MOST_LEAST * _least_explored(chosen) if name == "certain" else None
    for seed in range(seeds):
        result, info = run(chosen, method_named(name, chosen), seed, max_steps=limit)
        if info.findings is not None:
            exploring.append(next(part.steps for part in phases(result)))
            right += info.findings.all_right
            most_rounds = max(most_rounds, len(rounds(result.ledger)))
        told(seed + 1, seeds)
    return Measured(tuple(sorted(exploring)), seeds, right, most_rounds)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a run, and its steps as far as they are known."""

    name: str
    least: int
    most: int | None
    """None if there is no bound."""
    known: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What is known of a run of a method on an instance; what a method does not have is None."""

    method: str
    chosen: Instance
    parts: tuple[Part, ...]
    looped: Ledger
    """The predicted run of looped STEEL, for comparison."""
    validation: ValidationAhead | None = None
    measured: Measured | None = None
    """Exploring, as it was measured, if it depends on the noise."""

    @property
    def least(self) -> int:
        return sum(part.least for part in self.parts)

    @property
    def most(self) -> int | None:
        most = [part.most for part in self.parts]
        return None if None in most else sum(each or 0 for each in most)


def foreseen(name: str, chosen: Instance, seeds: int, told: Told) -> Ahead:
    """What is known of a run; what depends on the noise is measured over so many noise seeds.

    `told` is called with how much is done, and with how much there is to do. Raises
    `InvalidArgument` if this, or the run itself, would take too long.
    """
    parts, dynamics = _PARTS[name], chosen.dynamics
    if name == "located":
        Located(chosen.parameters)
        require_walks(dynamics)
    runs = seeds if isinstance(chosen, RunnableInstance) and name != "looped" else 0
    if name == "located" and isinstance(chosen, RunnableInstance) and runs:
        require_located(chosen, Located.most_steps)
    transitions = dynamics.states * dynamics.actions
    looped = predict(chosen, watch=lambda state: told(len(state.model.transitions()), transitions))
    found = None
    if isinstance(chosen, RunnableInstance) and runs:
        found = measured(chosen, name, runs, told)
    ahead = Ahead(method=name, chosen=chosen, parts=(), looped=looped.ledger, measured=found)
    return parts(ahead, told)


def _looped(ahead: Ahead, _: Told) -> Ahead:
    phase1 = sum(call.steps for call in calls(ahead.looped))
    parts = (("phase 1", phase1), ("phase 2", ahead.looped.steps - phase1))
    known = "exact, whatever the noise"
    return replace(ahead, parts=tuple(Part(name, n, n, known) for name, n in parts))


def _located(ahead: Ahead, told: Told) -> Ahead:
    chosen, dynamics = ahead.chosen, ahead.chosen.dynamics
    lengths = walks(chosen, lambda done: told(done, dynamics.states))
    validation = validation_ahead(chosen.parameters, lengths)
    first, transitions = validation.rounds[0], dynamics.states * dynamics.actions
    parts = (
        Part("exploring", transitions, None, "every transition is taken; no bound is known"),
        Part("validating", first.least_steps, first.most_steps, "if the first round passes"),
    )
    return replace(ahead, parts=parts, validation=validation)


def _certain(ahead: Ahead, _: Told) -> Ahead:
    least, check_steps = _least_explored(ahead.chosen), Certain(1, 1).check_steps
    parts = (
        Part("exploring", least, None, "no learner that is never wrong takes fewer"),
        Part("checking", check_steps, check_steps, "exact"),
    )
    return replace(ahead, parts=parts)


def _least_explored(chosen: Instance) -> int:
    """The first row comes after the first action, and then every transition is taken."""
    table = chosen.dynamics.table
    return 1 + least_walk(table, table[chosen.start][chosen.first_action])


_PARTS: Final[Mapping[str, Callable[[Ahead, Told], Ahead]]] = {
    "certain": _certain,
    "located": _located,
    "looped": _looped,
}
FORESEEN: Final = tuple(_PARTS)
"""The methods of which something is known beforehand."""


@dataclass(frozen=True, slots=True)
class Estimated:
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
    if isinstance(method, Certain):
        explored = _least_explored(chosen)
        return Estimated(explored + (method.check_steps if checked else 0), None)
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
    found = forecast(own, states=extent.states, diameter=extent.diameter).located
    seconds_each = (LOCATED_STEP * found.least, LOCATED_STEP * found.most)
    return Estimated(found.least, found.most, seconds_each, remark)
