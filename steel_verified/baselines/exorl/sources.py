"""The data of ExoRL: sets of bits, policies that read only these, and the best policies for a step.

A source is an exactly known distribution, or episodes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import common_denominator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from steel_verified.baselines.episodes import Episodes
    from steel_verified.worlds.tabular import HiddenModel

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
    """The value of these factors in each observation."""
    found = np.zeros_like(observations)
    for place, factor in enumerate(factors):
        found |= (observations >> factor & 1) << place
    return found


def value_of(observation: int, factors: Factors) -> int:
    """The value of these factors in one observation."""
    return sum((observation >> factor & 1) << place for place, factor in enumerate(factors))


def restricted(value: int, factors: Factors, to: Factors) -> int:
    """The part of a value of `factors` that belongs to the factors `to`."""
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


_Row = tuple[int, int, int, int]


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
        ins, outs = ([self._by_observation(one) for one in each] for each in (roll_ins, roll_outs))
        rows: Counter[_Row] = Counter()
        for roll_in, action, roll_out in chosen:
            before = self.world.follow(self.world.begin(), ins[roll_in])
            after = self.world.follow(self.world.act(action), outs[roll_out])
            rows[before, action, roll_out, after] += 1
        scale = Fraction(self.actions * len(roll_outs), self.episodes)
        return _joint(rows, scale, self.actions, len(roll_outs))

    def _by_observation(self, policy: Policy) -> list[list[int]]:
        """The action for each observation, step by step."""
        return [[step.action(x) for x in range(1 << self.factors)] for step in policy]


@dataclass(frozen=True, slots=True)
class Exact:
    """The distributions of a known model. A policy reads the observation, not the hidden state."""

    model: HiddenModel

    @property
    def actions(self) -> int:
        return self.model.actions

    def joint(self, roll_ins: Sequence[Policy], roll_outs: Sequence[Policy]) -> Joint:
        chances: dict[_Row, Fraction] = {}
        here: dict[int, Fraction] = {}
        for policy in roll_ins:
            for hidden, chance in self._rolled(dict(self.model.start), policy).items():
                here[hidden] = here.get(hidden, Fraction(0)) + chance / len(roll_ins)
        for hidden, chance in here.items():
            for action in range(self.actions):
                for number, policy in enumerate(roll_outs):
                    moved = dict(self.model.moves[hidden][action])
                    ends = self.shown(self._rolled(moved, policy))
                    for before, p in self.model.shows[hidden]:
                        for after, q in ends.items():
                            row = (before, action, number, after)
                            chances[row] = chances.get(row, Fraction(0)) + chance * p * q
        whole = common_denominator([tuple(chances.values())])
        weights = {row: int(chance * whole) for row, chance in chances.items()}
        return _joint(weights, Fraction(1, whole), self.actions, len(roll_outs))

    def reached(self, policy: Policy) -> Mapping[int, Fraction]:
        """The distribution of the observation after following a policy from the start."""
        return self.shown(self._rolled(dict(self.model.start), policy))

    def shown(self, hidden: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """The distribution of the observation, given that of the hidden state."""
        found: dict[int, Fraction] = {}
        for here, chance in hidden.items():
            for x, p in self.model.shows[here]:
                found[x] = found.get(x, Fraction(0)) + chance * p
        return found

    def _rolled(self, hidden: dict[int, Fraction], policy: Policy) -> dict[int, Fraction]:
        for step in policy:
            hidden = self._moved(hidden, step)
        return hidden

    def _moved(self, hidden: Mapping[int, Fraction], step: OneStep) -> dict[int, Fraction]:
        moved: dict[int, Fraction] = {}
        for here, chance in hidden.items():
            for x, p in self.model.shows[here]:
                for to, q in self.model.moves[here][step.action(x)]:
                    moved[to] = moved.get(to, Fraction(0)) + chance * p * q
        return moved


def _joint(rows: Mapping[_Row, int], scale: Fraction, actions: int, roll_outs: int) -> Joint:
    before, action, roll_out, after = np.array(list(rows), dtype=np.int64).T
    weights = np.array(list(rows.values()), dtype=np.int64)
    return Joint(before, action, roll_out, after, weights, scale, actions, roll_outs)
