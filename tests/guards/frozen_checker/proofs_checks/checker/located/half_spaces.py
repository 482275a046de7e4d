"""Half-spaces. Each verdict is proved by a separator or by a common point of the convex hulls."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from proofs_checks.checker.document import Fields, Malformed, fraction, list_of, text
from proofs_checks.checker.located.number_classes import Numbers
from proofs_checks.checker.located.record import Broken
from proofs_checks.checker.located.trees import Tree
from proofs_checks.checker.planning import Work

Lifted: TypeAlias = tuple[int, ...]
"""A row x as integers (d·x_1, …, d·x_n, d) with d ≥ 1."""
LONGEST_WEIGHT = 4000
"""The maximal number of hexadecimal digits of a weight."""


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """The half-space weights·x + bias > 0; the bias is the last number."""

    weights: tuple[int, ...]

    def has(self, row: Lifted) -> bool:
        return sum(w * x for w, x in zip(self.weights, row, strict=True)) > 0

    def has_not(self, row: Lifted) -> bool:
        return not self.has(row)


Mixture: TypeAlias = tuple[tuple[tuple[Fraction, ...], Fraction], ...]
"""Points with weights."""


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

    separators: tuple[HalfSpace, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    answers: tuple[int, ...] = ()


class HalfSpaces:
    """All open half-spaces, and both constant functions."""

    def __init__(self, numbers: Numbers, proofs: Proofs) -> None:
        self.numbers = numbers
        self.proofs = proofs
        self.asked = 0
        """Number of verdicts used."""

    def begun(self) -> HalfSpaces:
        """Return the same class before its first question."""
        return HalfSpaces(self.numbers, self.proofs)

    @property
    def trusted(self) -> str:
        return self.numbers.trusted

    @property
    def row_bytes(self) -> int:
        return self.numbers.row_bytes

    def require_row(self, row: bytes, place: str) -> None:
        self.numbers.require_row(row, place)

    def nothing(self) -> Tree[Lifted]:
        return Tree()

    def dataset(self, row: bytes) -> Tree[Lifted]:
        return Tree(self._lifted(row))

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
        points = [self._mixed(meeting.zeros, zeros, place), self._mixed(meeting.ones, ones, place)]
        if points[0] != points[1]:
            raise Broken("proofs", place, "the two convex combinations are different points")
        return False

    def classifier(self, value: object, place: str) -> object:
        r = Fields(value, place, "weights", "bias")
        weights = r.list_of("weights", _weight)
        if len(weights) != self.numbers.width:
            raise Malformed(place, f"expected {self.numbers.width} weights")
        return HalfSpace((*weights, _weight(r["bias"], f"{place}.bias")))

    def is_chosen(self, classifier: object, zeros: Tree[Lifted], ones: Tree[Lifted]) -> bool:
        assert isinstance(classifier, HalfSpace)
        work = self.numbers.work
        return not zeros.has((classifier, 1), classifier.has, work) and not ones.has(
            (classifier, 0), classifier.has_not, work
        )

    def value(self, classifier: object, row: bytes) -> bool:
        assert isinstance(classifier, HalfSpace)
        return classifier.has(self._lifted(row))

    def _lifted(self, row: bytes) -> Lifted:
        ratios = [x.as_integer_ratio() for x in self.numbers.point(row)]
        common = lcm(*(below for _, below in ratios))
        return (*(above * (common // below) for above, below in ratios), common)

    def _mixed(self, mixture: Mixture, rows: Tree[Lifted], place: str) -> list[Fraction]:
        """Return the point of a convex combination of rows; raise `Broken` if it is not one."""
        held = {row[:-1]: row[-1] for row in rows.rows(self.numbers.work)}
        exact = {tuple(Fraction(x, below) for x in row) for row, below in held.items()}
        if not exact.issuperset(point for point, _ in mixture):
            raise Broken(
                "proofs", place, "a convex combination uses points that are not rows of its dataset"
            )
        if not mixture or sum(weight for _, weight in mixture) != 1:
            raise Broken("proofs", place, "the weights of a convex combination do not sum to 1")
        columns = range(self.numbers.width)
        return [sum((w * point[i] for point, w in mixture), Fraction(0)) for i in columns]


def proofs_in(value: object, width: int) -> Proofs:
    """Return the proofs in a certificate; raise `Malformed` if they are wrongly written."""
    r = Fields(value, "proofs", "separators", "meetings", "answers")
    numbers = Numbers("int64", width, Work(0))
    shape = HalfSpaces(numbers, Proofs())
    separators = []
    for found in r.list_of("separators", shape.classifier):
        assert isinstance(found, HalfSpace)
        separators.append(found)
    meetings = r.list_of("meetings", lambda each, place: _meeting(each, place, width))
    answers = r["answers"]
    if not isinstance(answers, list) or not all(
        type(each) is int and -len(meetings) <= each < len(separators) for each in answers
    ):
        raise Malformed(
            "proofs.answers", "expected indices: k for separator k, -1 - k for meeting k"
        )
    return Proofs(tuple(separators), meetings, tuple(answers))


def _meeting(value: object, place: str, width: int) -> Meeting:
    r = Fields(value, place, "zeros", "ones")

    def weighted(each: object, at: str) -> tuple[tuple[Fraction, ...], Fraction]:
        if not isinstance(each, list) or len(each) != 2:
            raise Malformed(at, "expected [point, weight]")
        point = list_of(each[0], f"{at}[0]", _signed)
        if len(point) != width:
            raise Malformed(f"{at}[0]", f"expected {width} numbers")
        return point, fraction(each[1], f"{at}[1]")

    return Meeting(r.list_of("zeros", weighted), r.list_of("ones", weighted))


def _signed(value: object, place: str) -> Fraction:
    said = text(value, place)
    found = fraction(said.removeprefix("-"), place)
    if said == "-0":
        raise Malformed(place, "expected a fraction in lowest terms, such as -1/3")
    return -found if said.startswith("-") else found


def _weight(value: object, place: str) -> int:
    said = text(value, place)
    if len(said) > LONGEST_WEIGHT or not re.fullmatch("-?0x[0-9a-f]+", said):
        raise Malformed(place, "expected a whole number in base 16, such as -0x1f")
    found = int(said, 16)
    if hex(found) != said:
        raise Malformed(place, "expected hexadecimal as Python writes it, such as -0x1f")
    return found
