"""Decides from the recorded rows alone which datasets a class of classifiers can separate.

Rows are byte strings of one length. This module does not use the learner's oracle. Half-spaces,
whose verdicts need proofs, are in `half_spaces`.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import le, lt
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar

from proofs_checks.checker.reading import Fields, Malformed, text, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from proofs_checks.checker.reading import Work

Dataset = TypeVar("Dataset")
Dataset_contra = TypeVar("Dataset_contra", contravariant=True)
Row = TypeVar("Row")
Row_contra = TypeVar("Row_contra", contravariant=True)

ANNOUNCED, WIDEST = "announced", "widest margin"
"""How a class without a fixed order chooses one of several separating classifiers."""
TRUSTED = {
    ANNOUNCED: (
        "the oracle's choice among separating classifiers is a function of what it was shown"
    ),
    WIDEST: "nothing about the choice of classifiers: it is recomputed from the rows",
}
"""What is assumed with each of these rules."""
CHOICES = {"finite": ("lowest number",)} | dict.fromkeys(
    ("conjunctions", "thresholds", "boxes"), (ANNOUNCED, WIDEST)
)
"""The rules that the checker knows, for each class; others have only `ANNOUNCED`."""


class Separating(Protocol[Dataset_contra]):
    """What a class of classifiers decides about a `Dataset`, which summarises rows."""

    has_tightest: ClassVar[bool] = False
    """Whether the classifiers that are 1 on a dataset have a least one: wherever any of them is 0,
    it is 0. Then zeros can be asked for part by part."""
    asks_again: ClassVar[bool] = False
    """Whether a question is asked again after a row that says nothing new."""

    def separable(self, zeros: Dataset_contra, ones: Dataset_contra) -> bool:
        """Return whether some classifier is 0 on all of `zeros` and 1 on all of `ones`."""
        ...

    def value(self, classifier: object, row: Dataset_contra) -> bool:
        """Return the value of a classifier on the row of a dataset with one row."""
        ...

    def joined(
        self, one: Dataset_contra, others: Iterable[tuple[int, Dataset_contra]]
    ) -> int | None:
        """Return the number of the first of the others that is not told apart from `one`.

        Datasets are told apart by classifiers for both directions.
        """
        apart = self.separable
        return next((n for n, d in others if not (apart(one, d) and apart(d, one))), None)

    def encoder(self, classifiers: Sequence[object]) -> Callable[[Dataset_contra], int]:
        """Return φ': the first state whose classifier is 1 on a row, or 0 if there is none."""
        return lambda row: next((s for s, f in enumerate(classifiers) if self.value(f, row)), 0)


class Class(Separating[Dataset], Protocol[Dataset]):
    """A class of classifiers, with the rows and datasets that it reads."""

    @property
    def trusted(self) -> str:
        """One sentence: what is assumed, not checked, about the class and its oracle."""
        ...

    @property
    def row_bytes(self) -> int:
        """The length of a row in bytes."""
        ...

    def require_row(self, row: bytes, place: str) -> None:
        """Raise `Malformed` if these bytes are not a valid row."""
        ...

    def nothing(self) -> Dataset:
        """Return the dataset without rows."""
        ...

    def dataset(self, row: bytes) -> Dataset:
        """Return the dataset of one row."""
        ...

    def merged(self, one: Dataset, other: Dataset) -> Dataset:
        """Return the union of both datasets; they may have rows in common."""
        ...

    def classifier(self, value: object, place: str) -> object:
        """Return the classifier that a JSON value encodes; raise `Malformed` if it encodes none."""
        ...

    def is_chosen(self, classifier: object, zeros: Dataset, ones: Dataset) -> bool:
        """Return whether the oracle may return this classifier: whether it separates the datasets.

        If the rule of the class is recomputed, it must also be the classifier of the rule.
        """
        ...


