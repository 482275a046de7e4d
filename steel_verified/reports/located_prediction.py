"""A prediction for located STEEL: validation is computed beforehand, exploration is measured."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.learning.graph import covering_cycle
from steel_verified.learning.located import rounds
from steel_verified.learning.model import Model
from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table, records
from steel_verified.theory.validation import round_share, validation_samples
from steel_verified.theory.wording import counted, counted_range
from steel_verified.worlds.runs import LocatedRun, attempt_located

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.tables import Part
    from steel_verified.theory.parameters import LocatedParameters, Parameters
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.instances import Instance, RunnableInstance

_MOST_LOOKS: Final = 10**8
"""About half a minute: some 360 states with two actions."""

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
    """The exploring steps (all but validation) of the accepted runs, sorted."""
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
    chosen: RunnableInstance, seeds: int, told: Callable[[int], None] = lambda _: None
) -> Measured:
    """Run located STEEL with noise seeds 0, 1, …; calls `told` with the number of finished runs."""
    exploring, right, most_rounds = [], 0, 0
    for seed in range(seeds):
        went = attempt_located(chosen, seed)
        if isinstance(went, LocatedRun):
            made = rounds(went.learned.ledger)
            exploring.append(went.learned.ledger.steps - sum(one.steps for one in made))
            right += went.findings.all_right
            most_rounds = max(most_rounds, len(made))
        told(seed + 1)
    return Measured(tuple(sorted(exploring)), seeds, right, most_rounds)


_COLUMNS = (
    Column("round", Kind.NUMBER),
    Column("share", Kind.NUMBER, heading="share of δ"),
    Column("samples", Kind.NUMBER, heading="n"),
    Column("least_steps", Kind.NUMBER, heading="steps, least"),
    Column("most_steps", Kind.NUMBER, heading="steps, most"),
)


def rounds_table(ahead: ValidationAhead) -> Table:
    """The rounds of validation, one row each."""
    rows = tuple(
        (
            one.number,
            str(one.share),
            Cell(
                _range(one.least_samples, one.most_samples),
                {"least": one.least_samples, "most": one.most_samples},
            ),
            one.least_steps,
            one.most_steps,
        )
        for one in ahead.rounds
    )
    title = "Validation: n checks of each state, after a first pass that keeps no samples"
    return Table(title, _COLUMNS, rows)


def as_json(ahead: ValidationAhead, found: Measured | None, looped_steps: int) -> Json:
    """The prediction as JSON."""
    return {
        "method": "located",
        "walk": {"shortest": ahead.shortest, "longest": ahead.longest},
        "gap_in_mixing_times": {"least": ahead.least_gap, "most": ahead.most_gap},
        "rounds": records(rounds_table(ahead)),
        "exploring_measured": None
        if found is None
        else {
            "noise_seeds": found.seeds,
            "accepted": len(found.exploring),
            "right": found.right,
            "steps": list(found.exploring),
            "most_rounds": found.most_rounds,
        },
        "looped_steps": looped_steps,
    }


def as_parts(
    ahead: ValidationAhead, found: Measured | None, looped_steps: int, name: str
) -> tuple[Part, ...]:
    """The prediction as text and a table."""
    first = ahead.rounds[0]
    headline = (
        f"Located STEEL on {name}: "
        f"{counted_range(first.least_steps, first.most_steps, 'step')} to validate "
        "if the first round passes. The steps of exploration are not included."
    )
    length = counted_range(ahead.shortest, ahead.longest, "action")
    walk = (
        f"The walk has {length}, depending on the state in which it begins. Samples of one state "
        f"are at least j·t̂_mix apart, with j = {_range(ahead.least_gap, ahead.most_gap)}. These "
        "numbers are computed from the true dynamics. A run numbers the states in the order in "
        "which it finds them, and this order decides between equally short paths."
    )
    return (
        Prose(headline, Style.GOOD),
        rounds_table(ahead),
        Prose(walk),
        Prose(_exploring(found)),
        Prose(f"The paper's algorithm takes exactly {counted(looped_steps, 'step')} here."),
    )


def _exploring(found: Measured | None) -> str:
    if found is None:
        return (
            "How long a run explores depends on the noise, and has no bound known beforehand. It "
            "was not measured: that needs a world with observations, and noise seeds."
        )
    if not found.exploring:
        seeds = counted(found.seeds, "noise seed")
        return f"Exploring was measured over {seeds}: no run was accepted."
    steps = found.exploring
    return (
        "How long a run explores depends on the noise, and has no bound known beforehand. "
        f"Measured over {counted(found.seeds, 'noise seed')}: "
        f"{counted_range(steps[0], steps[-1], 'step')}, median {median(steps):,.0f}. Of "
        f"{counted(found.seeds, 'run')}, accepted: {len(steps)}; right: {found.right}; the most "
        f"rounds of one: {found.most_rounds}."
    )


def _range(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
