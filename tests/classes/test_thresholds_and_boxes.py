"""Thresholds and boxes satisfy the law of an oracle: they are compared with their definitions."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import FLOAT64, Integers
from steel_verified.strategies import check_oracle_laws

from .brute_force import batch, grid, labelings, separable, together, two_datasets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.classes.rows import Domain

    from .brute_force import Point, Predicate


def all_thresholds(features: int, bounds: list[float]) -> Iterator[Predicate]:
    def above(i: int, bound: float) -> Predicate:
        return lambda x: x[i] >= bound

    def below(i: int, bound: float) -> Predicate:
        return lambda x: x[i] <= bound

    for i, bound in product(range(features), bounds):
        yield from (above(i, bound), below(i, bound))


def all_boxes(bounds: list[list[float]]) -> Iterator[Predicate]:
    """Yield all boxes with these bounds in each feature, the empty box and the unbounded one."""

    def inside(box: tuple[tuple[float, float], ...]) -> Predicate:
        return lambda x: all(low <= v <= high for v, (low, high) in zip(x, box, strict=True))

    sides = [[(a, b) for a, b in product(values, values) if a <= b] for values in bounds]
    yield from map(inside, product(*sides))
    yield from (lambda _: False, lambda _: True)


@given(case=two_datasets())
def test_thresholds_separate_exactly_what_their_definition_separates(
    case: tuple[int, Domain, list[Point], list[Point]],
) -> None:
    """Bounds other than the values in the data and the infinities give no other function."""
    features, domain, zeros, ones = case
    bounds = [-inf, inf, *{value for point in zeros + ones for value in point}]
    check_oracle_laws(
        Thresholds(features, domain),
        batch(zeros, features, domain),
        batch(ones, features, domain),
        together,
        separable=separable(all_thresholds(features, bounds), zeros, ones),
    )


@given(case=two_datasets(most_features=2))
def test_boxes_separate_exactly_what_their_definition_separates(
    case: tuple[int, Domain, list[Point], list[Point]],
) -> None:
    features, domain, zeros, ones = case
    bounds = [sorted({point[i] for point in ones}) for i in range(features)]
    check_oracle_laws(
        Boxes(features, domain),
        batch(zeros, features, domain),
        batch(ones, features, domain),
        together,
        separable=separable(all_boxes(bounds), zeros, ones),
    )


@pytest.mark.parametrize(("values", "features"), [(2, 1), (2, 3), (3, 2), (4, 1), (4, 2), (5, 2)])
def test_class_sizes_equal_the_number_of_different_functions(values: int, features: int) -> None:
    domain, points = Integers(0, values - 1), grid(values, features)
    bounds = [float(b) for b in range(-1, values + 1)]
    thresholds = labelings(all_thresholds(features, bounds), points)
    assert Thresholds(features, domain).class_size == len(thresholds)
    boxes = labelings(all_boxes([bounds[1:-1]] * features), points)
    assert Boxes(features, domain).class_size == len(boxes)


def test_class_sizes_on_floats_equal_their_formulas() -> None:
    values = 2**64 - 2**53 - 1
    assert FLOAT64.size == values
    assert Thresholds(20).class_size == 20 * (2 * values - 2) + 2
    assert Boxes(20).class_size == (values * (values + 1) // 2) ** 20 + 1


def test_number_of_half_precision_floats_fits_the_formula() -> None:
    """The same formula is correct for half-precision floats, where all can be counted."""
    patterns = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = patterns[np.isfinite(patterns)]
    assert len(set(finite.tolist())) == 2**16 - 2**11 - 1


def test_separating_threshold_is_near_the_middle_of_the_gap() -> None:
    oracle = Thresholds(2)
    low, high = oracle.summarise(np.array([[0.0, 1.0]])), oracle.summarise(np.array([[4.0, 1.0]]))
    assert oracle.separating(low, high) == Threshold(0, ">=", 2.0)
    assert oracle.separating(high, low) == Threshold(0, "<=", 2.0)
    whole = Thresholds(1, Integers(0, 9))
    low, high = whole.summarise(np.array([[1], [3]])), whole.summarise(np.array([[4], [9]]))
    assert whole.separating(low, high) == Threshold(0, ">=", 4)


def test_separating_box_has_few_finite_sides() -> None:
    """One side excludes all zeros, and the other sides stay open."""
    oracle = Boxes(2)
    zeros = oracle.summarise(np.array([[5.0, 0.0], [6.0, 0.2]]))
    found = oracle.separating(zeros, oracle.summarise(np.array([[1.0, 0.0], [2.0, 0.3]])))
    assert found == Box((-inf, -inf), (3.5, inf))


def test_separating_box_does_not_depend_on_the_order_of_rows() -> None:
    rng = np.random.default_rng(0)
    rows = rng.random((40, 3))
    zeros, ones = rows[rows[:, 0] < 0.5], rows[rows[:, 0] >= 0.5]
    oracle = Boxes(3)
    one = oracle.separating(oracle.summarise(zeros), oracle.summarise(ones))
    two = oracle.separating(oracle.summarise(zeros[::-1]), oracle.summarise(ones[::-1]))
    assert one == two


@pytest.mark.parametrize(
    "classifier",
    [
        Threshold(2, ">=", 0.5),
        Threshold(-1, ">=", 0.5),
        Threshold(0, ">=", float("nan")),
        Threshold(0, ">=", 1),
    ],
)
def test_contains_rejects_invalid_thresholds(classifier: Threshold) -> None:
    assert Thresholds(2).contains(Threshold(1, "<=", 0.5))
    assert not Thresholds(2).contains(classifier)


@pytest.mark.parametrize(
    "classifier",
    [Box((0,), (1,)), Box((0, 0), (1, 0.5)), Box((0, 0), (1, 10)), Box((0, 0), (1, float("nan")))],
)
def test_contains_rejects_invalid_boxes(classifier: Box) -> None:
    oracle = Boxes(2, Integers(0, 9))
    assert oracle.contains(Box((0, -inf), (9, inf)))
    assert not oracle.contains(classifier)


def test_large_integers_are_compared_exactly() -> None:
    """2^62 and 2^62 + 1 are the same float64."""
    domain = Integers(0, 2**63 - 1)
    zeros, ones = np.array([[2**62]]), np.array([[2**62 + 1]])
    for low, high, expected in ((zeros, ones, True), (ones, zeros, True), (zeros, zeros, False)):
        check_oracle_laws(Thresholds(1, domain), low, high, together, separable=expected)
        check_oracle_laws(Boxes(1, domain), low, high, together, separable=expected)
