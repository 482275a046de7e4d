"""The truth about a violated world at the end of a run, and honest worlds that explain the run.

A world is honest if it satisfies all conditions. Let a run be k times as likely in the truth as in
one honest world, given the noise. Then no check whose false alarms have probability at most α can
notice such runs with a probability above kα (the Neyman–Pearson lemma). Reason: the probability
that a run is of this kind and is noticed is at most k times as large in the truth as in the honest
world, where it would be a false alarm.

The evidence against a learned model is how much better the truth explains a run than an honest
world that has the learned dynamics and in which, given the noise, each state shows independent
observations with its own distribution. That distribution is the one that makes the observations
most likely, so this is the best of all such worlds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import exp, floor, log
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.evidence.entries import Ran
from steel_verified.learning.located import Located
from steel_verified.worlds.chains import Chain, stationary
from steel_verified.worlds.dynamics import Dynamics, distances, is_connected
from tests.studies.violations.breaking import Violation

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from tests.studies.violations.drawing import Rows, ViolatedWorld
    from tests.studies.violations.process import Process, ProcessWorld, Step

FAINT: Final = Fraction(1, 100)
"""Runs at most 100 times as likely in the truth as in an honest world show too little evidence: no
check with α = 1/1000 notices them with probability above 1/10."""


@dataclass(frozen=True, slots=True)
class TrueWorld:
    """What a learner should find: dynamics, the current state, and the observations of states."""

    dynamics: Dynamics
    state: int
    shows: tuple[Distribution, ...]
    """For each state, the distribution of the observation under stationary noise."""


def true_world(world: ViolatedWorld, under_way: ProcessWorld) -> TrueWorld | None:
    """The part of the world that can still be reached at the end of a run.

    None if that part is not strongly connected.
    """
    table = world.table if world.later is None or not under_way.has_changed else world.later
    return _reached(table, under_way.state, _shown(world.process))


def twin(
    world: ViolatedWorld,
    under_way: ProcessWorld,
    learned: Accepted,
    least: Fraction = Fraction(1),
) -> TrueWorld | None:
    """An honest world in which the run is at least `least` times as likely; None if unknown."""
    process = world.process
    *_, last = under_way.path
    match world.violation:
        case Violation.FOLLOWING if world.size == 1:
            # The action decides the noise, so latent and noise state together are one latent state.
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
            # If no step has shown that the noise moved: a world without noise.
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
    world: ViolatedWorld, path: Sequence[Step], learned: Accepted, least: Fraction
) -> TrueWorld | None:
    """The world with the learned dynamics, if it explains the observations for the same actions.

    Each of its states looks like the latent state in which the run was most often while the model
    was in this state, or like a mixture of all such states. F must have a classifier for each look.
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


def _table(learned: Accepted) -> Table:
    """The transition table of a complete model."""
    return tuple(tuple(to for to in row if to is not None) for row in learned.model.table)


def possible_labels(learned: Accepted, path: Sequence[Step]) -> Iterator[list[int]]:
    """The states in which a model may have been after each step of a run, given its end."""
    table = _table(learned)
    for start in range(len(table)):
        _, *labels = accumulate(
            (step.action for step in path), lambda s, a: table[s][a], initial=start
        )
        if labels[-1] == learned.current:
            yield labels


def _met(table: Table, labels: Sequence[int], path: Sequence[Step]) -> list[Counter[int]]:
    """For each state of the model, how often the world was in each latent state."""
    met = [Counter[int]() for _ in table]
    for label, step in zip(labels, path, strict=True):
        met[label][step.state] += 1
    return met


def _look(process: Process, states: Counter[int]) -> Rows:
    """The observations in each noise state if these latent states alternate with these counts."""
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
    """The likelihood of the observations with these looks, divided by the true one; same noise.

    Each step comes with the state of the model, which has a look. The result is rounded, because
    it is a product of many fractions.
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
    """Whether F has, for each look, a classifier that separates it from all others."""
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
    """The part of a world reachable from a state; None if it is not strongly connected."""
    part = sorted(distances(table, state))
    number = {s: i for i, s in enumerate(part)}
    reached = tuple(tuple(number[to] for to in table[s]) for s in part)
    if not is_connected(reached):
        return None
    return TrueWorld(Dynamics(reached), number[state], tuple(shows[s] for s in part))


def _shown(process: Process) -> tuple[Distribution, ...]:
    """The observations of each latent state, under the stationary distribution of the noise.

    If the noise depends on actions, it is the distribution for uniformly random actions.
    """
    size, actions = len(process.initial_noise), process.actions
    # A chain that stays with probability 1/2 has the same stationary law, and is never periodic.
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


MOST_DECADES: Final = 999
_OF_NOISE: Final = (Violation.PERIODIC, Violation.SLOW, Violation.FOLLOWING)
"""If the noise is what violates the condition, the honest world has no noise."""


def decades(world: ViolatedWorld, path: Sequence[Step], learned: Accepted) -> int:
    """log10 of how many times likelier the observations are in the truth than in an honest world.

    Only rows count whose times were fixed beforehand, on which the self-check may bet: all rows of
    a looped run, and the rows of the last validation of a located run, after its first pass. The
    result is rounded down, and at most `MOST_DECADES`. It is `MOST_DECADES` if no honest world with
    the learned dynamics ends where the run did.
    """
    first = _first_fixed(learned)
    fixed = path[first:]
    by_noise = world.violation not in _OF_NOISE
    if by_noise:
        true = _log_given_noise(world.process, fixed)
    else:
        true = _log_with_noise(world.process, path, first)
    honest = [
        _log_of_best(
            ((label, step.noise if by_noise else 0), step.seen)
            for label, step in zip(labels, fixed, strict=True)
        )
        for labels in possible_labels(learned, fixed)
    ]
    if not honest:
        return MOST_DECADES
    return min(MOST_DECADES, max(0, floor((true - max(honest)) / log(10))))


def _first_fixed(learned: Accepted) -> int:
    """The number of steps of a run before those whose times were fixed."""
    if not isinstance(learned.method, Located):
        return 0
    *_, last = (entry for entry in learned.ledger.entries if isinstance(entry, Ran))
    return last.start - last.done + len(last.word)


def _log_of_best(seen: Iterable[tuple[Hashable, int]]) -> float:
    """The log of the largest probability of these symbols; each context has its own law."""
    both = Counter(seen)
    whole = Counter[object]()
    for (context, _), times in both.items():
        whole[context] += times
    return sum(times * log(times / whole[context]) for (context, _), times in both.items())


def _log_given_noise(process: Process, path: Iterable[Step]) -> float:
    seen = Counter((step.state, step.noise, step.seen) for step in path)
    return sum(
        times * log(process.emission[state][noise][x]) for (state, noise, x), times in seen.items()
    )


def _log_with_noise(process: Process, path: Sequence[Step], first: int) -> float:
    """The log of the probability of the observations from row `first` on, given the latent states.

    The noise is not observed; the probability is summed over it, step by step.
    """
    moves = np.array(process.noise, dtype=np.float64)
    shows = np.array(process.emission, dtype=np.float64)
    chances = np.array(process.initial_noise, dtype=np.float64)
    logarithm = 0.0
    for number, step in enumerate(path):
        chances = chances @ moves[step.action]
        if number >= first:
            chances = chances * shows[step.state, :, step.seen]
            whole = chances.sum()
            chances /= whole
            logarithm += log(whole)
    return logarithm
