"""Columns: the values of the functions of a class on the rows seen so far, listed as rows arrive.

What rows say about a function depends on its column only. A class may be infinite: on n rows, the
thresholds of a feature have 2n columns at most. When a row arrives, a column splits in two if some
of its functions are 1 on the row and others are 0. What was refuted stays refuted, in both parts,
since a refutation speaks of all functions with that column. So only columns that are left split.

Columns are numbered in the order in which they are made, and handled like the classifiers of a
finite class. Column 0 is that of the functions that are 0 on all rows; all others came from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.evidence.oracle import OfClass, with_others

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Rows
    from steel_verified.evidence.oracle import Classifier, Summary

Growing: TypeAlias = Thresholds | Boxes | Conjunctions
"""The classes whose columns are listed as rows arrive."""

MOST_COLUMNS: Final = 1024
"""With more columns left, the class is too rich for the rows."""
_AT_EACH_STEP: Final = 64
_ZERO, _ONE = 0, 1


def growing(functions: object) -> Growing | None:
    """Return the class whose columns these functions have, if they can be listed; else None.

    Functions of features have the columns of the class on the features.
    """
    while isinstance(functions, OfClass):
        functions = functions.functions
    return functions if isinstance(functions, Growing) else None


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns that are left, on the different rows that were seen. It is a value."""

    functions: Growing
    rows: Rows
    numbers: NDArray[np.int64]
    """The number of each column; of those that are left, and 0."""
    members: NDArray[np.bool_]
    """For each column and row, whether it is 1 there."""
    least: Rows
    """For value 0 or 1, column and feature, the least number in a row where it has this value."""
    greatest: Rows
    made: int = 1
    """How many columns were made."""

    @property
    def are_many(self) -> bool:
        """Whether there are too many columns to go on."""
        return len(self.numbers) > MOST_COLUMNS

    @property
    def rest(self) -> int:
        """How many steps to take between two searches for covers: with many columns, searches are
        slow and mostly in vain.
        """
        return 1 + (len(self.numbers) // _AT_EACH_STEP) ** 2

    def with_row(self, packed: int, left: int) -> tuple[Columns, Mapping[int, int], int]:
        """Return the columns after a row, those that split, and those that are 1 on the row.

        `left` are the columns that were not refuted. If a column splits, the part that is 0 on the
        row keeps its number, and the other part gets a new one.
        """
        row = row_in(self.functions, packed)
        again = (self.rows == row).all(axis=1).nonzero()[0]
        if again.size:
            return self, {}, _set_of(self.numbers[self.members[:, again[0]]])
        kept = np.array(
            [not number or bool(left >> number & 1) for number in self.numbers.tolist()]
        )
        numbers, members = self.numbers[kept], self.members[kept]
        least, greatest = self.least[:, kept], self.greatest[:, kept]
        zero, one = self._values(row, members, least, greatest)
        parts = (zero & one).nonzero()[0]
        each = np.concatenate([np.arange(len(numbers)), parts])
        value = np.concatenate([one & ~zero, np.ones(len(parts), np.bool_)])
        new = np.arange(self.made, self.made + len(parts))
        least, greatest = least[:, each], greatest[:, each]
        place = value.astype(np.int64), np.arange(len(each))
        least[place] = np.minimum(least[place], row)
        greatest[place] = np.maximum(greatest[place], row)
        now = Columns(
            self.functions,
            np.concatenate([self.rows, row[None]]),
            np.concatenate([numbers, new]),
            np.column_stack([members[each], value]),
            least,
            greatest,
            self.made + len(parts),
        )
        split = dict(zip(numbers[parts].tolist(), new.tolist(), strict=True))
        return now, split, _set_of(now.numbers[value])

    def _values(
        self, row: Rows, members: NDArray[np.bool_], least: Rows, greatest: Rows
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return for each column whether some of its functions are 0 on a row, and some 1."""
        is_zero: NDArray[np.bool_] = np.logical_or.reduce(~members, axis=1)
        is_one: NDArray[np.bool_] = np.logical_or.reduce(members, axis=1)
        low, high = np.minimum(least, row), np.maximum(greatest, row)
        if isinstance(self.functions, Thresholds):

            def apart(zeros: tuple[Rows, Rows], ones: tuple[Rows, Rows]) -> NDArray[np.bool_]:
                beyond = (zeros[1] < ones[0]) | (ones[1] < zeros[0])
                found: NDArray[np.bool_] = np.logical_or.reduce(beyond, axis=1)
                return found

            before = [(least[value], greatest[value]) for value in (_ZERO, _ONE)]
            after = [(low[value], high[value]) for value in (_ZERO, _ONE)]
            zero = ~is_one | apart(after[_ZERO], before[_ONE])
            one = ~is_zero | apart(before[_ZERO], after[_ONE])
            return zero, one
        within: NDArray[np.bool_] = is_one & ((least[_ONE] <= row) & (row <= greatest[_ONE])).all(
            axis=1
        )
        one = within.copy()
        for k in (~within).nonzero()[0]:  # The smallest box with the row has none of the zeros.
            zeros = self.rows[~members[k]]
            one[k] = not ((low[_ONE, k] <= zeros) & (zeros <= high[_ONE, k])).all(axis=1).any()
        return ~within, one

    def on(self, packed: Sequence[int], left: int) -> dict[int, int]:
        """Return, for each column that is left, the places of the rows on which it is 1, as bits.

        `packed` are rows that were seen, in any order, the first time each in the order seen.
        """
        first = dict.fromkeys(packed)
        place = dict(zip(first, range(len(first)), strict=True))
        members = self.members[:, [place[row] for row in packed]]
        return {
            number: _set_of(np.flatnonzero(ones))
            for number, ones in zip(self.numbers.tolist(), members, strict=True)
            if left >> number & 1
        }

    def classifiers(self, cover: Iterable[int]) -> tuple[Classifier, ...]:
        """Return for each column of a cover the function that the rule of the class chooses."""
        summaries: list[Summary] = []
        for number in cover:
            (place,) = np.flatnonzero(self.numbers == number)
            rows = self.rows[self.members[place]]
            summaries.append(summary_of(self.functions, rows))
        found = (
            self.functions.separating(*pair) for pair in with_others(self.functions, summaries)
        )
        return tuple(each for each in found if each is not None)


def row_in(functions: Growing, packed: int) -> Rows:
    """Return a packed row as numbers; a bit is 0 or 1."""
    declared = functions.declared
    data = packed.to_bytes(declared.row_bytes, "little")
    if declared.entries == "bits":
        held = np.frombuffer(data, np.uint8)
        return np.unpackbits(held, count=declared.width, bitorder="little").astype(np.int64)
    return np.frombuffer(data, "<i8" if declared.entries == "int64" else "<f8")


def no_rows(functions: Growing) -> Rows:
    """Return no rows, in the form of `row_in`."""
    is_float = functions.declared.entries == "float64"
    return np.empty((0, functions.declared.width), np.float64 if is_float else np.int64)


def summary_of(functions: Growing, rows: Rows) -> Summary:
    """Return the summary of rows, in the form of `row_in`."""
    if isinstance(functions, Conjunctions):
        return functions.summarise(rows.astype(np.bool_))
    return functions.summarise(rows)


def no_columns(functions: Growing) -> Columns:
    """Return the columns before the first row: there is one."""
    width, held = functions.declared.width, np.iinfo(np.int64)
    least: Rows = np.full((2, 1, width), held.max, np.int64)
    greatest: Rows = np.full((2, 1, width), held.min, np.int64)
    if functions.declared.entries == "float64":
        least, greatest = np.full((2, 1, width), np.inf), np.full((2, 1, width), -np.inf)
    numbers, members = np.zeros(1, np.int64), np.empty((1, 0), np.bool_)
    return Columns(functions, no_rows(functions), numbers, members, least, greatest)


def _set_of(numbers: NDArray[np.int64]) -> int:
    return sum(1 << number for number in numbers.tolist())
