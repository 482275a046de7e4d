"""Finite classes of classifiers, as oracles.

For a finite class, the summary of a dataset says which classifiers are 1 on all of its rows and
which are 1 on at least one row. It has one bit for each classifier, packed into two integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from steel_verified.classes.rows import Bits, Numbers, rows_of_bits, shown
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Classifier, Decides, Declared, Summary, of_kind
from steel_verified.theory.parameters import require_integer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json

Observation = TypeVar("Observation")


@dataclass(frozen=True, slots=True)
class Marks(Summary):
    """Bit f of `every`: classifier f is 1 on all samples; bit f of `some`: on at least one."""

    every: int
    some: int


@dataclass(frozen=True, slots=True)
class _FiniteClass(Decides):
    """The common part of all finite classes: `Marks`, and the search for the lowest separator."""

    class_size: int

    def __post_init__(self) -> None:
        require_integer("class_size", self.class_size, at_least=1)

    @property
    def declared(self) -> Declared:
        return Declared("finite", "bits", self.class_size)

    @property
    def none_is_proved(self) -> bool:
        return True

    def nothing(self) -> Marks:
        return Marks(every=(1 << self.class_size) - 1, some=0)

    def merge(self, one: Summary, other: Summary) -> Marks:
        a, b = of_kind(Marks, one, other)
        every, some = a.every & b.every, a.some | b.some
        return a if (every, some) == (a.every, a.some) else Marks(every, some)

    def contains(self, classifier: Classifier) -> bool:
        return type(classifier) is int and 0 <= classifier < self.class_size

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        (number,), (low, high) = of_kind(int, classifier), of_kind(Marks, zeros, ones)
        return bool(high.every >> number & 1) and not low.some >> number & 1

    def separating(self, zeros: Summary, ones: Summary) -> int | None:
        low, high = of_kind(Marks, zeros, ones)
        separators = high.every & ~low.some
        return (separators & -separators).bit_length() - 1 if separators else None

    def separable(self, zeros: Summary, ones: Summary) -> bool:
        low, high = of_kind(Marks, zeros, ones)
        return high.every & ~low.some != 0

    def first_not_apart(self, one: Summary, others: Iterable[Summary]) -> int | None:
        (here, *seen) = of_kind(Marks, one, *others)
        every, never = here.every, ~here.some
        for place, other in enumerate(seen):
            if not (other.every & never and every & ~other.some):
                return place
        return None

    def first_true(
        self, classifiers: Sequence[Classifier], datasets: Iterable[Summary]
    ) -> list[int | None]:
        places: dict[int, int] = {}
        for place, number in enumerate(of_kind(int, *classifiers)):
            places.setdefault(number, place)
        asked = sum(1 << number for number in places)
        return [
            min(map(places.__getitem__, _bits(marks.every & asked)), default=None)
            for marks in of_kind(Marks, *datasets)
        ]

    def written(self, classifier: Classifier) -> Json:
        (number,) = of_kind(int, classifier)
        return number

    def read(self, found: Json) -> Classifier:
        if type(found) is not int:
            raise InvalidArgument("classifiers", shown(found), "whole numbers")
        return found

    def summary_as_bytes(self, summary: Summary) -> bytes:
        size, (marks,) = -(-self.class_size // 8), of_kind(Marks, summary)
        return marks.every.to_bytes(size, "little") + marks.some.to_bytes(size, "little")

    def summary_of_bytes(self, data: bytes) -> Marks:
        size = -(-self.class_size // 8)
        every, some = (int.from_bytes(part, "little") for part in (data[:size], data[size:]))
        if len(data) != 2 * size or max(every, some) >> self.class_size:
            raise ValueError(f"marks of {self.class_size} classifiers are {2 * size} bytes")
        return Marks(every, some)


@dataclass(frozen=True, slots=True)
class Components(_FiniteClass):
    """The single components of a bit vector: the class of the paper's experiments (l. 273).

    Classifier i is 1 on an observation if bit i of the observation is 1.
    """

    @property
    def described(self) -> Json:
        return {"name": "components", "size": self.class_size}

    def pack(self, batch: Bits) -> bytes:
        return rows_of_bits(batch, self.class_size).packed().tobytes()

    def summarise(self, batch: Bits) -> Marks:
        return Marks(*rows_of_bits(batch, self.class_size).reduced())

    def values(self, classifier: Classifier, batch: Bits) -> NDArray[np.bool_]:
        (number,) = of_kind(int, classifier)
        byte, bit = divmod(number, 8)
        packed = rows_of_bits(batch, self.class_size).packed()
        return (packed[:, byte] >> bit & 1).astype(np.bool_)


@dataclass(frozen=True, slots=True)
class Tables(_FiniteClass):
    """Classifiers listed by their values on a finite set of observations 0, 1, …, |X|−1."""

    columns: tuple[int, ...]
    """For each observation, the set of classifiers that are 1 on it, as bits."""

    @property
    def described(self) -> Json:
        numbers = range(self.class_size)
        rows = ["".join(str(column >> f & 1) for column in self.columns) for f in numbers]
        return {"name": "tables", "rows": rows}

    def pack(self, batch: Numbers) -> bytes:
        """Return the values of all classifiers on each row."""
        return _packed((self.columns[x] for x in self._rows(batch)), self.class_size)

    def summarise(self, batch: Numbers) -> Marks:
        marks = self.nothing()
        for x in set(self._rows(batch)):
            marks = self.merge(marks, Marks(self.columns[x], self.columns[x]))
        return marks

    def values(self, classifier: Classifier, batch: Numbers) -> NDArray[np.bool_]:
        (number,) = of_kind(int, classifier)
        row = np.array([column >> number & 1 for column in self.columns], dtype=np.bool_)
        return row[self._rows(batch)]

    def _rows(self, batch: Numbers) -> list[int]:
        """Return the observations as integers; raise `InvalidArgument` for unknown ones."""
        if np.ndim(batch) != 1:
            raise InvalidArgument("batch", f"shape {np.shape(batch)}", "one number per row")
        expected = f"whole numbers from 0 to {len(self.columns) - 1}"
        if len(batch) and batch.dtype.kind not in "iu":
            raise InvalidArgument("batch", f"rows of {batch.dtype}", expected)
        rows: list[int] = batch.astype(np.int64).tolist()
        for x in set(rows):
            if not 0 <= x < len(self.columns):
                raise InvalidArgument("batch", x, expected)
        return rows


def tables(rows: Sequence[Sequence[bool]]) -> Tables:
    """Return the class whose f-th classifier has the value `rows[f][x]` on observation x."""
    if not rows or len({len(row) for row in rows}) != 1:
        lengths = sorted({len(row) for row in rows})
        raise InvalidArgument(
            "rows", f"lengths {lengths}", "classifiers on one set of observations"
        )
    columns = (
        sum(bool(value) << f for f, value in enumerate(column))
        for column in zip(*rows, strict=True)
    )
    return Tables(len(rows), tuple(columns))


@dataclass(frozen=True, slots=True)
class Predicates(_FiniteClass, Generic[Observation]):
    """Classifiers given as Python functions of one observation."""

    functions: tuple[Callable[[Observation], bool], ...]

    @property
    def described(self) -> Json:
        return None

    def pack(self, batch: Sequence[Observation]) -> bytes:
        """Return the values of all functions on each row."""
        return _packed(map(self._column, batch), self.class_size)

    def summarise(self, batch: Sequence[Observation]) -> Marks:
        marks = self.nothing()
        for column in map(self._column, batch):
            marks = self.merge(marks, Marks(column, column))
        return marks

    def values(self, classifier: Classifier, batch: Sequence[Observation]) -> NDArray[np.bool_]:
        (number,) = of_kind(int, classifier)
        return np.array([bool(self.functions[number](x)) for x in batch], dtype=np.bool_)

    def _column(self, x: Observation) -> int:
        """Return the set of functions that are 1 on an observation, as bits."""
        return sum(bool(f(x)) << n for n, f in enumerate(self.functions))


def predicates(*functions: Callable[[Observation], bool]) -> Predicates[Observation]:
    """Return the class of these functions; raise `InvalidArgument` if there are none."""
    if not functions or not all(map(callable, functions)):
        raise InvalidArgument("functions", functions, "at least one function")
    return Predicates(len(functions), functions)


def _packed(columns: Iterable[int], bits: int) -> bytes:
    """Return each column as a record of `bits` bits."""
    return b"".join(column.to_bytes(-(-bits // 8), "little") for column in columns)


def _bits(numbers: int) -> Iterator[int]:
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest
