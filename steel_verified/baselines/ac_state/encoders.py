"""What AC-State and ACDF return: the encoder of smallest range among those of least loss.

Encoders of finitely many observations are set partitions; all are candidates for up to ten of them
(l. 1886). The losses are counted here tuple by tuple, as they are defined (l. 1705, 1725).

With add-one smoothing, a loss times the number of its tuples is a sum Σ e_m · log m with integers
e_m. Losses are compared in floating point where that decides, and exactly elsewhere: the sum is
zero if and only if the product of all m^e_m is 1, which the prime factors tell.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
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
    if observations == 0:
        yield ()
        return
    for shorter in all_encoders(observations - 1):
        for output in range(outputs_of(shorter) + 1):
            yield (*shorter, output)


def outputs_of(encoder: Encoder) -> int:
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
    """The multistep-inverse loss times the number of tuples, from [k − 1, s, a, s'] (l. 1908)."""
    return _exponents(fit, optimise, 2, size)


def forward_exponents(
    fit: NDArray[np.int64], optimise: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """The forward loss times the number of steps, from the same counts (only k = 1 matters)."""
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
class _Loss:
    """The loss of an encoder, from its counts [k − 1, s, a, s']: rounded, and exactly."""

    fit: NDArray[np.int64]
    optimise: NDArray[np.int64]
    with_forward: bool

    @property
    def value(self) -> float:
        inverse = _rounded(self.fit, self.optimise, 2)
        return inverse + (_rounded(self.fit[:1], self.optimise[:1], 3) if self.with_forward else 0)

    def _exponents(self) -> Iterator[tuple[int, Fraction]]:
        size = int(self.fit.sum(axis=(1, 2, 3)).max()) + sum(self.fit.shape[1:3]) + 1
        parts = [(inverse_exponents(self.fit, self.optimise, size), int(self.optimise.sum()))]
        if self.with_forward:
            forward = forward_exponents(self.fit, self.optimise, size)
            parts.append((forward, int(self.optimise[0].sum())))
        for exponents, tuples in parts:
            for number in np.flatnonzero(exponents[2:]) + 2:
                yield int(number), Fraction(int(exponents[number]), tuples)

    def compared(self, other: _Loss, factor: Fraction = Fraction(1)) -> int:
        """The sign of this loss minus `factor` times the other."""
        difference: defaultdict[int, Fraction] = defaultdict(Fraction)
        for number, exponent in self._exponents():
            difference[number] += exponent
        for number, exponent in other._exponents():
            difference[number] -= factor * exponent
        common = lcm(*(exponent.denominator for exponent in difference.values()))
        return sign({number: int(exponent * common) for number, exponent in difference.items()})


def select(problem: Problem, candidates: Sequence[Encoder] | None = None) -> Encoder:
    """The encoder of smallest range, then of smallest loss, among those of least loss."""
    if candidates is None:
        if problem.observations > MOST_OBSERVATIONS:
            expected = f"at most {MOST_OBSERVATIONS}, or a list of candidates"
            raise InvalidArgument("observations", problem.observations, expected)
        candidates = sorted(all_encoders(problem.observations), key=outputs_of)
    fit, optimise = (
        tuple_counts(half, problem.most_lags, problem.observations, problem.actions)
        for half in (problem.fit, problem.optimise)
    )
    losses = [
        _Loss(encoded(fit, encoder), encoded(optimise, encoder), problem.with_forward)
        for encoder in candidates
    ]
    values = [loss.value for loss in losses]
    exact = cmp_to_key(_Loss.compared)
    lowest = min(values)
    judged = list(zip(candidates, losses, values, strict=True))
    least = min((loss for _, loss, v in judged if v <= lowest * (1 + _ROUNDING)), key=exact)
    limit = lowest * float(1 + problem.tolerance)
    near = [each for each in judged if each[2] <= limit * (1 + _ROUNDING)]
    accepted: list[tuple[Encoder, _Loss]] = []
    for encoder, loss, value in sorted(near, key=lambda each: outputs_of(each[0])):
        if accepted and outputs_of(accepted[0][0]) < outputs_of(encoder):
            break
        sure = value < limit * (1 - _ROUNDING)
        if sure or loss.compared(least, 1 + problem.tolerance) <= 0:
            accepted.append((encoder, loss))
    return min(accepted, key=lambda one: exact(one[1]))[0]


def _rounded(fit: NDArray[np.int64], optimise: NDArray[np.int64], predicted: int) -> float:
    chances = (fit + 1) / (fit.sum(axis=predicted, keepdims=True) + fit.shape[predicted])
    return float(-(optimise * np.log(chances)).sum() / optimise.sum())
