"""The sources of ExoRL's data: exactly known distributions, or episodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np

from steel_verified.baselines.exorl.joint import Joint
from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import common_denominator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.baselines.exorl.factors import OneStep, Policy
    from steel_verified.worlds.episodes import Episodes
    from steel_verified.worlds.hidden import HiddenModel

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
