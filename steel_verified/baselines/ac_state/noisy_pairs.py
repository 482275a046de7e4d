"""Counting tuples (x_t, a_t, x_{t+k}) of SinglePrime by pairs of rounds, not of timesteps.

Every observation has a coin of its own here, so what happened in a pair of rounds has to be counted
position by position. But all pairs of rounds that end D steps apart are counted by one product of
matrices with a row for each pair: on the one side what happened in each position of the first
round, on the other side the coin of each position of the second.

For each m, a first round and the m-th round after it, the pairs are sorted by D. There are few
different D, as only the number of long rounds between the two decides, so the products are large.
They are products of integers below 2⁵³, so that floating point has no error.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Half

_WIDTH: Final = 17
"""Three counts share a number of 53 bits, each with this many."""
_MASK: Final = (1 << _WIDTH) - 1
_ROUNDS: Final = _MASK
"""After so many first rounds the counts are taken apart: none of them can be larger."""
_BLOCK: Final = 1 << 13
"""Rounds whose matrices are held at once: they stay in the cache."""


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
    acted: NDArray[np.int32]
    """Pairs of whole rounds with action 1 in a position of the first: [D, first, second]. The
    second index is a position with coin 1, or q for all rounds and q + 1 for the long ones."""
    tossed: NDArray[np.int32]
    """The same with coin 1 in the first; first = q stands for the long rounds."""
    both: NDArray[np.int32]
    """The same with action 1 and coin 1; first = q stands for all rounds."""

    def cells(self, before: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For a position of the first round: action 1, and all, as [cell, position, D].

        The cell is 2·(coin of the first observation) + (coin of the second), the position is of the
        second.
        """
        p, q = self.noisy.half.loops.p, self.noisy.half.loops.q
        seen = self.tossed[:, q] if before >= p else self.both[:, q]
        ones = _by_coins(self.acted[:, before], self.both[:, before], p, q)
        total = _by_coins(seen, self.tossed[:, before], p, q)
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
    q, rounds = noisy.half.loops.q, max(0, noisy.half.rounds - 2)
    shape = (len(distances), q + 1, q + 2)
    counts = np.zeros((3, *shape), dtype=np.int32)
    for start in range(1, 1 + rounds, _ROUNDS):
        packed = np.zeros(shape)
        stop = min(start + _ROUNDS, 1 + rounds)
        for first in range(start, stop, _BLOCK):
            _add_products(noisy, range(first, min(first + _BLOCK, stop)), distances, packed)
        for event, taken in enumerate(_apart(packed)):
            counts[event] += taken
    return NoisyCounts(noisy, distances, *counts)


def _add_products(
    noisy: Noisy, firsts: range, distances: range, packed: NDArray[np.float64]
) -> None:
    """Add the pairs of whole rounds whose first is one of these."""
    half = noisy.half
    p, q = half.loops.p, half.loops.q
    least, most = max(0, (distances.start - 1) // q), (distances.stop - 1) // p
    after = min(firsts.stop + most, half.rounds - 1)
    ends = half.ends[firsts.start : after]
    ours, theirs = _of_first(noisy, firsts), _of_second(noisy, range(firsts.start, after))
    some_ours, some_theirs = np.empty_like(ours), np.empty((len(firsts), theirs.shape[1]))
    for m in range(least, most + 1):
        number = min(len(firsts), len(ends) - m)
        if number <= 0:
            break
        alike = _by_distance(ends[m : m + number] - ends[:number], q - p, distances)
        pairs = len(alike.order)
        np.take(ours, alike.order, axis=0, out=some_ours[:pairs], mode="clip")
        np.take(theirs[m:], alike.order, axis=0, out=some_theirs[:pairs], mode="clip")
        products = np.empty((len(alike.distances), *packed.shape[1:]))
        for product, (start, stop) in zip(products, pairwise(alike.bounds), strict=True):
            np.matmul(some_ours[start:stop].T, some_theirs[start:stop], out=product)
        there = alike.distances
        packed[there.start : there.stop : there.step] += products


@dataclass(frozen=True, slots=True)
class _Alike:
    """Pairs that end equally far apart, put together."""

    order: NDArray[np.int64]
    """The first rounds of the pairs, those of the smallest distance first."""
    bounds: list[int]
    """Where each distance begins in `order`, and where the last one ends."""
    distances: range
    """These distances, counted from the least that is asked for."""


def _by_distance(apart: NDArray[np.int64], gap: int, distances: range) -> _Alike:
    """Put the pairs together whose distance is one of those asked for."""
    nearest = int(apart.min())
    classes = ((apart - nearest) // gap).astype(np.uint16)
    order = np.argsort(classes, kind="stable")
    bounds = [0, *np.cumsum(np.bincount(classes)).tolist()]
    # The number of a class is (D − nearest) / gap.
    low = min(max(0, -((nearest - distances.start) // gap)), len(bounds) - 1)
    high = max(low, min(len(bounds) - 1, -((nearest - distances.stop) // gap)))
    begin = nearest + gap * low - distances.start
    return _Alike(
        order[bounds[low] : bounds[high]],
        [bound - bounds[low] for bound in bounds[low : high + 1]],
        range(begin, begin + gap * (high - low), gap),
    )


def _of_first(noisy: Noisy, rounds: range) -> NDArray[np.float64]:
    """[round, position]: action 1, coin 1 and both, in one number; last all, long, all."""
    p, q = noisy.half.loops.p, noisy.half.loops.q
    some = slice(rounds.start, rounds.stop)
    long = noisy.half.long[some]
    positions = np.arange(q)
    actions = _bit(noisy.half.actions[some, None], positions)
    coins = _bit(noisy.coins[some, None], positions) & (long[:, None] | (positions < p))
    packed = np.empty((len(rounds), q + 1))
    packed[:, :q] = actions + (coins << _WIDTH) + ((actions & coins) << 2 * _WIDTH)
    packed[:, q] = (long.astype(np.int64) << _WIDTH) + (1 << 2 * _WIDTH)
    return packed


def _of_second(noisy: Noisy, rounds: range) -> NDArray[np.float64]:
    """[round, position]: coin 1; then whether there is a round, and whether it is long."""
    p, q = noisy.half.loops.p, noisy.half.loops.q
    some = slice(rounds.start, rounds.stop)
    long = noisy.half.long[some]
    positions = np.arange(q)
    found = np.ones((len(rounds), q + 2))
    coins = _bit(noisy.coins[some, None], positions)
    found[:, :q] = coins & (long[:, None] | (positions < p))
    found[:, q + 1] = long
    return found


def _apart(packed: NDArray[np.float64]) -> Iterator[NDArray[np.int32]]:
    """The three counts that share a number."""
    whole = packed.astype(np.int64)
    for event in range(3):
        yield (whole >> event * _WIDTH & _MASK).astype(np.int32)


def _by_coins(
    seen: NDArray[np.int32], tossed: NDArray[np.int32], p: int, q: int
) -> NDArray[np.int64]:
    """[cell, position, D] from pairs by the second's coins: all, and those with coin 1 first."""
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
