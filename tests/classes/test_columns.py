"""Columns, listed as rows arrive, are those of all functions of the class; in the checker, too."""

from __future__ import annotations

import struct
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker import classes as of_checker
from proofs_checks.checker.columns import Listing
from proofs_checks.checker.reading import Work
from steel_verified.classes.columns import MOST_COLUMNS, growing, no_columns
from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.evidence.entries import rows_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.classes.columns import Growing
    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Classifier

VALUES = 3
"""The rows have the numbers 0, 1 and 2, or bits."""


def functions_of(functions: Growing) -> list[Classifier]:
    """All functions of a class on rows of so few values, some of them several times."""
    width = functions.declared.width
    if isinstance(functions, Thresholds):
        some = [(i, bound) for i in range(width) for bound in range(VALUES + 1)]
        up: list[Classifier] = [Threshold(i, ">=", float(bound)) for i, bound in some]
        return up + [Threshold(i, "<=", float(bound - 1)) for i, bound in some]
    if isinstance(functions, Boxes):
        corners = [*product(map(float, range(VALUES)), repeat=width)]
        return [Box(least, greatest) for least in corners for greatest in corners]
    sets = range(1 << width)
    return [Conjunction(needed, barred) for needed in sets for barred in sets]


@st.composite
def classes_with_rows(draw: st.DrawFn) -> tuple[Growing, Numbers]:
    kind = draw(st.sampled_from([Thresholds, Boxes, Conjunctions]))
    width = draw(st.integers(1, 2 if kind is Boxes else 3))
    if kind is Conjunctions:
        functions: Growing = Conjunctions(width)
    elif draw(st.booleans()):
        functions = Boxes(width) if kind is Boxes else Thresholds(width)
    else:
        domain = Integers(0, VALUES - 1)
        functions = Boxes(width, domain) if kind is Boxes else Thresholds(width, domain)
    value = st.integers(0, 1 if kind is Conjunctions else VALUES - 1)
    row = st.lists(value, min_size=width, max_size=width)
    rows = np.array(draw(st.lists(row, min_size=1, max_size=7)))
    if kind is Conjunctions:
        return functions, rows.astype(np.bool_)
    return functions, rows.astype(float) if functions.declared.entries == "float64" else rows


def by_definition(functions: Growing, rows: Numbers) -> set[int]:
    """The columns of all functions, without that of none of the rows."""
    values = (functions.values(f, rows) for f in functions_of(functions))
    return {sum(1 << t for t in np.flatnonzero(each).tolist()) for each in values} - {0}


@given(classes_with_rows())
def test_columns_are_those_of_all_functions(drawn: tuple[Growing, Numbers]) -> None:
    functions, rows = drawn
    expected = by_definition(functions, rows)
    columns, shown = no_columns(functions), list[int]()
    for row in rows_in(functions.pack(rows), functions.declared.row_bytes):
        packed = int.from_bytes(row, "little")
        columns, parts, members = columns.with_row(packed, -1)
        shown = [old | sum(1 << parts[f] for f in parts if old >> f & 1) for old in shown]
        shown.append(members)
    found = [sum((row >> f & 1) << t for t, row in enumerate(shown)) for f in range(columns.made)]
    assert found[0] == 0
    assert set(found[1:]) == expected
    assert len(found) == 1 + len(expected)  # none is listed twice


@given(classes_with_rows())
def test_checker_lists_the_same_columns(drawn: tuple[Growing, Numbers]) -> None:
    functions, rows = drawn
    expected = by_definition(functions, rows)
    declared, work = functions.declared, Work(1 << 20)
    data = rows_in(functions.pack(rows), declared.row_bytes)
    if declared.entries == "bits":
        found = listed(of_checker.Conjunctions(declared.width, work), work, data)
    elif isinstance(functions, Boxes):
        found = listed(of_checker.Boxes(declared.entries, declared.width, work), work, data)
    else:
        thresholds = of_checker.Thresholds(declared.entries, declared.width, work)
        found = listed(thresholds, work, data, closed=False)
    assert found == expected


def listed(
    functions: of_checker.Class[of_checker.Dataset],
    work: Work,
    rows: Iterable[bytes],
    *,
    closed: bool = True,
) -> set[int]:
    listing = Listing(functions, work, closed=closed)
    for t, row in enumerate(rows):
        listing.add(functions.dataset(row), t)
    found = [part.column for part in listing.parts]
    assert len(found) == len(set(found))
    return {*found} - {0}


@given(classes_with_rows(), st.integers(0, 255))
def test_refuted_columns_do_not_come_back(drawn: tuple[Growing, Numbers], refuted: int) -> None:
    """What goes on from a refuted column is not listed, and nothing else is missing."""
    functions, rows = drawn
    data = rows_in(functions.pack(rows), functions.declared.row_bytes)
    half = len(data) // 2
    columns = no_columns(functions)
    for row in data[:half]:
        columns, _, _ = columns.with_row(int.from_bytes(row, "little"), -1)
    numbers = [f for f in range(1, columns.made) if not refuted >> f & 1]
    left = sum(1 << f for f in numbers)
    packed = [int.from_bytes(row, "little") for row in data]
    kept = {*columns.on(packed[:half], left).values(), 0}
    for later in packed[half:]:
        columns, parts, _ = columns.with_row(later, left)
        left |= sum(1 << new for f, new in parts.items() if not f or left >> f & 1)
    begun = (1 << half) - 1
    expected = {each for each in by_definition(functions, rows) if each & begun in kept}
    assert {*columns.on(packed, left).values()} == expected


LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
"""Of the integers that a row may have."""


@pytest.mark.parametrize("kind", [Thresholds, Boxes])
@pytest.mark.parametrize("large", [(LEAST, 0, GREATEST), (GREATEST - 2, GREATEST - 1, GREATEST)])
def test_columns_depend_on_the_order_of_numbers_only(
    kind: type[Thresholds | Boxes], large: tuple[int, int, int]
) -> None:
    rows = [(0, 2), (2, 0), (1, 1), (0, 0)]
    small = listed_by(kind(2, Integers(0, 2)), rows)
    of = [(large[a], large[b]) for a, b in rows]
    assert listed_by(kind(2, Integers(LEAST, GREATEST)), of) == small


def listed_by(functions: Growing, rows: list[tuple[int, int]]) -> set[int]:
    """The columns on rows of integers."""
    columns = no_columns(functions)
    packed = [int.from_bytes(struct.pack("<2q", *row), "little") for row in rows]
    for row in packed:
        columns, _, _ = columns.with_row(row, -1)
    return {*columns.on(packed, -1).values()}


def test_many_columns_are_more_than_the_stated_number() -> None:
    """On n different numbers the thresholds have 2n columns, with that of none of them."""
    columns = no_columns(Thresholds(1))
    for number in range(MOST_COLUMNS // 2 + 1):
        assert not columns.are_many
        assert len(columns.numbers) == max(1, 2 * number)
        row = int.from_bytes(struct.pack("<d", number), "little")
        columns, _, _ = columns.with_row(row, -1)
    assert columns.are_many


def test_features_have_the_columns_of_their_class() -> None:
    boxes = Boxes(5)
    assert growing(Featured(Monomials(2, 2), boxes)) is boxes
    assert growing(Components(3)) is None
    assert growing(HalfSpaces(2)) is None
