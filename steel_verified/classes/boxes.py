"""Axis-parallel boxes: every feature lies in an interval of its own."""

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
    """The function x ↦ 1 if least_i ≤ x_i ≤ greatest_i for all i, else 0; these may be infinite."""

    least: Point
    greatest: Point


@dataclass(frozen=True, slots=True)
class Boxes:
    """All products of closed intervals in `features` features, the empty box among them."""

    features: int
    domain: Domain = FLOAT64

    def __post_init__(self) -> None:
        require_features(self.features)

    @property
    def class_size(self) -> int:
        """(M(M + 1)/2)^n + 1, for n features with M values each, and that is exact.

        A box that is not empty is given by the least and the greatest value of each feature in it,
        of which there are M(M + 1)/2 pairs; and there is one empty box.
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
        """A box with few sides, each near the middle between the ones and the zeros beyond it.

        The bounding box of the ones lies in every box that holds them: if a zero lies in it, then
        no box separates.
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
    """Feature by feature: numpy compares integers with an integer exactly, and with a float not."""
    inside = np.ones(len(rows), dtype=np.bool_)
    for i, (low, high) in enumerate(zip(box.least, box.greatest, strict=True)):
        inside &= (rows[:, i] >= low) & (rows[:, i] <= high)
    return inside
