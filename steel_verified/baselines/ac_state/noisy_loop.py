"""The same comparison on SinglePrime, where a coin decides at each step whether i or i' is shown.

Now no two tuples can be counted together: the coins of both observations are fresh. But the counts
of all lags are correlations of sequences of zeros and ones (one for each observation and action),
and Fourier transforms give them exactly, as in round_transform.
"""

from __future__ import annotations

from dataclasses import dataclass
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
from steel_verified.baselines.ac_state.round_transform import transform_size
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Half

_MEMORY: Final = 1 << 24
"""About so many numbers are held at once."""
_OF_ONE: Final = float(1 << 22)


@dataclass(frozen=True, slots=True)
class Noisy:
    """Half of a trajectory of SinglePrime, and the coins: bit b for b steps before the end."""

    half: Half
    coins: NDArray[np.uint64]

    def unrolled(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """At each time: the steps before 0, the coin, and the action."""
        rounds, before, actions = self.half.unrolled()
        coins = (self.coins[rounds] >> before.astype(np.uint64)) & np.uint64(1)
        return before, coins.astype(np.int64), actions

    def observations(self) -> NDArray[np.int64]:
        """x_t: i, or q + i for i'."""
        before, coins, _ = self.unrolled()
        return -before % self.half.loops.q + self.half.loops.q * coins


def sign_of_noisy_gain(fit: Noisy, optimise: Noisy, most_lags: int) -> int:
    """The sign of the loss of φ_SP minus that of φ_DP for one K: −1 where AC-State is right."""
    seen, q = fit.half.seen, fit.half.loops.q
    lags = min(most_lags, seen - 1)
    logs = logarithms(seen)
    total, size = np.zeros(lags), np.zeros(lags)
    for cells in _cells(fit, optimise, lags):
        found = gains(cells, logs)
        total += found.value.sum(axis=0)
        size += np.abs(found.value).sum(axis=0)
    summed = np.cumsum(total)
    if abs(summed[-1]) > error_bound(seen, q**2, size, summed)[-1]:
        return int(np.sign(summed[-1]))
    powers = np.zeros(len(logs), dtype=np.int64)
    for cells in _cells(fit, optimise, lags):
        powers += exponents(cells, np.ones(cells.all.shape[1:], dtype=np.int64), len(powers))
    return sign_of_array(powers)


def _cells(fit: Noisy, optimise: Noisy, lags: int) -> Iterator[Cells]:
    """For a few positions of x_t at a time: [cell, position pair, k − 1]."""
    q = fit.half.loops.q
    few = max(1, _MEMORY // (4 * q * transform_size(4 * lags)))
    for first in range(0, q, few):
        number = min(few, q - first)
        parts = []
        for noisy in (fit, optimise):
            before, coins, actions = noisy.unrolled()
            codes = 2 * before + coins
            near = (before >= first) & (before < first + number)
            of_first = np.where(near, codes - 2 * first, -1)
            zeros, ones = lag_counts(of_first, 2 * number, actions, codes, 2 * q, lags)
            for counts in (ones, zeros + ones):
                split = counts.reshape(number, 2, q, 2, lags).transpose(1, 3, 0, 2, 4)
                parts.append(split.reshape(4, number * q, lags))
        yield Cells(*parts)


def lag_counts(
    firsts: NDArray[np.int64],
    first_codes: int,
    actions: NDArray[np.int64],
    seconds: NDArray[np.int64],
    second_codes: int,
    lags: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often code j comes k steps after code i with action 0, and with 1: [i, j, k − 1].

    Negative codes count nowhere. Both actions share a transform, action 1 in units of 2²²: no code
    may occur more often.
    """
    if (often := int(np.bincount(firsts[firsts >= 0], minlength=1).max())) >= _OF_ONE:
        raise InvalidArgument("firsts", f"{often} times the same code", "fewer than 2²²")
    size = transform_size(4 * lags)
    weights = np.where(actions, _OF_ONE, 1.0)
    total = np.zeros((first_codes, second_codes, size // 2 + 1), dtype=np.complex128)
    for start in range(0, len(firsts), size - lags):
        early, late = firsts[start : start + size - lags], seconds[start : start + size]
        there = np.flatnonzero(early >= 0)
        ours, theirs = np.zeros((first_codes, size)), np.zeros((second_codes, size))
        ours[early[there], there] = weights[start + there]
        theirs[late, np.arange(len(late))] = 1
        of_second = np.fft.rfft(theirs)
        for code, of_first in enumerate(np.fft.rfft(ours).conj()):
            total[code] += of_first * of_second
    both = np.rint(np.fft.irfft(total, size)[..., 1 : lags + 1]).astype(np.int64)
    return both & (int(_OF_ONE) - 1), both >> int(_OF_ONE).bit_length() - 1
