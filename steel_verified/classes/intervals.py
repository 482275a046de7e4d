"""Thresholds on one feature, and axis-parallel boxes, with an interval for every feature."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Literal

import numpy as np

from steel_verified.classes.rows import (
    FLOAT64,
    Cloud,
    Domain,
    Numbers,
    Point,
    Rows,
    between,
    cloud,
    pack_numbers,
    require_features,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Declared


def greedy_cover(excludes: NDArray[np.bool_]) -> list[tuple[int, NDArray[np.int64]]] | None:
    """Return few columns such that every row is true in one of them; None if a row is false in all.

    Each column is returned with the rows for which it was chosen. The next column is always the one
    that is true in the most remaining rows; if several are, the first of them.
    """
    if not excludes.any(axis=1).all():
        return None
    chosen = []
    left = np.arange(len(excludes))
    while len(left):
        column = int(excludes[left].sum(axis=0).argmax())
        covered = excludes[left, column]
        chosen.append((column, left[covered]))
        left = left[~covered]
    return chosen


@dataclass(frozen=True, slots=True)
class Threshold:
    """The function x ↦ 1 if x_feature ≥ bound (or ≤ bound), else 0; the bound may be infinite."""

    feature: int
    sign: Literal[">=", "<="]
    bound: float


@dataclass(frozen=True, slots=True, eq=False)
class Extremes:
    """The least and the greatest value of each feature in a dataset; empty if it has no rows."""

    least: Rows
    greatest: Rows

    def __bool__(self) -> bool:
        """Return whether the dataset has any rows."""
        return bool(self.least.size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Extremes):
            return NotImplemented
        return np.array_equal(self.least, other.least) and np.array_equal(
            self.greatest, other.greatest
        )

    def __hash__(self) -> int:
        return hash((self.least.tobytes(), self.greatest.tobytes()))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All thresholds on one of `features` features, including the two constant functions."""

    features: int
    domain: Domain = FLOAT64

    def __post_init__(self) -> None:
        require_features(self.features)

    @property
    def class_size(self) -> int:
        """n(2M − 2) + 2 for n features with M values each; this is the exact number.

        On one feature with M values, x_i ≥ c gives M + 1 different functions, two of them constant,
        and so does x_i ≤ c. Functions of different features that are not constant are different.
        """
        return self.features * (2 * self.domain.size - 2) + 2

    @property
    def declared(self) -> Declared:
        return self.domain.declared("thresholds", self.features)

    @property
    def none_is_proved(self) -> bool:
        return True

    def pack(self, batch: Numbers) -> bytes:
        return pack_numbers(self.domain.rows(batch, self.features))

    def summarise(self, batch: Numbers) -> Extremes:
        rows = self.domain.rows(batch, self.features)
        if not len(rows):
            return self.nothing()
        return Extremes(rows.min(axis=0), rows.max(axis=0))

    def nothing(self) -> Extremes:
        return Extremes(np.empty(0), np.empty(0))

    def merge(self, one: Extremes, other: Extremes) -> Extremes:
        if not one or not other:
            return one or other
        return Extremes(
            np.minimum(one.least, other.least), np.maximum(one.greatest, other.greatest)
        )

    def contains(self, classifier: Threshold) -> bool:
        return (
            type(classifier) is Threshold
            and classifier.feature in range(self.features)
            and classifier.sign in (">=", "<=")
            and self.domain.is_bound(classifier.bound)
        )

    def separates(self, classifier: Threshold, zeros: Extremes, ones: Extremes) -> bool:
        i, bound = classifier.feature, classifier.bound
        if classifier.sign == ">=":
            return bool(
                (not ones or ones.least[i] >= bound) and (not zeros or zeros.greatest[i] < bound)
            )
        return bool(
            (not ones or ones.greatest[i] <= bound) and (not zeros or zeros.least[i] > bound)
        )

    def separating(self, zeros: Extremes, ones: Extremes) -> Threshold | None:
        """Return a threshold in the middle of the first feature that has a gap, or None."""
        if not ones or not zeros:
            return Threshold(0, ">=", -inf if ones else inf)
        above = zeros.greatest < ones.least
        gaps = above | (ones.greatest < zeros.least)
        i = int(gaps.argmax())
        if not gaps[i]:
            return None
        if above[i]:
            return Threshold(i, ">=", between(zeros.greatest[i].item(), ones.least[i].item()))
        return Threshold(i, "<=", -between(-zeros.least[i].item(), -ones.greatest[i].item()))

    def values(self, classifier: Threshold, batch: Numbers) -> NDArray[np.bool_]:
        column = self.domain.rows(batch, self.features)[:, classifier.feature]
        above = classifier.sign == ">="
        return column >= classifier.bound if above else column <= classifier.bound


