"""Counting tuples (x_t, a_t, x_{t+k}) of DoublePrime by pairs of rounds, not of timesteps.

If one round ends D steps after another, then the observation b steps before the end of the first
and the one b' steps before the end of the second are D + b − b' apart. So for each D it is enough
to know how many pairs of rounds end D steps apart and how often action 1 was taken in each position
of the first. Between the ends lie m rounds, c of them long: D = p·m + (q − p)·c, and the copies are
the same if and only if m − c is even.

Pairs with a cut round are listed one by one. For each m, the pairs of a whole round and the m-th
round after it fall into classes, by the copy of the first round and by the number of long rounds
between the two. The bits of the first rounds of a class are added up, eight at a time as the bytes
of a number. Several consecutive m share one pass: a class then also says which of the rounds m, m +
1, … after the first are long (its pattern). With the first of them as the second round of the pair,
these are the sums for m; with the next one they are those for m + 1.
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


@dataclass(frozen=True, slots=True)
class CutPairs:
    """Pairs of rounds of which the first or the second is cut, no two equally far apart."""

    apart: NDArray[np.int64]
    cell: NDArray[np.int64]
    long: NDArray[np.bool_]
    visited: NDArray[np.uint64]
    actions: NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many pairs of rounds end D steps apart, by what the loss can tell apart."""

    loops: Loops
    seen: int
    whole: NDArray[np.int32]
    """Pairs of whole rounds, as [field, long, cell, D] (see count_by_classes)."""
    from_first: CutPairs
    """The first round with each one that is not the last."""
    to_last: CutPairs
    """Each round with the last."""
    last_visited: int
    """Bit b: whether the last round was seen b steps before its end."""

    def cells(
        self, before: int, *, long_only: bool, with_last: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For a position of the first round: pairs with action 1 there, and all, as [cell, D]."""
        loops = self.loops
        ones, total = (
            self.whole[field, 1].astype(np.int64)
            if long_only
            else self.whole[field].sum(axis=0, dtype=np.int64)
            for field in (before, loops.q if before >= loops.p else loops.q + 1)
        )
        for cut, wanted in ((self.from_first, True), (self.to_last, with_last)):
            if wanted:
                there = (cut.visited >> np.uint64(before) & np.uint64(1)).astype(np.int64)
                if cut is self.from_first and long_only:
                    there &= cut.long
                done = (cut.actions >> np.uint64(before) & np.uint64(1)).astype(np.int64)
                total[cut.cell, cut.apart] += there
                ones[cut.cell, cut.apart] += there & done
        return ones, total


def count_pairs(half: Half, most_lags: int) -> PairCounts:
    """Count the pairs of rounds of a half that matter for lags k ≤ most_lags."""
    loops = half.loops
    longest = min(most_lags, half.seen - 1) + loops.q - 1
    middle = slice(1, max(1, half.rounds - 1))
    words = half.actions[middle] | half.long[middle].astype(np.uint64) << np.uint64(loops.q)
    whole = count_by_classes(loops, words, half.copies[middle], half.ends[middle], longest)
    # No other round is near enough to the first, or to the last.
    near = longest // loops.p + 2
    from_first = np.arange(min(near, half.rounds - 1))
    to_last = np.arange(max(0, half.rounds - near), half.rounds)
    last = np.full_like(to_last, half.rounds - 1)
    return PairCounts(
        loops,
        half.seen,
        whole,
        _cut_pairs(half, np.zeros_like(from_first), from_first, longest),
        _cut_pairs(half, to_last, last, longest),
        int(half.visited(last[:1])[0]),
    )


def _cut_pairs(
    half: Half, firsts: NDArray[np.int64], seconds: NDArray[np.int64], longest: int
) -> CutPairs:
    apart = half.ends[seconds] - half.ends[firsts]
    near = apart <= longest
    firsts, seconds = firsts[near], seconds[near]
    changed = half.copies[firsts] ^ half.copies[seconds]
    return CutPairs(
        apart[near],
        2 * half.copies[firsts].astype(np.int64) + changed,
        half.long[seconds],
        half.visited(firsts),
        half.actions[firsts],
    )


_MOST: Final = 255
"""A byte counts so far."""
_SPREAD: Final = (
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], 1, bitorder="little")
    .view("<u8")[:, 0]
    .astype(np.uint64)
)
"""[byte]: its bits as the lowest bits of eight bytes."""


def sum_bits(
    words: NDArray[np.uint64],
    first_part: NDArray[np.int32],
    second_part: NDArray[np.int32],
    classes: int,
    bits: int,
) -> NDArray[np.int32]:
    """How many words of each class (the sum of two parts) have each bit set, as [class, bit]."""
    lanes = -(-bits // 8)
    totals = np.zeros((classes, 8 * lanes), np.int32)
    sums, number = np.zeros((classes, lanes), np.uint64), np.zeros(classes, np.uint8)
    _add(words, first_part, second_part, _SPREAD, sums, number, totals)
    totals += sums.astype("<u8").view(np.uint8)
    return totals[:, :bits]


@njit(cache=True)
def _add(
    words: NDArray[np.uint64],
    first_part: NDArray[np.int32],
    second_part: NDArray[np.int32],
    spread: NDArray[np.uint64],
    sums: NDArray[np.uint64],
    number: NDArray[np.uint8],
    totals: NDArray[np.int32],
) -> None:
    lanes, byte = sums.shape[1], np.uint64(255)
    for index in range(len(words)):
        word, of_class = words[index], first_part[index] + second_part[index]
        for lane in range(lanes):
            sums[of_class, lane] += spread[word >> np.uint64(8 * lane) & byte]
        number[of_class] += 1
        if number[of_class] == _MOST:
            for lane in range(lanes):
                for bit in range(8):
                    totals[of_class, 8 * lane + bit] += np.int32(
                        sums[of_class, lane] >> np.uint64(8 * bit) & byte
                    )
                sums[of_class, lane] = 0
            number[of_class] = 0


def by_second(sums: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """For each round of a pattern: the pairs with that one second, whatever comes after it.

    Bit i of a pattern is whether the i-th round from m on is long. The sums are [pattern, copy of
    the first round, long rounds between, field]. The result is [long, copy, between, field] for
    each round: whether it is long, and all long rounds before it are added to `between`.
    """
    found: list[NDArray[np.int32]] = []
    while len(sums) > 1:
        short, long = np.split(sums, 2)  # by the last round of the pattern
        found.append(np.stack([_counted_between(short), _counted_between(long)]))
        sums = short + long
    return found[::-1]


def _counted_between(sums: NDArray[np.int32]) -> NDArray[np.int32]:
    """[pattern, copy, between, field] → [copy, between, field], by joining patterns in pairs."""
    while len(sums) > 1:
        short, long = np.split(sums, 2)
        half, copies, between, fields = short.shape
        sums = np.zeros((half, copies, between + 1, fields), dtype=np.int32)
        sums[:, :, :-1] = short
        sums[:, :, 1:] += long  # one more long round between
    return sums.reshape(sums.shape[1:])


_MOST_TOGETHER: Final = 7
"""At most so many m share a pass."""
_STRIDE: Final = 32
"""Room for `between` is made in steps of this, so that it is seldom made anew."""


def count_by_classes(
    loops: Loops,
    words: NDArray[np.uint64],
    copies: NDArray[np.uint8],
    ends: NDArray[np.int64],
    longest: int,
) -> NDArray[np.int32]:
    """Counts of pairs of consecutive whole rounds, as [field, long, cell, D] for D ≤ longest.

    Bits b < q of a word are the actions of its round, bit q is whether it is long. The cell is
    2·(copy of the first round) + (whether the second is in the other copy), `long` is of the
    second. Field b ≤ q counts the pairs whose first word has bit b, field q + 1 counts all.
    """
    rounds, fields = len(words), loops.q + 2
    words = words | np.uint64(1 << loops.q + 1)
    # [long, copy of the first round, whether the second is in the other copy, D, field]
    counts = np.zeros((2, 2, 2, longest + 1, fields), dtype=np.int32)
    most = min(longest // loops.p, rounds - 1)
    together = min(_MOST_TOGETHER, max(1, (rounds >> 12).bit_length()))
    for m, least, sums in _passes(loops, words, copies, together, most):
        _add_classes(loops, counts, m, least, sums)
    # A round with itself; and the last few rounds, which are not followed by a whole pattern.
    pairs = [(np.arange(rounds), np.arange(rounds))]
    for m in range(1, most + 1):
        start = max(0, rounds - m + (m - 1) % together - together + 1)
        pairs.append((np.arange(start, rounds - m), np.arange(start, rounds - m) + m))
    firsts, seconds = (np.concatenate(each) for each in zip(*pairs, strict=True))
    near = ends[seconds] - ends[firsts] <= longest
    _add_listed(loops, counts, words, copies, ends, (firsts[near], seconds[near]))
    by_cell = counts.reshape(2, 4, longest + 1, fields)
    return np.ascontiguousarray(by_cell.transpose(3, 0, 1, 2))


def _add_listed(
    loops: Loops,
    counts: NDArray[np.int32],
    words: NDArray[np.uint64],
    copies: NDArray[np.uint8],
    ends: NDArray[np.int64],
    pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> None:
    (firsts, seconds), fields = pairs, counts.shape[-1]
    apart = ends[seconds] - ends[firsts]
    long = (words[seconds] >> np.uint64(loops.q) & np.uint64(1)).astype(np.int64)
    copy = copies[firsts].astype(np.int64)
    changed = copies[seconds] ^ copies[firsts]
    place = np.ravel_multi_index((long, copy, changed, apart), counts.shape[:-1])
    kinds, of_pair = np.unique(place, return_inverse=True)
    parts = of_pair.astype(np.int32)
    listed = sum_bits(words[firsts], parts, np.zeros_like(parts), len(kinds), fields)
    counts.reshape(-1, fields)[kinds] += listed


def _add_classes(
    loops: Loops, counts: NDArray[np.int32], m: int, least: int, sums: NDArray[np.int32]
) -> None:
    """Add the sums for m at D = p·m + (q − p)·c, where c counts the second round, too.

    The copy has changed if m − c is odd, so every second c is added at once.
    """
    gap, longest = loops.q - loops.p, counts.shape[3] - 1
    for long in range(2):
        for odd in range(2):
            c = least + long + odd
            apart = loops.p * m + gap * c
            every_second = sums[long, :, odd::2]
            number = min(every_second.shape[1], (longest - apart) // (2 * gap) + 1)
            if number > 0:
                places = slice(apart, apart + 2 * gap * (number - 1) + 1, 2 * gap)
                counts[long, :, (m - c) & 1, places] += every_second[:, :number]


def _passes(
    loops: Loops,
    words: NDArray[np.uint64],
    copies: NDArray[np.uint8],
    together: int,
    most: int,
) -> Iterator[tuple[int, int, NDArray[np.int32]]]:
    """For each m up to `most`: the least number of long rounds between, and the sums.

    They are over the pairs whose first round is followed by a whole pattern of rounds from the
    first m of its pass on. Classes are numbered (2·pattern + copy)·stride + between.
    """
    fields = loops.q + 2
    long = (words >> np.uint64(loops.q) & np.uint64(1)).astype(np.int32)
    long_before = np.concatenate([[0], np.cumsum(long)]).astype(np.int32)
    patterns = np.zeros(len(words), dtype=np.int32)
    for ahead in range(together):
        patterns[: len(words) - ahead] += long[ahead:] << ahead
    stride, of_first, of_second = np.int32(0), patterns, patterns
    for m in range(1, most + 1, together):
        number = len(words) - m - together + 1
        if number <= 0:
            return
        between = long_before[m : m + number] - long_before[1 : number + 1]
        least = int(between.min())
        different = int(between.max()) - least + 1
        if not different <= stride <= different + 2 * _STRIDE:
            stride = np.int32(-(-different // _STRIDE) * _STRIDE)
            of_second = long_before[:-1] + 2 * stride * patterns
            of_first = stride * copies.astype(np.int32) - long_before[1:]
        sums = sum_bits(
            words[:number],
            of_first[:number] - np.int32(least),
            of_second[m : m + number],
            2 * int(stride) << together,
            fields,
        )
        for ahead, of_m in enumerate(by_second(sums.reshape(1 << together, 2, stride, fields))):
            yield m + ahead, least, of_m
