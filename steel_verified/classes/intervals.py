"""Thresholds on one feature, and axis-parallel boxes, with an interval for every feature.

Of several separating classifiers, both classes return the one of a declared rule, `widest_sides`,
which the checker of certificates recomputes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, TypeVar

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
from steel_verified.evidence.oracle import Classifier, Decides, Function, Summary, of_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json


# --- the rule "widest margin" ---------------------------------------------------------------------

Side: TypeAlias = tuple[int, bool, float]
"""A feature, whether the side is an upper one (x_i ≤ c), and the nearest zero that it excludes."""

Scaled = TypeVar("Scaled", np.float64, np.uint64)

_NEAR: Final = 1 - 1e-9
_TINY: Final = 1e-290


def widest_sides(zeros: Rows, least: Rows, greatest: Rows) -> list[Side] | None:
    """Return sides of a box that exclude all zeros, or None if a zero lies in the box of the ones.

    The ones lie between `least` and `greatest`. A side excludes the zeros of one feature up to a
    nearest one. Its margin is the distance from this zero to the ones, divided by the spread of the
    feature, over zeros and ones. Each time, the side with the greatest product of its margin and
    the number of zeros that it excludes is chosen, and these zeros are left out; of equal products,
    the one that excludes more zeros, then the first column: the lower sides of all features in
    their order, then the upper ones. All comparisons are exact.
    """
    below, above = zeros < least, zeros > greatest
    excludes = np.concatenate([below, above], axis=1)
    if not excludes.any(axis=1).all():
        return None
    if not len(zeros):
        return []
    features, sides, left = len(least), list[Side](), np.arange(len(zeros))
    low, high = np.minimum(zeros.min(axis=0), least), np.maximum(zeros.max(axis=0), greatest)
    margins = np.where(excludes, _margins(zeros, least, greatest, low, high), 0.0)
    wholly = np.concatenate(
        [(zeros == low) & (least == high), (zeros == high) & (greatest == low)], 1
    )
    while len(left):
        ranks = zeros[left].argsort(axis=0, kind="stable")
        ranks = left[np.concatenate([ranks, ranks[::-1]], axis=1)]  # the farthest zeros first
        counts = np.arange(1, len(left) + 1)[:, None]
        products: NDArray[np.float64] = np.take_along_axis(margins, ranks, axis=0) * counts
        possible = np.take_along_axis(excludes, ranks, axis=0)

        def exact(
            k: int, column: int, ranks: NDArray[np.int64] = ranks, left: NDArray[np.int64] = left
        ) -> tuple[Fraction, int, int]:
            is_upper, i = divmod(column, features)
            zero, values = zeros[ranks[k, column], i], zeros[left, i]
            count = int((values >= zero if is_upper else values <= zero).sum())
            distance = (
                _exact(zero) - _exact(greatest[i]) if is_upper else _exact(least[i]) - _exact(zero)
            )
            return count * distance / (_exact(high[i]) - _exact(low[i])), count, -column

        whole = possible & np.take_along_axis(wholly, ranks, axis=0)
        k, column = _greatest(products, possible, whole, exact)
        is_upper, i = divmod(column, features)
        zero = zeros[ranks[k, column], i]
        sides.append((i, bool(is_upper), zero.item()))
        left = left[zeros[left, i] < zero] if is_upper else left[zeros[left, i] > zero]
    return sides


def _margins(
    zeros: Rows, least: Rows, greatest: Rows, low: Rows, high: Rows
) -> NDArray[np.float64]:
    """Return the margins of the lower and the upper sides, with a relative error below 10^−14.

    Margins of less than 10^−300 may be 0. Where a side does not exclude a zero, it is any number.
    """
    rows = (zeros, least, greatest, low, high)
    if zeros.dtype == np.int64:  # differences of up to 2^64 fit into unsigned integers
        return _ratios(*(each.astype(np.uint64) for each in rows))
    power = -1 - np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]  # so that nothing overflows
    return _ratios(*(np.ldexp(each.astype(np.float64), power) for each in rows))


def _ratios(
    zeros: NDArray[Scaled],
    least: NDArray[Scaled],
    greatest: NDArray[Scaled],
    low: NDArray[Scaled],
    high: NDArray[Scaled],
) -> NDArray[np.float64]:
    spread = (high - low).astype(np.float64)
    with np.errstate(invalid="ignore"):  # a spread of 0 belongs to a side that excludes nothing
        return np.concatenate([(least - zeros) / spread, (zeros - greatest) / spread], axis=1)


def _greatest(
    near: NDArray[np.float64],
    possible: NDArray[np.bool_],
    whole: NDArray[np.bool_],
    exact: Callable[[int, int], tuple[Fraction, int, int]],
) -> tuple[int, int]:
    """Return the possible place with the greatest exact value; `near` is nearly their values.

    In the `whole` places the margin is exactly 1, as between a single zero and a single one.
    """
    most = near.max()
    close = possible & (near >= _NEAR * most) if most > _TINY else possible
    places = [(int(k), int(column)) for k, column in np.argwhere(close)]
    if len(places) == 1 or not (close & ~whole).any():
        return max(places, key=lambda place: (place[0], -place[1]))
    return max(places, key=lambda place: exact(*place))


def _near(ends: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where the ratio of gap and spread may be the greatest, with rounding."""
    power = -1 - np.frexp(np.abs(ends[:, 2:]).max(axis=1))[1]  # so that nothing overflows
    end, begin, top, bottom = np.ldexp(ends, power[:, None]).T
    ratios = (end - begin) / (top - bottom)
    most = ratios.max()
    near: NDArray[np.bool_] = ratios >= (_NEAR * most if most > _TINY else 0)
    return near


