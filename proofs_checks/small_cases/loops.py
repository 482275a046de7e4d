"""Every small world with every short word that is repeated in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.small_cases.worlds import parameters, small_worlds, words
from steel_verified.worlds.dynamics import orbit

if TYPE_CHECKING:
    from steel_verified.evidence.plans import Word
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.dynamics import Dynamics, Orbit

LOOPED_WORLDS: Final = "|S| ≤ 3, |A| ≤ 2, words of up to 3 actions, every start, |S| ≤ N ≤ |S| + 2"


@dataclass(frozen=True, slots=True)
class LoopedWorld:
    """A word that is repeated in a world; `most` is N."""

    world: Dynamics
    word: Word
    most: int
    loop: Orbit
    """The states that the looped word visits."""

    @property
    def length(self) -> int:
        """Return |â|."""
        return len(self.word)

    @property
    def period(self) -> int:
        """Return n_cyc."""
        return self.loop.cycle // self.length

    def parameters(self, mixing_time: int) -> Parameters:
        """Return parameters with N and this t̂_mix."""
        return _parameters(self.most, mixing_time, self.world.actions)


@cache
def _parameters(most: int, mixing_time: int, actions: int) -> Parameters:
    return parameters(most, mixing_time, actions=actions)


@cache
def looped_worlds() -> tuple[LoopedWorld, ...]:
    """List the cases that `LOOPED_WORLDS` describes.

    Every naming of the states is listed, so state 0 stands for every start.
    """
    return tuple(
        LoopedWorld(world, word, most, loop)
        for world in small_worlds()
        for word in words(world.actions, 3)
        for loop in [orbit(world, 0, word)]
        for most in range(world.states, world.states + 3)
    )
