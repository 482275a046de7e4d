"""The multistep-inverse loss and the forward loss of any encoder, counting every tuple.

These are the definitions (l. 1705, 1725), and what the faster ways to count are held against. A
loss times the number of its tuples is a sum Σ e_m · log m with integers e_m: it is kept like that
where losses are compared exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.encoders import Encoder


@dataclass(frozen=True, slots=True)
class Data:
    """Half of a trajectory: x_0, …, x_n, and the actions taken at each but the last."""

    observations: NDArray[np.int64]
    actions: NDArray[np.int64]

    def __post_init__(self) -> None:
        if len(self.actions) != len(self.observations) - 1:
            expected = f"{len(self.observations) - 1}, one fewer than observations"
            raise InvalidArgument("actions", len(self.actions), expected)


def tuple_counts(data: Data, most_lags: int, observations: int, actions: int) -> NDArray[np.int64]:
    """How often each (x_t, a_t, x_{t+k}) occurs, as [k − 1, x, a, x'] for k ≤ most_lags."""
    shape = (observations, actions, observations)
    counts = np.zeros((most_lags, *shape), dtype=np.int64)
    for lag in range(1, min(most_lags, len(data.actions)) + 1):
        x, y = data.observations[:-lag], data.observations[lag:]
        codes = np.ravel_multi_index((x, data.actions[: len(x)], y), shape)
        counts[lag - 1] = np.bincount(codes, minlength=counts[0].size).reshape(shape)
    return counts


def encoded(counts: NDArray[np.int64], encoder: Encoder) -> NDArray[np.int64]:
    """The counts of (φ(x_t), a_t, φ(x_{t+k})), as [k − 1, s, a, s']."""
    merge = np.zeros((len(encoder), max(encoder) + 1), dtype=np.int64)
    merge[np.arange(len(encoder)), encoder] = 1
    firsts = np.tensordot(counts, merge, axes=(1, 0)).transpose(0, 3, 1, 2)
    both: NDArray[np.int64] = np.matmul(firsts, merge)
    return both


def inverse_exponents(
    fit: NDArray[np.int64], optimise: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """The multistep-inverse loss times the number of tuples, from counts [k − 1, s, a, s'].

    g(s, s', k)[a] = (fit + 1) / (sum of fit over actions + |A|): add-one smoothing (l. 1908).
    """
    return _exponents(fit, optimise, 2, size)


def forward_exponents(
    fit: NDArray[np.int64], optimise: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """The forward loss times the number of steps, from the same counts (only k = 1 matters).

    h(s, a)[s'] = (fit + 1) / (sum of fit over s' + |Range(φ)|): smoothed like g.
    """
    return _exponents(fit[:1], optimise[:1], 3, size)


def _exponents(
    fit: NDArray[np.int64], optimise: NDArray[np.int64], predicted: int, size: int
) -> NDArray[np.int64]:
    found = np.zeros(size, dtype=np.int64)
    np.add.at(found, fit + 1, -optimise)
    np.add.at(found, fit.sum(axis=predicted) + fit.shape[predicted], optimise.sum(axis=predicted))
    return found
