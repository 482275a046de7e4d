"""ExoRL (Efroni et al. 2022) on bits: OSSR finds the controllable factors.

The setting is episodic with H layers. An observation is a list of d factors, and an unknown set of
at most k of them is controllable: its next values depend only on these factors and the action. The
others evolve independently of actions. For each layer, OSSR finds a cover: a small set of policies
that reach every controllable state about as well as possible, each reading controllable factors
only: among policies that read few factors, only those do as well as any policy.

Differences from the publication: factors are bits, d ≤ 16 and k ≤ 3; policies are not enumerated,
the best action is found for each value of the factors that a policy reads; the number of episodes
and the tolerance are free, since the published count has an unspecified constant; and the
transitions of the selected factors are counted, instead of a policy for a reward (ExoPSDP).

For layer h, OSSR goes back from t = h − 1 to 1. At t it knows factors I_{t+1} and, for each value
of them, a roll-out from t + 1 that reaches it at h. It collects data with a random roll-in to t, a
random action and a random roll-out. For every value of every set J ⊇ I_{t+1} it finds a policy for
step t that reaches it at h about as well as any policy does, and reads as few factors as possible.
Then it finds the smallest I_t whose policies do as well for all those values.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from math import floor
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ball, ceiling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from steel_verified.baselines.episodes import Episodes


MOST_FACTORS: Final = 16
MOST_CONTROLLABLE: Final = 3
"""Some d^(2k) pairs of sets are examined: half a million for d = 16 and k = 3."""

Factors: TypeAlias = tuple[int, ...]
"""A set of factors, in increasing order. Its value has the i-th of them as bit i."""


def factor_sets(factors: int, most: int, within: Factors = ()) -> list[Factors]:
    """All sets of at most `most` factors that contain `within`, in the order of their size."""
    if not 1 <= factors <= MOST_FACTORS:
        raise InvalidArgument("factors", factors, f"1 to {MOST_FACTORS}")
    if not 0 <= most <= MOST_CONTROLLABLE:
        raise InvalidArgument("most", most, f"0 to {MOST_CONTROLLABLE}")
    return [
        chosen
        for size in range(len(within), most + 1)
        for chosen in combinations(range(factors), size)
        if set(within) <= set(chosen)
    ]


def values_of(observations: NDArray[np.int64], factors: Factors) -> NDArray[np.int64]:
    found = np.zeros_like(observations)
    for place, factor in enumerate(factors):
        found |= (observations >> factor & 1) << place
    return found


def value_of(observation: int, factors: Factors) -> int:
    return sum((observation >> factor & 1) << place for place, factor in enumerate(factors))


def restricted(value: int, factors: Factors, to: Factors) -> int:
    return sum((value >> factors.index(factor) & 1) << place for place, factor in enumerate(to))


@dataclass(frozen=True, slots=True)
class OneStep:
    """A policy for one step: an action for each value of the factors that it reads."""

    factors: Factors
    actions: tuple[int, ...]

    def action(self, observation: int) -> int:
        return self.actions[value_of(observation, self.factors)]


Policy: TypeAlias = tuple[OneStep, ...]
"""The policies of consecutive layers."""


@dataclass(frozen=True, eq=False)
class Joint:
    """The distribution of a step and its outcome, exact or estimated, as rows with integer weights.

    A row has the observation at layer t, the action, the index of the roll-out and the observation
    at h. For a policy, the probability of an event is `scale` times the weight of its rows.
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
    """For each value of `reached`: the weight of the best policy that reads `seen`, and its
    actions.

    The roll-out for value v has the index `roll_outs[v]`.
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


Row = tuple[int, int, int, int]


class Source(Protocol):
    """Gives the distribution of a step after a random roll-in and before a random roll-out."""

    @property
    def actions(self) -> int: ...

    def joint(self, roll_ins: Sequence[Policy], roll_outs: Sequence[Policy]) -> Joint:
        """The roll-in, the action and the roll-out are each drawn uniformly."""
        ...


@dataclass(frozen=True, slots=True)
class Sampled:
    """`episodes` episodes per question, in a world whose observations have `factors` bits."""

    world: Episodes
    factors: int
    episodes: int
    chooser: np.random.Generator

    def __post_init__(self) -> None:
        if self.episodes < 1:
            raise InvalidArgument("episodes", self.episodes, "at least 1")

    @property
    def actions(self) -> int:
        return self.world.actions

    def joint(self, roll_ins: Sequence[Policy], roll_outs: Sequence[Policy]) -> Joint:
        below = (len(roll_ins), self.actions, len(roll_outs))
        chosen = self.chooser.integers(below, size=(self.episodes, 3)).tolist()
        everything = range(1 << self.factors)
        ins, outs = (
            [[[step.action(x) for x in everything] for step in policy] for policy in policies]
            for policies in (roll_ins, roll_outs)
        )
        rows: Counter[Row] = Counter()
        for roll_in, action, roll_out in chosen:
            before = self.world.follow(self.world.begin(), ins[roll_in])
            after = self.world.follow(self.world.act(action), outs[roll_out])
            rows[before, action, roll_out, after] += 1
        scale = Fraction(self.actions * len(roll_outs), self.episodes)
        return joint_of(rows, scale, self.actions, len(roll_outs))


def joint_of(rows: Mapping[Row, int], scale: Fraction, actions: int, roll_outs: int) -> Joint:
    before, action, roll_out, after = np.array(list(rows), dtype=np.int64).T
    weights = np.array(list(rows.values()), dtype=np.int64)
    return Joint(before, action, roll_out, after, weights, scale, actions, roll_outs)


_SELECTION_FACTOR: Final = 5
"""EndoFactorSelection tolerates this many times more than EndoPolicyOptimization."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The input of OSSR: d, k, and how much worse than the best estimate a policy may be."""

    factors: int
    most: int
    tolerance: Fraction = Fraction(0)
    """ε_0; 0 for known distributions."""

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
            policies = best_for_all(joint, setting, factors)
            chosen = next((each for each in policies.by_target if policies.serve(each)), None)
            if chosen is None:
                return NothingAccepted(step, layer)
            roll_outs = tuple(
                (policy, *roll_outs[restricted(value, chosen, factors)])
                for value, policy in enumerate(policies.by_target[chosen])
            )
            factors = chosen
            seen = {f for each in policies.by_target.values() for one in each for f in one.factors}
            selected.append(Selected(step, layer, chosen, frozenset(seen | set(chosen))))
            if step == layer - 1:
                steps.append(joint)
        covers.append(roll_outs)
    return Covered(tuple(covers), tuple(selected), tuple(steps))


