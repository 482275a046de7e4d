"""Thresholds on one feature, and axis-parallel boxes, with an interval for every feature."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from steel_verified.classes.rows import (
    Cloud,
    Numbers,
    OnNumbers,
    Point,
    Rows,
    between,
    cloud,
    number_as_json,
    number_of_json,
    shown,
)
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Classifier, Function, Summary, of_kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json


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
class Threshold(Function):
    """The function x ↦ 1 if x_feature ≥ bound (or ≤ bound), else 0; the bound may be infinite."""

    feature: int
    sign: Literal[">=", "<="]
    bound: float


@dataclass(frozen=True, slots=True, eq=False)
class Extremes(Summary):
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
class Thresholds(OnNumbers):
    """All thresholds on one of `features` features, including the two constant functions."""

    name: ClassVar[str] = "thresholds"

    @property
    def class_size(self) -> int:
        """n(2M − 2) + 2 for n features with M values each; this is the exact number.

        On one feature with M values, x_i ≥ c gives M + 1 different functions, two of them constant,
        and so does x_i ≤ c. Functions of different features that are not constant are different.
        """
        return self.features * (2 * self.domain.size - 2) + 2

    def summarise(self, batch: Numbers) -> Extremes:
        rows = self._rows(batch)
        if not len(rows):
            return self.nothing()
        return Extremes(rows.min(axis=0), rows.max(axis=0))

    def nothing(self) -> Extremes:
        return Extremes(np.empty(0), np.empty(0))

    def merge(self, one: Summary, other: Summary) -> Extremes:
        a, b = of_kind(Extremes, one, other)
        if not a or not b:
            return a or b
        return Extremes(np.minimum(a.least, b.least), np.maximum(a.greatest, b.greatest))

    def contains(self, classifier: Classifier) -> bool:
        return (
            type(classifier) is Threshold
            and type(classifier.feature) is int
            and classifier.feature in range(self.features)
            and classifier.sign in (">=", "<=")
            and self.domain.is_bound(classifier.bound)
        )

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        (found,), (low, high) = of_kind(Threshold, classifier), of_kind(Extremes, zeros, ones)
        i, bound = found.feature, found.bound
        if found.sign == ">=":
            return bool(
                (not high or high.least[i] >= bound) and (not low or low.greatest[i] < bound)
            )
        return bool((not high or high.greatest[i] <= bound) and (not low or low.least[i] > bound))

    def separating(self, zeros: Summary, ones: Summary) -> Threshold | None:
        """Return a threshold in the middle of the first feature that has a gap, or None."""
        low, high = of_kind(Extremes, zeros, ones)
        if not high or not low:
            return Threshold(0, ">=", -inf if high else inf)
        above = low.greatest < high.least
        gaps = above | (high.greatest < low.least)
        i = int(gaps.argmax())
        if not gaps[i]:
            return None
        if above[i]:
            return Threshold(i, ">=", between(low.greatest[i].item(), high.least[i].item()))
        return Threshold(i, "<=", -between(-low.least[i].item(), -high.greatest[i].item()))

    def values(self, classifier: Classifier, batch: Numbers) -> NDArray[np.bool_]:
        (found,) = of_kind(Threshold, classifier)
        column = self._rows(batch)[:, found.feature]
        return column >= found.bound if found.sign == ">=" else column <= found.bound

    def written(self, classifier: Classifier) -> Json:
        (found,) = of_kind(Threshold, classifier)
        bound = number_as_json(found.bound)
        return {"feature": found.feature, "sign": found.sign, "bound": bound}

    def read(self, found: Json) -> Threshold:
        match found:
            case {"feature": int(i), "sign": ">=" | "<=" as sign, "bound": bound, **rest} if (
                not rest
            ):
                return Threshold(i, ">=" if sign == ">=" else "<=", number_of_json(bound))
        raise InvalidArgument("classifiers", shown(found), "a feature, a sign and a bound")


@dataclass(frozen=True, slots=True)
class Box(Function):
    """The function x ↦ 1 if least_i ≤ x_i ≤ greatest_i for all i, else 0; ±inf is allowed."""

    least: Point
    greatest: Point


@dataclass(frozen=True, slots=True)
class Boxes(OnNumbers):
    """All products of closed intervals in `features` features, including the empty box."""

    name: ClassVar[str] = "boxes"

    @property
    def class_size(self) -> int:
        """(M(M + 1)/2)^n + 1 for n features with M values each; this is the exact number.

        A box that is not empty is determined by the least and the greatest value of each feature in
        it: M(M + 1)/2 pairs for each feature. In addition there is one empty box.
        """
        values = self.domain.size
        return int((values * (values + 1) // 2) ** self.features) + 1

    def summarise(self, batch: Numbers) -> Cloud:
        return cloud(self._rows(batch))

    def nothing(self) -> Cloud:
        return cloud(np.empty((0, self.features)))

    def merge(self, one: Summary, other: Summary) -> Cloud:
        a, b = of_kind(Cloud, one, other)
        return a.merged(b)

    def contains(self, classifier: Classifier) -> bool:
        return (
            type(classifier) is Box
            and len(classifier.least) == len(classifier.greatest) == self.features
            and all(map(self.domain.is_bound, classifier.least + classifier.greatest))
        )

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        (box,), (low, high) = of_kind(Box, classifier), of_kind(Cloud, zeros, ones)
        return bool(_inside(box, high.rows).all() and not _inside(box, low.rows).any())

    def separating(self, zeros: Summary, ones: Summary) -> Box | None:
        """Return a box with few finite sides, each near the middle of a gap, or None.

        Every box that contains the ones contains their bounding box. So if a zero lies in the
        bounding box, no box separates, and this returns None.
        """
        excluded, kept = of_kind(Cloud, zeros, ones)
        if not len(kept):
            return Box((inf,) * self.features, (-inf,) * self.features)
        least, greatest = kept.rows.min(axis=0), kept.rows.max(axis=0)
        outside = np.concatenate([excluded.rows < least, excluded.rows > greatest], axis=1)
        cover = greedy_cover(outside)
        if cover is None:
            return None
        low: list[float] = [-inf] * self.features
        high: list[float] = [inf] * self.features
        for column, rows in cover:
            is_upper, i = divmod(column, self.features)
            values = excluded.rows[rows, i]
            if is_upper:
                high[i] = -between(-values.min().item(), -greatest[i].item())
            else:
                low[i] = between(values.max().item(), least[i].item())
        return Box(tuple(low), tuple(high))

    def values(self, classifier: Classifier, batch: Numbers) -> NDArray[np.bool_]:
        (box,) = of_kind(Box, classifier)
        return _inside(box, self._rows(batch))

    def written(self, classifier: Classifier) -> Json:
        (box,) = of_kind(Box, classifier)
        least, greatest = (list(map(number_as_json, side)) for side in (box.least, box.greatest))
        return {"least": least, "greatest": greatest}

    def read(self, found: Json) -> Box:
        match found:
            case {"least": [*least], "greatest": [*greatest], **rest} if not rest:
                return Box(tuple(map(number_of_json, least)), tuple(map(number_of_json, greatest)))
        raise InvalidArgument("classifiers", shown(found), "the least and the greatest values")


def _inside(box: Box, rows: Rows) -> NDArray[np.bool_]:
    """Compare feature by feature: numpy compares integers exactly with an integer, not a float."""
    inside = np.ones(len(rows), dtype=np.bool_)
    for i, (low, high) in enumerate(zip(box.least, box.greatest, strict=True)):
        inside &= (rows[:, i] >= low) & (rows[:, i] <= high)
    return inside
