"""Every small world with every set of known transitions, and the ideal runs on it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.worlds import small_worlds
from steel_verified.learning.looped import Looped
from steel_verified.learning.model import Model
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.ideal import ideal_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.checks.evidence import Evidence
    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.dynamics import Dynamics

SIZE: Final = "every strongly connected world with |S| ≤ 3, |A| ≤ 2"
MIXING_TIME: Final = 3
RUNS: Final = f"ideal runs on {SIZE}, up to names, every first action, t̂_mix = {MIXING_TIME}"


@dataclass(frozen=True)
class PartlyKnown:
    """Some transitions of a world are known; `names[label]` is the true state of a label.

    The known states are those at either end of a known transition. Whether an exploration can get
    there is not asked.
    """

    truth: Dynamics
    names: tuple[int, ...]
    model: Model


@cache
def all_partly_known() -> tuple[PartlyKnown, ...]:
    """Every set of known transitions that leaves some transition of a known state unknown."""
    return tuple(part for world in small_worlds() for part in _partly_known(world))


def _partly_known(truth: Dynamics) -> Iterator[PartlyKnown]:
    edges = [(s, a, to) for s, row in enumerate(truth.table) for a, to in enumerate(row)]
    for choice in product((False, True), repeat=len(edges)):
        known = [edge for edge, chosen in zip(edges, choice, strict=True) if chosen]
        names = tuple(sorted({s for s, _, _ in known} | {to for _, _, to in known}))
        table: list[list[int | None]] = [[None] * truth.actions for _ in names]
        for s, a, to in known:
            table[names.index(s)][a] = names.index(to)
        if any(None in row for row in table):
            model = Model(truth.actions, tuple(tuple(row) for row in table))
            yield PartlyKnown(truth, names, model)


@dataclass(frozen=True)
class IdealRun:
    """A run without noise, from a start, with a first action."""

    truth: Dynamics
    start: int
    first_action: int
    parameters: Parameters
    learned: Accepted


@cache
def all_ideal_runs() -> tuple[IdealRun, ...]:
    """The ideal run on every world from state 0, with every first action.

    The learner never sees the names of states. A run from another start is a run from 0 on the same
    world with other names, which is in the list as well.
    """
    return tuple(
        IdealRun(truth, 0, first, p, ideal_run(truth, 0, Looped(p), first_action=first))
        for truth in small_worlds()
        for p in [_tight(truth)]
        for first in range(truth.actions)
    )


def on_runs(holds: Callable[[IdealRun], bool]) -> Evidence:
    """Check a property of every ideal run."""
    return exhausted(all_ideal_runs(), holds, RUNS)


def _tight(truth: Dynamics) -> Parameters:
    return Parameters(
        actions=truth.actions,
        max_states=truth.states,
        max_diameter=truth.diameter,
        mixing_time=MIXING_TIME,
        class_size=truth.states,
        delta=Fraction(1, 2),
        # Small, so that phase 2 is needed in every world.
        epsilon=Fraction(1, 20),
    )
