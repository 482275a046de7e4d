"""What is known of a located run beforehand: its validation, and exploration as it was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.learning.graph import covering_cycle
from steel_verified.learning.located import rounds
from steel_verified.learning.model import Model
from steel_verified.theory.validation import round_share, validation_samples
from steel_verified.worlds.runs import method_named, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

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
        result, info = run(chosen, method_named("located", chosen), seed)
        if info.findings is not None:
            made = rounds(result.ledger)
            exploring.append(result.ledger.steps - sum(one.steps for one in made))
            right += info.findings.all_right
            most_rounds = max(most_rounds, len(made))
        told(seed + 1)
    return Measured(tuple(sorted(exploring)), seeds, right, most_rounds)
