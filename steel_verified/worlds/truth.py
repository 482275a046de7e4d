"""Holding what was learned against the truth, which the learner never sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.learning.model import Model, matching

if TYPE_CHECKING:
    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.dynamics import Dynamics


def relabelling(model: Model, current: int, truth: Dynamics, state: int) -> tuple[int, ...] | None:
    """The true state of each label, if the model is the truth up to the names of states; else None.

    The learner thinks that it is in `current`, and is in `state`. Both are followed side by side
    from there, which fixes the only relabelling that can be right.
    """
    return matching(model, current, Model(truth.actions, truth.table), state)


@dataclass(frozen=True)
class Truth:
    """What a world really is. It is kept apart from the world, and never handed to a learner."""

    dynamics: Dynamics
    classifiers: tuple[int, ...]
    """The one classifier that is right for each true state."""
    mixing_time: int
    """t_mix, or a proven upper bound on it."""
    because: str
    """Why the mixing time is no larger."""


@dataclass(frozen=True, slots=True)
class Findings:
    """How what was learned compares with the truth."""

    dynamics_right: bool
    encoder_right: bool | None
    """None if no encoder was asked for."""

    @property
    def all_right(self) -> bool:
        return self.dynamics_right and self.encoder_right is not False


def compare(learned: Accepted[int], truth: Truth, state: int) -> Findings:
    """Hold a run that ended in the true state `state` against the truth, up to relabelling."""
    meaning = relabelling(learned.model, learned.current, truth.dynamics, state)
    if meaning is None:
        return Findings(
            dynamics_right=False, encoder_right=None if learned.classifiers is None else False
        )
    if learned.classifiers is None:
        return Findings(dynamics_right=True, encoder_right=None)
    right = tuple(truth.classifiers[s] for s in meaning)
    return Findings(dynamics_right=True, encoder_right=learned.classifiers == right)
