"""Sets of rows as sorted arrays: quick to merge and to compute with, and they can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from steel_verified.classes.numbers import Rows


@dataclass(frozen=True, slots=True, eq=False)
class Cloud:
    """The different rows of a dataset, in lexicographic order; `cloud` makes one."""

    rows: Rows

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cloud) and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash(self.rows.tobytes())

    def merged(self, other: Cloud) -> Cloud:
        """The rows of both."""
        if not len(self) or not len(other):
            return self if len(self) else other
        return cloud(np.concatenate([self.rows, other.rows]))

    def meets(self, other: Cloud) -> bool:
        """Whether some row is in both."""
        return len(self.merged(other)) < len(self) + len(other)


def cloud(rows: Rows) -> Cloud:
    """The set of these rows."""
    ordered = rows[np.lexsort(rows.T[::-1])]
    differs = np.ones(len(rows), dtype=np.bool_)
    differs[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    kept = ordered[differs]
    kept.setflags(write=False)
    return Cloud(kept)
