"""Pairs of whole rounds, counted by classes: fast for long halves.

For each m, the rounds fall into classes by their copy and by how many of the next m rounds are
long. The bits of a class are added up as packed words: one addition for several positions. And
several consecutive m share one pass: the class then also says which of the last few rounds are
long, and the classes for each single m are sums of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.rounds import Loops

_BLOCK: Final = 1 << 19
_MOST_TOGETHER: Final = 7
_WORD: Final = 63
_MOST_FIELDS: Final = 12
_STRIDE: Final = 32


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
    fields, rounds = loops.q + 2, len(words)
    words = words | np.uint64(1 << loops.q + 1)
    counts = np.zeros((fields, 2, 2, 2, longest + 1), dtype=np.int32)
    most = min(longest // loops.p, rounds - 1)
    together = min(_MOST_TOGETHER, max(1, (min(rounds, _BLOCK) >> 12).bit_length()))
    one_by_one = _OneByOne(loops, words, copies, ends)
    for start in range(0, rounds, _BLOCK):
        # What lies in a block, and as far ahead as any second round can be.
        near = slice(start, start + _BLOCK + most + together)
        block = _Block(loops, words[near], copies[near], together)
        for m in range(1, most + 1, together):
            number = min(_BLOCK, rounds - start - m - together + 1)
            if number <= 0:
                break
            least, sums = block.sums(m, number)
            for ahead, of_class in enumerate(sums):
                _add(loops, counts, m + ahead, least, of_class)
        same = np.arange(start, min(start + _BLOCK, rounds))
        one_by_one.add(counts, same, same)
    # The last few rounds are not followed by a whole pattern.
    starts = (max(0, rounds - m + (m - 1) % together - together + 1) for m in range(1, most + 1))
    rest = [np.arange(start, rounds - m) for m, start in enumerate(starts, start=1)]
    if rest:
        seconds = [firsts + m for m, firsts in enumerate(rest, start=1)]
        one_by_one.add(counts, np.concatenate(rest), np.concatenate(seconds))
    return counts.reshape(fields, 2, 4, longest + 1)


class _Block:
    """Consecutive rounds, with what is used again for every m."""

    def __init__(
        self, loops: Loops, words: NDArray[np.uint64], copies: NDArray[np.uint8], together: int
    ) -> None:
        self._words = words
        self._fields = loops.q + 2
        self._together = together
        self._copies = copies.astype(np.int64)
        long = (words >> np.uint64(loops.q) & np.uint64(1)).astype(np.int64)
        self._long_before = np.concatenate([[0], np.cumsum(long)]).astype(np.int32)
        self._patterns = np.zeros(len(words), dtype=np.int64)
        for ahead in range(together):
            self._patterns[: len(words) - ahead] += long[ahead:] << ahead
        self._stride = self._width = 0
        self._of_first = self._of_second = self._patterns
        self._columns: list[NDArray[np.int64]] = []

    def sums(self, m: int, number: int) -> tuple[int, list[NDArray[np.int64]]]:
        """For the first rounds of the block, and m, m + 1, …: [field, long, copy, between − least].

        `between` counts the long rounds from the first to the second, itself not included.
        """
        between = self._long_before[m : m + number] - self._long_before[1 : number + 1]
        least = int(between.min())
        self._separate(int(between.max()) - least + 1)
        classes = self._of_second[m : m + number] + self._of_first[:number]
        classes -= least
        shape = (1 << self._together, 2, self._stride)
        numbers = np.bincount(classes, minlength=2 * self._stride << self._together)
        largest = max(int(some.max()) for some in _each(numbers.reshape(1, *shape)))
        # No field of a sum that is unpacked exceeds the number of its class.
        self._pack(largest.bit_length())
        totals = np.zeros((len(self._columns), numbers.size), dtype=np.int64)
        for column, total in zip(self._columns, totals, strict=True):
            np.add.at(total, classes, column[:number])
        return least, [self._unpacked(some) for some in _each(totals.reshape(-1, *shape))]

    def _separate(self, different: int) -> None:
        """Number the classes (2·pattern + copy) · stride + between."""
        if not different <= self._stride <= different + 2 * _STRIDE:
            self._stride = -(-different // _STRIDE) * _STRIDE
            self._of_second = self._long_before[:-1] + 2 * self._stride * self._patterns
            self._of_first = self._stride * self._copies - self._long_before[1:]

    def _pack(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        per_word = self._per_word
        bits = np.arange(1 << per_word)
        spread = np.zeros(1 << per_word, dtype=np.int64)
        for field in range(per_word):
            spread |= (bits >> field & 1) << (field * width)
        mask = np.uint64((1 << per_word) - 1)
        self._columns = [
            spread[((self._words >> np.uint64(first)) & mask).astype(np.int64)]
            for first in range(0, self._fields, per_word)
        ]

    @property
    def _per_word(self) -> int:
        return min(_WORD // self._width, _MOST_FIELDS)

    def _unpacked(self, totals: NDArray[np.int64]) -> NDArray[np.int64]:
        shifts = np.arange(self._per_word)[:, None, None, None] * self._width
        apart = (totals[:, None] >> shifts) & ((1 << self._width) - 1)
        return apart.reshape(-1, *totals.shape[1:])[: self._fields]


def _each(sums: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """From [word, pattern, copy, between], for each round of the pattern, to [word, long, copy, …].

    What comes after that round is summed over, it says `long`, and the long ones of the pattern
    before it are added to those between.
    """
    found = []
    words, patterns, copies, _ = sums.shape
    for ahead in reversed(range(patterns.bit_length() - 1)):
        before = sums.reshape(words, 2, 1 << ahead, copies, -1)
        for bit in reversed(range(ahead)):
            half, size = 1 << bit, before.shape[-1]
            merged = np.empty((words, 2, half, copies, size + 1), dtype=np.int64)
            merged[..., :-1] = before[:, :, :half]
            merged[..., -1] = 0
            merged[..., 1:] += before[:, :, half:]
            before = merged
        found.append(before[:, :, 0])
        sums = sums[:, : 1 << ahead] + sums[:, 1 << ahead :]
    return found[::-1]


def _add(
    loops: Loops, counts: NDArray[np.int32], m: int, least: int, sums: NDArray[np.int64]
) -> None:
    """Add the sums for m at D = p·m + (q − p)·c, where c counts the second round, too."""
    gap = loops.q - loops.p
    longest = counts.shape[-1] - 1
    for long in range(2):
        for odd in range(2):
            between = least + long + odd
            apart = loops.p * m + gap * between
            of_these = sums[:, long, :, odd::2]
            number = min(of_these.shape[-1], (longest - apart) // (2 * gap) + 1)
            if number > 0:
                places = slice(apart, apart + 2 * gap * (number - 1) + 1, 2 * gap)
                into = counts[:, long, :, (m - between) & 1, places]
                np.add(into, of_these[..., :number], out=into, casting="unsafe")


@dataclass(frozen=True, slots=True)
class _OneByOne:
    """Pairs that are listed."""

    loops: Loops
    words: NDArray[np.uint64]
    copies: NDArray[np.uint8]
    ends: NDArray[np.int64]

    def add(
        self, counts: NDArray[np.int32], firsts: NDArray[np.int64], seconds: NDArray[np.int64]
    ) -> None:
        apart = self.ends[seconds] - self.ends[firsts]
        near = apart < counts.shape[-1]
        apart, firsts, seconds = apart[near], firsts[near], seconds[near]
        long = (self.words[seconds] >> np.uint64(self.loops.q) & np.uint64(1)).astype(np.int64)
        copy = self.copies[firsts].astype(np.int64)
        changed = self.copies[seconds] ^ self.copies[firsts]
        place = (4 * long + 2 * copy + changed) * counts.shape[-1] + apart
        words = self.words[firsts]
        for field, of_field in enumerate(counts.reshape(len(counts), -1)):
            there = (words >> np.uint64(field) & np.uint64(1)).astype(np.bool_)
            np.add.at(of_field, place[there], 1)
