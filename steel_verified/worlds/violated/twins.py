"""What is true of a violated world at the end of a run, and worlds that show the same.

A twin satisfies all conditions, and what the run has seen is at least as likely in it as in the
world itself. So these data are no evidence against the conditions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.worlds.chains import Chain, stationary
from steel_verified.worlds.dynamics import Dynamics, distances, is_connected
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from steel_verified.worlds.violated.building import ViolatedWorld
    from steel_verified.worlds.violated.drawing import Rows
    from steel_verified.worlds.violated.process import Process, ProcessWorld, Step


@dataclass(frozen=True, slots=True)
class TrueWorld:
    """What a learner should find: dynamics, the present state, and what each state shows."""

    dynamics: Dynamics
    state: int
    shows: tuple[Distribution, ...]
    """For each state, the law of the observation under stationary noise."""


def true_world(world: ViolatedWorld, under_way: ProcessWorld) -> TrueWorld | None:
    """The world as it is at the end of a run, as far as it can still be reached.

    None if that is not connected.
    """
    table = world.table if world.later is None or not under_way.has_changed else world.later
    return _reached(table, under_way.state, _shown(world.process))


def twin(world: ViolatedWorld, under_way: ProcessWorld, learned: Accepted[int]) -> TrueWorld | None:
    """A world that satisfies all conditions and explains what was seen as well, if one is known."""
    process = world.process
    *_, last = under_way.path
    match world.violation:
        case Violation.FOLLOWING if world.size == 1:
            # The action decides the noise, so that latent and noise state are one latent state.
            many = len(process.initial_noise)
            table = tuple(
                tuple(to * many + action % many for action, to in enumerate(row))
                for row in world.table
                for _ in range(many)
            )
            shows = tuple(law for laws in process.emission for law in laws)
            found = _reached(table, last.state * many + last.noise, shows)
            few = found is not None and found.dynamics.states <= world.parameters.max_states
            return found if few else None
        case Violation.SLOW if len({step.noise for step in under_way.path}) == 1:
            # The noise never moved: as if there were none.
            return _reached(world.table, last.state, tuple(e[last.noise] for e in process.emission))
        case Violation.FOLLOWING | Violation.SLOW | Violation.PERIODIC:
            return None
        case _:
            return _as_learned(world, under_way.path, learned)


def _as_learned(
    world: ViolatedWorld, path: Sequence[Step], learned: Accepted[int]
) -> TrueWorld | None:
    """The world with the learned dynamics, if it would have shown the same for the same actions.

    That is so if, from some state on, all latent states that the run was in while the model is in
    one of its states look alike; and F must have a classifier for each of these looks.
    """
    table = tuple(tuple(to for to in row if to is not None) for row in learned.model.table)
    emission = world.process.emission
    if not (learned.model.is_total and is_connected(table)):
        return None
    for start in range(len(table)):
        looks: dict[int, Rows] = {}
        here = start
        for step in path:
            here = table[here][step.action]
            if looks.setdefault(here, emission[step.state]) != emission[step.state]:
                break
        else:
            rows = tuple(looks[label] for label in sorted(looks))
            seen_all = len(rows) == len(table)
            if seen_all and here == learned.current and _are_told_apart(world, rows):
                shown = _shown(replace(world.process, emission=rows))
                return TrueWorld(Dynamics(table), here, shown)
    return None


def _are_told_apart(world: ViolatedWorld, looks: tuple[Rows, ...]) -> bool:
    """Whether F has a classifier for each look that tells it from all others."""
    seen = [{x for law in rows for x, weight in enumerate(law) if weight} for rows in looks]
    columns, many = world.oracle.columns, world.oracle.class_size
    return all(
        any(
            all(columns[x] >> f & 1 == (i == j) for j, xs in enumerate(seen) for x in xs)
            for f in range(many)
        )
        for i in range(len(looks))
    )


def _reached(table: Table, state: int, shows: tuple[Distribution, ...]) -> TrueWorld | None:
    """The part of a world that can be reached from a state; None if there are ways of no return."""
    part = sorted(distances(table, state))
    number = {s: i for i, s in enumerate(part)}
    reached = tuple(tuple(number[to] for to in table[s]) for s in part)
    if not is_connected(reached):
        return None
    return TrueWorld(Dynamics(reached), number[state], tuple(shows[s] for s in part))


def _shown(process: Process) -> tuple[Distribution, ...]:
    """What each latent state shows, under the stationary law of the noise.

    Where the noise follows actions, it is the law for actions that are chosen at random.
    """
    size, actions = len(process.initial_noise), process.actions
    # A chain that stays with chance 1/2 has the same stationary law, and is never periodic.
    lazy = tuple(
        tuple(
            (sum((rows[e][f] for rows in process.noise), Fraction(0)) / actions + (e == f)) / 2
            for f in range(size)
        )
        for e in range(size)
    )
    weights = stationary(Chain(lazy))
    return tuple(
        tuple(
            sum((weight * law[x] for weight, law in zip(weights, laws, strict=True)), Fraction(0))
            for x in range(len(laws[0]))
        )
        for laws in process.emission
    )
