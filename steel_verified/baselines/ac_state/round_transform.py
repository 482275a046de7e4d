"""Pairs of whole rounds, counted by transform: fast for short halves.

The number of pairs that end D steps apart is a correlation of sequences of zeros and ones, computed
by Fourier transforms in blocks, two fields at a time (one of them in units of 2²⁰). The error is at
most a few times 2⁻⁵³ · log₂(size) · 2²⁰ · (rounds), less than 1/100 for 2¹⁸ rounds: rounding to
integers gives the counts exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Loops

MOST_ROUNDS: Final = 1 << 18
_SECOND: Final = float(1 << 20)


def count_by_transform(
    loops: Loops,
    words: NDArray[np.uint64],
    copies: NDArray[np.uint8],
    ends: NDArray[np.int64],
    longest: int,
) -> NDArray[np.int32]:
    """Counts of pairs of rounds, as [field, long, cell, D] for D ≤ longest (see round_classes)."""
    q, fields = loops.q, loops.q + 2
    pairs = (fields + 1) // 2
    counts = np.zeros((fields, 2, 4, longest + 1), dtype=np.int32)
    if not len(words):
        return counts
    if len(words) > MOST_ROUNDS:
        raise InvalidArgument("words", len(words), f"at most {MOST_ROUNDS} rounds")
    span = int(ends[-1] - ends[0]) + 1
    size = transform_size(min(span, longest) + longest)
    step = size - longest
    shifts = np.arange(q + 1, dtype=np.uint64)[:, None]
    total = np.zeros((2, pairs, 2, 2, size // 2 + 1), dtype=np.complex128)
    for start in range(int(ends[0]), int(ends[-1]) + 1, step):
        low, middle, high = np.searchsorted(ends, [start, start + step, start + size])
        firsts, seconds = np.zeros((2, pairs, size)), np.zeros((2, 2, size))
        for copy in range(2):
            chosen = low + np.flatnonzero(copies[low:middle] == copy)
            places = ends[chosen] - start
            bits = np.zeros((2 * pairs, len(chosen)))
            bits[: q + 1] = words[chosen] >> shifts & np.uint64(1)
            bits[q + 1] = 1
            firsts[copy, :, places] = (bits[:pairs] + _SECOND * bits[pairs:]).T
        long = (words[low:high] >> np.uint64(q)).astype(np.int64)
        seconds[copies[low:high], long, ends[low:high] - start] = 1
        ours, theirs = np.fft.rfft(firsts).conj(), np.fft.rfft(seconds)
        for copy in range(2):
            for other in range(2):
                for long_second in range(2):
                    total[copy, :, other, long_second] += ours[copy] * theirs[other, long_second]
    for copy in range(2):
        for other in range(2):
            both = np.rint(np.fft.irfft(total[copy, :, other], size)[..., : longest + 1])
            second, first = np.divmod(both, _SECOND)
            cell = 2 * copy + (copy ^ other)
            counts[:pairs, :, cell], counts[pairs:, :, cell] = first, second[: fields - pairs]
    return counts


def transform_size(least: int) -> int:
    """The next power of two: transforms are fast there."""
    return 1 << (least - 1).bit_length()
