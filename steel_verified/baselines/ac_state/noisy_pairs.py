"""Counting tuples (x_t, a_t, x_{t+k}) of SinglePrime by pairs of rounds, not of timesteps.

Every observation has a coin of its own here, so what happened in a pair of rounds has to be counted
position by position. But all pairs of rounds that end D steps apart are counted by one product of
matrices with a row for each pair: on the one side what happened in each position of the first
round, on the other side the coin of each position of the second.

For each m, a first round and the m-th round after it, the pairs are sorted by D. There are few
different D, as only the number of long rounds between the two decides, so the products are large.
Two counts share a number. All numbers are integers below 2²⁴, so that products in single precision
have no error.
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

_BITS: Final = 12
"""Of two counts that share a number, the second is in units of 2¹²: 24 bits hold both."""
_MOST: Final = (1 << _BITS) - 1
"""At most so many pairs are counted by one product."""
_BLOCK: Final = 2 * _MOST
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


# The arrays of this module, by their axes:
#   D       the distance, counted from the least that is asked for
#   first   of the first round: b: action 1 in position b; q + b: coin 1 there; 2q + b: both;
#           3q: any round; 3q + 1: a long one
#   share   0 or 1: which of the two counts in a number
#   second  coin 1 in position b' of the second round; q: all of them; q + 1: the long ones
@dataclass(frozen=True, slots=True)
class NoisyCounts:
    """Tuples by the distance of the ends of their rounds, for some distances."""

    noisy: Noisy
    distances: range
    whole: NDArray[np.int32]
    """Pairs of whole rounds, as [D, first, second]."""

    def cells(self, before: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For a position of the first round: action 1, and all, as [cell, position, D].

        The cell is 2·(coin of the first observation) + (coin of the second), the position is of the
        second.
        """
        p, q = self.noisy.half.loops.p, self.noisy.half.loops.q
        acted, tossed, both, seen = (
            self.whole[:, first]
            for first in (before, q + before, 2 * q + before, 3 * q + (before >= p))
        )
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
    q, last = noisy.half.loops.q, noisy.half.rounds - 1
    counts = np.zeros((len(distances), 2, _columns(q), q + 2), dtype=np.int32)
    for start in range(1, last, _BLOCK):
        _add_products(noisy, range(start, min(start + _BLOCK, last)), distances, counts)
    return NoisyCounts(noisy, distances, counts.reshape(len(distances), -1, q + 2))


def _columns(q: int) -> int:
    """Half as many as there is to say of a first round, as two counts share a number."""
    return (3 * q + 3) // 2


def _add_products(noisy: Noisy, firsts: range, distances: range, counts: NDArray[np.int32]) -> None:
    """Add the pairs of whole rounds with one of these first, as [D, share, column, second]."""
    half = noisy.half
    p, q = half.loops.p, half.loops.q
    least, most = max(0, (distances.start - 1) // q), (distances.stop - 1) // p
    after = min(firsts.stop + most, half.rounds - 1)
    ends = half.ends[firsts.start : after]
    ours, theirs = _of_first(noisy, firsts), _of_second(noisy, range(firsts.start, after))
    some_ours, some_theirs = np.empty_like(ours), np.empty_like(theirs[: len(firsts)])
    for m in range(least, most + 1):
        apart = ends[m : m + len(firsts)] - ends[: max(0, min(len(firsts), len(ends) - m))]
        for alike in _by_distance(apart, q - p, distances):
            pairs = len(alike.order)
            np.take(ours, alike.order, axis=0, out=some_ours[:pairs], mode="clip")
            np.take(theirs[m:], alike.order, axis=0, out=some_theirs[:pairs], mode="clip")
            products = np.empty((len(alike.distances), *counts.shape[2:]), dtype=np.float32)
            for product, (start, stop) in zip(products, pairwise(alike.bounds), strict=True):
                np.matmul(some_ours[start:stop].T, some_theirs[start:stop], out=product)
            packed, there = products.astype(np.int32), alike.distances
            into = counts[there.start : there.stop : there.step]
            into[:, 0] += packed & (1 << _BITS) - 1
            into[:, 1] += packed >> _BITS


@dataclass(frozen=True, slots=True)
class _Alike:
    """Pairs that end equally far apart, put together."""

    order: NDArray[np.int64]
    """The first rounds of the pairs, those of the smallest distance first."""
    bounds: list[int]
    """Where each distance begins in `order`, and where the last one ends."""
    distances: range
    """These distances, counted from the least that is asked for."""


def _by_distance(apart: NDArray[np.int64], gap: int, distances: range) -> Iterator[_Alike]:
    """Put the pairs together whose distance is one of those asked for; few enough each time."""
    if not len(apart):
        return
    nearest = int(apart.min())
    offsets = apart - nearest
    # Sorting is much faster with few bits.
    offsets = offsets.astype(np.min_scalar_type(int(offsets.max())))
    sizes = np.bincount(offsets)[::gap]
    # The number of a class is (D − nearest) / gap.
    low = min(max(0, -((nearest - distances.start) // gap)), len(sizes))
    high = max(low, min(len(sizes), -((nearest - distances.stop) // gap)))
    there = nearest - distances.start + gap * low
    step = len(offsets) if sizes.max() <= _MOST else _MOST
    for begin in range(0, len(offsets), step):
        part = offsets[begin : begin + step]
        order = np.argsort(part, kind="stable") + begin
        numbers = np.bincount(part, minlength=gap * len(sizes))[::gap]
        bounds = [0, *np.cumsum(numbers).tolist()]
        yield _Alike(
            order[bounds[low] : bounds[high]],
            [bound - bounds[low] for bound in bounds[low : high + 1]],
            range(there, there + gap * (high - low), gap),
        )


def _of_first(noisy: Noisy, rounds: range) -> NDArray[np.float32]:
    """What is said of first rounds, as [round, column], the second half of it in units of 2¹².

    Action 1 in each position, coin 1 in each, both in each; that it is a round; that it is long.
    """
    q, some = noisy.half.loops.q, slice(rounds.start, rounds.stop)
    actions, coins, columns = _bits(noisy.half.actions[some], q), _coins(noisy, rounds), _columns(q)
    said = np.zeros((len(rounds), 2 * columns), dtype=np.float32)
    said[:, :q] = actions
    said[:, q : 2 * q] = coins
    said[:, 2 * q : 3 * q] = actions & coins
    said[:, 3 * q] = 1
    said[:, 3 * q + 1] = noisy.half.long[some]
    return said[:, :columns] + said[:, columns:] * np.float32(1 << _BITS)


def _of_second(noisy: Noisy, rounds: range) -> NDArray[np.float32]:
    """What is said of second rounds, as [round, second]."""
    q = noisy.half.loops.q
    said = np.ones((len(rounds), q + 2), dtype=np.float32)
    said[:, :q] = _coins(noisy, rounds)
    said[:, q + 1] = noisy.half.long[rounds.start : rounds.stop]
    return said


def _coins(noisy: Noisy, rounds: range) -> NDArray[np.uint8]:
    """[round, position]: the coin where the round comes by, else 0."""
    loops, some = noisy.half.loops, slice(rounds.start, rounds.stop)
    there = noisy.half.long[some, None] | (np.arange(loops.q) < loops.p)
    return _bits(noisy.coins[some], loops.q) & there


def _bits(words: NDArray[np.uint64], number: int) -> NDArray[np.uint8]:
    """[word, bit]: the lowest bits of each."""
    as_bytes = words.astype("<u8").view(np.uint8).reshape(len(words), 8)
    return np.unpackbits(as_bytes, axis=1, count=number, bitorder="little")


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