@dataclass(frozen=True, eq=False)
class Policies:
    """A policy of one step for each target: each value of each set J ⊇ I_{t+1} of factors."""

    joint: Joint
    setting: Setting
    known: Factors
    """I_{t+1}."""
    most: Mapping[Factors, NDArray[np.int64]]
    """For each value of each J: the weight of the best policy that reads at most k factors."""
    by_target: Mapping[Factors, tuple[OneStep, ...]]

    def serve(self, chosen: Factors) -> bool:
        """Whether the policies for the part of each target in I serve the target well enough."""
        return all(self._serve(chosen, reached) for reached in self.by_target)

    def _serve(self, chosen: Factors, reached: Factors) -> bool:
        part = tuple(sorted(set(chosen) & set(reached)))
        weights = np.zeros(1 << len(reached), dtype=np.int64)
        for value, policy in enumerate(self.by_target[part]):
            here = np.array([restricted(v, reached, part) == value for v in range(len(weights))])
            roll_out = restricted(value, part, self.known)
            actions = np.array(policy.actions)
            got = weight_of_policy(self.joint, policy.factors, actions, reached, roll_out)
            weights[here] = got[here]
        limit = self.setting.tolerated(len(chosen), _SELECTION_FACTOR) / self.joint.scale
        return bool((self.most[reached] - weights <= floor(limit)).all())


def best_for_all(joint: Joint, setting: Setting, known: Factors) -> Policies:
    """For each target, the policy that reads the first set of factors that is good enough."""
    sights = factor_sets(setting.factors, setting.most)
    sets = factor_sets(setting.factors, setting.most, known)
    found: dict[tuple[Factors, Factors], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
    for reached in sets:
        values = range(1 << len(reached))
        roll_outs = np.array([restricted(value, reached, known) for value in values])
        for seen in sights:
            found[seen, reached] = best_policies(joint, seen, reached, roll_outs)
    most = {j: np.max([found[seen, j][0] for seen in sights], axis=0) for j in sets}

    def good(seen: Factors, reached: Factors) -> NDArray[np.bool_]:
        limit = setting.tolerated(len(seen)) / joint.scale
        enough: NDArray[np.bool_] = most[reached] - found[seen, reached][0] <= floor(limit)
        return enough

    by_target = {}
    for reached in sets:
        first = [
            next(seen for seen in sights if good(seen, reached)[value])
            for value in range(1 << len(reached))
        ]
        by_target[reached] = tuple(
            OneStep(seen, tuple(found[seen, reached][1][value].tolist()))
            for value, seen in enumerate(first)
        )
    return Policies(joint, setting, known, most, by_target)


UNKNOWN_CONSTANT = "times a constant C that is not given"
"""The remark that is printed beside every number of `episodes_by_constant`."""


def episodes_by_constant(
    *, actions: int, values: int, most: int, factors: int, horizon: int, eta: Fraction,
    delta: Fraction,
) -> int:  # fmt: skip
    """⌈N / C⌉ for N = C·A·S^(4k)·H²·k³·ln(dSAH/δ)/ε², the episodes of one step of OSSR.

    S is the number of values of a factor, ε = η/2, and η the smallest probability with which the
    best policy for a state reaches it.
    """
    leading = actions * values ** (4 * most) * horizon**2 * most**3 / (eta / 2) ** 2
    within = factors * values * actions * horizon / delta
    return ceiling(lambda: ball(leading) * ball(within).log())
