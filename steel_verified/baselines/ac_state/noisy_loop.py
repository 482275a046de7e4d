"""The same comparison on SinglePrime, where a coin decides at each step to show i or i'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines.ac_state.copies_gain import (
    Cells,
    error_bound,
    exponents,
    gains,
    logarithms,
)
from steel_verified.baselines.ac_state.log_sums import sign_of_array
from steel_verified.baselines.ac_state.noisy_pairs import count_noisy_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.baselines.ac_state.noisy_pairs import Noisy

_MEMORY: Final = 1 << 23
"""About so many numbers of each kind of count are held at once."""


def sign_of_noisy_gain(fit: Noisy, optimise: Noisy, most_lags: int) -> int:
    """The sign of the loss of φ_SP minus that of φ_DP for one K: −1 where AC-State is right."""
    seen, q = fit.half.seen, fit.half.loops.q
    lags = min(most_lags, seen - 1)
    logs = logarithms(fit.half.rounds)  # no two tuples of one lag and position share a round
    total, size = np.zeros(lags + 1), np.zeros(lags + 1)
    for before, distances, cells in _places(fit, optimise, lags):
        value = gains(cells, logs).value
        for target in range(q):
            shift = before - target
            some = _counted(shift, distances, lags)
            found = value[target, some.start - distances.start : some.stop - distances.start]
            total[some.start + shift : some.stop + shift] += found
            size[some.start + shift : some.stop + shift] += np.abs(found)
    summed = np.cumsum(total[1:])
    if abs(summed[-1]) > error_bound(seen, q**2, size[1:], summed)[-1]:
        return int(np.sign(summed[-1]))
    powers = np.zeros(len(logs), dtype=np.int64)
    for before, distances, cells in _places(fit, optimise, lags):
        times = np.zeros(cells.all.shape[1:], dtype=np.int64)
        for target in range(q):
            some = _counted(before - target, distances, lags)
            times[target, some.start - distances.start : some.stop - distances.start] = 1
        powers += exponents(cells, times, len(powers))
    return sign_of_array(powers)


def _places(fit: Noisy, optimise: Noisy, lags: int) -> Iterator[tuple[int, range, Cells]]:
    """For some distances D and a position of x_t: [cell, position of x_{t+k}, D]."""
    q = fit.half.loops.q
    few = max(1, _MEMORY // ((q + 1) * (q + 2)))
    for start in range(0, lags + q, few):
        distances = range(start, min(start + few, lags + q))
        fitted, judged = (count_noisy_pairs(noisy, distances) for noisy in (fit, optimise))
        for before in range(q):
            yield before, distances, Cells(*fitted.cells(before), *judged.cells(before))


def _counted(shift: int, distances: range, lags: int) -> range:
    """Those of the distances D that give a lag k = D + shift from 1 to the most."""
    return range(
        max(distances.start, 1 - shift),
        max(distances.start, 1 - shift, min(distances.stop, lags + 1 - shift)),
    )
