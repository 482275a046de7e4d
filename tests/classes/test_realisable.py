"""Rows labelled by a classifier of a class are separable; any class on computed features."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import inf, prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces
from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import FLOAT64, Integers
from steel_verified.errors import InvalidArgument

from .brute_force import batches, check_laws, two_datasets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class, Classifier

    from .brute_force import Case


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
    check_laws(oracle, zeros, high, separable=True)
    assert oracle.separates(classifier, oracle.summarise(zeros), oracle.summarise(high))
    for wrong in range(len(rows)):
        labels = ones.copy()
        labels[wrong] = not labels[wrong]
        low, above = oracle.summarise(rows[~labels]), oracle.summarise(rows[labels])
        assert not oracle.separates(classifier, low, above)


Realised: TypeAlias = (
    "tuple[Class[NDArray[np.generic[object]]], st.SearchStrategy[Classifier], st.SearchStrategy["
    "NDArray[np.generic[object]]]]"
)
REALISED: dict[str, Realised] = {
    "thresholds": (
        Thresholds(FEATURES, GRID),
        st.builds(Threshold, st.integers(0, 1), st.sampled_from([">=", "<="]), BOUNDS),
        ROWS,
    ),
    "boxes": (Boxes(FEATURES, GRID), st.builds(Box, SIDES, SIDES), ROWS),
    "half-spaces": (
        HalfSpaces(FEATURES, GRID),
        st.builds(HalfSpace, st.tuples(WEIGHTS, WEIGHTS), st.integers(-30, 30)),
        ROWS,
    ),
    "conjunctions": (Conjunctions(5), st.builds(Conjunction, BITS, BITS), BIT_ROWS),
}


@pytest.mark.parametrize("name", REALISED)
@given(data=st.data())
def test_rows_labelled_by_a_classifier_are_separated(name: str, data: st.DataObject) -> None:
    oracle, classifiers, rows = REALISED[name]
    check_realised(oracle, data.draw(classifiers), data.draw(rows))


@given(
    rows=st.integers(1, 3).flatmap(
        lambda n: st.lists(st.lists(st.integers(-50, 50), min_size=n, max_size=n), min_size=1)
    ),
    degree=st.integers(1, 4),
)
def test_monomials_of_integers_are_exact(rows: list[list[int]], degree: int) -> None:
    monomials = Monomials(len(rows[0]), degree)
    expected = [
        [
            prod(chosen)
            for number in range(1, degree + 1)
            for chosen in combinations_with_replacement(row, number)
        ]
        for row in rows
    ]
    found = monomials(np.array(rows))
    assert found.tolist() == expected
    assert found.dtype == np.int64
    assert found.shape[1] == monomials.size
    assert monomials(np.array(rows, dtype=np.float64)).tolist() == expected


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.array([[3037000500, 0]]), "3037000500 in size: expected integers whose power 2 is"),
        (np.array([[-3037000500, 0]]), "3037000500 in size"),
        (np.array([[1e200, 0.0]]), "rows with inf: expected finite numbers"),
        (np.array([[1, 2, 3]]), "shape"),
    ],
)
def test_monomials_that_may_overflow_are_refused(rows: Numbers, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        Monomials(2, 2)(rows)


def test_largest_int64_products_are_accepted() -> None:
    largest = 3037000499
    found = Monomials(2, 2)(np.array([[largest, -largest]])).tolist()
    assert found == [[largest, -largest, largest**2, -(largest**2), largest**2]]


@pytest.mark.parametrize(("features", "degree"), [(0, 2), (2, 0), (2, True)])
def test_invalid_features_and_degrees_are_refused(features: int, degree: int) -> None:
    with pytest.raises(InvalidArgument):
        Monomials(features, degree)


def _absolute(rows: Numbers) -> Numbers:
    return np.abs(rows.astype(np.float64)) if rows.dtype.kind == "f" else np.abs(rows.astype(int))


@given(case=two_datasets(most_features=2))
def test_class_on_computed_features_satisfies_the_oracle_laws(case: Case) -> None:
    """Boxes on the absolute values of the features agree with boxes on these values."""
    features, domain, *_ = case
    absolute = FLOAT64 if domain == FLOAT64 else Integers(0, 9)
    inner = Boxes(features, absolute)
    low, high = batches(case)
    found = inner.separating(inner.summarise(_absolute(low)), inner.summarise(_absolute(high)))
    featured = Featured(_absolute, inner)
    check_laws(featured, low, high, separable=found is not None)
    assert featured.class_size == inner.class_size
    assert featured.declared == inner.declared
    assert featured.none_is_proved


def test_half_space_of_quadratic_features_separates_circles() -> None:
    angles = np.linspace(0, 2 * np.pi, 20)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    monomials = Monomials(2, 2)
    quadratic = Featured(monomials, HalfSpaces(monomials.size))
    check_laws(HalfSpaces(2), circle, 2 * circle, separable=False)
    check_laws(quadratic, circle, 2 * circle, separable=True)
