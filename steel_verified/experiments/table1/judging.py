"""Judge whether a method learned the world: its states, and its transitions.

All methods are judged in the same way. An encoder must give every observation that occurs the label
of its state, up to renaming. The learned distribution of the next state must be within 1/10 of the
true one everywhere. (A deterministic model of a random transition is wrong by 1/2.)
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.learning.results import Accepted, encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.baselines.ppe.layers import LayeredModel
    from steel_verified.experiments.table1.worlds import SmallWorld
    from steel_verified.learning.results import Result
    from steel_verified.worlds.hidden import Law

CLOSE: Final = Fraction(1, 10)
"""The largest allowed difference between a learned probability and the true one."""

Learned: TypeAlias = "Mapping[tuple[int, int], Mapping[int, Fraction]]"
"""For a label and an action: the learned probability of each next label."""


class Fate(Enum):
    """How a run ended."""

    RIGHT = "R"
    NOTICED = "N"
    """The method reports that it has not succeeded."""
    WRONG = "W"


def meaning(labels: Mapping[int, int], encoder: Sequence[int]) -> dict[int, int] | None:
    """The state of each label of observations; None unless labels and states match one to one."""
    pairs = {(label, encoder[x]) for x, label in labels.items()}
    states = {state for _, state in pairs}
    found = dict(pairs)
    return found if len(pairs) == len(found) == len(states) else None


def transitions_right(
    learned: Learned, source: Mapping[int, int], target: Mapping[int, int], world: SmallWorld
) -> bool:
    """Whether, for all labels of `source`, the distribution of the next label is the true one.

    Labels before and after an action have separate meanings, as in a model with layers.
    """
    for label, state in source.items():
        for action, true in enumerate(world.transitions[state]):
            got = learned.get((label, action), {})
            if not all(to in target for to, p in got.items() if p):
                return False
            if not _close({target[to]: p for to, p in got.items() if p}, true):
                return False
    return True


def _close(got: Mapping[int, Fraction], true: Law) -> bool:
    chances = dict(true)
    outcomes = got.keys() | chances.keys()
    none = Fraction(0)
    return all(abs(got.get(s, none) - chances.get(s, none)) <= CLOSE for s in outcomes)


def judged(labels: Sequence[int], learned: Learned, world: SmallWorld) -> Fate:
    """Judge an encoder (the label of each observation) and the transitions between labels."""
    means = meaning(dict(enumerate(labels)), world.encoder)
    if means is None or not transitions_right(learned, means, means, world):
        return Fate.WRONG
    return Fate.RIGHT


def judged_steel(result: Result[int], world: SmallWorld) -> Fate:
    """Judge a run of STEEL, looped or located."""
    if not isinstance(result, Accepted) or result.classifiers is None:
        return Fate.NOTICED
    everything = np.arange(world.observations)
    labels = encode(world.functions, result.classifiers, everything).tolist()
    sure = {
        (label, action): {to: Fraction(1)}
        for label, row in enumerate(result.model.table)
        for action, to in enumerate(row)
        if to is not None
    }
    return judged(labels, sure, world)


def judged_layers(model: LayeredModel[int], world: SmallWorld) -> Fate:
    """Judge a run of PPE: layer h must have exactly the states reachable in h steps."""
    start = {state for state in range(world.states) if _starts(world, state)}
    before = dict(enumerate(start)) if len(start) == 1 else None
    reached = start
    for number, layer in enumerate(model.layers):
        reached = {to for s in reached for row in world.transitions[s] for to, _ in row}
        if layer.classifiers is None:
            return Fate.NOTICED
        shown = np.array([x for x, state in enumerate(world.encoder) if state in reached])
        labels = encode(world.functions, layer.classifiers, shown).tolist()
        after = meaning(dict(zip(shown.tolist(), labels, strict=True)), world.encoder)
        if before is None or after is None or len(after) != layer.states:
            return Fate.WRONG
        sure = {
            (label, action): {model.step(number, label, action): Fraction(1)}
            for label in before
            for action in range(model.actions)
        }
        if not transitions_right(sure, before, after, world):
            return Fate.WRONG
        before = after
    return Fate.RIGHT


def _starts(world: SmallWorld, state: int) -> bool:
    return any(hidden // len(world.noise) == state for hidden, _ in world.model.start)
