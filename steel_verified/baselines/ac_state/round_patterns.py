"""Sums over pairs of rounds that know a few rounds from the second on, taken apart by m.

Where several consecutive m share a pass, a class says which of the rounds m, m + 1, … after the
first are long: its pattern. With the first of them as the second round of the pair, these are the
sums for m; with the next one they are those for m + 1, and the round before it counts as one of the
rounds between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PatternSums:
    """Sums by pattern: bit i of a pattern is whether the i-th round from m on is long."""

    sums: NDArray[np.int32]
    """[pattern, copy, between, field]: the pattern; the copy of the first round; the long rounds
    between it and the first round of the pattern; what is summed."""

    @property
    def length(self) -> int:
        """Rounds of the pattern."""
        return len(self.sums).bit_length() - 1

    def by_second(self) -> list[NDArray[np.int32]]:
        """For each round of the pattern: the pairs with that one second, whatever comes after it.

        As [long, copy, between, field].
        """
        found, shorter = [], self
        while shorter.length:
            found.append(shorter._with_the_last_second())
            shorter = shorter._without_the_last()
        return found[::-1]

    def _by_last_round(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Those whose pattern ends in a short round, and in a long one; that round is left out."""
        half = len(self.sums) // 2
        return self.sums[:half], self.sums[half:]

    def _without_the_last(self) -> PatternSums:
        short, long = self._by_last_round()
        return PatternSums(short + long)

    def _with_the_last_second(self) -> NDArray[np.int32]:
        """The last round of the pattern says `long`; the others are added to `between`."""
        return np.stack([_counted_between(one) for one in self._by_last_round()])


def _counted_between(sums: NDArray[np.int32]) -> NDArray[np.int32]:
    """[pattern, copy, between, field] → [copy, between, field]: long rounds of the pattern count.

    Patterns are joined in pairs that differ in their last round only, until one is left.
    """
    while len(sums) > 1:
        half, copies, between, fields = len(sums) // 2, *sums.shape[1:]
        short, long = sums[:half], sums[half:]
        joined = np.zeros((half, copies, between + 1, fields), dtype=np.int32)
        joined[:, :, :-1] = short
        joined[:, :, 1:] += long  # one more long round between
        sums = joined
    return sums.reshape(sums.shape[1:])
