"""Half-spaces: weights·x + bias > 0. Every answer is proved in exact arithmetic (extra `linear`).

A float is a fraction whose denominator is a power of two. So each row is stored as integers with a
common denominator, and integer arithmetic decides on which side of a half-space it lies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import mul
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from steel_verified.classes.rows import Numbers, OnNumbers, Rows, shown
from steel_verified.errors import InvalidArgument, Undecided
from steel_verified.evidence.oracle import Classifier, Function, OfClass, Summary, of_kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.hulls import Meeting
    from steel_verified.evidence.codec import Json

Lifted: TypeAlias = tuple[int, ...]
"""A row x as integers (d·x_1, …, d·x_n, d), with the least d ≥ 1 that makes them integers."""


@dataclass(frozen=True, slots=True)
class LiftedPoints(Summary):
    """A set of rows."""

    points: frozenset[Lifted]


@dataclass(frozen=True, slots=True)
class HalfSpace(Function):
    """The classifier x ↦ 1 if weights·x + bias > 0, else 0."""

    weights: tuple[int, ...]
    bias: int

    def has(self, point: Lifted) -> bool:
        value: int = sum(map(mul, (*self.weights, self.bias), point))
        return value > 0


@dataclass(frozen=True, slots=True)
class HalfSpaces(OnNumbers):
    """All open half-spaces in `features` features, including the two constant functions."""

    name: ClassVar[str] = "half-spaces"

    @property
    def class_size(self) -> int:
        """2·Σ C(P − 1, i) over i ≤ n: an upper bound on the ways to split P points by a hyperplane.

        This is Cover's function-counting theorem, for the P = M^n points of n features with M
        values each. On bits it is below 2^(n²) for n ≥ 2. For n = 1 it is 4, the exact number of
        functions, while 2^(n²) would be 2.
        """
        points = self.domain.size**self.features
        total = term = 1
        for i in range(1, min(self.features, points - 1) + 1):
            term = term * (points - i) // i
            total += term
        return 2 * total

    def summarise(self, batch: Numbers) -> LiftedPoints:
        return LiftedPoints(frozenset(_lifted(self._rows(batch))))

    def nothing(self) -> LiftedPoints:
        return LiftedPoints(frozenset())

    def merge(self, one: Summary, other: Summary) -> LiftedPoints:
        a, b = of_kind(LiftedPoints, one, other)
        return LiftedPoints(a.points | b.points)

    def contains(self, classifier: Classifier) -> bool:
        return (
            type(classifier) is HalfSpace
            and len(classifier.weights) == self.features
            and all(type(number) is int for number in (*classifier.weights, classifier.bias))
        )

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        (found,), (low, high) = of_kind(HalfSpace, classifier), of_kind(LiftedPoints, zeros, ones)
        return all(map(found.has, high.points)) and not any(map(found.has, low.points))

    def separating(self, zeros: Summary, ones: Summary) -> HalfSpace | None:
        low, high = of_kind(LiftedPoints, zeros, ones)
        if not low.points or not high.points:
            return HalfSpace((0,) * self.features, bias=0 if low.points or not high.points else 1)
        if low.points & high.points:
            return None
        from steel_verified.classes.hulls import separated  # noqa: PLC0415 (scipy takes long to import)

        found = separated(sorted(low.points), sorted(high.points))
        return found if isinstance(found, HalfSpace) else None

    def meeting(self, zeros: Summary, ones: Summary) -> Meeting | None:
        """Return a common point of the convex hulls, which proves that no half-space separates.

        Returns None if some half-space separates.
        """
        low, high = of_kind(LiftedPoints, zeros, ones)
        if not low.points or not high.points:
            return None
        from steel_verified.classes.hulls import Meeting, separated  # noqa: PLC0415 (as above)

        found = separated(sorted(low.points), sorted(high.points))
        return found if isinstance(found, Meeting) else None

    def values(self, classifier: Classifier, batch: Numbers) -> NDArray[np.bool_]:
        (found,) = of_kind(HalfSpace, classifier)
        return np.array([found.has(point) for point in _lifted(self._rows(batch))], dtype=np.bool_)

    def written(self, classifier: Classifier) -> Json:
        """Return weights and bias in base 16, since they may be very long."""
        (found,) = of_kind(HalfSpace, classifier)
        return {"weights": list(map(hex, found.weights)), "bias": hex(found.bias)}

    def read(self, found: Json) -> HalfSpace:
        match found:
            case {"weights": [*weights], "bias": bias, **rest} if not rest:
                return HalfSpace(tuple(map(_weight_of, weights)), _weight_of(bias))
        raise InvalidArgument("classifiers", shown(found), "weights and a bias")


def _weight_of(found: Json) -> int:
    try:
        weight = int(found, 16) if isinstance(found, str) else None
    except ValueError:
        weight = None
    if weight is None or hex(weight) != found:
        raise InvalidArgument("classifiers", shown(found), "integers in base 16, such as -0x1f")
    return weight


def _lifted(rows: Rows) -> list[Lifted]:
    """Return the rows as integers with a common denominator, which is a power of two."""
    lifted = []
    for row in rows.tolist():
        ratios = [x.as_integer_ratio() for x in row]
        common = max(denominator for _, denominator in ratios)
        lifted.append((*(number * (common // below) for number, below in ratios), common))
    return lifted


@dataclass(slots=True)
class Witnessed(OfClass[Numbers, Numbers]):
    """An oracle for one run. It stores its answers and returns an old one if it still separates.

    So most questions need no linear program, and few half-spaces serve for many answers. The answer
    depends only on the questions that the oracle was asked before.
    """

    functions: HalfSpaces
    separators: list[HalfSpace] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """Answer k ≥ 0 is separator k, and answer −1 − k is meeting k."""
    _recent: list[int] = field(default_factory=list)
    """The separators in the order of their last use, the most recent one first."""

    def _features(self, batch: Numbers) -> Numbers:
        return batch

    def separating(self, zeros: Summary, ones: Summary) -> HalfSpace | None:
        """Return an earlier half-space if one separates, otherwise what the class finds.

        Raises `Undecided` if the class finds neither a half-space nor a common point.
        """
        for position, number in enumerate(self._recent):
            if self.functions.separates(self.separators[number], zeros, ones):
                del self._recent[position]
                return self._given(number)
        found = self.functions.separating(zeros, ones)
        if found is not None:
            self.separators.append(found)
            return self._given(len(self.separators) - 1)
        meeting = self.functions.meeting(zeros, ones)
        if meeting is None:
            raise Undecided("the class found neither a separating half-space nor a common point")
        self.meetings.append(meeting)
        self.answers.append(-len(self.meetings))
        return None

    def separating_aside(self, zeros: Summary, ones: Summary) -> HalfSpace | None:
        """Return what the class finds; the answer is not stored, as it is not part of the run."""
        return self.functions.separating(zeros, ones)

    def _given(self, number: int) -> HalfSpace:
        self._recent.insert(0, number)
        self.answers.append(number)
        return self.separators[number]
