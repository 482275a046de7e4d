"""Axis-parallel boxes: every feature must lie in its own interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.classes.clouds import Cloud, cloud
from steel_verified.classes.covering import greedy_cover
from steel_verified.classes.numbers import (
    FLOAT64,
    Domain,
    Numbers,
    Point,
    Rows,
    between,
    pack_numbers,
    require_features,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Declared


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
