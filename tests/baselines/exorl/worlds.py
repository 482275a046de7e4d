"""A world with two controllable bits of four, and what can be reached in it at best."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.worlds.tabular import HiddenModel, certain, law

if TYPE_CHECKING:
    from collections.abc import Callable

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
