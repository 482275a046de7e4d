"""Counting tuples (x_t, a_t, x_{t+k}) of SinglePrime by pairs of rounds, not of timesteps.

Every observation has a coin of its own here. So for each distance D it is counted how often action
1, coin 1 or both in a position of the first round met coin 1 in a position of the second.

What is known of a round is written as bits of words. For each m, a first round and the m-th round
after it, D depends only on the number of long rounds between them. So the words of pairs are
collected by that number, 512 at a time, and transposed, so that a word holds one bit of 64 pairs;
then the common bits of two words are counted in a few instructions.

The loops are compiled by Numba: they are about ten times as fast as products of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.errors import missing_extra

try:
    from numba import njit
except ImportError as _missing:
    raise missing_extra("ac-state", _missing) from _missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.trajectories import Half, Loops

_ACTED: Final = 0
_TOSSED: Final = 1
_BOTH: Final = 2
"""The words of a first round: action 1 in each position, coin 1 in each, and both."""


@dataclass(frozen=True, slots=True)
class Noisy:
    """Half of a trajectory of SinglePrime, and the coins: bit b for b steps before the end."""

    half: Half
    coins: NDArray[np.uint64]


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
        for firsts, seconds in _cut_noisy_pairs(self.noisy.half, self.distances):
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


def _cut_noisy_pairs(
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


_BITS: Final = 64
_LANES: Final = 8
"""Words of one bit that are counted together; `_add_common` names each of them."""
_PAIRS: Final = _BITS * _LANES


def count_bit_pairs(
    loops: Loops,
    long: NDArray[np.bool_],
    firsts: tuple[NDArray[np.uint64], NDArray[np.uint64]],
    seconds: NDArray[np.uint64],
    distances: range,
    bits: int,
) -> NDArray[np.int32]:
    """In how many pairs of rounds two bits are set, as [D, word, bit of first, bit of second].

    A round has two words as a first round, and one as a second; word 2 of the result is what the
    two have in common. Only the lowest `bits` bits count, and D is counted from the first distance.
    A round makes a pair with itself, too, at D = 0.
    """
    # Rows of whole vectors are added faster.
    counts = np.zeros((len(distances), 3, bits, -(-bits // _LANES) * _LANES), np.int32)
    long_up_to = np.cumsum(long, dtype=np.int32)
    _add_rounds(loops.p, loops.q, distances.start, long_up_to, *firsts, seconds, counts)
    return counts[..., :bits]


@njit(cache=True)
def _add_rounds(
    p: int,
    q: int,
    start: int,
    long_up_to: NDArray[np.int32],
    firsts: NDArray[np.uint64],
    other_firsts: NDArray[np.uint64],
    seconds: NDArray[np.uint64],
    counts: NDArray[np.int32],
) -> None:
    """Add all pairs whose distance is counted."""
    rounds, gap, stop = len(seconds), q - p, start + len(counts)
    most = min((stop - 1) // p, rounds - 1)
    # [number of long rounds, word, place]: pairs that wait until there are enough to be counted.
    waiting = np.empty((most + 1, 3, _PAIRS), np.uint64)
    theirs = np.empty((_LANES, _BITS), np.uint64)
    for m in range(max(0, (start - 1) // q), most + 1):
        # D = p·m + gap·c, where c counts the long rounds after the first one.
        least = max(0, -((p * m - start) // gap))
        after = min(m + 1, -((p * m - stop) // gap))
        number = np.zeros(m + 1, np.int64)
        for first in range(rounds - m):
            c = long_up_to[first + m] - long_up_to[first]
            if least <= c < after:
                place = number[c]
                waiting[c, 0, place] = firsts[first]
                waiting[c, 1, place] = other_firsts[first]
                waiting[c, 2, place] = seconds[first + m]
                number[c] = place + 1
                if number[c] == _PAIRS:
                    _add_pairs(waiting[c], theirs, counts[p * m + gap * c - start])
                    number[c] = 0
        for c in range(least, after):
            if number[c]:
                waiting[c, :, number[c] :] = 0
                _add_pairs(waiting[c], theirs, counts[p * m + gap * c - start])


@njit(cache=True)
def _add_pairs(
    words: NDArray[np.uint64], theirs: NDArray[np.uint64], into: NDArray[np.int32]
) -> None:
    """Add 512 pairs that end equally far apart, and change the words; words of 0 add nothing."""
    for word in range(3):
        _transpose(words[word])
    for bit in range(into.shape[2]):
        for lane in range(_LANES):
            theirs[lane, bit] = words[2, _LANES * bit + lane]
    for index in range(_PAIRS):
        words[2, index] = words[0, index] & words[1, index]
    for word in range(3):
        for bit in range(into.shape[1]):
            _add_common(words[word], _LANES * bit, theirs, into[word, bit])


@njit(cache=True, inline="always")
def _add_common(
    ours: NDArray[np.uint64], at: int, theirs: NDArray[np.uint64], into: NDArray[np.int32]
) -> None:
    """Add the number of bits that eight words of `ours` share with each column of `theirs`."""
    a, b, c, d = ours[at], ours[at + 1], ours[at + 2], ours[at + 3]
    e, f, g, h = ours[at + 4], ours[at + 5], ours[at + 6], ours[at + 7]
    for bit in range(len(into)):
        into[bit] += np.int32(
            _ones(a & theirs[0, bit])
            + _ones(b & theirs[1, bit])
            + _ones(c & theirs[2, bit])
            + _ones(d & theirs[3, bit])
            + _ones(e & theirs[4, bit])
            + _ones(f & theirs[5, bit])
            + _ones(g & theirs[6, bit])
            + _ones(h & theirs[7, bit])
        )


@njit(cache=True)
def _ones(word: np.uint64) -> np.uint64:
    """The number of bits that are set; the compiler makes one instruction of these lines."""
    word -= word >> np.uint64(1) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + (word >> np.uint64(2) & pairs)
    word = word + (word >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return word * np.uint64(0x0101010101010101) >> np.uint64(56)


@njit(cache=True)
def _transpose(words: NDArray[np.uint64]) -> None:
    """Transpose eight matrices of 64 × 64 bits: word 8·i + lane is row i of one of them."""
    mask, size = np.uint64(0x00000000FFFFFFFF), _BITS // 2
    while size:
        rows, by = _LANES * size, np.uint64(size)
        for begin in range(0, _PAIRS, 2 * rows):
            upper, lower = words[begin : begin + rows], words[begin + rows : begin + 2 * rows]
            for row in range(rows):
                change = (upper[row] >> by ^ lower[row]) & mask
                upper[row] ^= change << by
                lower[row] ^= change
        size //= 2
        mask ^= mask << np.uint64(size)
