"""Half-spaces. Each verdict is proved by a separator or by a common point of the convex hulls.

The numbers of a proof may have thousands of digits, so their arithmetic is counted by their bits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Literal

from proofs_checks.checker.classes import Numbers, Separating, Tree
from proofs_checks.checker.reading import (
    Broken,
    Fields,
    Finding,
    Malformed,
    fraction,
    list_of,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from proofs_checks.checker.reading import Work

LONGEST_WEIGHT = 4000
"""The maximal number of hexadecimal digits of a weight."""
FLOAT_ABOVE, FLOAT_BELOW = 1024, 1074
"""A float64 is below 2^1024, and a multiple of 2^−1074."""


@dataclass(frozen=True, slots=True, eq=False)
class Lifted:
    """A row x as integers (d·x_1, …, d·x_n, d) with the least d ≥ 1, which is a power of 2."""

    numbers: tuple[int, ...]
    bits: int
    """Those of the longest number."""


def lifted(ratios: list[tuple[int, int]], work: Work) -> Lifted:
    """Return the row with these numbers, each as a numerator and a power of 2 below it."""
    common = max(below for _, below in ratios)
    numbers = (*(above * (common // below) for above, below in ratios), common)
    bits = max(map(int.bit_length, numbers))
    work.add(len(numbers) * (1 + bits // 64))
    return Lifted(numbers, bits)


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """The half-space weights·x + bias > 0; the bias is the last number."""

    weights: tuple[int, ...]
    bits: int
    """The sum of their bits."""

    def has(self, row: Lifted, work: Work) -> bool:
        work.add(4 + len(self.weights))
        work.multiply(self.bits, row.bits)
        return sum(w * x for w, x in zip(self.weights, row.numbers, strict=True)) > 0


@dataclass(frozen=True, slots=True)
class Mixture:
    """Points with weights. A point is None if no row can be there."""

    points: tuple[Lifted | None, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """A common point of two hulls, as a convex combination of zeros and as one of ones."""

    zeros: Mixture
    ones: Mixture


@dataclass(frozen=True, slots=True)
class Proofs:
    """The verdicts on all separability questions, in the order in which they were asked.

    Answer k ≥ 0 is separator k, and answer −1 − k is meeting k.
    """

    separators: tuple[HalfSpace, ...]
    meetings: tuple[Meeting, ...]
    answers: tuple[int, ...]


class HalfSpaces(Numbers, Separating[Tree[Lifted]]):
    """All open half-spaces, and both constant functions."""

    asks_again = True  # each answer has its own proof in the file

    def __init__(
        self, entries: Literal["int64", "float64"], width: int, work: Work, proofs: Proofs
    ) -> None:
        super().__init__(entries, width, work)
        self.proofs = proofs
        self.asked = 0
        """Number of verdicts used."""
        self.rows: dict[tuple[int, ...], Lifted] = {}
        """One object for all rows that are equal, so that rows are compared by identity."""
        self.meeting: set[int] = set()
        """The meetings whose two combinations were found to be one point."""

    def begun(self) -> HalfSpaces:
        """Return the same class before its first question."""
        return HalfSpaces(self.entries, self.width, self.work, self.proofs)

    def check_end(self) -> Iterator[Finding]:
        """Every verdict was asked for."""
        if self.asked < len(self.proofs.answers):
            message = f"{len(self.proofs.answers)} verdicts, but the run needs {self.asked}"
            yield Finding("proofs", "proofs.answers", message)

    def nothing(self) -> Tree[Lifted]:
        return Tree()

    def dataset(self, row: bytes) -> Tree[Lifted]:
        found = lifted([x.as_integer_ratio() for x in self.point(row)], self.work)
        return Tree(self.rows.setdefault(found.numbers, found))

    def merged(self, one: Tree[Lifted], other: Tree[Lifted]) -> Tree[Lifted]:
        return Tree(parts=(one, other))

    def separable(self, zeros: Tree[Lifted], ones: Tree[Lifted]) -> bool:
        place = f"proofs.answers[{self.asked}]"
        if self.asked == len(self.proofs.answers):
            raise Broken("proofs", place, "the proof of this verdict is missing")
        answer = self.proofs.answers[self.asked]
        self.asked += 1
        if answer >= 0:
            if not self.is_chosen(self.proofs.separators[answer], zeros, ones):
                raise Broken("proofs", place, "the half-space does not separate the rows")
            return True
        meeting = self.proofs.meetings[-1 - answer]
        for mixture, rows in ((meeting.zeros, zeros), (meeting.ones, ones)):
            if not self._are_rows(mixture.points, rows):
                message = "a convex combination uses points that are not rows of its dataset"
                raise Broken("proofs", place, message)
        if answer not in self.meeting:
            self._require_one_point(meeting, place)
            self.meeting.add(answer)
        return False

    def classifier(self, value: object, place: str) -> object:
        return half_space(value, place, self.width)

    def is_chosen(self, classifier: object, zeros: Tree[Lifted], ones: Tree[Lifted]) -> bool:
        assert isinstance(classifier, HalfSpace)
        outside = ones.meets(classifier, self.work, inside=False)
        return not outside and not zeros.meets(classifier, self.work)

    def value(self, classifier: object, row: Tree[Lifted]) -> bool:
        assert isinstance(classifier, HalfSpace)
        return row.meets(classifier, self.work)

    def _are_rows(self, points: tuple[Lifted | None, ...], dataset: Tree[Lifted]) -> bool:
        """Return whether all points are rows of a dataset."""
        missing = set()
        for point in points:
            self.work.add(4 + (0 if point is None else (self.width * point.bits >> 8)))
            row = None if point is None else self.rows.get(point.numbers)
            if row is None:
                return False
            missing.add(row)
        for row in dataset.rows(self.work):
            missing.discard(row)
            if not missing:
                break
        return not missing

    def _require_one_point(self, meeting: Meeting, place: str) -> None:
        """Raise `Broken` unless the convex combinations are one, and the same point."""
        (point, below), (other, other_below) = (
            self._combined(mixture, place) for mixture in (meeting.zeros, meeting.ones)
        )
        for numbers, by in ((point, other_below), (other, below)):
            self._count_products(max(map(int.bit_length, numbers)), by)
        if [x * other_below for x in point] != [y * below for y in other]:
            raise Broken("proofs", place, "the two convex combinations are different points")

    def _combined(self, mixture: Mixture, place: str) -> tuple[list[int], int]:
        """Return a convex combination as integers above one denominator; raise `Broken`."""
        common = 1
        for weight in mixture.weights:
            self.work.divide(common.bit_length(), weight.denominator.bit_length())
            common = lcm(common, weight.denominator)
        parts = []
        for weight in mixture.weights:
            self.work.divide(common.bit_length(), weight.denominator.bit_length())
            self.work.multiply(common.bit_length(), weight.numerator.bit_length())
            parts.append(weight.numerator * (common // weight.denominator))
        if not parts or sum(parts) != common:
            message = "the weights of a convex combination do not sum to 1"
            raise Broken("proofs", place, message)
        points = [point for point in mixture.points if point]
        finest = max(point.numbers[-1] for point in points)
        sums = [0] * self.width
        for part, point in zip(parts, points, strict=True):
            factor = part * (finest // point.numbers[-1])
            self._count_products(point.bits, factor)
            sums = [x + factor * y for x, y in zip(sums, point.numbers, strict=False)]
        return sums, common * finest

    def _count_products(self, bits: int, by: int) -> None:
        """Count the products of a number with each of a point, and as many sums."""
        self.work.add(4 * self.width)
        self.work.multiply(self.width * (64 + bits), by.bit_length())


# --- reading --------------------------------------------------------------------------------------


def proofs_in(value: object, width: int, work: Work) -> Proofs:
    """Return the proofs in a certificate; raise `Malformed` if they are wrongly written."""
    r = Fields(value, "proofs", "separators", "meetings", "answers")
    separators = r.list_of("separators", lambda each, place: half_space(each, place, width))
    meetings = r.list_of("meetings", lambda each, place: _meeting(each, place, width, work))
    answers = r["answers"]
    if not isinstance(answers, list) or not all(
        type(each) is int and -len(meetings) <= each < len(separators) for each in answers
    ):
        raise Malformed(
            "proofs.answers", "expected indices: k for separator k, -1 - k for meeting k"
        )
    return Proofs(separators, meetings, tuple(answers))


def half_space(value: object, place: str, width: int) -> HalfSpace:
    r = Fields(value, place, "weights", "bias")
    weights = r.list_of("weights", _weight)
    if len(weights) != width:
        raise Malformed(place, f"expected {width} weights")
    weights = (*weights, _weight(r["bias"], f"{place}.bias"))
    return HalfSpace(weights, sum(map(int.bit_length, weights)))


def _weight(value: object, place: str) -> int:
    said = text(value, place)
    if len(said) > LONGEST_WEIGHT or not re.fullmatch("-?0x[0-9a-f]+", said):
        raise Malformed(place, "expected a whole number in base 16, such as -0x1f")
    found = int(said, 16)
    if hex(found) != said:
        raise Malformed(place, "expected hexadecimal as Python writes it, such as -0x1f")
    return found


def _meeting(value: object, place: str, width: int, work: Work) -> Meeting:
    r = Fields(value, place, "zeros", "ones")

    def weighted(each: object, at: str) -> tuple[Lifted | None, Fraction]:
        if not isinstance(each, list) or len(each) != 2:
            raise Malformed(at, "expected [point, weight]")
        point = list_of(each[0], f"{at}[0]", _signed)
        if len(point) != width:
            raise Malformed(f"{at}[0]", f"expected {width} numbers")
        ratios = [x.as_integer_ratio() for x in point]
        return lifted(ratios, work) if all(map(_is_short, point)) else None, fraction(
            each[1], f"{at}[1]"
        )

    def mixture(key: str) -> Mixture:
        found = r.list_of(key, weighted)
        return Mixture(tuple(point for point, _ in found), tuple(weight for _, weight in found))

    return Meeting(mixture("zeros"), mixture("ones"))


def _signed(value: object, place: str) -> Fraction:
    said = text(value, place)
    found = fraction(said.removeprefix("-"), place)
    if said == "-0":
        raise Malformed(place, "expected a fraction in lowest terms, such as -1/3")
    return -found if said.startswith("-") else found


def _is_short(number: Fraction) -> bool:
    """Return whether a number can be the entry of a row, judged by its bits."""
    above, below = number.as_integer_ratio()
    return (
        below & (below - 1) == 0
        and below.bit_length() <= FLOAT_BELOW + 1
        and above.bit_length() <= FLOAT_ABOVE + below.bit_length()
    )
