"""Half-spaces. The record proves each verdict: by a separator, or a common point of the hulls."""

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
"""Digits of a weight, in base 16."""


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """weights·x + bias > 0; the bias is the last number."""

    weights: tuple[int, ...]

    def has(self, row: Lifted) -> bool:
        return sum(w * x for w, x in zip(self.weights, row, strict=True)) > 0

    def has_not(self, row: Lifted) -> bool:
        return not self.has(row)


Mixture: TypeAlias = tuple[tuple[tuple[Fraction, ...], Fraction], ...]
"""Points with weights."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A common point of two hulls, as a mixture of zeros and as a mixture of ones."""

    zeros: Mixture
    ones: Mixture


@dataclass(frozen=True, slots=True)
class Proofs:
    """The answers to all questions, in the order in which they were asked.

    Answer k ≥ 0 is separator k, and answer −1 − k is meeting k.
    """

    separators: tuple[HalfSpace, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    answers: tuple[int, ...] = ()


class HalfSpaces:
    """All open half-spaces, and the two constant functions."""

    def __init__(self, numbers: Numbers, proofs: Proofs) -> None:
        self.numbers = numbers
        self.proofs = proofs
        self.asked = 0
        """Answers that were taken."""

    def begun(self) -> HalfSpaces:
        """The same class before the first question."""
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
            raise Broken("proofs", place, "a question was asked, and no answer is there")
        answer = self.proofs.answers[self.asked]
        self.asked += 1
        if answer >= 0:
            if not self.is_chosen(self.proofs.separators[answer], zeros, ones):
                raise Broken("proofs", place, "the half-space does not separate the rows")
            return True
        meeting = self.proofs.meetings[-1 - answer]
        points = [self._mixed(meeting.zeros, zeros, place), self._mixed(meeting.ones, ones, place)]
        if points[0] != points[1]:
            raise Broken("proofs", place, "the two mixtures are not the same point")
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
        """The point that a mixture of rows is; raises `Broken` if it is none."""
        held = {row[:-1]: row[-1] for row in rows.rows(self.numbers.work)}
        exact = {tuple(Fraction(x, below) for x in row) for row, below in held.items()}
        if not exact.issuperset(point for point, _ in mixture):
            raise Broken("proofs", place, "a mixture has points that are no rows of its dataset")
        if not mixture or sum(weight for _, weight in mixture) != 1:
            raise Broken("proofs", place, "the weights of a mixture do not sum to 1")
        columns = range(self.numbers.width)
        return [sum((w * point[i] for point, w in mixture), Fraction(0)) for i in columns]


def proofs_in(value: object, width: int) -> Proofs:
    """The proofs that a certificate holds; raises `Malformed`."""
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
        raise Malformed("proofs.answers", "expected numbers of separators and meetings")
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
        raise Malformed(place, "expected a fraction as it is usually written")
    return -found if said.startswith("-") else found


def _weight(value: object, place: str) -> int:
    said = text(value, place)
    if len(said) > LONGEST_WEIGHT or not re.fullmatch("-?0x[0-9a-f]+", said):
        raise Malformed(place, "expected a whole number in base 16, such as -0x1f")
    found = int(said, 16)
    if hex(found) != said:
        raise Malformed(place, "expected a number as it is usually written")
    return found
