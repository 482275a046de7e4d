"""For two finite sets of points: a separating half-space, or a common point of the convex hulls.

Exactly one of the two exists. Cheap candidates are tried first, in floating point: the direction
between the means, least squares, a linear program. A candidate proves nothing by itself. It is
rounded to integers or solved in fractions, and then checked exactly on the points. If no candidate
passes the check, the simplex method decides in fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat

from steel_verified.classes.half_spaces import HalfSpace, Lifted
from steel_verified.errors import missing_extra

try:
    from scipy.optimize import linprog
except ImportError as _missing:
    raise missing_extra("linear", _missing) from _missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


Exact: TypeAlias = tuple[Fraction, ...]

_FINEST: Final = 48
_NEGLIGIBLE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Mixture:
    """A convex combination of points: the weights are not negative and sum to 1."""

    points: tuple[Exact, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """A common point of two convex hulls: a convex combination of zeros that equals one of ones."""

    zeros: Mixture
    ones: Mixture


def _exact(point: Lifted) -> Exact:
    return tuple(Fraction(x, point[-1]) for x in point[:-1])


def separated(zeros: Sequence[Lifted], ones: Sequence[Lifted]) -> HalfSpace | Meeting:
    """Return a half-space or a common point of two nonempty sets; either one is proved."""
    if common := set(zeros) & set(ones):
        return _meeting([(min(common), Fraction(1))], [(min(common), Fraction(1))])
    for candidate in _guessed(_Scaled.of(zeros, ones)):
        if all(map(candidate.has, ones)) and not any(map(candidate.has, zeros)):
            return candidate
    return _guessed_meeting(zeros, ones) or decided(zeros, ones)


# --- guesses in floating point --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scaled:
    """The points in floating point, each feature shifted and scaled into [−1, 1]."""

    zeros: NDArray[np.float64]
    ones: NDArray[np.float64]
    middle: NDArray[np.float64]
    scale: NDArray[np.float64]
    """The scales are powers of two."""

    @staticmethod
    def of(zeros: Sequence[Lifted], ones: Sequence[Lifted]) -> _Scaled:
        points = np.array([[x / point[-1] for x in point[:-1]] for point in (*zeros, *ones)])
        with np.errstate(all="ignore"):  # an overflow is not finite, and then no candidate is made
            least, greatest = points.min(axis=0), points.max(axis=0)
            width = np.where(greatest > least, greatest - least, 1.0)
            scale = np.exp2(np.ceil(np.log2(width)))
            # A multiple of an eighth of the scale, which needs few bits.
            middle = np.round((least / 2 + greatest / 2) / scale * 8) * (scale / 8)
            points = (points - middle) / scale
        return _Scaled(points[: len(zeros)], points[len(zeros) :], middle, scale)

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.zeros).all() and np.isfinite(self.ones).all())


def _guessed(scaled: _Scaled) -> Iterator[HalfSpace]:
    """Yield half-spaces that may separate, the cheapest candidates first."""
    if not scaled.is_finite:
        return
    for direction in (_between_means, _least_squares, _widest_gap):
        weights = direction(scaled)
        below, above = (scaled.zeros @ weights).max(), (scaled.ones @ weights).min()
        if below < above:
            # Half of the gap becomes 1, so that rounding to integers rarely changes a side.
            unit = (above - below) / 2
            yield from _rounded(weights / unit, -(below + above) / 2 / unit, scaled)


def _between_means(scaled: _Scaled) -> NDArray[np.float64]:
    direction: NDArray[np.float64] = scaled.ones.mean(axis=0) - scaled.zeros.mean(axis=0)
    return direction


def _least_squares(scaled: _Scaled) -> NDArray[np.float64]:
    """Return the direction of the best linear fit of −1 on the zeros and 1 on the ones."""
    points, sides = _labelled(scaled)
    table = np.column_stack([points, np.ones(len(points))])
    solved = np.linalg.lstsq(table, sides, rcond=None)[0]
    return solved[:-1].astype(np.float64)


def _widest_gap(scaled: _Scaled) -> NDArray[np.float64]:
    """Return the weights in [−1, 1] with the widest gap: max t with side·(w·x + b) ≥ t."""
    points, sides = _labelled(scaled)
    n = points.shape[1]
    table = np.column_stack([-sides[:, None] * points, -sides, np.ones(len(points))])
    found = linprog(
        np.array([0.0] * (n + 1) + [-1.0]),
        A_ub=table,
        b_ub=np.zeros(len(points)),
        bounds=[(-1, 1)] * n + [(None, None)] * 2,
    )
    return np.zeros(n) if found.x is None else found.x[:n]


def _labelled(scaled: _Scaled) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return all points, and −1 (zero) or 1 (one) for each."""
    sides = np.repeat([-1.0, 1.0], [len(scaled.zeros), len(scaled.ones)])
    return np.concatenate([scaled.zeros, scaled.ones]), sides


