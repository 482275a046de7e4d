"""What is true of a violated world at the end of a run, and honest worlds that show the same.

A world is honest if it satisfies all conditions. Let a run be k times as likely in the truth as in
one honest world, given the noise. By the lemma of Neyman and Pearson no check, if its false alarms
have a chance of at most α, can notice such runs with a chance of more than kα. For the chance in
the truth that a run is of this kind and is noticed is at most k times the same chance in the honest
world, and there it is a false alarm.
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


FAINT: Final = Fraction(1, 100)
"""Runs that are at most 100 times as likely in the truth as in an honest world show too little: no
check with α = 1/1000 notices them with a chance of more than 1/10."""


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


def twin(
    world: ViolatedWorld,
    under_way: ProcessWorld,
    learned: Accepted[int],
    least: Fraction = Fraction(1),
) -> TrueWorld | None:
    """An honest world in which the run is at least `least` times as likely, if one is known."""
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
        case Violation.SLOW:
            # As if there were no noise, if no step has shown that it moved.
            noises = {step.noise for step in under_way.path}
            looks = tuple(laws[last.noise] for laws in process.emission)
            same = all(laws[e] == look for laws, look in _both(process, looks) for e in noises)
            return _reached(world.table, last.state, looks) if same else None
        case Violation.FOLLOWING | Violation.PERIODIC:
            return None
        case _:
            return _as_learned(world, under_way.path, learned, least)


def _both(process: Process, looks: Rows) -> Iterable[tuple[Rows, Distribution]]:
    return zip(process.emission, looks, strict=True)


def _as_learned(
    world: ViolatedWorld, path: Sequence[Step], learned: Accepted[int], least: Fraction
) -> TrueWorld | None:
    """The world with the learned dynamics, if it explains what was seen for the same actions.

    Each of its states looks like the latent state in which the run was most often while the model
    was in this state, or like all of them in turn; F must have a classifier for each look.
    """
    table = _table(learned)
    if not is_connected(table):
        return None
    for labels in possible_labels(learned, path):
        met = _met(table, labels, path)
        usual = tuple(_look(world.process, Counter(dict(states.most_common(1)))) for states in met)
        mixed = tuple(_look(world.process, states) for states in met)
        for looks in (usual, mixed) if all(met) else ():
            ratio = _likelihood_ratio(world.process, looks, zip(labels, path, strict=True))
            if ratio >= least and _are_told_apart(world, looks):
                shown = _shown(replace(world.process, emission=looks))
                return TrueWorld(Dynamics(table), learned.current, shown)
    return None


def _table(learned: Accepted[int]) -> Table:
    """The dynamics of a model that is complete."""
    return tuple(tuple(to for to in row if to is not None) for row in learned.model.table)


def possible_labels(learned: Accepted[int], path: Sequence[Step]) -> Iterator[list[int]]:
    """In which states a model may have been after each step of a run, given where it ended."""
    table = _table(learned)
    for start in range(len(table)):
        _, *labels = accumulate(
            (step.action for step in path), lambda s, a: table[s][a], initial=start
        )
        if labels[-1] == learned.current:
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
