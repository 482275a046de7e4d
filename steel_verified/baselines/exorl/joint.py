"""What is known about one step and what comes of it, and the best policies for that step."""

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
    """The law of a step and its outcome, exact or estimated, as rows with whole weights.

    Roll in to layer t, take an action, roll out with one of several policies to layer h. A row is
    the observation at t, the action, the number of the roll-out and the observation at h. If the
    action and the roll-out are those of a policy, the chance of an event is `scale` times the
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

    The policy sees the factors `seen`; the roll-out of value v is number `roll_outs[v]`. Policies
    are not enumerated: the best one takes for each value of `seen` the action of most weight, the
    lowest of several.
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
