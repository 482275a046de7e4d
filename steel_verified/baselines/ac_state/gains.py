"""Whether telling i from i' pays: the loss of φ_SP minus that of φ_DP, for every K at once.

Both losses are sums over the same tuples of the optimisation half. Each position pair and lag is
one cell for φ_SP and four for φ_DP (the copies of both observations); AC-State returns φ_DP if the
gains of all cells with k ≤ K add up to more than 0. Cells with equal counts have equal gains, so
they are computed for each distance D of rounds (see round_pairs) and shifted to the lags.

Sums are in floating point with a bound of the error; where that does not decide, they are exact.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from steel_verified.baselines.ac_state.encoders import sign_of_array
from steel_verified.baselines.ac_state.noisy_pairs import Noisy, count_noisy_pairs
from steel_verified.baselines.ac_state.round_pairs import PairCounts, count_pairs
from steel_verified.baselines.ac_state.trajectories import (
    Half,
    Loops,
    Policy,
    coins,
    start_of,
    walk,
)
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.protocol import Protocol, Stage
    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row

_UNIT: Final = 2.0**-53
_TINY: Final = 2.0**-900


class Cells(NamedTuple):
    """Tuples of some position pairs: [cell, place]; the four cells are what φ_SP takes as one."""

    fit_ones: NDArray[np.int64]
    fit_all: NDArray[np.int64]
    ones: NDArray[np.int64]
    all: NDArray[np.int64]


def gains(cells: Cells, logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How much better four cells predict the optimisation half than one does, at each place.

    The second array tells where the gain is zero because the four cells have equal counts.
    """
    merged = Cells(*(counts.sum(axis=0) for counts in cells))
    value = _log_likelihood(cells, logs).sum(axis=0) - _log_likelihood(merged, logs)
    same = (cells.fit_ones == merged.fit_ones) & (cells.fit_all == merged.fit_all)
    return value, (same | (cells.all == 0)).all(axis=0)