@dataclass(frozen=True, slots=True)
class Box:
    """The function x ↦ 1 if least_i ≤ x_i ≤ greatest_i for all i, else 0; ±inf is allowed."""

    least: Point
    greatest: Point


@dataclass(frozen=True, slots=True)
class Boxes:
    """All products of closed intervals in `features` features, including the empty box."""

    features: int
    domain: Domain = FLOAT64

    def __post_init__(self) -> None:
        require_features(self.features)

    @property
    def class_size(self) -> int:
        """(M(M + 1)/2)^n + 1 for n features with M values each; this is the exact number.

        A box that is not empty is determined by the least and the greatest value of each feature in
        it: M(M + 1)/2 pairs for each feature. In addition there is one empty box.
        """
        values = self.domain.size
        return int((values * (values + 1) // 2) ** self.features) + 1

    @property
    def declared(self) -> Declared:
        return self.domain.declared("boxes", self.features)

    @property
    def none_is_proved(self) -> bool:
        return True

    def pack(self, batch: Numbers) -> bytes:
        return pack_numbers(self.domain.rows(batch, self.features))

    def summarise(self, batch: Numbers) -> Cloud:
        return cloud(self.domain.rows(batch, self.features))

    def nothing(self) -> Cloud:
        return cloud(np.empty((0, self.features)))

    def merge(self, one: Cloud, other: Cloud) -> Cloud:
        return one.merged(other)

    def contains(self, classifier: Box) -> bool:
        return (
            type(classifier) is Box
            and len(classifier.least) == len(classifier.greatest) == self.features
            and all(map(self.domain.is_bound, classifier.least + classifier.greatest))
        )

    def separates(self, classifier: Box, zeros: Cloud, ones: Cloud) -> bool:
        return bool(
            _inside(classifier, ones.rows).all() and not _inside(classifier, zeros.rows).any()
        )

    def separating(self, zeros: Cloud, ones: Cloud) -> Box | None:
        """Return a box with few finite sides, each near the middle of a gap, or None.

        Every box that contains the ones contains their bounding box. So if a zero lies in the
        bounding box, no box separates, and this returns None.
        """
        if not len(ones):
            return Box((inf,) * self.features, (-inf,) * self.features)
        least, greatest = ones.rows.min(axis=0), ones.rows.max(axis=0)
        outside = np.concatenate([zeros.rows < least, zeros.rows > greatest], axis=1)
        cover = greedy_cover(outside)
        if cover is None:
            return None
        low: list[float] = [-inf] * self.features
        high: list[float] = [inf] * self.features
        for column, excluded in cover:
            is_upper, i = divmod(column, self.features)
            values = zeros.rows[excluded, i]
            if is_upper:
                high[i] = -between(-values.min().item(), -greatest[i].item())
            else:
                low[i] = between(values.max().item(), least[i].item())
        return Box(tuple(low), tuple(high))

    def values(self, classifier: Box, batch: Numbers) -> NDArray[np.bool_]:
        return _inside(classifier, self.domain.rows(batch, self.features))


def _inside(box: Box, rows: Rows) -> NDArray[np.bool_]:
    """Compare feature by feature: numpy compares integers exactly with an integer, not a float."""
    inside = np.ones(len(rows), dtype=np.bool_)
    for i, (low, high) in enumerate(zip(box.least, box.greatest, strict=True)):
        inside &= (rows[:, i] >= low) & (rows[:, i] <= high)
    return inside
