"""Counts how often each symbol was seen in each context, for many probes together.

A probe is a yes-or-no measurement of a row (`evidence/kept_rows.py`). Samples are sorted by
context, and the rows of each context are summed. Counts have the smallest integer type that can
represent the number of samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Samples sorted by context."""

    order: NDArray[np.int64]
    ends: tuple[int, ...]
    """The start of each context in this order, and the end of the last one."""

    @property
    def contexts(self) -> int:
        return len(self.ends) - 1

    def ones(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how often each probe is 1: an array [context, probe]."""
        kind = np.min_scalar_type(len(self.order))
        sorted_ = values.view(np.uint8)[self.order].astype(kind, copy=False)
        counted = np.empty((self.contexts, values.shape[1]), dtype=kind)
        # Separate sums are several times faster than `reduceat`, which goes down the columns.
        for into, (start, end) in zip(counted, pairwise(self.ends), strict=True):
            np.add.reduce(sorted_[start:end], axis=0, dtype=kind, out=into)
        return counted.astype(np.int64)

    def single(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how often each probe is 0 and 1: an array [context, 0 or 1, probe]."""
        ones = self.ones(values)
        sizes = np.diff(self.ends)
        return np.stack([sizes[:, None] - ones, ones], axis=1)

    def same(self, one: NDArray[np.bool_], other: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the joint counts of each probe in both: [context, 2·first + second, probe]."""
        return _table(self.single(one), self.single(other), self.ones(one & other))

    def joint(
        self, one: NDArray[np.bool_], other: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], ...]]:
        """Return the joint counts of all pairs of probes, and the pairs.

        If both arrays are the same, each pair is counted in one order only.
        """
        many = one.shape[1]
        first, second = np.triu_indices(many, 1) if one is other else _all_pairs(many)
        a, b = (each[self.order].astype(np.float32) for each in (one, other))
        both = np.stack([(a[i:j].T @ b[i:j])[first, second] for i, j in pairwise(self.ends)])
        of_one = self.single(one)
        of_other = of_one if one is other else self.single(other)
        both_seen = np.rint(both).astype(np.int64)
        return _table(of_one[:, :, first], of_other[:, :, second], both_seen), (first, second)


def grouped(contexts: NDArray[np.int64]) -> Grouped:
    """Sort samples by context; the order within a context is kept."""
    order = np.argsort(contexts, kind="stable")
    new = np.flatnonzero(np.diff(contexts[order])) + 1
    return Grouped(order, (0, *new.tolist(), len(order)))


def _all_pairs(many: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.indices((many, many))
    return first.reshape(-1), second.reshape(-1)


def _table(
    one: NDArray[np.int64], other: NDArray[np.int64], both: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the four counts of two events from the counts of each and of both together."""
    a, b = one[:, 1], other[:, 1]
    return np.stack([one[:, 0] - b + both, b - both, a - both, both], axis=1)
