"""How the data is collected: by uniformly random actions, or by seeking states seldom visited.

Either way the actions outside 0 and 0' are uniformly random: both have the same effect there, so
that both are on a shortest path whenever one is. A policy only decides what to do in 0 and 0'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from steel_verified.baselines.ac_state.exploring import explore
from steel_verified.baselines.ac_state.rounds import Half, Loops, Place, from_decisions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Policy: TypeAlias = Literal["uniform", "exploration"]
Unvisited: TypeAlias = Literal["first", "as if once more"]
"""How goals are drawn while some states have no visit. Each has weight 1/n, and so those with
n = 0 come first; or each has weight 1/(n + 1)."""


def walk(
    policy: Policy,
    loops: Loops,
    start: Place,
    steps: int,
    seed: Sequence[int],
    unvisited: Unvisited = "first",
) -> Half:
    """So many steps from a place on, as a function of the seed. Visits are counted from 0."""
    noise, decisions = (_bits((*seed, purpose)) for purpose in range(2))
    if policy == "uniform":
        words = noise.random_raw(_most_rounds(loops, steps))
        crossings = (words & np.uint64(1)).astype(np.bool_)
    else:
        more = 0 if unvisited == "first" else 1
        crossings = explore(loops, start, steps, more, np.random.Generator(decisions))
        words = noise.random_raw(len(crossings))
    return from_decisions(loops, start, steps, crossings, words)


def start_of(loops: Loops, seed: Sequence[int]) -> Place:
    """A state drawn uniformly."""
    uniform = int(_bits(seed).random_raw() >> 11) * 2.0**-53
    state = int(uniform * loops.q * loops.copies)
    return Place(state % loops.q, state // loops.q)


def coins(half: Half, seed: Sequence[int]) -> NDArray[np.uint64]:
    """A word of fair coins for each round, by which SinglePrime shows i or i'."""
    return _bits(seed).random_raw(half.rounds)


def _bits(seed: Sequence[int]) -> np.random.PCG64:
    """A stream of its own for each seed; raw words of PCG64 are the same in every version."""
    return np.random.PCG64(np.random.SeedSequence(list(seed)))


def _most_rounds(loops: Loops, steps: int) -> int:
    return steps // loops.p + 2
