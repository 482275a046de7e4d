"""OSSR: for each layer, a cover by policies that read only controllable factors.

For layer h it goes back from t = h − 1 to 1. At t it knows factors I_{t+1} and, for each value of
them, a roll-out from t + 1 that reaches it at h. It collects data with a random roll-in to t, a
random action and a random roll-out. For every set J of factors with I_{t+1} ⊆ J, and every value of
J, it finds a policy for step t that reaches this value at h about as well as any policy does, and
that reads as few factors as possible. Then it finds the smallest I_t whose policies do as well for
all those values.

ExoPSDP finds a policy with a large reward that reads few factors, given OSSR's covers. It goes back
from the last step to the first. At step t it rolls in with the cover of layer t, takes
a random action, and continues with the policy found for the later steps. For step t it keeps the
policy with the smallest set of factors among those that earn about as much as any.

The publication estimates the sum of later rewards from one set of episodes. Here the reward of each
later layer is estimated separately: the expectation is the same, and exact for known distributions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines.exorl.sources import (
    OneStep,
    best_policies,
    factor_sets,
    restricted,
    values_of,
    weight_of_policy,
)
from steel_verified.theory.exact import ball, ceiling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from steel_verified.baselines.exorl.sources import Factors, Joint, Policy, Source

_SELECTION_FACTOR: Final = 5
"""EndoFactorSelection tolerates this many times more than EndoPolicyOptimization."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The input of OSSR: d, k, and how much worse than the best estimate a policy may be."""

    factors: int
    most: int
    tolerance: Fraction = Fraction(0)
    """ε_0. If it is 0, as for known distributions, one set of factors serves all targets of a step,
    if such a set exists."""

    def tolerated(self, size: int, factor: int = 1) -> Fraction:
        """ε_0·(1 + 1/k)^(k − k') for sets of k' factors, so that smaller sets are preferred."""
        growth = Fraction(self.most + 1, self.most) if self.most else Fraction(1)
        return factor * self.tolerance * growth ** (self.most - size)


@dataclass(frozen=True, slots=True)
class Selected:
    """What was found at step t for layer h."""

    step: int
    layer: int
    factors: Factors
    """I_t."""
    seen: frozenset[int]
    """The factors of I_t, and all factors that any policy of this step reads."""


@dataclass(frozen=True, slots=True)
class Covered:
    """The covers of all layers, and what was found for them."""

    covers: tuple[tuple[Policy, ...], ...]
    """Ψ(1), …, Ψ(H)."""
    selected: tuple[Selected, ...]
    steps: tuple[Joint, ...]
    """The data of single steps, from h − 1 to h, for h = 2, …, H."""

    @property
    def controllable(self) -> Factors:
        """All factors that were found at any step."""
        return tuple(sorted(set(chain.from_iterable(one.seen for one in self.selected))))


@dataclass(frozen=True, slots=True)
class NothingAccepted:
    """No set of k factors was accepted: estimates are too coarse, or an assumption is violated."""

    step: int
    layer: int


def ossr(source: Source, setting: Setting, horizon: int) -> Covered | NothingAccepted:
    """Find covers of the layers 1, …, `horizon`, one after the other."""
    covers: list[tuple[Policy, ...]] = [((),)]
    selected: list[Selected] = []
    steps: list[Joint] = []
    for layer in range(2, horizon + 1):
        factors: Factors = ()
        roll_outs: tuple[Policy, ...] = ((),)
        for step in range(layer - 1, 0, -1):
            joint = source.joint(covers[step - 1], roll_outs)
            targets = _Targets(joint, setting, factors)
            chosen = targets.chosen_factors()
            if chosen is None:
                return NothingAccepted(step, layer)
            roll_outs = tuple(
                (targets.policy(chosen, value), *roll_outs[restricted(value, chosen, factors)])
                for value in range(1 << len(chosen))
            )
            factors = chosen
            selected.append(Selected(step, layer, chosen, targets.all_seen | set(chosen)))
            if step == layer - 1:
                steps.append(joint)
        covers.append(roll_outs)
    return Covered(tuple(covers), tuple(selected), tuple(steps))


@dataclass(frozen=True)
class _Best:
    """Policies for each value of a set of factors: the factors they read, and their actions."""

    seen: tuple[Factors, ...]
    actions: tuple[NDArray[np.int64], ...]


