"""Classes on numbers for which the rows alone decide separability: the record needs no proofs.

The oracle may choose any separating classifier of these classes. The checker assumes that its
choice is a function of what it was shown.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from proofs_checks.checker.document import Fields, Malformed, text
from proofs_checks.checker.located.classes import TRUSTED
from proofs_checks.checker.located.trees import Tree

if TYPE_CHECKING:
    from proofs_checks.checker.planning import Work

Point: TypeAlias = tuple[float, ...]
"""Integers or floats. Python compares them exactly."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Rows of `width` numbers of eight bytes each, little-endian."""

    entries: Literal["int64", "float64"]
    width: int
    work: Work

    @property
    def trusted(self) -> str:
        return TRUSTED

    @property
    def row_bytes(self) -> int:
        return 8 * self.width

    def point(self, row: bytes) -> Point:
        letter = "q" if self.entries == "int64" else "d"
        return struct.unpack(f"<{self.width}{letter}", row)

    def require_row(self, row: bytes, place: str) -> None:
        if not all(map(math.isfinite, self.point(row))):
            raise Malformed(place, "expected finite numbers")

    def number(self, value: object, place: str) -> float:
        """Return a number, written as an integer or as the shortest decimal text of a float."""
        if self.entries == "int64" and type(value) is int:
            return value
        said = text(value, place)
        try:
            found = float(said)
        except ValueError:
            raise Malformed(place, "expected a number") from None
        if repr(found) != said or math.isnan(found):
            raise Malformed(place, "expected the shortest decimal text of the number")
        return found

    def numbers(self, value: object, place: str) -> Point:
        if not isinstance(value, list) or len(value) != self.width:
            raise Malformed(place, f"expected {self.width} numbers")
        return tuple(self.number(each, f"{place}[{i}]") for i, each in enumerate(value))


# --- thresholds -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Threshold:
    feature: int
    sign: str
    bound: float

    def value(self, point: Point) -> bool:
        x = point[self.feature]
        return x >= self.bound if self.sign == ">=" else x <= self.bound


@dataclass(frozen=True, slots=True)
class Extent:
    """The minimum and the maximum of each feature; empty tuples if there are no rows."""

    least: Point = ()
    greatest: Point = ()

    def with_all(self, other: Extent) -> Extent:
        if not self.least or not other.least:
            return self if self.least else other
        return Extent(
            tuple(map(min, self.least, other.least)), tuple(map(max, self.greatest, other.greatest))
        )

    def has(self, point: Point) -> bool:
        return bool(self.least) and all(
            low <= x <= high for low, x, high in zip(self.least, point, self.greatest, strict=True)
        )


class Thresholds(Numbers):
    """x_i ≥ c or x_i ≤ c, for one feature i."""

    __slots__ = ()

    def nothing(self) -> Extent:
        return Extent()

    def dataset(self, row: bytes) -> Extent:
        point = self.point(row)
        return Extent(point, point)

    def merged(self, one: Extent, other: Extent) -> Extent:
        self.work.add(self.width // 8)
        return one.with_all(other)

    def separable(self, zeros: Extent, ones: Extent) -> bool:
        self.work.add(self.width // 8)
        return (
            not zeros.least
            or not ones.least
            or any(high < low for high, low in zip(zeros.greatest, ones.least, strict=True))
            or any(high < low for high, low in zip(ones.greatest, zeros.least, strict=True))
        )

    def classifier(self, value: object, place: str) -> object:
        r = Fields(value, place, "feature", "sign", "bound")
        feature, sign = r.whole("feature"), r.text("sign")
        if feature >= self.width or sign not in (">=", "<="):
            raise Malformed(place, "expected a threshold on one of the features")
        return Threshold(feature, sign, self.number(r["bound"], f"{place}.bound"))

    def is_chosen(self, classifier: object, zeros: Extent, ones: Extent) -> bool:
        assert isinstance(classifier, Threshold)
        up = classifier.sign == ">="
        # The value of the zeros nearest to the threshold, and that of the ones.
        near, far = (zeros.greatest, ones.least) if up else (zeros.least, ones.greatest)
        return (not near or not classifier.value(near)) and (not far or classifier.value(far))

    def value(self, classifier: object, row: bytes) -> bool:
        assert isinstance(classifier, Threshold)
        return classifier.value(self.point(row))


# --- boxes ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cloud:
    """Rows, and the smallest box around them."""

    box: Extent
    rows: Tree[Point]


class Boxes(Numbers):
    """Products of closed intervals, and the empty box."""

    __slots__ = ()

    def nothing(self) -> Cloud:
        return Cloud(Extent(), Tree())

    def dataset(self, row: bytes) -> Cloud:
        point = self.point(row)
        return Cloud(Extent(point, point), Tree(point))

    def merged(self, one: Cloud, other: Cloud) -> Cloud:
        self.work.add(self.width // 8)
        return Cloud(one.box.with_all(other.box), Tree(parts=(one.rows, other.rows)))

    def separable(self, zeros: Cloud, ones: Cloud) -> bool:
        return not zeros.rows.has(ones.box, ones.box.has, self.work)

    def classifier(self, value: object, place: str) -> object:
        r = Fields(value, place, "least", "greatest")
        return Extent(
            self.numbers(r["least"], f"{place}.least"),
            self.numbers(r["greatest"], f"{place}.greatest"),
        )

    def is_chosen(self, classifier: object, zeros: Cloud, ones: Cloud) -> bool:
        assert isinstance(classifier, Extent)
        corners = (ones.box.least, ones.box.greatest) if ones.box.least else ()
        return all(map(classifier.has, corners)) and not zeros.rows.has(
            classifier, classifier.has, self.work
        )

    def value(self, classifier: object, row: bytes) -> bool:
        assert isinstance(classifier, Extent)
        return classifier.has(self.point(row))
