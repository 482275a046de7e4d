"""Thresholds on a single feature: x_i ≥ c or x_i ≤ c."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Literal

import numpy as np

from steel_verified.classes.numbers import (
    FLOAT64,
    Domain,
    Rows,
    between,
    pack_numbers,
    require_features,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.numbers import Numbers
    from steel_verified.evidence.oracle import Declared


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
