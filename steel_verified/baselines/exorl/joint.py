"""The joint distribution of one step and its outcome, and the best policies for that step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.baselines.exorl.factors import values_of

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from steel_verified.baselines.exorl.factors import Factors


@dataclass(frozen=True, eq=False)
class Joint:
    """The distribution of a step and its outcome, exact or estimated, as rows with integer weights.

    Roll in to layer t, take an action, roll out with one of several policies to layer h. A row has
    the observation at t, the action, the index of the roll-out and the observation at h. If a
    policy chooses the action and the roll-out, the probability of an event is `scale` times the
    weight of its rows.
    """

    before: NDArray[np.int64]
    action: NDArray[np.int64]
    roll_out: NDArray[np.int64]
    after: NDArray[np.int64]
    weight: NDArray[np.int64]
    scale: Fraction
    actions: int
    roll_outs: int

    def table(self, seen: Factors, reached: Factors) -> NDArray[np.int64]:
        """Weights as [value of `reached` at h, roll-out, value of `seen` at t, action]."""
        shape = (1 << len(reached), self.roll_outs, 1 << len(seen), self.actions)
        weights = np.zeros(shape, dtype=np.int64)
        after, before = values_of(self.after, reached), values_of(self.before, seen)
        np.add.at(weights, (after, self.roll_out, before, self.action), self.weight)
        return weights


def best_policies(
    joint: Joint, seen: Factors, reached: Factors, roll_outs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each value of `reached`: the weight of the best policy, and its actions.

    The policy reads the factors `seen`; the roll-out for value v has the index `roll_outs[v]`.
    Policies are not enumerated: for each value of `seen`, the best policy takes the action with the
    largest weight, and the lowest action if several are equal.
    """
    table = joint.table(seen, reached)[np.arange(1 << len(reached)), roll_outs]
    return table.max(axis=2).sum(axis=1), table.argmax(axis=2)


def weight_of_policy(
    joint: Joint, seen: Factors, actions: NDArray[np.int64], reached: Factors, roll_out: int
) -> NDArray[np.int64]:
    """For each value of `reached` at h: the weight with which this policy reaches it."""
    table = joint.table(seen, reached)[:, roll_out]
    weights: NDArray[np.int64] = table[:, np.arange(len(actions)), actions].sum(axis=1)
    return weights