@dataclass(frozen=True)
class _Targets:
    """All targets of one step: the values of all sets J ⊇ I_{t+1} of at most k factors."""

    joint: Joint
    setting: Setting
    known: Factors
    """I_{t+1}."""

    @cached_property
    def sets(self) -> list[Factors]:
        return factor_sets(self.setting.factors, self.setting.most, self.known)

    @cached_property
    def sights(self) -> list[Factors]:
        """The sets of factors that a policy may read."""
        return factor_sets(self.setting.factors, self.setting.most)

    def roll_outs(self, reached: Factors) -> NDArray[np.int64]:
        """The index of the roll-out for each value of `reached`."""
        values = range(1 << len(reached))
        return np.array([restricted(value, reached, self.known) for value in values])

    @cached_property
    def found(self) -> Mapping[tuple[Factors, Factors], tuple[NDArray[np.int64], ...]]:
        """The best weights and actions, by the factors that a policy reads and those to reach."""
        return {
            (seen, reached): best_policies(self.joint, seen, reached, self.roll_outs(reached))
            for reached in self.sets
            for seen in self.sights
        }

    @cached_property
    def most(self) -> Mapping[Factors, NDArray[np.int64]]:
        """For each value of each J: the weight of the best policy that reads at most k factors."""
        return {
            reached: np.max([self.found[seen, reached][0] for seen in self.sights], axis=0)
            for reached in self.sets
        }

    @cached_property
    def policies(self) -> Mapping[Factors, _Best]:
        """A policy for each target, which reads the first set of factors that is good enough."""
        good = {
            (seen, reached): self._good(self.found[seen, reached][0], reached, len(seen))
            for reached in self.sets
            for seen in self.sights
        }
        if not self.setting.tolerance:
            for seen in self.sights:
                if all(good[seen, reached].all() for reached in self.sets):
                    return {reached: self._of([seen] * (1 << len(reached)), reached)
                            for reached in self.sets}  # fmt: skip
        return {
            reached: self._of(
                [
                    next(seen for seen in self.sights if good[seen, reached][value])
                    for value in range(1 << len(reached))
                ],
                reached,
            )
            for reached in self.sets
        }

    def _of(self, seen: Sequence[Factors], reached: Factors) -> _Best:
        actions = (self.found[one, reached][1][value] for value, one in enumerate(seen))
        return _Best(tuple(seen), tuple(actions))

    def _good(
        self, weight: NDArray[np.int64], reached: Factors, size: int, factor: int = 1
    ) -> NDArray[np.bool_]:
        """Which values are reached about as well as by the best policy."""
        limit = self.setting.tolerated(size, factor) / self.joint.scale
        return self.most[reached] - weight <= limit.numerator // limit.denominator

    @property
    def all_seen(self) -> frozenset[int]:
        return frozenset(
            factor for best in self.policies.values() for seen in best.seen for factor in seen
        )

    def policy(self, reached: Factors, value: int) -> OneStep:
        best = self.policies[reached]
        return OneStep(best.seen[value], tuple(best.actions[value].tolist()))

    def chosen_factors(self) -> Factors | None:
        """I_t: the first I whose policies for the part of each target in I serve the target."""
        for chosen in self.sets:
            if all(self._serves(chosen, reached) for reached in self.sets):
                return chosen
        return None

    def _serves(self, chosen: Factors, reached: Factors) -> bool:
        """Whether, for all values v of J, the policy for v[J ∩ I] reaches v well enough."""
        part = tuple(sorted(set(chosen) & set(reached)))
        best = self.policies[part]
        weights = np.zeros(1 << len(reached), dtype=np.int64)
        for value in range(1 << len(part)):
            here = np.array([restricted(v, reached, part) == value for v in range(len(weights))])
            roll_out = restricted(value, part, self.known)
            seen, actions = best.seen[value], best.actions[value]
            got = weight_of_policy(self.joint, seen, actions, reached, roll_out)
            weights[here] = got[here]
        return bool(self._good(weights, reached, len(chosen), factor=_SELECTION_FACTOR).all())


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


UNKNOWN_CONSTANT = "times a constant C that is not given"
"""The remark that is printed beside every number of `episodes_by_constant`."""


def episodes_by_constant(
    *, actions: int, values: int, most: int, factors: int, horizon: int, eta: Fraction,
    delta: Fraction,
) -> int:  # fmt: skip
    """⌈N / C⌉ for N = C·A·S^(4k)·H²·k³·ln(dSAH/δ)/ε², the episodes of one step of OSSR.

    S is the number of values of a factor, and ε = η/2. η is the smallest probability with which the
    best policy for a state reaches it, over all states that can be reached. Read literally, N
    episodes are taken for each pair of layers t < h.
    """
    leading = actions * values ** (4 * most) * horizon**2 * most**3 / (eta / 2) ** 2
    within = factors * values * actions * horizon / delta
    return ceiling(lambda: ball(leading) * ball(within).log())


def sets_of_factors(factors: int, most: int) -> int:
    """The number of sets of at most k of d factors; policies are compared for each set."""
    return sum(comb(factors, size) for size in range(most + 1))
