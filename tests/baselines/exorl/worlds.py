"""A world with two controllable bits of four, what can be reached in it at best, and known laws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.baselines.exorl import joint_of
from steel_verified.worlds.chains import common_denominator
from steel_verified.worlds.tabular import HiddenModel, certain, law

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steel_verified.baselines.exorl import Joint, OneStep, Policy, Row
    from steel_verified.worlds.tabular import Law


def two_of_four() -> HiddenModel:
    """Action 0 flips bit 1 with chance 4/5, action 1 copies bit 1 to bit 3 with chance 9/10.

    Bit 1 is random at the start, bit 0 is slow noise, and bit 2 is what bit 0 was before.
    """

    def moves(x: int, action: int) -> Law:
        noise, first, second = x & 1, x >> 1 & 1, x >> 3 & 1
        done = (1 - first, second) if action == 0 else (first, first)
        chance = Fraction(4, 5) if action == 0 else Fraction(9, 10)
        outcomes: dict[int, Fraction] = {}
        for new, p in ((noise, Fraction(3, 4)), (1 - noise, Fraction(1, 4))):
            for (a, b), q in ((done, chance), ((first, second), 1 - chance)):
                to = new | a << 1 | noise << 2 | b << 3
                outcomes[to] = outcomes.get(to, Fraction(0)) + p * q
        return law(outcomes)

    start = law({x: Fraction(1, 8) for x in range(8)})
    states = range(16)
    rows = tuple(tuple(moves(x, action) for action in range(2)) for x in states)
    return HiddenModel(start, rows, tuple(map(certain, states)))


def best_return(model: HiddenModel, layers: int, reward: Callable[[int, int], int]) -> Fraction:
    """The largest expected sum of rewards in layers 2, …, by backward induction over all of x."""
    worth = [Fraction(0)] * len(model)
    for layer in range(layers, 1, -1):
        ahead = [reward(layer, x) + worth[x] for x in range(len(model))]
        worth = [
            max(sum((p * ahead[to] for to, p in each), Fraction(0)) for each in row)
            for row in model.moves
        ]
    return sum((p * worth[x] for x, p in model.start), Fraction(0))


@dataclass(frozen=True, slots=True)
class Exact:
    """The distributions of a known model. A policy reads the observation, not the hidden state."""

    model: HiddenModel

    @property
    def actions(self) -> int:
        return self.model.actions

    def joint(self, roll_ins: Sequence[Policy], roll_outs: Sequence[Policy]) -> Joint:
        chances: dict[Row, Fraction] = {}
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
        return joint_of(weights, Fraction(1, whole), self.actions, len(roll_outs))

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
