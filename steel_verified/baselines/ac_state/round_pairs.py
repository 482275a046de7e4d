"""Counting tuples (x_t, a_t, x_{t+k}) of DoublePrime by pairs of rounds, not of timesteps.

If one round ends D steps after another, then the observation b steps before the end of the first
and the one b' steps before the end of the second are D + b − b' apart, for all b and b'. So it is
enough to know, for each D, how many pairs of rounds end D steps apart and how often action 1 was
taken in each position of the first; all lags follow by shifting. Between the ends lie m rounds, c
of them long: D = p·m + (q − p)·c, and the copies are the same if and only if m − c is even.

Pairs of whole rounds are counted by transform or by classes, with equal results. Pairs with a cut
round are few and listed one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines.ac_state.round_classes import count_by_classes
from steel_verified.baselines.ac_state.round_transform import MOST_ROUNDS, count_by_transform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Half, Loops

_SHORT: Final = 12 * 10**8
"""Up to this many steps times q³ the transform is the faster way (measured)."""


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
    """Pairs of whole rounds, as [field, long, cell, D] (see round_classes)."""
    from_first: CutPairs
    """The first round with each one that is not the last."""
    to_last: CutPairs
    """Each round with the last."""
    last_visited: int
    """Bit b: whether the last round was seen b steps before its end."""

    def cells(
        self, before: int, *, long_only: bool, with_last: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For a position of the first round: pairs with action 1 there, and all, as [cell, D].

        The second round must be long if `long_only`, and can be the last if `with_last`.
        """
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
    if half.seen * loops.q**3 <= _SHORT and half.rounds <= MOST_ROUNDS:
        whole = count_by_transform(loops, words, half.copies[middle], half.ends[middle], longest)
    else:
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
