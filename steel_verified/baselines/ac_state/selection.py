"""What AC-State and ACDF return: the encoder of smallest range among those of least loss.

All encoders are candidates, as in the tabular experiments of Levine et al., which is feasible for
up to ten observations (l. 1886). Losses are compared in floating point where that decides, else
exactly: equal losses are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import groupby
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines.ac_state.encoders import Encoder, all_encoders, outputs_of
from steel_verified.baselines.ac_state.log_sums import sign
from steel_verified.baselines.ac_state.losses import (
    Data,
    encoded,
    forward_exponents,
    inverse_exponents,
    tuple_counts,
)
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

MOST_OBSERVATIONS: Final = 10
_ROUNDING: Final = 1e-9
_BATCH: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Two halves of data, and how encoders are judged on them."""

    fit: Data
    optimise: Data
    observations: int
    actions: int
    most_lags: int
    with_forward: bool = False
    """ACDF rather than AC-State: the forward loss is added."""
    tolerance: Fraction = Fraction(0)
    """A loss counts as least if it exceeds the least by at most this share (Levine et al.: 0.1 %,
    l. 1905)."""


@dataclass(frozen=True, slots=True)
class _Counts:
    fit: NDArray[np.int64]
    optimise: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Loss:
    """Σ e_m · log m, exactly."""

    exponents: dict[int, Fraction]

    def compared(self, other: _Loss, factor: Fraction = Fraction(1)) -> int:
        """The sign of this loss minus `factor` times the other."""
        difference = dict(self.exponents)
        for number, exponent in other.exponents.items():
            difference[number] = difference.get(number, Fraction(0)) - factor * exponent
        common = lcm(*(exponent.denominator for exponent in difference.values()))
        return sign({number: int(exponent * common) for number, exponent in difference.items()})


def select(problem: Problem, candidates: Sequence[Encoder] | None = None) -> Encoder:
    """The encoder of smallest range whose loss counts as least.

    Of several, the one of smaller loss; of equal losses, the one that comes first.
    """
    if candidates is None:
        if problem.observations > MOST_OBSERVATIONS:
            expected = f"at most {MOST_OBSERVATIONS}, or a list of candidates"
            raise InvalidArgument("observations", problem.observations, expected)
        candidates = sorted(all_encoders(problem.observations), key=outputs_of)
    counts = _Counts(
        *(
            tuple_counts(half, problem.most_lags, problem.observations, problem.actions)
            for half in (problem.fit, problem.optimise)
        )
    )
    values = np.concatenate(list(_values(problem, counts, candidates)))
    exact = cmp_to_key(_Loss.compared)
    lowest = float(values.min())
    contenders = np.flatnonzero(values <= lowest * (1 + _ROUNDING)).tolist()
    least = min((_loss(problem, counts, candidates[n]) for n in contenders), key=exact)
    limit = lowest * float(1 + problem.tolerance)
    near = np.flatnonzero(values <= limit * (1 + _ROUNDING)).tolist()
    accepted: list[tuple[Encoder, _Loss]] = []
    for encoder, value in sorted(((candidates[n], values[n]) for n in near), key=_by_range):
        if accepted and outputs_of(accepted[0][0]) < outputs_of(encoder):
            break
        loss = _loss(problem, counts, encoder)
        if value < limit * (1 - _ROUNDING) or loss.compared(least, 1 + problem.tolerance) <= 0:
            accepted.append((encoder, loss))
    return min(accepted, key=lambda one: exact(one[1]))[0]


def _by_range(one: tuple[Encoder, float]) -> int:
    return outputs_of(one[0])


def _loss(problem: Problem, counts: _Counts, encoder: Encoder) -> _Loss:
    fit, optimise = encoded(counts.fit, encoder), encoded(counts.optimise, encoder)
    size = int(fit.sum()) + fit.shape[1] + fit.shape[2] + 1
    parts = [(inverse_exponents(fit, optimise, size), int(optimise.sum()))]
    if problem.with_forward:
        parts.append((forward_exponents(fit, optimise, size), int(optimise[0].sum())))
    found: dict[int, Fraction] = {}
    for exponents, tuples in parts:
        for number in np.flatnonzero(exponents[2:]) + 2:
            more = Fraction(int(exponents[number]), tuples)
            found[int(number)] = found.get(int(number), Fraction(0)) + more
    return _Loss(found)


def _values(
    problem: Problem, counts: _Counts, candidates: Sequence[Encoder]
) -> Iterator[NDArray[np.float64]]:
    """The losses in floating point, of many encoders with equally many outputs at a time."""
    for states, group in groupby(candidates, key=outputs_of):
        encoders = list(group)
        for start in range(0, len(encoders), _BATCH):
            batch = np.array(encoders[start : start + _BATCH])
            merge = (batch[..., None] == np.arange(states)).astype(np.float64)
            fit, optimise = (_merged(half, merge) for half in (counts.fit, counts.optimise))
            value = _mean_loss(fit, optimise, 3)
            if problem.with_forward:
                value += _mean_loss(fit[:, :1], optimise[:, :1], 4)
            yield value


def _merged(counts: NDArray[np.int64], merge: NDArray[np.float64]) -> NDArray[np.float64]:
    """[encoder, k − 1, s, a, s']."""
    lags, x, actions, _ = counts.shape
    batch, _, states = merge.shape
    seconds = np.tensordot(counts.astype(np.float64), merge, axes=(3, 1))
    seconds = seconds.transpose(3, 1, 0, 2, 4).reshape(batch, x, lags * actions * states)
    firsts: NDArray[np.float64] = np.matmul(merge.transpose(0, 2, 1), seconds)
    return firsts.reshape(batch, states, lags, actions, states).transpose(0, 2, 1, 3, 4)


def _mean_loss(
    fit: NDArray[np.float64], optimise: NDArray[np.float64], predicted: int
) -> NDArray[np.float64]:
    chances = (fit + 1) / (fit.sum(axis=predicted, keepdims=True) + fit.shape[predicted])
    losses: NDArray[np.float64] = -(optimise * np.log(chances)).sum(axis=(1, 2, 3, 4))
    losses /= optimise.sum(axis=(1, 2, 3, 4))
    return losses
