"""Compare a learned model with the truth, which the learner never sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.learning.model import Model, matching

if TYPE_CHECKING:
    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.dynamics import Dynamics


def relabelling(model: Model, current: int, truth: Dynamics, state: int) -> tuple[int, ...] | None:
    """The true state of each label, if the model is the truth up to the names of states; else None.

    `current` is the learner's present label, and `state` the true state. Both are followed in
    parallel from there, which determines the only possible relabelling.
    """
    return matching(model, current, Model(truth.actions, truth.table), state)


@dataclass(frozen=True)
class Truth:
    """The truth about a world. It is separate from the world, and no learner has access to it."""

    dynamics: Dynamics
    classifiers: tuple[int, ...]
    """The correct classifier for each true state."""
    mixing_time: int
    """t_mix, or a proven upper bound on it."""
    because: str
    """The reason why t_mix is not larger."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of comparing a learned model with the truth."""

    dynamics_right: bool
    encoder_right: bool | None
    """None if no encoder was requested."""

    @property
    def all_right(self) -> bool:
        return self.dynamics_right and self.encoder_right is not False


def compare(learned: Accepted, truth: Truth, state: int) -> Findings:
    """Compare a run that ended in the true state `state` with the truth, up to relabelling."""
    meaning = relabelling(learned.model, learned.current, truth.dynamics, state)
    if meaning is None:
        return Findings(
            dynamics_right=False, encoder_right=None if learned.classifiers is None else False
        )
    if learned.classifiers is None:
        return Findings(dynamics_right=True, encoder_right=None)
    right = tuple(truth.classifiers[s] for s in meaning)
    return Findings(dynamics_right=True, encoder_right=learned.classifiers == right)
