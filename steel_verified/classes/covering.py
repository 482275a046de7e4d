"""A greedy set cover: few conditions that together exclude all rows that must be excluded.

Boxes and conjunctions are both sets of conditions. The set of all conditions that hold on the ones
excludes the most zeros, but a classifier with few conditions generalises better to new rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def greedy_cover(excludes: NDArray[np.bool_]) -> list[tuple[int, NDArray[np.int64]]] | None:
    """Return few columns such that every row is true in one of them; None if a row is false in all.

    Each column is returned with the rows for which it was chosen. The next column is always the one
    that is true in the most remaining rows; if several are, the first of them.
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
