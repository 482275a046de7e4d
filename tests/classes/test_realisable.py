"""Rows labelled by a classifier of a class are separable, and `separates` agrees with `values`."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces
from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.strategies import check_oracle_laws

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class, Classifier


FEATURES = 2
GRID = Integers(0, 5)
VALUES = st.integers(0, 5)
BOUNDS: st.SearchStrategy[float] = VALUES | st.sampled_from([-inf, inf])
SIDES = st.tuples(BOUNDS, BOUNDS)
WEIGHTS = st.integers(-6, 6)
ROWS = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=14).map(np.array)
BIT_ROWS: st.SearchStrategy[NDArray[np.bool_]] = st.lists(
    st.tuples(*[st.booleans()] * 5), min_size=1, max_size=14
).map(np.array)
BITS = st.integers(0, 31)


def check_realised(
    oracle: Class[NDArray[np.generic[object]]],
    classifier: Classifier,
    rows: NDArray[np.generic[object]],
) -> None:
    """Label the rows by the classifier, then give one of them the wrong label."""
    assert oracle.contains(classifier)
    ones = oracle.values(classifier, rows)
    zeros, high = rows[~ones], rows[ones]
    check_oracle_laws(oracle, zeros, high, lambda a, b: np.concatenate([a, b]), separable=True)
    assert oracle.separates(classifier, oracle.summarise(zeros), oracle.summarise(high))
    for wrong in range(len(rows)):
        labels = ones.copy()
        labels[wrong] = not labels[wrong]
        low, above = oracle.summarise(rows[~labels]), oracle.summarise(rows[labels])
        assert not oracle.separates(classifier, low, above)


@given(
    classifier=st.builds(Threshold, st.integers(0, 1), st.sampled_from([">=", "<="]), BOUNDS),
    rows=ROWS,
)
def test_rows_labelled_by_a_threshold_are_separated(
    classifier: Threshold, rows: NDArray[np.int64]
) -> None:
    check_realised(Thresholds(FEATURES, GRID), classifier, rows)


@given(classifier=st.builds(Box, SIDES, SIDES), rows=ROWS)
def test_rows_labelled_by_a_box_are_separated(classifier: Box, rows: NDArray[np.int64]) -> None:
    check_realised(Boxes(FEATURES, GRID), classifier, rows)


@given(
    classifier=st.builds(HalfSpace, st.tuples(WEIGHTS, WEIGHTS), st.integers(-30, 30)), rows=ROWS
)
def test_rows_labelled_by_a_half_space_are_separated(
    classifier: HalfSpace, rows: NDArray[np.int64]
) -> None:
    check_realised(HalfSpaces(FEATURES, GRID), classifier, rows)


@given(classifier=st.builds(Conjunction, BITS, BITS), rows=BIT_ROWS)
def test_rows_labelled_by_a_conjunction_are_separated(
    classifier: Conjunction, rows: NDArray[np.bool_]
) -> None:
    check_realised(Conjunctions(5), classifier, rows)
