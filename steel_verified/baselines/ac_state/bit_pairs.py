"""Counting bits that are set together in two rounds, for all pairs of rounds of a trajectory.

What is known of a round is written as bits of words. For each distance D, each bit of the first
round and each bit of the second, the pairs of rounds that end D steps apart and have both bits set
are counted. For each m, a first round and the m-th round after it, D depends only on the number of
long rounds from one to the other. So the words of pairs are collected by that number, 512 pairs at
a time. They are transposed, so that a word holds one bit of 64 pairs; then the common bits of two
words are counted in a few instructions, and 512 pairs need eight such words.

The loops are compiled by Numba: they are about ten times as fast as products of matrices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.errors import missing_extra

try:
    from numba import njit
except ImportError as _missing:
    raise missing_extra("ac-state", _missing) from _missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Loops

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

    `long` tells which rounds are long. A round has two words as a first round, and one as a second
    round; word 2 of the result is what the two words have in common. Only the lowest `bits` bits of
    a word are counted, and D is counted from the first of the distances. A round makes a pair with
    itself, too, at D = 0.
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
    """Add 512 pairs that end equally far apart; the words are changed, `theirs` is working space.

    Words that are 0 add nothing.
    """
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
    """Add the number of bits that eight words of `ours` share with each column of `theirs`.

    The lanes are written out, so that they stay in registers.
    """
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
    """Transpose eight matrices of 64 × 64 bits: word 8·i + lane is row i of one of them.

    Blocks off the diagonal change places, then the blocks of half their size within each block.
    """
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