def _exact(number: np.float64 | np.int64 | np.uint8) -> Fraction:
    return Fraction(number.item())


def _bound(side: Side, ones: float) -> float:
    """Return the bound of a side: near the middle between its nearest zero and the ones."""
    _, is_upper, zero = side
    return -between(-zero, -ones) if is_upper else between(zero, ones)


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
class Thresholds(OnNumbers, Decides):
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

    def separable(self, zeros: Summary, ones: Summary) -> bool:
        low, high = of_kind(Extremes, zeros, ones)
        if not low or not high:
            return True
        return bool((low.greatest < high.least).any() or (low.least > high.greatest).any())

    def separating(self, zeros: Summary, ones: Summary) -> Threshold | None:
        """Return the threshold with the widest margin, in the middle of its gap, or None.

        This is the rule of `widest_sides` for a single side, which has to exclude all zeros.
        """
        low, high = of_kind(Extremes, zeros, ones)
        if not high or not low:
            return Threshold(0, ">=", -inf if high else inf)
        possible = np.concatenate([low.greatest < high.least, low.least > high.greatest])
        columns = possible.nonzero()[0]
        if not columns.size:
            return None
        column = int(columns[0]) if columns.size == 1 else self._widest(low, high, columns)
        is_upper, i = divmod(column, self.features)
        if is_upper:
            return Threshold(
                i, "<=", _bound((i, True, low.least[i].item()), high.greatest[i].item())
            )
        return Threshold(i, ">=", _bound((i, False, low.greatest[i].item()), high.least[i].item()))

    def _widest(self, low: Extremes, high: Extremes, columns: NDArray[np.int64]) -> int:
        """Return the column with the greatest margin of several, the first one of equals."""
        i, is_upper = columns % self.features, columns >= self.features
        end = np.where(is_upper, low.least[i], high.least[i])
        begin = np.where(is_upper, high.greatest[i], low.greatest[i])
        top = np.maximum(low.greatest[i], high.greatest[i])
        bottom = np.minimum(low.least[i], high.least[i])
        whole = (end == top) & (begin == bottom)  # The gap is all of the spread: the margin is 1.
        if whole.any():
            return int(columns[whole.argmax()])
        ends = np.stack([end, begin, top, bottom], axis=1)
        if ends.dtype.kind == "f":
            near = _near(ends)
            columns, ends = columns[near], ends[near]
        # Ratios are compared crosswise, those of whole numbers without fractions: that is quicker.
        numbers: list[list[int | Fraction]] = ends.tolist()
        if ends.dtype.kind == "f":
            numbers = [[Fraction(end) for end in four] for four in numbers]
        found = 0
        widest: int | Fraction = 0
        of: int | Fraction = 1
        for column, (one, zero, most, least) in zip(columns.tolist(), numbers, strict=True):
            if (one - zero) * of > widest * (most - least):
                found, widest, of = column, one - zero, most - least
        return found

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
class Boxes(OnNumbers, Decides):
    """All products of closed intervals in `features` features, including the empty box."""

    name: ClassVar[str] = "boxes"
    has_tightest: ClassVar[bool] = True

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
        return bool(_inside(box, high.held).all() and not _inside(box, low.held).any())

    def separable(self, zeros: Summary, ones: Summary) -> bool:
        """Return whether no zero lies in the bounding box of the ones."""
        low, high = of_kind(Cloud, zeros, ones)
        if not low or not high:
            return True
        (bottom, top), (least, greatest) = low.box, high.box
        if ((top < least) | (bottom > greatest)).any():  # a feature that differs in all rows
            return True
        inside = (low.held >= least) & (low.held <= greatest)
        return not bool(inside.all(axis=1).any())

    def separating(self, zeros: Summary, ones: Summary) -> Box | None:
        """Return the box with the sides that `widest_sides` chooses, or None.

        Every box that contains the ones contains their bounding box. So if a zero lies in the
        bounding box, no box separates, and this returns None.
        """
        excluded, kept = of_kind(Cloud, zeros, ones)
        if not kept:
            return Box((inf,) * self.features, (-inf,) * self.features)
        least, greatest = kept.box
        sides = widest_sides(excluded.rows, least, greatest)
        if sides is None:
            return None
        low: list[float] = [-inf] * self.features
        high: list[float] = [inf] * self.features
        for side in sides:  # a side that is chosen again has a nearer zero
            i, is_upper, _ = side
            if is_upper:
                high[i] = _bound(side, greatest[i].item())
            else:
                low[i] = _bound(side, least[i].item())
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
        if low > -inf:
            inside &= rows[:, i] >= low
        if high < inf:
            inside &= rows[:, i] <= high
    return inside
