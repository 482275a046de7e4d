"""Finite classes satisfy the law of an oracle and the laws of a monoid, in every representation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Components, Marks, predicates, tables
from steel_verified.classes.rows import BitRows, PackedBits, packed_bits, rows_of_bits
from steel_verified.errors import InvalidArgument
from steel_verified.learning.results import encode
from steel_verified.strategies import check_oracle_laws

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.classes.rows import Bits
    from steel_verified.evidence.oracle import Classifier, Summary

BitRow = list[bool]


@st.composite
def bit_rows(draw: st.DrawFn) -> tuple[int, list[BitRow], list[BitRow]]:
    width = draw(st.integers(1, 20))
    rows = st.lists(st.lists(st.booleans(), min_size=width, max_size=width), max_size=6)
    return width, draw(rows), draw(rows)


def packed(rows: list[BitRow], width: int) -> BitRows:
    return packed_bits(np.array(rows, dtype=np.bool_).reshape(len(rows), width))


def joining(width: int) -> Callable[[BitRows, BitRows], BitRows]:
    return lambda a, b: PackedBits(np.concatenate([a.packed(), b.packed()]), width)


@given(case=bit_rows())
def test_components_satisfy_the_oracle_laws(case: tuple[int, list[BitRow], list[BitRow]]) -> None:
    width, zeros, ones = case
    separable = any(
        all(not row[i] for row in zeros) and all(row[i] for row in ones) for i in range(width)
    )
    check_oracle_laws(
        Components(width),
        packed(zeros, width),
        packed(ones, width),
        joining(width),
        separable=separable,
    )


@given(case=bit_rows(), data=st.data())
def test_tables_and_predicates_satisfy_the_oracle_laws(
    case: tuple[int, list[BitRow], list[BitRow]], data: st.DataObject
) -> None:
    """The columns of the drawn bits are observations 0, 1, …; the rows are classifiers."""
    size, some, more = case
    rows = [*some, *more, [True] * size]
    numbers = st.lists(st.integers(0, size - 1), max_size=6)
    zeros, ones = data.draw(numbers), data.draw(numbers)
    separable = any(all(not row[x] for x in zeros) and all(row[x] for x in ones) for row in rows)
    check_oracle_laws(
        tables(rows),
        np.array(zeros, dtype=np.int64),
        np.array(ones, dtype=np.int64),
        lambda a, b: np.concatenate([a, b]),
        separable=separable,
    )

    def reader(row: BitRow) -> Callable[[int], bool]:
        return lambda x: row[x]

    check_oracle_laws(
        predicates(*(reader(row) for row in rows)),
        zeros,
        ones,
        lambda a, b: [*a, *b],
        separable=separable,
    )


def test_packed_bits_are_read_only() -> None:
    rows = packed([[True, False]], 2).packed()
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 0


class Lazy(Components):
    """A class that looks only at the first sample of each dataset."""

    def summarise(self, batch: Bits) -> Marks:
        return super().summarise(PackedBits(rows_of_bits(batch, 2).packed()[:1], 2))


def test_oracle_that_ignores_samples_violates_the_laws() -> None:
    zeros, ones = packed([[False, True], [True, True]], 2), packed([[True, False]], 2)
    with pytest.raises(AssertionError, match="no classifier separates"):
        check_oracle_laws(Lazy(2), zeros, ones, joining(2), separable=False)


class Lenient(Components):
    """A class that says of every classifier that it separates."""

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:  # noqa: ARG002 (one answer)
        return True


class Severe(Components):
    """A class that says of every classifier that it does not separate."""

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:  # noqa: ARG002 (one answer)
        return False


class Disowning(Components):
    """A class that says of every classifier that it does not belong to it."""

    def contains(self, classifier: Classifier) -> bool:  # noqa: ARG002 (one answer)
        return False


@pytest.mark.parametrize(
    ("oracle", "said"),
    [
        (Lenient(2), "separate what it does not"),
        (Severe(2), "said not to separate"),
        (Disowning(2), "not to belong to the class"),
    ],
)
def test_class_with_wrong_answers_violates_the_laws(oracle: Components, said: str) -> None:
    zeros, ones = packed([[False, True]], 2), packed([[True, False]], 2)
    check_oracle_laws(Components(2), zeros, ones, joining(2), separable=True)
    with pytest.raises(AssertionError, match=said):
        check_oracle_laws(oracle, zeros, ones, joining(2), separable=True)


def test_encode_returns_the_lowest_label_for_ties() -> None:
    oracle = tables([[True, False, False], [True, True, False]])
    assert encode(oracle, [0, 1], np.arange(3)).tolist() == [0, 1, 0]
    assert encode(oracle, [1, 0], np.arange(3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "batch", [[0.0, 1.0], [True, False], [0, 2], [-1], [[0, 1], [1, 0]], 1, ["0"]]
)
def test_rows_outside_a_table_are_refused(batch: object) -> None:
    with pytest.raises(InvalidArgument, match="batch"):
        tables([[True, False]]).summarise(np.array(batch))


def test_empty_classes_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="rows"):
        tables([])
    with pytest.raises(InvalidArgument, match="rows"):
        tables([[True], [True, False]])
    with pytest.raises(InvalidArgument, match="functions"):
        predicates()


def test_separating_returns_the_lowest_classifier() -> None:
    zeros, ones = Marks(every=0, some=0b00001), Marks(every=0b10111, some=0b11111)
    assert Components(5).separating(zeros, ones) == 1
    assert Components(5).separating(ones, zeros) is None


def test_values_have_a_boolean_dtype() -> None:
    bits = np.array([[True, False]])
    found = [
        Components(2).values(1, packed_bits(bits)),
        tables([[True, False]]).values(0, np.array([1])),
        predicates(bool).values(0, [0]),
    ]
    assert all(values.dtype == np.bool_ and values.tolist() == [False] for values in found)
    assert predicates(bool).values(0, []).dtype == np.bool_
