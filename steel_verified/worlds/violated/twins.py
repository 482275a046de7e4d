"""What is true of a violated world at the end of a run, and worlds that show the same.

A twin satisfies all conditions and explains what the run has seen: given the noise, it is at most a
thousand times less likely there. Weaker evidence against the conditions than that is not enough for
a check whose false alarms have a chance of 1/1000.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import exp, log
from typing import TYPE_CHECKING, Final

from steel_verified.worlds.chains import Chain, stationary
from steel_verified.worlds.dynamics import Dynamics, distances, is_connected
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from steel_verified.worlds.violated.building import ViolatedWorld
    from steel_verified.worlds.violated.drawing import Rows
    from steel_verified.worlds.violated.process import Process, ProcessWorld, Step


_LEAST: Final = 1 / 1000
"""A twin is one if what was seen is at least so likely there, by how likely it was."""


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
    """The world with the learned dynamics, if it explains what was seen for the same actions.

    Each of its states looks like the latent state in which the run was most often while the model
    was in this state, or like all of them in turn; F must have a classifier for each look.
    """
    table = _table(learned)
    if not is_connected(table):
        return None
    for labels in _possible_labels(table, path, learned.current):
        met = _met(table, labels, path)
        usual = tuple(_look(world.process, Counter(dict(states.most_common(1)))) for states in met)
        mixed = tuple(_look(world.process, states) for states in met)
        for looks in (usual, mixed) if all(met) else ():
            ratio = _likelihood_ratio(world.process, looks, zip(labels, path, strict=True))
            if ratio >= _LEAST and _are_told_apart(world, looks):
                shown = _shown(replace(world.process, emission=looks))
                return TrueWorld(Dynamics(table), learned.current, shown)
    return None


def contrary_steps(world: ViolatedWorld, path: Sequence[Step], learned: Accepted[int]) -> int:
    """After how many steps of a run the model is in a state that usually looks otherwise.

    This is how much there is to notice, apart from the noise.
    """
    table, emission = _table(learned), world.process.emission
    return min(
        (
            sum(
                n
                for states in _met(table, labels, path)
                for state, n in states.items()
                if emission[state] != emission[states.most_common(1)[0][0]]
            )
            for labels in _possible_labels(table, path, learned.current)
        ),
        default=len(path),
    )


def _table(learned: Accepted[int]) -> Table:
    """The dynamics of a model that is complete."""
    return tuple(tuple(to for to in row if to is not None) for row in learned.model.table)


def _possible_labels(table: Table, path: Sequence[Step], current: int) -> Iterator[list[int]]:
    """In which states a model may have been after each step of a run, if it ends in `current`."""
    for start in range(len(table)):
        _, *labels = accumulate(
            (step.action for step in path), lambda s, a: table[s][a], initial=start
        )
        if labels[-1] == current:
            yield labels


def _met(table: Table, labels: Sequence[int], path: Sequence[Step]) -> list[Counter[int]]:
    """How often the world was in which state, for each state of the model."""
    met = [Counter[int]() for _ in table]
    for label, step in zip(labels, path, strict=True):
        met[label][step.state] += 1
    return met


def _look(process: Process, states: Counter[int]) -> Rows:
    """What is seen, in each noise state, if these latent states take turns so often."""
    return tuple(
        tuple(
            sum((process.emission[s][e][x] * n for s, n in states.items()), Fraction(0))
            / states.total()
            for x in range(len(process.emission[0][0]))
        )
        for e in range(len(process.initial_noise))
    )


def _likelihood_ratio(
    process: Process, looks: tuple[Rows, ...], path: Iterable[tuple[int, Step]]
) -> float:
    """How likely it is to see this with these looks, by how likely it was; the noise is the same.

    With each step comes the state of the model, which has a look. Rounded, as it is a power of
    fractions that may be large.
    """
    seen = Counter((label, step.state, step.noise, step.seen) for label, step in path)
    logarithm = 0.0
    for (label, state, noise, x), times in seen.items():
        ratio = looks[label][noise][x] / process.emission[state][noise][x]
        if not ratio:
            return 0.0
        logarithm += times * log(ratio)
    return exp(min(0.0, logarithm))


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
