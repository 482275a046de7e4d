"""A greedy cover: few conditions that together exclude everything that must be excluded.

Boxes and conjunctions are both sets of conditions. All conditions that the ones meet exclude as
many zeros as can be excluded, but a classifier with few of them is more often right on new rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def greedy_cover(excludes: NDArray[np.bool_]) -> list[tuple[int, NDArray[np.int64]]] | None:
    """Few columns such that every row is true in one of them, or None if a row is false in all.

    Each column comes with the rows for which it was chosen. The next column is the one that is true
    in most rows that are left, the first one of several.
    """
    if not excludes.any(axis=1).all():
        return None
    chosen = []
    left = np.arange(len(excludes))
    while len(left):
        column = int(excludes[left].sum(axis=0).argmax())
        covered = excludes[left, column]
        chosen.append((column, left[covered]))
        left = left[~covered]
    return chosen
