"""Holding what was learned against the truth, which the learner never sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from steel_verified.learning.model import Model
    from steel_verified.worlds.dynamics import Dynamics


def relabelling(model: Model, current: int, truth: Dynamics, state: int) -> tuple[int, ...] | None:
    """The true state of each label, if the model is the truth up to the names of states; else None.

    The learner thinks that it is in `current`, and is in `state`. Both are followed side by side
    from there, which fixes the only relabelling that can be right.
    """
    meaning = {current: state}
    open_ends = [current]
    while open_ends:
        label = open_ends.pop()
        for action, true in enumerate(truth.table[meaning[label]]):
            to = model.step(label, action)
            if to is None:
                return None
            if to not in meaning:
                meaning[to] = true
                open_ends.append(to)
            elif meaning[to] != true:
                return None
    if not len(meaning) == model.states == truth.states == len(set(meaning.values())):
        return None
    return tuple(meaning[label] for label in range(model.states))
