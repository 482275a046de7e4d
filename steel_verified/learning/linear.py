"""Linear separation over bounded integer features, every answer proved (extra `linear`).

The direction between the means of both datasets often separates them. Else a linear program is
solved in floating point, and what it says is then proved or refused: weights that separate are
rounded to integers and tried on every point; that none do is believed only with a point, in exact
fractions, that lies in the convex hulls of both datasets.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import starmap
from operator import mul
from typing import TYPE_CHECKING, Final

import numpy as np
from flint import fmpq_mat
from scipy.optimize import linprog

from steel_verified.errors import InvalidArgument, Undecided

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

Point = tuple[int, ...]
Points = frozenset[Point]

_FINEST: Final = 48
_NEGLIGIBLE: Final = 1e-9
_LARGEST: Final = 1 << 62
"""Whole numbers up to this size are exact in 64 bits."""


@dataclass(frozen=True, slots=True)
class Separator:
    """The classifier x ↦ 1 if weights·x + bias > 0, else 0."""

    weights: Point
    bias: int

    def __call__(self, point: Iterable[int]) -> bool:
        total: int = sum(starmap(mul, zip(self.weights, point, strict=True)), self.bias)
        return total > 0


@dataclass(frozen=True, slots=True)
class LinearSeparators:
    """All threshold functions of `features` integer features, each from `lowest` to `highest`."""

    features: int
    lowest: int = 0
    highest: int = 1

    def __post_init__(self) -> None:
        if self.features < 1:
            raise InvalidArgument("features", self.features, "at least 1")
        if self.highest <= self.lowest:
            raise InvalidArgument("highest", self.highest, f"more than lowest = {self.lowest}")

    @property
    def class_size(self) -> int:
        """2·Σ C(M−1, i) over i ≤ n: a hyperplane in n dimensions splits M points in no more ways.

        Cover's function-counting theorem, with the M points of the grid. On Boolean features it is
        below 2^(n²) from n = 2 on, and right for n = 1, where 2^(n²) is not: 4 functions, not 2.
        """
        points = (self.highest - self.lowest + 1) ** self.features
        total = term = 1
        for i in range(1, min(self.features, points - 1) + 1):
            term = term * (points - i) // i
            total += term
        return 2 * total

    def nothing(self) -> Points:
        return frozenset()

    def summarise(self, batch: NDArray[np.int64]) -> Points:
        if len(batch) and not (
            batch.shape[1:] == (self.features,)
            and np.issubdtype(batch.dtype, np.integer)
            and batch.min() >= self.lowest
            and batch.max() <= self.highest
        ):
            raise InvalidArgument(
                "batch",
                f"{batch.dtype} of shape {batch.shape}, values {batch.min()} to {batch.max()}",
                f"{self.features} integer features from {self.lowest} to {self.highest}",
            )
        return frozenset(map(tuple, np.unique(batch, axis=0).tolist()))

    def merge(self, one: Points, other: Points) -> Points:
        return one | other

    def contains(self, classifier: Separator) -> bool:
        return len(classifier.weights) == self.features

    def separates(self, classifier: Separator, zeros: Points, ones: Points) -> bool:
        return all(map(classifier, ones)) and not any(map(classifier, zeros))

    def separating(self, zeros: Points, ones: Points) -> Separator | None:
        if zeros & ones:
            return None
        if not zeros or not ones:
            return Separator((0,) * self.features, bias=0 if zeros or not ones else 1)
        return separated(sorted(zeros), sorted(ones))

    def values(self, classifier: Separator, batch: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.array([classifier(row) for row in batch.tolist()], dtype=np.bool_)


def separated(zeros: list[Point], ones: list[Point]) -> Separator | None:
    """A separator of two non-empty sets of points, or None if there is none; either is proved."""
    if (between := _between_means(zeros, ones)) is not None:
        return between
    points = np.array(zeros + ones, dtype=np.float64)
    sides = np.array([-1.0] * len(zeros) + [1.0] * len(ones))
    n = points.shape[1]
    # side · (w·x + b) ≥ 1 for every point
    constraints = -sides[:, None] * np.column_stack([points, np.ones(len(points))])
    found = linprog(
        np.zeros(n + 1), A_ub=constraints, b_ub=-np.ones(len(points)), bounds=(None, None)
    )
    if found.x is not None:
        for fineness in range(0, _FINEST, 4):
            whole = [round(float(weight) * 2**fineness) for weight in found.x]
            separator = Separator(tuple(whole[:-1]), whole[-1])
            if all(map(separator, ones)) and not any(map(separator, zeros)):
                return separator
    if _hulls_meet(zeros, ones):
        return None
    raise Undecided(
        f"{len(zeros)} and {len(ones)} points of {n} features: the linear program's answer "
        f"({found.message}) could not be proved in exact arithmetic"
    )


def _between_means(zeros: list[Point], ones: list[Point]) -> Separator | None:
    """The hyperplane across the line from one mean to the other, halfway between both datasets."""
    both = np.array(zeros + ones)
    largest = max(int(both.max()), -int(both.min()))
    if 2 * len(zeros) * len(ones) * largest**2 * both.shape[1] > _LARGEST:
        return None
    below, above = both[: len(zeros)], both[len(zeros) :]
    weights = len(zeros) * above.sum(axis=0) - len(ones) * below.sum(axis=0)
    low, high = int((below @ weights).max()), int((above @ weights).min())
    if low >= high:
        return None
    return Separator(tuple(weights.tolist()), bias=-((low + high) // 2))


def _hulls_meet(zeros: list[Point], ones: list[Point]) -> bool:
    """Whether some point that is a mixture of `zeros` and of `ones` could be exhibited exactly."""
    columns = [(*point, 1, 0) for point in ones]
    columns += [(*(-x for x in point), 0, 1) for point in zeros]
    wanted = [0] * len(ones[0]) + [1, 1]
    matrix = np.array(columns, dtype=np.float64).T
    found = linprog(
        np.zeros(len(columns)),
        A_eq=matrix,
        b_eq=np.array(wanted, dtype=np.float64),
        bounds=(0, None),
        method="highs-ds",
    )
    if found.x is None:
        return False
    used = [column for column, w in zip(columns, found.x, strict=True) if w > _NEGLIGIBLE]
    weights = _solved(used, wanted)
    if weights is None or min(weights) < 0:
        return False
    return all(
        sum((w * column[i] for w, column in zip(weights, used, strict=True)), Fraction(0)) == goal
        for i, goal in enumerate(wanted)
    )


def _solved(columns: list[Point], wanted: list[int]) -> list[Fraction] | None:
    """Exact weights with Σ weight·column = wanted, if the columns are independent."""
    rows = [[column[i] for column in columns] + [goal] for i, goal in enumerate(wanted)]
    reduced, rank = fmpq_mat(rows).rref()
    if rank != len(columns):
        return None
    solution = (reduced[i, len(columns)] for i in range(rank))
    return [Fraction(int(weight.p), int(weight.q)) for weight in solution]
