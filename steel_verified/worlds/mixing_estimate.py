"""An estimate (not a bound) of the mixing time, from observations while states repeat."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.worlds.chains import MIXED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Declared

_MOST_LAGS: Final = 60
_SURE: Final = 3.0
"""An autocorrelation within this many standard deviations of 0 counts as 0."""


@dataclass(frozen=True, slots=True)
class MixingEstimate:
    """How noise mixed while one action was repeated and the state recurred every `period` steps.

    Each feature that varied is modelled as a two-state chain, independent of the others.
    """

    action: int
    period: int
    varying: int
    """How many features varied although the state was the same."""
    steps: int | None
    """The estimate of t_mix; None if the noise is too slow for the walk to tell."""
    autocorrelation: tuple[float, ...]
    """Autocorrelations of the slowest feature, at lags of 1, 2, … periods."""


def estimated(action: int, period: int, features: NDArray[np.bool_]) -> MixingEstimate:
    """The estimate from repeating one action, if the state recurs with this period.

    `features` has the observations, one row for each step.
    """
    rows = features.astype(np.float64)
    rows = rows[: len(rows) // period * period].reshape(-1, period, rows.shape[1])
    centred = rows - rows.mean(axis=0)
    varying = np.flatnonzero((centred**2).sum(axis=(0, 1)))
    if not len(varying):
        return MixingEstimate(action, period, 0, 1, ())
    first = _correlation(centred[:, :, varying], 1)
    shares = rows.mean(axis=(0, 1))[varying]
    most = np.maximum(shares, 1 - shares)
    unclear = _SURE / sqrt(len(rows) * period)
    rates = np.where(np.abs(first) < unclear, 0.0, np.abs(first))
    slowest = centred[:, :, [varying[int(np.argmax(rates))]]]
    lags = range(1, min(_MOST_LAGS, len(rows) // 4) + 1)
    return MixingEstimate(
        action=action,
        period=period,
        varying=len(varying),
        steps=_steps(rates, most, period, len(rows)),
        autocorrelation=tuple(float(_correlation(slowest, lag)[0]) for lag in lags),
    )


def probes(packed: Sequence[bytes], declared: Declared) -> NDArray[np.bool_]:
    """The entries of rows as bits: a number counts as 1 if it is above its median."""
    rows = _rows(packed, declared)
    above: NDArray[np.bool_] = rows > (0 if declared.entries == "bits" else np.median(rows, axis=0))
    return above


def varying_features(packed: Sequence[bytes], declared: Declared) -> int:
    """How many features took more than one value."""
    rows = _rows(packed, declared)
    return int(np.count_nonzero(rows.min(axis=0) != rows.max(axis=0)))


def _rows(packed: Sequence[bytes], declared: Declared) -> NDArray[np.uint8 | np.int64 | np.float64]:
    held = np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), -1)
    if declared.entries == "bits":
        return np.unpackbits(held, axis=1, count=declared.width, bitorder="little")
    return held.view(np.int64 if declared.entries == "int64" else np.float64)


def _correlation(centred: NDArray[np.float64], lag: int) -> NDArray[np.float64]:
    """The autocorrelation of each feature, over all phases of the period."""
    products = (centred[lag:] * centred[:-lag]).sum(axis=(0, 1))
    correlation: NDArray[np.float64] = products / (centred**2).sum(axis=(0, 1))
    return correlation


def _steps(
    rates: NDArray[np.float64], most: NDArray[np.float64], period: int, repeats: int
) -> int | None:
    """The first time at which the distances from stationarity sum to at most 1/4."""
    for passes in range(1, repeats // 4 + 1):
        if float((most * rates**passes).sum()) <= float(MIXED):
            return passes * period
    return None
