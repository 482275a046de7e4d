"""Pairs of whole rounds, counted by classes: fast for long halves.

A pair is a first round and the m-th round after it. For each m, the pairs fall into classes: by the
copy of the first round, and by how many of the rounds between the two are long. All pairs of a
class end equally far apart. The bits of the first rounds of a class are added up as packed words:
one addition counts several positions.

Several consecutive m share one pass: a class then also says which of the last few rounds are long
(its pattern), and the classes for each single m are sums of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.baselines.ac_state.round_patterns import PatternSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Loops

FieldSums: TypeAlias = "NDArray[np.int64]"
"""[field, long, copy, between]: sums over pairs for one m.

field: bit b of the first round's word, or, as the last one, all pairs. long: whether the second
round is. copy: of the first round. between: how many long rounds lie after the first round and
before the second, less the least number of them."""
PackedSums: TypeAlias = "NDArray[np.int64]"
"""[packed, long, copy, between]: the same with several fields in one word."""

_BLOCK: Final = 1 << 19
"""Rounds that are counted in one pass."""
_MOST_TOGETHER: Final = 7
"""At most so many m share a pass."""
_WORD: Final = 63
"""Bits of a packed word that can be used."""
_MOST_FIELDS: Final = 12
"""At most so many fields are packed together: the table that packs them has 2¹² entries."""
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
    rounds = len(words)
    words = words | np.uint64(1 << loops.q + 1)
    table = _PairTable.of(loops, longest)
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
                table.add(m + ahead, least, of_class)
        same = np.arange(start, min(start + _BLOCK, rounds))
        one_by_one.add(table, same, same)
    # The last few rounds are not followed by a whole pattern.
    starts = (max(0, rounds - m + (m - 1) % together - together + 1) for m in range(1, most + 1))
    rest = [np.arange(start, rounds - m) for m, start in enumerate(starts, start=1)]
    if rest:
        seconds = [firsts + m for m, firsts in enumerate(rest, start=1)]
        one_by_one.add(table, np.concatenate(rest), np.concatenate(seconds))
    return table.by_cell()


@dataclass(frozen=True, slots=True)
class _PairTable:
    """How many pairs there are of each kind. It is filled in place."""

    loops: Loops
    counts: NDArray[np.int32]
    """[field, long, copy, changed, apart]: as in FieldSums; whether the second round is in the
    other copy; the steps D from the end of the first round to the end of the second."""

    @classmethod
    def of(cls, loops: Loops, longest: int) -> _PairTable:
        """An empty table for D ≤ longest."""
        return cls(loops, np.zeros((loops.q + 2, 2, 2, 2, longest + 1), dtype=np.int32))

    @property
    def longest(self) -> int:
        return int(self.counts.shape[-1]) - 1

    def by_cell(self) -> NDArray[np.int32]:
        """[field, long, cell, D], where the cell is 2·copy + changed."""
        fields, longs, copies, changes, distances = self.counts.shape
        return self.counts.reshape(fields, longs, copies * changes, distances)

    def add(self, m: int, least: int, sums: FieldSums) -> None:
        """Add the sums for m at D = p·m + (q − p)·c, where c counts the second round, too.

        The copy has changed if m − c is odd. So every second c is added at once: they have the same
        `changed`, and are 2·(q − p) steps apart.
        """
        gap = self.loops.q - self.loops.p
        for long in range(2):
            for odd in range(2):
                c = least + long + odd
                apart = self.loops.p * m + gap * c
                every_second = sums[:, long, :, odd::2]
                number = min(every_second.shape[-1], (self.longest - apart) // (2 * gap) + 1)
                if number > 0:
                    places = slice(apart, apart + 2 * gap * (number - 1) + 1, 2 * gap)
                    into = self.counts[:, long, :, (m - c) & 1, places]
                    np.add(into, every_second[..., :number], out=into, casting="unsafe")


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

    def sums(self, m: int, number: int) -> tuple[int, list[FieldSums]]:
        """The least number of long rounds between, and the sums for m, m + 1, … of a pass.

        They are over the pairs whose first round is among the first `number` of the block.
        """
        between = self._long_before[m : m + number] - self._long_before[1 : number + 1]
        least = int(between.min())
        self._separate(int(between.max()) - least + 1)
        classes = self._of_second[m : m + number] + self._of_first[:number]
        classes -= least
        shape = (1 << self._together, 2, self._stride)
        numbers = np.bincount(classes, minlength=2 * self._stride << self._together)
        of_number = PatternSums(numbers.reshape(1, *shape)).by_second()
        largest = max(int(some.max()) for some in of_number)
        # No field of a sum that is unpacked exceeds the number of its class.
        self._pack(largest.bit_length())
        totals = np.zeros((len(self._columns), numbers.size), dtype=np.int64)
        for column, total in zip(self._columns, totals, strict=True):
            np.add.at(total, classes, column[:number])
        by_second = PatternSums(totals.reshape(-1, *shape)).by_second()
        return least, [self._unpacked(some) for some in by_second]

    def _separate(self, different: int) -> None:
        """Number the classes (2·pattern + copy) · stride + between."""
        if not different <= self._stride <= different + 2 * _STRIDE:
            self._stride = -(-different // _STRIDE) * _STRIDE
            self._of_second = self._long_before[:-1] + 2 * self._stride * self._patterns
            self._of_first = self._stride * self._copies - self._long_before[1:]

    def _pack(self, width: int) -> None:
        """Make columns of packed words in which every field has `width` bits."""
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

    def _unpacked(self, sums: PackedSums) -> FieldSums:
        """Take the fields out of the packed words, and leave out those past the last."""
        _, *others = sums.shape
        shifts = (np.arange(self._per_word) * self._width).reshape(-1, *(1 for _ in others))
        apart = (sums[:, None] >> shifts) & ((1 << self._width) - 1)
        return apart.reshape(-1, *others)[: self._fields]


@dataclass(frozen=True, slots=True)
class _OneByOne:
    """Pairs that are listed."""

    loops: Loops
    words: NDArray[np.uint64]
    copies: NDArray[np.uint8]
    ends: NDArray[np.int64]

    def add(self, table: _PairTable, firsts: NDArray[np.int64], seconds: NDArray[np.int64]) -> None:
        apart = self.ends[seconds] - self.ends[firsts]
        near = apart <= table.longest
        apart, firsts, seconds = apart[near], firsts[near], seconds[near]
        long = (self.words[seconds] >> np.uint64(self.loops.q) & np.uint64(1)).astype(np.int64)
        copy = self.copies[firsts].astype(np.int64)
        changed = self.copies[seconds] ^ self.copies[firsts]
        kinds = table.counts.reshape(len(table.counts), -1)
        place = np.ravel_multi_index((long, copy, changed, apart), table.counts.shape[1:])
        words = self.words[firsts]
        for field, of_field in enumerate(kinds):
            there = (words >> np.uint64(field) & np.uint64(1)).astype(np.bool_)
            np.add.at(of_field, place[there], 1)