class Spans(Generic[Dataset]):
    """The rows of a loop, and their unions in a binary tree, for the unions of long spans."""

    def __init__(self, functions: Class[Dataset], rows: list[Dataset], work: Work) -> None:
        self.functions = functions
        self.rows = rows
        self.work = work
        self.cost = 1 + (functions.row_bytes >> 8)
        work.add(2 * len(rows) * self.cost)
        self.nodes = [*rows, *rows]
        for i in reversed(range(1, len(rows))):
            self.nodes[i] = functions.merged(self.nodes[2 * i], self.nodes[2 * i + 1])

    def is_separable(self, start: int, first: int, period: int) -> bool:
        """Return whether the row `first` and every `period`-th after it can be separated from the
        other rows from `start` on.
        """
        functions = self.functions
        ones, others = functions.nothing(), list[Dataset]()
        for here in range(first, len(self.rows), period):
            self.work.add(self.cost)
            ones = functions.merged(ones, self.rows[here])
            others += self._spanning(start, here)
            start = here + 1
        others += self._spanning(start, len(self.rows))
        if functions.has_tightest:
            return all(functions.separable(zeros, ones) for zeros in others)
        return functions.separable(reduce(functions.merged, others, functions.nothing()), ones)

    def _spanning(self, start: int, stop: int) -> Iterator[Dataset]:
        """Yield unions that make up the rows from `start` to before `stop`."""
        start, stop = start + len(self.rows), stop + len(self.rows)
        while start < stop:
            self.work.add(self.cost)
            if start % 2:
                yield self.nodes[start]
                start += 1
            if stop % 2:
                stop -= 1
                yield self.nodes[stop]
            start, stop = start // 2, stop // 2


