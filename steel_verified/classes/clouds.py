"""Clouds: finite sets of points, stored as sorted arrays of rows. They are fast to merge.

Example: `cloud(np.array([[2, 1], [0, 3], [2, 1]]))` is the set of the rows (0, 3) and (2, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from steel_verified.classes.numbers import Rows


@dataclass(frozen=True, slots=True, eq=False)
class Cloud:
    """The different rows of a dataset, in lexicographic order; made by the function `cloud`."""

    rows: Rows

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cloud) and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash(self.rows.tobytes())

    def merged(self, other: Cloud) -> Cloud:
        """Return the union of both sets."""
        if not len(self) or not len(other):
            return self if len(self) else other
        return cloud(np.concatenate([self.rows, other.rows]))

    def meets(self, other: Cloud) -> bool:
        """Return whether some row is in both sets."""
        return len(self.merged(other)) < len(self) + len(other)


def cloud(rows: Rows) -> Cloud:
    """Return the set of these rows."""
    ordered = rows[np.lexsort(rows.T[::-1])]
    differs = np.ones(len(rows), dtype=np.bool_)
    differs[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    kept = ordered[differs]
    kept.setflags(write=False)
    return Cloud(kept)
