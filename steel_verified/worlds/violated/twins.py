"""What is true of a violated world at the end of a run, and worlds that show the same.

A twin satisfies all conditions, and what it shows has the same law as what the run has seen. No
learner can tell the two apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.worlds.chains import Chain, stationary
from steel_verified.worlds.dynamics import Dynamics, distances, is_connected
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from steel_verified.worlds.violated.building import ViolatedWorld
    from steel_verified.worlds.violated.process import Process, ProcessWorld


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


def twin(world: ViolatedWorld, under_way: ProcessWorld) -> TrueWorld | None:
    """A world that satisfies all conditions and shows the same, if one is known."""
    process = world.process
    match world.violation:
        case Violation.CHANGE if not under_way.shown:
            # The same world without the change: no transition was taken that shows it.
            return _reached(world.table, under_way.state, _shown(process))
        case Violation.FOLLOWING if world.size == 1:
            # The action decides the noise, so that latent and noise state are one latent state.
            many = len(process.initial_noise)
            table = tuple(
                tuple(to * many + action % many for action, to in enumerate(row))
                for row in world.table
                for _ in range(many)
            )
            shows = tuple(law for laws in process.emission for law in laws)
            found = _reached(table, under_way.state * many + under_way.noise_state, shows)
            few = found is not None and found.dynamics.states <= world.parameters.max_states
            return found if few else None
        case _:
            return None


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
