"""The truth about a violated world at the end of a run, and honest worlds that explain the run.

A world is honest if it satisfies all conditions. Let a run be k times as likely in the truth as in
one honest world, given the noise. Then no check whose false alarms have probability at most α can
notice such runs with a probability above kα (the Neyman–Pearson lemma). Reason: the probability
that a run is of this kind and is noticed is at most k times as large in the truth as in the honest
world, where it would be a false alarm.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import exp, log
from typing import TYPE_CHECKING

from steel_verified.learning.deciding import Refuted, decide
from steel_verified.worlds.chains import Chain, stationary
from steel_verified.worlds.dynamics import Dynamics, distances, is_connected
from tests.studies.violations.breaking import Violation
from tests.studies.violations.drawing import sure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from steel_verified.learning.certain import Exploring
    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from tests.studies.violations.drawing import Rows, ViolatedWorld
    from tests.studies.violations.process import Process, ProcessWorld, Step


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
    if (truth := world.truth) is not None:
        shows = _shown(replace(world.process, emission=truth.emission))
        return _reached(truth.table, truth.state_of[under_way.state], shows)
    table = world.table if world.later is None or not under_way.has_changed else world.later
    return _reached(table, under_way.state, _shown(world.process))


def has_twin(
    world: ViolatedWorld,
    under_way: ProcessWorld,
    learned: Accepted,
    known: Exploring | None,
    is_right_for: Callable[[TrueWorld | None], bool],
) -> bool:
    """Whether what was learned is right for a world that violates no condition of the method.

    What the run saw is at least as likely in that world. `known` is what a certain run has found.
    """
    if is_right_for(twin(world, under_way, learned)):
        return True
    if known is None:
        return False
    unchanged = _unless_shown(world, under_way)
    return is_right_for(unchanged) or is_never_refuted(world, under_way, known)


def twin(world: ViolatedWorld, under_way: ProcessWorld, learned: Accepted) -> TrueWorld | None:
    """A world in which the run is as likely; None if none is known."""
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
            return _as_learned(world, under_way.path, learned)


def _unless_shown(world: ViolatedWorld, under_way: ProcessWorld) -> TrueWorld | None:
    """The world without its change, if no step took a transition that had changed."""
    if world.later is None:
        return None
    same = all(
        world.table[before.state][step.action] == step.state
        for before, step in zip(under_way.path, under_way.path[1:], strict=False)
    )
    return true_world(replace(world, later=None), under_way) if same else None


def is_never_refuted(world: ViolatedWorld, under_way: ProcessWorld, run: Exploring) -> bool:
    """Whether the rows of a certain run, and all that can follow, have a cover in connected worlds.

    Knowledge depends on the set of transitions only, and these are finitely many here. Then the
    labels of that cover, moved by its table, are a world that satisfies all assumptions and can
    show the same rows for ever.
    """
    known = run.knowledge
    for transition in sorted(_possible(world, under_way)):
        known = known.with_transition(transition)
    return not isinstance(decide(known, run.here), Refuted)


def _possible(world: ViolatedWorld, under_way: ProcessWorld) -> set[tuple[int, int, int]]:
    """All transitions that can be seen from now on: row, action, next row."""
    process, columns = world.process, world.oracle.columns
    moves = process.moves
    if world.later is not None and under_way.has_changed:
        moves = sure(world.later)

    def rows(state: int, noise: int) -> set[int]:
        law = process.emission[state][noise]
        return {columns[x] for x, weight in enumerate(law) if weight}

    reached = [(under_way.state, under_way.path[-1].noise)]
    found: set[tuple[int, int, int]] = set()
    for state, noise in reached:
        for action in range(process.actions):
            after = [
                (to, turn)
                for to, weight in enumerate(moves[state][action])
                if weight
                for turn, chance in enumerate(process.noise[action][noise])
                if chance
            ]
            reached += [one for one in dict.fromkeys(after) if one not in reached]
            found |= {
                (row, action, later)
                for row in rows(state, noise)
                for to, turn in after
                for later in rows(to, turn)
            }
    return found


def _both(process: Process, looks: Rows) -> Iterable[tuple[Rows, Distribution]]:
    return zip(process.emission, looks, strict=True)


def _as_learned(world: ViolatedWorld, path: Sequence[Step], learned: Accepted) -> TrueWorld | None:
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
            if ratio >= 1 and _are_told_apart(world, looks):
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
