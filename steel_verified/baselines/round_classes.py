"""Pairs of whole rounds, counted by classes: fast for long halves.

For each m, the rounds fall into classes by their copy and by how many of the next m rounds are
long. The actions of a class are added up as packed words: one addition for several positions. And
several consecutive m share one pass: the class then also says which of the last few rounds are
long, and the classes for each single m are sums of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.rounds import Loops

_BLOCK: Final = 1 << 19
_WORD: Final = 63
_MOST_FIELDS: Final = 12


def count_by_classes(
    loops: Loops, words: NDArray[np.uint64], copies: NDArray[np.uint8], longest: int
) -> NDArray[np.int32]:
    """Counts of pairs of consecutive whole rounds, as [field, long, cell, D] for D ≤ longest.

    Bits b < q of a word are the actions of its round, bit q is whether it is long. The cell is
    2·(copy of the first round) + (whether the second is in the other copy), `long` is of the
    second. Field b ≤ q counts the pairs whose first word has bit b, field q + 1 counts all.
    """
    p, fields = loops.p, loops.q + 2
    rounds = len(words)
    counts = np.zeros((longest + 1, 2, 2, 2, fields), dtype=np.int32)
    long = (words >> np.uint64(loops.q)).astype(np.int64)
    long_before = np.concatenate([[0], np.cumsum(long)])
    _add_one_by_one(loops, counts, words, copies, np.arange(rounds), np.arange(rounds))
    most = min(longest // p, rounds - 1)
    together = max(1, min(7, (min(rounds, _BLOCK) >> 12).bit_length()))
    shift = together + 1
    pattern = np.zeros(rounds, dtype=np.int64)
    for ahead in range(together):
        pattern[: rounds - ahead] += long[ahead:] << ahead
    # The class of a pair is the sum of these two: how many rounds between are long, the pattern
    # from the second round on, and the copy of the first.
    of_second = (long_before[:-1] << shift) + (pattern << 1)
    of_first = copies.astype(np.int64) - (long_before[1:] << shift)
    for start in range(0, rounds, _BLOCK):
        packed = _Packed(words[start : start + _BLOCK], fields - 1)
        for m in range(1, most + 1, together):
            stop = min(start + _BLOCK, rounds - m - together + 1)
            if stop <= start:
                break
            classes = of_second[start + m : stop + m] + of_first[start:stop]
            least = int(classes.min()) >> shift
            classes -= least << shift
            sums = packed.sums(classes, together)
            for ahead, of_class in enumerate(sums):
                _add(loops, counts, m + ahead, least, of_class)
    # The last few rounds are not followed by a whole pattern.
    firsts, seconds = [], []
    for m in range(1, most + 1):
        whole = rounds - (m - (m - 1) % together) - together + 1
        firsts.append(np.arange(max(0, whole), rounds - m))
        seconds.append(firsts[-1] + m)
    if firsts:
        _add_one_by_one(
            loops, counts, words, copies, np.concatenate(firsts), np.concatenate(seconds)
        )
    turned = counts.reshape(longest + 1, 4, 2, fields).transpose(3, 2, 1, 0)
    return np.ascontiguousarray(turned)


class _Packed:
    """The bits of words, several to an integer, with room for sums in each field."""

    def __init__(self, words: NDArray[np.uint64], fields: int) -> None:
        self._words = words
        self._fields = fields
        self._width = 0
        self._columns: list[NDArray[np.int64]] = []

    def sums(self, classes: NDArray[np.int64], together: int) -> list[NDArray[np.int64]]:
        """For each of `together` consecutive m: [long rounds − least, long, copy, field]."""
        size = (int(classes.max()) >> (together + 1)) + 1
        shape = (size, 1 << together, 2)
        numbers = np.bincount(classes, minlength=size << (together + 1)).reshape(*shape, 1)
        all_numbers = _each(numbers, together)
        # No field of a sum that is unpacked exceeds the number of its class.
        self._pack(max(int(of_class.max()) for of_class in all_numbers).bit_length())
        totals = np.zeros((len(self._columns), size << (together + 1)), dtype=np.int64)
        for column, total in zip(self._columns, totals, strict=True):
            np.add.at(total, classes, column[: len(classes)])
        all_totals = _each(np.moveaxis(totals, 0, -1).reshape(*shape, len(totals)), together)
        return [
            np.concatenate([self._unpacked(total), number], axis=-1)
            for total, number in zip(all_totals, all_numbers, strict=True)
        ]

    def _pack(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        per_word = min(_WORD // width, _MOST_FIELDS)
        bits = np.arange(1 << per_word)
        spread = np.zeros(1 << per_word, dtype=np.int64)
        for field in range(per_word):
            spread |= (bits >> field & 1) << (field * width)
        mask = np.uint64((1 << per_word) - 1)
        kept = self._words & np.uint64((1 << self._fields) - 1)
        self._columns = [
            spread[((kept >> np.uint64(first)) & mask).astype(np.int64)]
            for first in range(0, self._fields, per_word)
        ]

    def _unpacked(self, totals: NDArray[np.int64]) -> NDArray[np.int64]:
        per_word = min(_WORD // self._width, _MOST_FIELDS)
        shifts = np.arange(per_word) * self._width
        apart = (totals[..., None] >> shifts) & ((1 << self._width) - 1)
        return apart.reshape(*totals.shape[:-1], -1)[..., : self._fields]


def _each(sums: NDArray[np.int64], together: int) -> list[NDArray[np.int64]]:
    """From [between, pattern, copy, …] to [between + long ones of the pattern, long, copy, …].

    For the m-th round of the pattern: what comes after it is summed over, it says `long`, and the
    long ones before it are added to those between.
    """
    found = []
    for ahead in reversed(range(together)):
        size, _, copies, columns = sums.shape
        before = sums.reshape(size, 2, 1 << ahead, copies, columns)
        for bit in reversed(range(ahead)):
            half = 1 << bit
            merged = np.zeros((before.shape[0] + 1, 2, half, copies, columns), dtype=np.int64)
            merged[:-1] = before[:, :, :half]
            merged[1:] += before[:, :, half:]
            before = merged
        found.append(before[:, :, 0])
        sums = sums[:, : 1 << ahead] + sums[:, 1 << ahead :]
    return found[::-1]


def _add(
    loops: Loops, counts: NDArray[np.int32], m: int, least: int, sums: NDArray[np.int64]
) -> None:
    """Add the sums for m at D = p·m + (q − p)·c, where c counts the second round, too."""
    gap = loops.q - loops.p
    longest = len(counts) - 1
    for long in range(2):
        for odd in range(2):
            between = least + long + odd
            apart = loops.p * m + gap * between
            of_these = sums[odd::2, long]
            number = min(len(of_these), (longest - apart) // (2 * gap) + 1)
            if number > 0:
                places = slice(apart, apart + 2 * gap * (number - 1) + 1, 2 * gap)
                counts[places, :, (m - between) & 1, long] += of_these[:number].astype(np.int32)


def _add_one_by_one(
    loops: Loops,
    counts: NDArray[np.int32],
    words: NDArray[np.uint64],
    copies: NDArray[np.uint8],
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
) -> None:
    long = (words >> np.uint64(loops.q)).astype(np.int64)
    ends = np.cumsum(np.where(long, loops.q, loops.p))
    apart = ends[seconds] - ends[firsts]
    near = apart < len(counts)
    apart, firsts, seconds = apart[near], firsts[near], seconds[near]
    place = ((apart * 2 + copies[firsts]) * 2 + (copies[firsts] ^ copies[seconds])) * 2
    place += long[seconds]
    flat = counts.reshape(-1, counts.shape[-1])
    # One field after the other; places can repeat.
    for field in range(loops.q + 1):
        chosen = place[(words[firsts] >> np.uint64(field) & np.uint64(1)).astype(np.bool_)]
        np.add.at(flat[:, field], chosen, 1)
    np.add.at(flat[:, loops.q + 1], place, 1)
