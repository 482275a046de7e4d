"""A learner without proof, for tests: a perceptron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.fitted import Values

MOST_PASSES: Final = 400


def _above(weights: NDArray[np.float64]) -> Values:
    return lambda rows: np.asarray(rows @ weights[:-1] + weights[-1] > 0)


def perceptron(zeros: NDArray[np.float64], ones: NDArray[np.float64]) -> Values | None:
    """Move the weights towards all misclassified rows until there are none."""
    rows = np.concatenate([zeros, ones])
    rows = np.column_stack([rows, np.ones(len(rows))])
    sides = np.repeat([-1.0, 1.0], [len(zeros), len(ones)])
    weights = np.append(ones.mean(axis=0) - zeros.mean(axis=0), 0.0)
    for _ in range(MOST_PASSES):
        wrong = sides * (rows @ weights) <= 0
        if not wrong.any():
            return _above(weights)
        weights = weights + (sides[wrong, None] * rows[wrong]).mean(axis=0)
    return None
