"""Pairs of whole rounds, counted by classes: fast for long halves.

A pair is a first round and the m-th round after it. For each m, the pairs fall into classes: by the
copy of the first round, and by how many of the rounds between the two are long. All pairs of a
class end equally far apart. The bits of the first rounds of a class are added up (see bit_sums).

Several consecutive m share one pass: a class then also says which of the last few rounds are long
(its pattern), and the classes for each single m are sums of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.baselines.ac_state.bit_sums import sum_bits
from steel_verified.baselines.ac_state.round_patterns import PatternSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Loops

FieldSums: TypeAlias = "NDArray[np.int32]"
"""[long, copy, between, field]: sums over pairs for one m.

long: whether the second round is. copy: of the first round. between: how many long rounds lie after
the first round and before the second, less the least number of them. field: bit b of the first
round's word, or, as the last one, all pairs."""

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
    rounds = len(words)
    words = words | np.uint64(1 << loops.q + 1)
    table = _PairTable.of(loops, longest)
    most = min(longest // loops.p, rounds - 1)
    together = min(_MOST_TOGETHER, max(1, (rounds >> 12).bit_length()))
    passes = _Passes(loops, words, copies, together)
    for m in range(1, most + 1, together):
        number = rounds - m - together + 1
        if number <= 0:
            break
        least, sums = passes.sums(m, number)
        for ahead, of_class in enumerate(sums):
            table.add(m + ahead, least, of_class)
    one_by_one = _OneByOne(loops, words, copies, ends)
    one_by_one.add(table, np.arange(rounds), np.arange(rounds))
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
    """[long, copy, changed, apart, field]: as in FieldSums; whether the second round is in the
    other copy; the steps D from the end of the first round to the end of the second."""

    @classmethod
    def of(cls, loops: Loops, longest: int) -> _PairTable:
        """An empty table for D ≤ longest."""
        return cls(loops, np.zeros((2, 2, 2, longest + 1, loops.q + 2), dtype=np.int32))

    @property
    def longest(self) -> int:
        return int(self.counts.shape[3]) - 1

    def by_cell(self) -> NDArray[np.int32]:
        """[field, long, cell, D], where the cell is 2·copy + changed."""
        longs, copies, changes, distances, fields = self.counts.shape
        counts = self.counts.reshape(longs, copies * changes, distances, fields)
        return np.ascontiguousarray(counts.transpose(3, 0, 1, 2))

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
                every_second = sums[long, :, odd::2]
                number = min(every_second.shape[1], (self.longest - apart) // (2 * gap) + 1)
                if number > 0:
                    places = slice(apart, apart + 2 * gap * (number - 1) + 1, 2 * gap)
                    self.counts[long, :, (m - c) & 1, places] += every_second[:, :number]


class _Passes:
    """Rounds, with what is used again for every m."""

    def __init__(
        self, loops: Loops, words: NDArray[np.uint64], copies: NDArray[np.uint8], together: int
    ) -> None:
        self._words = words
        self._fields = loops.q + 2
        self._together = together
        self._copies = copies.astype(np.int32)
        long = (words >> np.uint64(loops.q) & np.uint64(1)).astype(np.int32)
        self._long_before = np.concatenate([[0], np.cumsum(long)]).astype(np.int32)
        self._patterns = np.zeros(len(words), dtype=np.int32)
        for ahead in range(together):
            self._patterns[: len(words) - ahead] += long[ahead:] << ahead
        self._stride = 0
        self._of_first = self._of_second = self._patterns

    def sums(self, m: int, number: int) -> tuple[int, list[FieldSums]]:
        """The least number of long rounds between, and the sums for m, m + 1, … of a pass.

        They are over the pairs whose first round is among the first `number`.
        """
        between = self._long_before[m : m + number] - self._long_before[1 : number + 1]
        least = int(between.min())
        self._separate(int(between.max()) - least + 1)
        shape = (1 << self._together, 2, self._stride)
        sums = sum_bits(
            self._words[:number],
            self._of_first[:number] - np.int32(least),
            self._of_second[m : m + number],
            2 * self._stride << self._together,
            self._fields,
        )
        return least, PatternSums(sums.reshape(*shape, self._fields)).by_second()

    def _separate(self, different: int) -> None:
        """Number the classes (2·pattern + copy) · stride + between."""
        if not different <= self._stride <= different + 2 * _STRIDE:
            self._stride = -(-different // _STRIDE) * _STRIDE
            stride = np.int32(self._stride)
            self._of_second = self._long_before[:-1] + 2 * stride * self._patterns
            self._of_first = stride * self._copies - self._long_before[1:]


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
        place = np.ravel_multi_index((long, copy, changed, apart), table.counts.shape[:-1])
        kinds, of_pair = np.unique(place, return_inverse=True)
        parts, fields = of_pair.astype(np.int32), table.counts.shape[-1]
        sums = sum_bits(self.words[firsts], parts, np.zeros_like(parts), len(kinds), fields)
        table.counts.reshape(-1, fields)[kinds] += sums
