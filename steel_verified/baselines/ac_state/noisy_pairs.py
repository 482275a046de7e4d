"""Counting tuples (x_t, a_t, x_{t+k}) of SinglePrime by pairs of rounds, not of timesteps.

Every observation has a coin of its own here, so what happened in a pair of rounds has to be counted
position by position (see bit_pairs): how often action 1, coin 1 or both were met in a position of
the first round together with coin 1 in a position of the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines.ac_state.bit_pairs import count_bit_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Half

_ACTED: Final = 0
_TOSSED: Final = 1
_BOTH: Final = 2
"""The words of a first round: action 1 in each position, coin 1 in each, and both."""


@dataclass(frozen=True, slots=True)
class Noisy:
    """Half of a trajectory of SinglePrime, and the coins: bit b for b steps before the end."""

    half: Half
    coins: NDArray[np.uint64]

    def unrolled(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """At each time: the steps before 0, the coin, and the action."""
        rounds, before, actions = self.half.unrolled()
        coins = (self.coins[rounds] >> before.astype(np.uint64)) & np.uint64(1)
        return before, coins.astype(np.int64), actions

    def observations(self) -> NDArray[np.int64]:
        """x_t: i, or q + i for i'."""
        before, coins, _ = self.unrolled()
        return -before % self.half.loops.q + self.half.loops.q * coins


@dataclass(frozen=True, slots=True)
class NoisyCounts:
    """Tuples by the distance of the ends of their rounds, for some distances."""

    noisy: Noisy
    distances: range
    whole: NDArray[np.int32]
    """Pairs of whole rounds, as [D, word, first, second].

    D is counted from the first of the distances. Below q, `first` and `second` are positions: what
    the word says of one in the first round, and coin 1 in one of the second. As `second`, q stands
    for all rounds and q + 1 for the long ones; as `first`, too, in the word of actions.
    """

    def cells(self, before: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For a position of the first round: action 1, and all, as [cell, position, D].

        The cell is 2·(coin of the first observation) + (coin of the second), the position is of the
        second.
        """
        p, q = self.noisy.half.loops.p, self.noisy.half.loops.q
        acted, tossed, both = (self.whole[:, word, before] for word in (_ACTED, _TOSSED, _BOTH))
        seen = self.whole[:, _ACTED, q + (before >= p)]
        ones, total = _by_coins(acted, both, p, q), _by_coins(seen, tossed, p, q)
        for firsts, seconds in _cut_pairs(self.noisy.half, self.distances):
            self._add_pairs(ones, total, before, firsts, seconds)
        return ones, total

    def _add_pairs(
        self,
        ones: NDArray[np.int64],
        total: NDArray[np.int64],
        before: int,
        firsts: NDArray[np.int64],
        seconds: NDArray[np.int64],
    ) -> None:
        """Count listed pairs, no two of them equally far apart."""
        half, coins = self.noisy.half, self.noisy.coins
        there = _bit(half.visited(firsts), before)
        positions = np.arange(half.loops.q)
        met = there[:, None] & _bit(half.visited(seconds)[:, None], positions)
        cell = 2 * _bit(coins[firsts], before)[:, None] + _bit(coins[seconds][:, None], positions)
        apart = (half.ends[seconds] - half.ends[firsts] - self.distances.start)[:, None]
        total[cell, positions, apart] += met
        ones[cell, positions, apart] += met & _bit(half.actions[firsts], before)[:, None]


def count_noisy_pairs(noisy: Noisy, distances: range) -> NoisyCounts:
    """Count the pairs of rounds that end so far apart."""
    half = noisy.half
    q, whole = half.loops.q, slice(1, max(1, half.rounds - 1))
    long = half.long[whole]
    coins = noisy.coins[whole] & half.visited(np.arange(half.rounds)[whole])
    any_or_long = np.uint64(1 << q) | long.astype(np.uint64) << np.uint64(q + 1)
    firsts = (half.actions[whole] | any_or_long, coins)  # words _ACTED and _TOSSED
    counts = count_bit_pairs(half.loops, long, firsts, coins | any_or_long, distances, q + 2)
    return NoisyCounts(noisy, distances, counts)


def _by_coins(
    seen: NDArray[np.int32], tossed: NDArray[np.int32], p: int, q: int
) -> NDArray[np.int64]:
    """[cell, position, D], from all pairs and those with coin 1 in the first, as [D, second]."""
    found = np.empty((2, 2, q, len(seen)), dtype=np.int64)
    for coin, counts in ((1, tossed), (0, seen - tossed)):
        found[coin, 1] = counts[:, :q].T
        found[coin, 0, :p] = counts[:, q]
        found[coin, 0, p:] = counts[:, q + 1]
        found[coin, 0] -= found[coin, 1]
    return found.reshape(4, q, len(seen))


def _cut_pairs(
    half: Half, distances: range
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The pairs with the first round, and those with the last, each pair once."""
    last = half.rounds - 1
    near, far = distances.start, distances.stop
    seconds = np.arange(*np.searchsorted(half.ends[:last], half.ends[0] + np.array([near, far])))
    yield np.zeros_like(seconds), seconds
    firsts = np.arange(*np.searchsorted(half.ends, half.ends[last] + 1 - np.array([far, near])))
    yield firsts, np.full_like(firsts, last)


def _bit(words: NDArray[np.uint64], place: NDArray[np.int64] | int) -> NDArray[np.int64]:
    return ((words >> np.asarray(place, dtype=np.uint64)) & np.uint64(1)).astype(np.int64)