def _rounded(weights: NDArray[np.float64], bias: float, scaled: _Scaled) -> Iterator[HalfSpace]:
    """Yield the half-space in the original features, with its weights rounded ever more finely."""
    if not (np.isfinite(weights).all() and np.isfinite(bias)):
        return
    for fineness in range(0, _FINEST, 4):
        whole = [
            round(weight * 2**fineness) / Fraction(scale)
            for weight, scale in zip(weights.tolist(), scaled.scale.tolist(), strict=True)
        ]
        moved = sum(w * Fraction(m) for w, m in zip(whole, scaled.middle.tolist(), strict=True))
        yield _as_integers(whole, round(float(bias) * 2**fineness) - moved)


def _as_integers(weights: Sequence[Fraction], bias: Fraction | int) -> HalfSpace:
    """Return the same half-space with the smallest integers."""
    numbers = (*weights, Fraction(bias))
    common = lcm(*(number.denominator for number in numbers))
    whole = [int(number * common) for number in numbers]
    divisor = gcd(*whole) or 1
    return HalfSpace(tuple(w // divisor for w in whole[:-1]), whole[-1] // divisor)


# --- common points --------------------------------------------------------------------------------


def _equations(zeros: Sequence[Lifted], ones: Sequence[Lifted]) -> tuple[list[Lifted], list[int]]:
    """Return columns and a goal: common points are nonnegative combinations of columns = goal.

    A weight w on the column of a point with denominator d means a weight w·d on the point.
    """
    columns = [(*point, 0) for point in ones]
    columns += [(*(-x for x in point[:-1]), 0, point[-1]) for point in zeros]
    return columns, [0] * (len(ones[0]) - 1) + [1, 1]


def _guessed_meeting(zeros: Sequence[Lifted], ones: Sequence[Lifted]) -> Meeting | None:
    """Return a common point found by a linear program if its weights can be made exact, or None."""
    scaled = _Scaled.of(zeros, ones)
    if not scaled.is_finite:
        return None
    sides = np.repeat([[1.0, 0.0], [0.0, 1.0]], [len(ones), len(zeros)], axis=0)
    table = np.column_stack([np.concatenate([scaled.ones, -scaled.zeros]), sides]).T
    found = linprog(
        np.zeros(table.shape[1]),
        A_eq=table,
        b_eq=np.array([0.0] * scaled.ones.shape[1] + [1.0, 1.0]),
        bounds=(0, None),
        method="highs-ds",
    )
    if found.x is None:
        return None
    columns, goal = _equations(zeros, ones)
    used = [i for i, weight in enumerate(found.x.tolist()) if weight > _NEGLIGIBLE]
    weights = _solved([columns[i] for i in used], goal)
    if weights is None or min(weights) < 0:
        return None
    return _meeting_of(dict(zip(used, weights, strict=True)), zeros, ones)


def _solved(columns: Sequence[Lifted], goal: Sequence[int]) -> list[Fraction] | None:
    """Return exact weights with Σ weight·column = goal, or None if none or not unique."""
    rows = [[column[i] for column in columns] + [wanted] for i, wanted in enumerate(goal)]
    reduced, rank = fmpq_mat(rows).rref()
    last = len(columns)
    independent = rank == last and all(reduced[i, i] == 1 for i in range(last))
    if not independent:
        return None
    return [Fraction(int(reduced[i, last].p), int(reduced[i, last].q)) for i in range(last)]


def decided(zeros: Sequence[Lifted], ones: Sequence[Lifted]) -> HalfSpace | Meeting:
    """Return either answer by the simplex method in fractions: slow, but it always decides."""
    columns, goal = _equations(zeros, ones)
    found = nonnegative_solution(columns, goal)
    if not isinstance(found, Infeasible):
        return _meeting_of(found, zeros, ones)
    # With y = (u, p, q): −u·x ≥ p on the ones, −u·x ≤ −q on the zeros, and p + q > 0.
    *u, p, q = found.multipliers
    return _as_integers([-x for x in u], (q - p) / 2)


def _meeting_of(
    weights: dict[int, Fraction], zeros: Sequence[Lifted], ones: Sequence[Lifted]
) -> Meeting:
    """Return the common point given by these weights on columns."""
    points = [*ones, *zeros]
    used = [(i, points[i], w * points[i][-1]) for i, w in sorted(weights.items()) if w]
    return _meeting(
        [(point, w) for i, point, w in used if i >= len(ones)],
        [(point, w) for i, point, w in used if i < len(ones)],
    )


def _meeting(
    zeros: Sequence[tuple[Lifted, Fraction]], ones: Sequence[tuple[Lifted, Fraction]]
) -> Meeting:
    mixtures = [
        Mixture(tuple(_exact(point) for point, _ in side), tuple(weight for _, weight in side))
        for side in (zeros, ones)
    ]
    return Meeting(*mixtures)


@dataclass(frozen=True, slots=True)
class Infeasible:
    """Multipliers y with y·column ≤ 0 for every column and y·goal > 0 (Farkas' lemma)."""

    multipliers: tuple[Fraction, ...]


def nonnegative_solution(
    columns: Sequence[Sequence[int]], goal: Sequence[int]
) -> dict[int, Fraction] | Infeasible:
    """Return weights ≥ 0 by column with Σ weight·column = goal, or `Infeasible`.

    Columns that are not returned have weight 0. `goal` must be ≥ 0. A unit vector is added as a
    column for each equation, which gives a first solution. Then the sum of the weights of these
    added columns is minimised.
    """
    size, real = len(goal), len(columns)
    units = [[int(i == j) for i in range(size)] for j in range(size)]
    table = fmpq_mat([[column[i] for column in (*columns, *units)] for i in range(size)])
    right = fmpq_mat([[wanted] for wanted in goal])
    basis = list(range(real, real + size))
    while True:
        inverse = fmpq_mat([[table[i, j] for j in basis] for i in range(size)]).inv()
        weights = inverse * right
        if all(weights[k, 0] == 0 for k, j in enumerate(basis) if j >= real):
            return {j: _fraction(weights[k, 0]) for k, j in enumerate(basis) if j < real}
        added = fmpq_mat([[int(j >= real) for j in basis]])
        multipliers = added * inverse
        gains = multipliers * table
        entering = next((j for j in range(real) if gains[0, j] > 0), None)
        if entering is None:
            return Infeasible(tuple(_fraction(multipliers[0, i]) for i in range(size)))
        change = inverse * fmpq_mat([[table[i, entering]] for i in range(size)])
        _, _, leaving = min(
            (weights[k, 0] / change[k, 0], basis[k], k) for k in range(size) if change[k, 0] > 0
        )
        basis[leaving] = entering


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
