"""ExoPSDP: a policy with a large reward that reads few factors, given OSSR's covers.

It goes back from the last step to the first. At step t it rolls in with the cover of layer t, takes
a random action, and continues with the policy found for the later steps. For step t it keeps the
policy with the smallest set of factors among those that earn about as much as any.

The publication estimates the sum of later rewards from one set of episodes. Here the reward of each
later layer is estimated separately: the expectation is the same, and exact for known distributions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.baselines.exorl.factors import OneStep, factor_sets, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.baselines.exorl.factors import Factors, Policy
    from steel_verified.baselines.exorl.joint import Joint
    from steel_verified.baselines.exorl.ossr import Setting
    from steel_verified.baselines.exorl.sources import Source


def exo_psdp(
    source: Source,
    setting: Setting,
    covers: Sequence[Sequence[Policy]],
    reward: Callable[[int, int], int],
) -> Policy:
    """A policy for the steps 1, …, H − 1, where `covers` are Ψ(1), …, Ψ(H).

    `reward(h, x)` is earned for the observation x in layer h. The reward of layer 1 does not depend
    on the policy.
    """
    later: Policy = ()
    for step in range(len(covers) - 1, 0, -1):
        earned = [
            (source.joint(covers[step - 1], [later[:ahead]]), step + 1 + ahead)
            for ahead in range(len(covers) - step)
        ]
        later = (_best_step(earned, setting, reward), *later)
    return later


def _best_step(
    earned: Sequence[tuple[Joint, int]], setting: Setting, reward: Callable[[int, int], int]
) -> OneStep:
    """The first policy, ordered by the number of factors it reads, that earns about the most."""
    sights = factor_sets(setting.factors, setting.most)
    worth = {
        seen: _added([_worth(joint, seen, layer, reward) for joint, layer in earned])
        for seen in sights
    }
    values = {seen: sum(map(max, table), Fraction(0)) for seen, table in worth.items()}
    most = max(values.values())
    seen = next(s for s in sights if most - values[s] <= setting.tolerated(len(s)))
    return OneStep(seen, tuple(row.index(max(row)) for row in worth[seen]))


def _worth(
    joint: Joint, seen: Factors, layer: int, reward: Callable[[int, int], int]
) -> list[list[Fraction]]:
    """The reward of a layer, for each value of `seen` and each action."""
    rewards = np.array([reward(layer, x) for x in joint.after.tolist()], dtype=np.int64)
    table = np.zeros((1 << len(seen), joint.actions), dtype=np.int64)
    np.add.at(table, (values_of(joint.before, seen), joint.action), joint.weight * rewards)
    return [[joint.scale * int(weight) for weight in row] for row in table.tolist()]


def _added(tables: Sequence[list[list[Fraction]]]) -> list[list[Fraction]]:
    return [
        [sum(cells, Fraction(0)) for cells in zip(*rows, strict=True)]
        for rows in zip(*tables, strict=True)
    ]