def _log_likelihood(cells: Cells, logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the actions, predicted by the fitting half with add-one smoothing (l. 1908)."""
    fit_zeros, zeros = cells.fit_all - cells.fit_ones, cells.all - cells.ones
    found: NDArray[np.float64] = cells.ones * logs[cells.fit_ones + 1]
    found += zeros * logs[fit_zeros + 1]
    found -= cells.all * logs[cells.fit_all + 2]
    return found


def logarithms(most: int) -> NDArray[np.float64]:
    """log m at index m, for all m that counts up to `most` can be after smoothing."""
    return np.log(np.maximum(np.arange(most + 3), 1))


def exponents(cells: Cells, times: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The gains as Σ e_m · log m: e_m at index m, each place counted so many times."""
    found = np.zeros(size, dtype=np.int64)
    merged = Cells(*(counts.sum(axis=0, keepdims=True) for counts in cells))
    for one, weight in ((cells, times), (merged, -times)):
        fit_zeros, zeros = one.fit_all - one.fit_ones, one.all - one.ones
        np.add.at(found, one.fit_ones + 1, one.ones * weight)
        np.add.at(found, fit_zeros + 1, zeros * weight)
        np.add.at(found, one.fit_all + 2, -one.all * weight)
    return found


def signs_of_gain(fit: PairCounts, optimise: PairCounts, most_lags: int) -> NDArray[np.int8]:
    """For K = 1, 2, …: the sign of the gain, 1 where φ_DP has the smaller loss, 0 on a tie."""
    if fit.seen != optimise.seen or fit.whole.shape != optimise.whole.shape:
        raise InvalidArgument("optimise", optimise.seen, f"{fit.seen} observations, as in fit")
    lags = min(most_lags, optimise.seen - 1)
    logs = _logarithms(fit)
    total, size = np.zeros(lags + 1), np.zeros(lags + 1)
    for before, targets, cells in _position_pairs(fit, optimise):
        value, trivial = gains(cells, logs)
        weight = np.where(trivial, 0.0, np.abs(value) + _TINY)
        for target in targets:
            shift = before - target
            some = _counted(shift, range(len(weight)), lags)
            total[some.start + shift : some.stop + shift] += value[some.start : some.stop]
            size[some.start + shift : some.stop + shift] += weight[some.start : some.stop]
    summed = np.cumsum(total[1:])
    signs = np.sign(summed).astype(np.int8)
    for index in np.flatnonzero(
        np.abs(summed) <= error_bound(fit.seen, fit.loops.q**2, size[1:], summed)
    ):
        if size[index + 1]:
            signs[index] = _exact_sign(fit, optimise, int(index) + 1)
        else:
            signs[index] = signs[index - 1] if index else 0
    return signs


def _position_pairs(
    fit: PairCounts, optimise: PairCounts
) -> Iterator[tuple[int, list[int], Cells]]:
    """A position of the first round, and those positions of the second that have the same cells."""
    loops = fit.loops
    alike: defaultdict[tuple[bool, bool, bool], list[int]] = defaultdict(list)
    for target in range(loops.q):
        in_fit, in_optimise = (bool(half.last_visited >> target & 1) for half in (fit, optimise))
        alike[target >= loops.p, in_fit, in_optimise].append(target)
    for before in range(loops.q):
        for (long_only, in_fit, in_optimise), targets in alike.items():
            fitted = fit.cells(before, long_only=long_only, with_last=in_fit)
            judged = optimise.cells(before, long_only=long_only, with_last=in_optimise)
            yield before, targets, Cells(*fitted, *judged)


def error_bound(
    seen: int, pairs: int, size: NDArray[np.float64], summed: NDArray[np.float64]
) -> NDArray[np.float64]:
    """No sum over the lags up to K, as computed, is further from the true one than this.

    A tuple adds a difference of two logarithms, each at most log(n + 2), with an error of at most
    16 units; then come the sums over position pairs, of absolute values `size`, and over the lags.
    A factor 2 covers the errors of the bound itself.
    """
    lags = np.arange(1, len(size) + 1)
    bound = np.cumsum(seen - lags, dtype=np.float64)
    bound *= 64 * log(seen + 2)
    bound += pairs * np.cumsum(size)
    bound += np.cumsum(np.abs(summed))
    bound *= 2 * _UNIT
    return bound


def _exact_sign(fit: PairCounts, optimise: PairCounts, most_lags: int) -> int:
    size = len(_logarithms(fit))
    found = np.zeros(size, dtype=np.int64)
    for before, targets, cells in _position_pairs(fit, optimise):
        apart = np.arange(cells.all.shape[1])
        times = np.zeros_like(apart)
        for target in targets:
            lag = apart + (before - target)
            times += (lag >= 1) & (lag <= most_lags)
        found += exponents(cells, times, size)
    return sign_of_array(found)


def _logarithms(fit: PairCounts) -> NDArray[np.float64]:
    return logarithms(int(fit.whole[-1].sum(axis=(0, 1)).max()) + 2)


_MEMORY: Final = 1 << 23
"""About so many numbers of each kind of count are held at once."""


def sign_of_noisy_gain(fit: Noisy, optimise: Noisy, most_lags: int) -> int:
    """The sign of the loss of φ_SP minus that of φ_DP for one K: −1 where AC-State is right."""
    seen, q = fit.half.seen, fit.half.loops.q
    lags = min(most_lags, seen - 1)
    logs = logarithms(fit.half.rounds)  # no two tuples of one lag and position share a round
    total, size = np.zeros(lags + 1), np.zeros(lags + 1)
    for before, distances, cells in _places(fit, optimise, lags):
        value, _ = gains(cells, logs)
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
    return range(
        max(distances.start, 1 - shift),
        max(distances.start, 1 - shift, min(distances.stop, lags + 1 - shift)),
    )


_STAGES: Final[tuple[Stage, ...]] = ("search", "test", "single")
_POLICIES: Final[tuple[Policy, ...]] = ("uniform", "exploration")


def judged(protocol: Protocol, stage: Stage, length: int, lags: int, batch: range) -> Row:
    """What AC-State returns on some of the trajectories.

    In a search, intervals of the K for which φ_DP has the smaller loss ("right") or an exact tie
    ("tied"); otherwise the signs of the loss of φ_SP minus that of φ_DP.
    """
    if stage == "single":
        return {"signs": [_single(protocol, length, lags, index) for index in batch]}
    signs = []
    for index in batch:
        halves = _halves(protocol, stage, length, index, copies=2)
        fit, optimise = (count_pairs(half, lags) for half in halves)
        signs.append(signs_of_gain(fit, optimise, lags))
    if stage == "test":
        return {"signs": [int(of_all[-1]) for of_all in signs]}
    return {
        "trajectories": [
            {
                "lags": len(of_all),
                "right": intervals(of_all > 0),
                "tied": intervals(of_all == 0),
            }
            for of_all in signs
        ]
    }


def intervals(chosen: NDArray[np.bool_]) -> list[Json]:
    """The K (from 1 on) that are chosen, as pairs (first, last)."""
    edges = np.flatnonzero(np.diff(chosen.astype(np.int8), prepend=0, append=0)).tolist()
    return [[first + 1, after] for first, after in zip(edges[::2], edges[1::2], strict=True)]


def _single(protocol: Protocol, length: int, lags: int, index: int) -> int:
    seed = _seed(protocol, "single", length, index)
    fit, optimise = (
        Noisy(half, coins(half, (*seed, 3 + part)))
        for part, half in enumerate(_halves(protocol, "single", length, index, copies=1))
    )
    return sign_of_noisy_gain(fit, optimise, lags)


def _halves(
    protocol: Protocol, stage: Stage, length: int, index: int, copies: int
) -> Iterator[Half]:
    """The two halves, one after the other, so that the first can be given up before the second."""
    loops = Loops(*protocol.pair, copies)
    seed = _seed(protocol, stage, length, index)
    start = start_of(loops, (*seed, 0))
    for part in (1, 2):
        half = walk(protocol.policy, loops, start, length // 2, (*seed, part))
        start = half.last
        yield half


def _seed(protocol: Protocol, stage: Stage, length: int, index: int) -> tuple[int, ...]:
    policy = _POLICIES.index(protocol.policy)
    return (*protocol.pair, policy, _STAGES.index(stage), length, index, protocol.repeat)
