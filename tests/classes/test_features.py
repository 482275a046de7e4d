"""Computed features: any class on them, and all monomials up to a degree."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes
from steel_verified.classes.rows import FLOAT64, Integers
from steel_verified.errors import InvalidArgument
from steel_verified.strategies import check_oracle_laws

from .brute_force import batch, together, two_datasets

if TYPE_CHECKING:
    from steel_verified.classes.rows import Domain, Numbers

    from .brute_force import Point


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
def test_class_on_computed_features_satisfies_the_oracle_laws(
    case: tuple[int, Domain, list[Point], list[Point]],
) -> None:
    """Boxes on the absolute values of the features agree with boxes on these values."""
    features, domain, zeros, ones = case
    absolute = FLOAT64 if domain == FLOAT64 else Integers(0, 9)
    inner = Boxes(features, absolute)
    low, high = (batch(points, features, domain) for points in (zeros, ones))
    found = inner.separating(inner.summarise(_absolute(low)), inner.summarise(_absolute(high)))
    featured = Featured(_absolute, inner)
    check_oracle_laws(featured, low, high, together, separable=found is not None)
    assert featured.class_size == inner.class_size
    assert featured.declared == inner.declared
    assert featured.none_is_proved


def test_half_space_of_quadratic_features_separates_circles() -> None:
    angles = np.linspace(0, 2 * np.pi, 20)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    monomials = Monomials(2, 2)
    quadratic = Featured(monomials, HalfSpaces(monomials.size))
    check_oracle_laws(HalfSpaces(2), circle, 2 * circle, together, separable=False)
    check_oracle_laws(quadratic, circle, 2 * circle, together, separable=True)
