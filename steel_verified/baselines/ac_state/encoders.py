"""What AC-State and ACDF return: the encoder of smallest range among those of least loss.

Encoders of finitely many observations are set partitions. All of them are candidates, as in the
tabular experiments of Levine et al., which is feasible for up to ten observations (l. 1886). The
losses are counted here tuple by tuple, as they are defined (l. 1705, 1725); the faster ways to
count are tested against this.

With add-one smoothing, a loss times the number of its tuples is a sum Σ e_m · log m with integers
e_m. Losses are compared in floating point where that decides, and exactly elsewhere: the sum is
zero if and only if the product of all m^e_m is 1, which the prime factors tell, and if it is not
zero, a sufficiently fine enclosure tells its sign.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import groupby
from math import lcm
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from flint import arb, fmpz

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import floor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray


def sign(exponents: Mapping[int, int]) -> int:
    """The sign of Σ e_m · log m, given m ↦ e_m: −1, 0 or 1."""
    of_primes: Counter[int] = Counter()
    for number, exponent in exponents.items():
        if exponent:
            for prime, power in fmpz(number).factor():
                of_primes[int(prime)] += power * exponent
    left = {prime: exponent for prime, exponent in of_primes.items() if exponent}
    if not left:
        return 0

    def value() -> arb:
        return sum((exponent * arb(prime).log() for prime, exponent in left.items()), arb(0))

    # The sum is no integer n: else eⁿ would be rational. So its floor is decided in the end.
    return 1 if floor(value) >= 0 else -1


def sign_of_array(exponents: NDArray[np.int64]) -> int:
    """The same, with e_m at index m; what is at index 0 and 1 does not matter."""
    numbers = exponents.nonzero()[0]
    return sign({int(m): int(exponents[m]) for m in numbers if m > 1})


Encoder: TypeAlias = tuple[int, ...]
"""φ: the output for each observation. Outputs are 0, 1, 2, … in order of their first use."""


def all_encoders(observations: int) -> Iterator[Encoder]:
    """Every encoder once; as many as there are set partitions (a Bell number)."""
    if observations == 0:
        yield ()
        return
    for shorter in all_encoders(observations - 1):
        for output in range(outputs_of(shorter) + 1):
            yield (*shorter, output)


def outputs_of(encoder: Encoder) -> int:
    """|Range(φ)|."""
    return max(encoder, default=-1) + 1


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
