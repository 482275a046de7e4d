"""Every small world, every start and every noise sequence up to a length, without sampling.

Noise sequences that lead to the same state of the learner are followed only once, because its next
decisions depend only on that state. So the sequences are counted level by level, as paths in a
graph.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

from steel_verified.evidence.ledger import KEY, Ledger
from steel_verified.evidence.plans import Plan
from steel_verified.learning.located import (
    Exploring,
    Looping,
    Revisiting,
    Validating,
)

from .located_truth import (
    ChosenWorld,
    Learner,
    advanced,
    check_truth,
    inside,
    realising,
    recipe_for,
)
from .test_exhaustive import numbered_from_the_start

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from steel_verified.worlds.dynamics import Dynamics

    from .located_truth import Noise, Seeing

ALPHABET = 2


@dataclass(frozen=True)
class Node:
    """The state of the learner, and the state of the world."""

    learner: Learner
    here: int


def branched(ledger: Ledger) -> Ledger:
    """Return a ledger that can be continued again (a run never needs this), without its entries."""
    ledger.run.newest = replace(ledger, key=KEY, length=1)
    return ledger.run.newest


def rows_read(learner: Learner, plan: Plan) -> list[int]:
    """Return the steps of the plan whose rows the learner reads, counted from 1."""
    match learner.stage:
        case Validating(done=0):
            return []
        case Validating(validation):
            return sorted(set(validation.visits))
        case _:
            return list(range(1, plan.steps + 1))


def held(node: Node) -> Hashable:
    """Return everything on which later decisions depend; only roots are counted as labels."""
    learner, labels = node.learner, node.learner.labels
    name = {root: number for number, root in enumerate(sorted(labels.rows))}

    def named(label: int | None) -> int | None:
        return None if label is None else name[labels.root(label)]

    held, stale = learner.pools.held, learner.pools.stale
    pools = tuple((held[root].rows, inside(held[root].summary), root in stale) for root in name)
    steps = tuple(named(to) for root in name for to in labels.rows[root])
    stage: Hashable
    match learner.stage:
        case Looping(action, rows, until):
            stage = action, until, tuple(inside(row.summary) for row in rows)
        case Exploring(current, lost):
            stage = named(current), lost
        case Revisiting(current, walk, done, passes):
            stage = named(current), walk, done, passes
        case Validating(validation, model, kept, home, done, seen):
            marks = tuple(tuple(inside(sample.summary) for sample in row) for row in seen)
            fixed = validation.walk, validation.visits, validation.passes, validation.classifiers
            stage = fixed, model, tuple(map(named, kept)), home, done, marks
        case _:
            stage = None
    kind = type(learner.stage).__name__
    return kind, stage, steps, pools, learner.ledger.decisions, learner.ledger.steps, node.here


def chosen_at(noise: dict[int, int]) -> Noise:
    """Return the noise chosen for each time, and 0 at times that are not read."""
    return lambda time, _action, _state: noise.get(time, 0)


def after(node: Node, truth: Dynamics, oracle: Seeing, left: int) -> Iterator[tuple[Node, int]]:
    """Yield the next nodes, and how many noise values were chosen; none beyond `left`."""
    plan = node.learner.method.next_plan(node.learner)
    if not isinstance(plan, Plan):
        return
    read = rows_read(node.learner, plan)
    if len(read) > left:
        return
    start = node.learner.ledger.steps
    for noise in product(range(ALPHABET), repeat=len(read)):
        chosen = {start + step: e for step, e in zip(read, noise, strict=True)}
        world = ChosenWorld(
            truth,
            node.here,
            ALPHABET,
            chosen_at(chosen),
            steps=start,
        )
        learner = replace(node.learner, ledger=branched(node.learner.ledger))
        learner = advanced(learner, world, oracle)
        check_truth(learner, truth, world.state)
        yield Node(learner, world.state), len(read)


def follow(truth: Dynamics, oracle: Seeing, first: int, length: int) -> tuple[int, int]:
    """Follow all noise sequences of a length; return the plans run and the accepted runs."""
    beginning = Node(replace(recipe_for(truth), first_action=first).begin(), 0)
    levels: list[dict[Hashable, Node]] = [{} for _ in range(length + 1)]
    levels[0][held(beginning)] = beginning
    plans = ended = 0
    for chosen, level in enumerate(levels):
        waiting = list(level.values())
        while waiting:
            node = waiting.pop()
            ended += not isinstance(node.learner.method.next_plan(node.learner), Plan)
            for found, read in after(node, truth, oracle, length - chosen):
                plans += 1
                key = held(found)
                if key not in levels[chosen + read]:
                    levels[chosen + read][key] = found
                    if not read:
                        waiting.append(found)
    return plans, ended


def classes(states: int) -> list[Seeing]:
    """Return classes that realise the encoder: alone, with the noise itself, with mixtures."""
    size = states * ALPHABET
    noise = [[x % ALPHABET == e for x in range(size)] for e in range(ALPHABET)]
    mixed = [[(x // ALPHABET == 0) == (x % ALPHABET == e) for x in range(size)] for e in range(2)]
    partial = [[x == s * ALPHABET for x in range(size)] for s in range(states)]
    return [
        realising(states, ALPHABET, others)
        for others in ([], noise, [*noise, *mixed], [*partial, noise[0]])
    ]


def follow_all(
    states: int,
    actions: int,
    length: int,
    oracles: list[Seeing],
    first_actions: Iterable[int] | None = None,
) -> tuple[int, int]:
    """Follow every world of a size, from every start and with every first action."""
    found = [
        follow(truth, oracle, first, length)
        for truth in numbered_from_the_start(states, actions)
        for oracle in oracles
        for first in (range(actions) if first_actions is None else first_actions)
    ]
    return sum(plans for plans, _ in found), sum(ended for _, ended in found)


@pytest.mark.parametrize(
    ("states", "actions", "length"), [(1, 1, 20), (1, 2, 15), (2, 1, 20), (2, 2, 11), (3, 1, 16)]
)
def test_learner_is_right_for_every_noise_of_small_worlds(
    states: int, actions: int, length: int
) -> None:
    """All noise sequences of this length, for four classes; each start has its own numbering."""
    plans, _ = follow_all(states, actions, length, classes(states))
    assert plans > 0


def test_learner_is_right_for_every_noise_of_length_10() -> None:
    """148 worlds of three states, with the noise itself and mixtures, and first action 0."""
    plans, _ = follow_all(3, 2, 10, [classes(3)[2]], first_actions=[0])
    assert plans > 148 * 2**6


def test_some_noise_sequences_end_with_an_accepted_model() -> None:
    """After some noise sequences of this length, the model is accepted."""
    for states in (1, 2):
        _, ended = follow_all(states, 1, 24, classes(states))
        assert ended > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(("states", "actions", "length"), [(2, 2, 24), (3, 2, 16), (2, 3, 16)])
def test_learner_is_right_for_every_noise_of_greater_length(
    states: int, actions: int, length: int, number: int
) -> None:
    plans, _ = follow_all(states, actions, length, [classes(states)[number]])
    assert plans > 0