# --- finite classes -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finite(Separating[tuple[int, int]]):
    """A finite class: bit f of a row is the value of classifier f on the observation.

    A dataset is summarised by two bit masks: the classifiers that are 1 on all of its rows, and
    those that are 1 on some row. The oracle returns the separating classifier with the lowest
    number.
    """

    size: int

    @property
    def trusted(self) -> str:
        return (
            f"the {self.size} bits of a row are the values of the {self.size} classifiers of F, "
            "in an order that was fixed before the run"
        )

    @property
    def row_bytes(self) -> int:
        return -(-self.size // 8)

    def require_row(self, row: bytes, place: str) -> None:
        if int.from_bytes(row, "little") >> self.size:
            raise Malformed(place, f"a bit is set after the last of the {self.size} classifiers")

    def nothing(self) -> tuple[int, int]:
        return (1 << self.size) - 1, 0

    def dataset(self, row: bytes) -> tuple[int, int]:
        bits = int.from_bytes(row, "little")
        return bits, bits

    def merged(self, one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        return one[0] & other[0], one[1] | other[1]

    def separable(self, zeros: tuple[int, int], ones: tuple[int, int]) -> bool:
        return bool(ones[0] & ~zeros[1])

    def classifier(self, value: object, place: str) -> object:
        if whole(value, place) >= self.size:
            raise Malformed(place, f"expected a classifier, 0 to {self.size - 1}")
        return value

    def is_chosen(self, classifier: object, zeros: tuple[int, int], ones: tuple[int, int]) -> bool:
        separators = ones[0] & ~zeros[1]
        return bool(separators) and classifier == (separators & -separators).bit_length() - 1

    def value(self, classifier: object, row: tuple[int, int]) -> bool:
        assert isinstance(classifier, int)
        return bool(row[0] >> classifier & 1)

    def joined(
        self, one: tuple[int, int], others: Iterable[tuple[int, tuple[int, int]]]
    ) -> int | None:
        always, never = one[0], ~one[1]
        return next((n for n, d in others if not (d[0] & never and always & ~d[1])), None)

    def encoder(self, classifiers: Sequence[object]) -> Callable[[tuple[int, int]], int]:
        first: dict[int, int] = {}
        for state, f in enumerate(classifiers):
            assert isinstance(f, int)
            first.setdefault(1 << f, state)
        chosen = sum(first)

        def named(row: tuple[int, int]) -> int:
            found, states = row[0] & chosen, list[int]()
            while found:
                states.append(first[found & -found])
                found &= found - 1
            return min(states, default=0)

        return named


# --- datasets that keep their rows ----------------------------------------------------------------


class Region(Protocol[Row_contra]):
    """A set of rows."""

    def has(self, row: Row_contra, work: Work) -> bool:
        """Return whether the row is in the region, and count the work."""
        ...


class Tree(Generic[Row]):
    """Rows as a binary tree that grows at the root: one row, or two subtrees, or nothing.

    A dataset grows row by row, and the same question is asked again after each row. Each subtree
    remembers the answers, so a question takes time proportional to the rows that are new to it.
    """

    __slots__ = ("known", "parts", "row")

    def __init__(self, row: Row | None = None, parts: tuple[Tree[Row], ...] = ()) -> None:
        self.row = row
        self.parts = parts
        self.known: dict[tuple[int, bool], tuple[Region[Row], bool]] = {}
        """Answers by the identity of the region, which the answer keeps from being reused. Hashing
        a region would take time proportional to the width of a row."""

    def meets(self, region: Region[Row], work: Work, *, inside: bool = True) -> bool:
        """Return whether some row is inside the region, or outside if `inside` is false."""
        question = id(region), inside
        waiting = [self]
        while waiting:
            work.add(6)
            tree, unasked = waiting[-1], None
            found = tree.row is not None and region.has(tree.row, work) == inside
            for part in tree.parts:
                if question not in part.known:
                    unasked = part
                elif part.known[question][1]:
                    found = True
            if found or unasked is None:
                tree.known[question] = region, found
                waiting.pop()
            else:
                waiting.append(unasked)
        return self.known[question][1]

    def is_empty(self, work: Work) -> bool:
        return next(self.rows(work), None) is None

    def rows(self, work: Work) -> Iterator[Row]:
        """Yield all rows, the latest first."""
        waiting = [self]
        while waiting:
            work.add(2)
            tree = waiting.pop()
            waiting += tree.parts
            if tree.row is not None:
                yield tree.row


# --- conjunctions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literals:
    """Bits that must be 1, and bits that must be 0."""

    needed: int
    barred: int

    def has(self, row: int, work: Work) -> bool:
        work.add(4)
        return not self.needed & ~row and not self.barred & row


@dataclass(frozen=True, slots=True)
class Bits:
    """Rows, and the strongest conjunction that is true on all of them."""

    tightest: Literals
    rows: Tree[int]


@dataclass(frozen=True, slots=True)
class Conjunctions(Separating[Bits]):
    """Conjunctions of literals over `width` bits."""

    has_tightest: ClassVar[bool] = True
    width: int
    work: Work
    rule: str = ANNOUNCED

    @property
    def trusted(self) -> str:
        return TRUSTED[self.rule]

    @property
    def row_bytes(self) -> int:
        return -(-self.width // 8)

    def require_row(self, row: bytes, place: str) -> None:
        if int.from_bytes(row, "little") >> self.width:
            raise Malformed(place, f"a bit is set after the last of the {self.width} bits")

    def nothing(self) -> Bits:
        every = (1 << self.width) - 1
        return Bits(Literals(every, every), Tree())

    def dataset(self, row: bytes) -> Bits:
        bits = int.from_bytes(row, "little")
        return Bits(Literals(bits, (1 << self.width) - 1 - bits), Tree(bits))

    def merged(self, one: Bits, other: Bits) -> Bits:
        a, b = one.tightest, other.tightest
        tightest = Literals(a.needed & b.needed, a.barred & b.barred)
        return Bits(a if a == tightest else tightest, Tree(parts=(one.rows, other.rows)))

    def separable(self, zeros: Bits, ones: Bits) -> bool:
        self.work.add(4)
        a, b = zeros.tightest, ones.tightest
        differs = a.needed & b.barred or a.barred & b.needed  # a bit, in all rows
        return bool(differs) or not zeros.rows.meets(b, self.work)

    def classifier(self, value: object, place: str) -> object:
        said = text(value, place)
        if len(said) != self.width or said.strip("01-x"):
            raise Malformed(place, f"expected {self.width} characters, each 0, 1, - or x")
        ones, zeros = (said[::-1].translate(str.maketrans("01-x", to)) for to in ("0101", "1001"))
        return Literals(int(ones, 2), int(zeros, 2))

    def is_chosen(self, classifier: object, zeros: Bits, ones: Bits) -> bool:
        assert isinstance(classifier, Literals)
        if self.rule == WIDEST:
            return classifier == self._widest(zeros, ones)
        looser = ones.tightest
        return (
            not classifier.needed & ~looser.needed
            and not classifier.barred & ~looser.barred
            and not zeros.rows.meets(classifier, self.work)
        )

    def value(self, classifier: object, row: Bits) -> bool:
        assert isinstance(classifier, Literals)
        return classifier.has(row.tightest.needed, self.work)

    def _widest(self, zeros: Bits, ones: Bits) -> Literals | None:
        """Return the literals that exclude the most zeros, one by one; None if some zero stays.

        The literal "bit i is 1" has number i, and "bit i is 0" has number width + i. Of several
        that exclude as many, the first is taken.
        """
        if ones.rows.is_empty(self.work):
            return Literals(1, 1)
        every, held = (1 << self.width) - 1, ones.tightest
        left = [
            (held.needed & ~row & every) | (held.barred & row) << self.width
            for row in set(zeros.rows.rows(self.work))
        ]
        chosen = 0
        while left:
            self.work.add(len(left) * (4 + self.width // 200))
            most = _most_common(left)
            if not most:
                return None
            chosen |= most
            left = [excluding for excluding in left if not excluding & most]
        return Literals(chosen & every, chosen >> self.width)


def _most_common(sets: list[int]) -> int:
    """Return the lowest bit that is in the most of these sets, as a number; 0 if all are empty."""
    digits: list[int] = []  # bit b of digits[k]: binary digit k of how often bit b occurs
    for each in sets:
        carry = each
        for k, digit in enumerate(digits):
            digits[k], carry = digit ^ carry, digit & carry
            if not carry:
                break
        if carry:
            digits.append(carry)
    if not digits:
        return 0
    most = digits[-1]
    for digit in reversed(digits[:-1]):
        most = most & digit or most
    return most & -most


# --- classes on numbers ---------------------------------------------------------------------------

Point: TypeAlias = tuple[float, ...]
"""Integers or floats. Python compares them exactly."""


class Numbers:
    """Rows of `width` numbers of eight bytes each, little-endian."""

    def __init__(
        self,
        entries: Literal["int64", "float64"],
        width: int,
        work: Work,
        rule: str = ANNOUNCED,
    ) -> None:
        self.entries = entries
        self.width = width
        self.work = work
        self.rule = rule
        self.trusted = TRUSTED[rule]
        self.row_bytes = 8 * width

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


@dataclass(frozen=True, slots=True)
class Extent:
    """A box: the minimum and the maximum of each feature; empty tuples if there are no rows."""

    least: Point = ()
    greatest: Point = ()

    def with_all(self, other: Extent, work: Work) -> Extent:
        work.add(len(self.least) // 2)
        if not self.least or not other.least:
            return self if self.least else other
        least = tuple(map(min, self.least, other.least))
        greatest = tuple(map(max, self.greatest, other.greatest))
        same = least == self.least and greatest == self.greatest
        return self if same else Extent(least, greatest)

    def has(self, row: Point, work: Work) -> bool:
        work.add(4 + len(row) // 2)
        return (
            bool(self.least) and all(map(le, self.least, row)) and all(map(le, row, self.greatest))
        )


@dataclass(frozen=True, slots=True)
class Threshold:
    feature: int
    sign: str
    bound: float

    def value(self, point: Point) -> bool:
        x = point[self.feature]
        return x >= self.bound if self.sign == ">=" else x <= self.bound


class Thresholds(Numbers, Separating[Extent]):
    """x_i ≥ c or x_i ≤ c, for one feature i."""

    def nothing(self) -> Extent:
        return Extent()

    def dataset(self, row: bytes) -> Extent:
        point = self.point(row)
        return Extent(point, point)

    def merged(self, one: Extent, other: Extent) -> Extent:
        return one.with_all(other, self.work)

    def separable(self, zeros: Extent, ones: Extent) -> bool:
        self.work.add(self.width // 2)
        return (
            not zeros.least
            or not ones.least
            or any(map(lt, zeros.greatest, ones.least))
            or any(map(lt, ones.greatest, zeros.least))
        )

    def classifier(self, value: object, place: str) -> object:
        r = Fields(value, place, "feature", "sign", "bound")
        feature, sign = r.whole("feature"), r.text("sign")
        if feature >= self.width or sign not in (">=", "<="):
            raise Malformed(place, "expected a threshold on one of the features")
        return Threshold(feature, sign, self.number(r["bound"], f"{place}.bound"))

    def is_chosen(self, classifier: object, zeros: Extent, ones: Extent) -> bool:
        assert isinstance(classifier, Threshold)
        if self.rule == WIDEST:
            return classifier == self._widest(zeros, ones)
        up = classifier.sign == ">="
        # The value of the zeros nearest to the threshold, and that of the ones.
        near, far = (zeros.greatest, ones.least) if up else (zeros.least, ones.greatest)
        return (not near or not classifier.value(near)) and (not far or classifier.value(far))

    def value(self, classifier: object, row: Extent) -> bool:
        assert isinstance(classifier, Threshold)
        return classifier.value(row.least)

    def _widest(self, zeros: Extent, ones: Extent) -> Threshold | None:
        """Return the threshold with the widest margin, the first of several; None if there is none.

        Thresholds with ">=" come first, in the order of the features, then those with "<=".
        """
        if not zeros.least or not ones.least:
            return Threshold(0, ">=", -math.inf if ones.least else math.inf)
        self.work.add(20 * self.width)
        best, found = Fraction(0), None
        for upper in (False, True):
            near, far = (zeros.least, ones.greatest) if upper else (zeros.greatest, ones.least)
            for i, (zero, one) in enumerate(zip(near, far, strict=True)):
                if (one < zero) if upper else (zero < one):
                    ends = zeros.least[i], ones.least[i], zeros.greatest[i], ones.greatest[i]
                    spread = Fraction(max(ends)) - Fraction(min(ends))
                    margin = abs(Fraction(zero) - Fraction(one)) / spread
                    if margin > best:
                        best = margin
                        found = Threshold(i, "<=" if upper else ">=", _bound(zero, one))
        return found


def _bound(zero: float, one: float) -> float:
    """Return the bound between the nearest zero and the ones, near the middle."""
    if zero > one:
        return -_bound(-zero, -one)
    if isinstance(zero, int) and isinstance(one, int):
        return (zero + one + 1) // 2
    middle = zero / 2 + one / 2
    return middle if zero < middle <= one else one


@dataclass(frozen=True, slots=True)
class Cloud:
    """Rows, and the smallest box around them."""

    box: Extent
    rows: Tree[Point]


class Boxes(Numbers, Separating[Cloud]):
    """Products of closed intervals, and the empty box."""

    has_tightest = True

    def nothing(self) -> Cloud:
        return Cloud(Extent(), Tree())

    def dataset(self, row: bytes) -> Cloud:
        point = self.point(row)
        return Cloud(Extent(point, point), Tree(point))

    def merged(self, one: Cloud, other: Cloud) -> Cloud:
        return Cloud(one.box.with_all(other.box, self.work), Tree(parts=(one.rows, other.rows)))

    def separable(self, zeros: Cloud, ones: Cloud) -> bool:
        self.work.add(self.width // 4)
        a, b = zeros.box, ones.box
        differs = any(map(lt, a.greatest, b.least)) or any(map(lt, b.greatest, a.least))
        return differs or not zeros.rows.meets(b, self.work)

    def classifier(self, value: object, place: str) -> object:
        r = Fields(value, place, "least", "greatest")
        return Extent(
            self.numbers(r["least"], f"{place}.least"),
            self.numbers(r["greatest"], f"{place}.greatest"),
        )

    def is_chosen(self, classifier: object, zeros: Cloud, ones: Cloud) -> bool:
        assert isinstance(classifier, Extent)
        if self.rule == WIDEST:
            return classifier == self._widest(zeros, ones)
        corners = (ones.box.least, ones.box.greatest) if ones.box.least else ()
        return all(
            classifier.has(corner, self.work) for corner in corners
        ) and not zeros.rows.meets(classifier, self.work)

    def value(self, classifier: object, row: Cloud) -> bool:
        assert isinstance(classifier, Extent)
        return classifier.has(row.box.least, self.work)

    def _widest(self, zeros: Cloud, ones: Cloud) -> Extent | None:
        """Return the box of the rule; None if a zero lies in the smallest box around the ones.

        Side i of 2·width is x_i ≥ c for i < width, then come x_i ≤ c. A side excludes the zeros of
        its feature from the farthest to some nearest one. Its margin is the distance from there to
        the ones, divided by the spread of the feature over zeros and ones. Each time, the greatest
        product of margin and number of excluded zeros is taken; of equal ones, that which excludes
        more, then the first side.
        """
        width = self.width
        least, greatest = [-math.inf] * width, [math.inf] * width
        if not ones.box.least:
            return Extent(tuple(greatest), tuple(least))
        rows = list(set(zeros.rows.rows(self.work)))
        sides = [_Side(i, rows, ones.box, self.work) for i in range(2 * width)] if rows else []
        left = set(range(len(rows)))
        while left:
            best = sides[0]
            for side in sides:
                side.cut(left, self.work)
                if side.is_better(best):
                    best = side
            if not best.count:
                return None
            left.difference_update(k for _, k in best.excluded[: best.count])
            upper, i = divmod(best.number, width)
            zero = rows[best.excluded[best.count - 1][1]][i]
            if upper:
                greatest[i] = _bound(zero, ones.box.greatest[i])
            else:
                least[i] = _bound(zero, ones.box.least[i])
        return Extent(tuple(least), tuple(greatest))


class _Side:
    """A side of boxes, with the zeros that it can exclude, as whole numbers of one scale."""

    def __init__(self, number: int, rows: list[Point], box: Extent, work: Work) -> None:
        self.number = number
        upper, i = divmod(number, len(box.least))
        ends = box.least[i], box.greatest[i]
        ratios = [x.as_integer_ratio() for x in (*(row[i] for row in rows), *ends)]
        scale = max(below for _, below in ratios)  # a power of two
        whole = [above * (scale // below) for above, below in ratios]
        *zeros, low, high = whole
        self.spread = max(whole) - min(whole)
        self.cost = 1 + self.spread.bit_length() // 200
        work.add(8 * len(rows) * self.cost)
        distances = (x - high if upper else low - x for x in zeros)
        self.excluded = sorted(
            ((distance, k) for k, distance in enumerate(distances) if distance > 0), reverse=True
        )
        """The zeros beyond the ones, as distance and place, the farthest first."""
        self.product, self.count = 0, 0
        """Of the best cut: distance times number of zeros, and this number."""

    def cut(self, left: set[int], work: Work) -> None:
        """Find the best cut for the zeros that are left."""
        work.add((3 + 2 * len(self.excluded)) * self.cost)
        self.excluded = [each for each in self.excluded if each[1] in left]
        self.product, self.count = 0, 0
        for count, (distance, _) in enumerate(self.excluded, 1):
            if count * distance >= self.product:
                self.product, self.count = count * distance, count

    def is_better(self, other: _Side) -> bool:
        """Compare margin times number, then the number; distances are divided by the spread."""
        ours, theirs = self.product * other.spread, other.product * self.spread
        return (ours, self.count) > (theirs, other.count)
