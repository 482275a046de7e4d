"""Thresholds and boxes satisfy the law of an oracle: they are compared with their definitions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import FLOAT64, Integers, between

from .brute_force import batches, check_laws, grid, labelings, separable, two_datasets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from .brute_force import Case, Point, Predicate


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
def test_thresholds_separate_exactly_what_their_definition_separates(case: Case) -> None:
    """Bounds other than the values in the data and the infinities give no other function."""
    features, domain, zeros, ones = case
    bounds = [-inf, inf, *{value for point in zeros + ones for value in point}]
    expected = separable(all_thresholds(features, bounds), zeros, ones)
    check_laws(Thresholds(features, domain), *batches(case), separable=expected)


@given(case=two_datasets(most_features=2))
def test_boxes_separate_exactly_what_their_definition_separates(case: Case) -> None:
    features, domain, zeros, ones = case
    bounds = [sorted({point[i] for point in ones}) for i in range(features)]
    expected = separable(all_boxes(bounds), zeros, ones)
    check_laws(Boxes(features, domain), *batches(case), separable=expected)


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


def test_separating_threshold_is_near_the_middle_of_the_gap() -> None:
    oracle = Thresholds(2)
    low, high = oracle.summarise(np.array([[0.0, 1.0]])), oracle.summarise(np.array([[4.0, 1.0]]))
    assert oracle.separating(low, high) == Threshold(0, ">=", 2.0)
    assert oracle.separating(high, low) == Threshold(0, "<=", 2.0)
    whole = Thresholds(1, Integers(0, 9))
    low, high = whole.summarise(np.array([[1], [3]])), whole.summarise(np.array([[4], [9]]))
    assert whole.separating(low, high) == Threshold(0, ">=", 4)


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
        check_laws(Thresholds(1, domain), low, high, separable=expected)
        check_laws(Boxes(1, domain), low, high, separable=expected)


# --- the rule: widest margin ----------------------------------------------------------------------


def widest_by_definition(zeros: list[Point], ones: list[Point], features: int) -> Box | None:
    """Return the box of the rule, in fractions and with every possible cut of every side."""
    low, high = [-inf] * features, [inf] * features
    left = set(zeros)
    while left:
        cuts = []
        for column in range(2 * features):
            sign, i = (1 if column < features else -1), column % features
            every = [Fraction(p[i]) for p in (*zeros, *ones)]
            near = min(sign * Fraction(p[i]) for p in ones)
            for cut in {p[i] for p in left if sign * Fraction(p[i]) < near}:
                gone = frozenset(p for p in left if sign * Fraction(p[i]) <= sign * Fraction(cut))
                margin = (near - sign * Fraction(cut)) / (max(every) - min(every))
                cuts.append((len(gone) * margin, len(gone), -column, cut, gone))
        if not cuts:
            return None
        *_, column, cut, gone = max(cuts, key=lambda found: found[:3])
        i, left = -column % features, left - gone
        if -column < features:
            low[i] = between(cut, min(p[i] for p in ones))
        else:
            high[i] = -between(-cut, -max(p[i] for p in ones))
    return Box(tuple(low), tuple(high))


@given(case=two_datasets())
@example(case=(2, FLOAT64, [(5e-324, 1.0), (0.0, 1.0)], [(1e-323, 1.0)]))
@example(case=(2, FLOAT64, [(0.0, 0.0)], [(1.7e308, 5e-324), (-1.7e308, 1e-323)]))
@example(case=(2, Integers(-(2**63), 2**63 - 1), [(2**62, -(2**63))], [(2**62 + 1, 2**63 - 1)]))
def test_box_of_the_widest_margin_equals_its_definition(case: Case) -> None:
    features, domain, zeros, ones = case
    assume(ones)
    oracle = Boxes(features, domain)
    low, high = map(oracle.summarise, batches(case))
    assert oracle.separating(low, high) == widest_by_definition(zeros, ones, features)


@given(case=two_datasets())
def test_threshold_of_the_widest_margin_equals_its_definition(case: Case) -> None:
    features, domain, zeros, ones = case
    assume(zeros)
    assume(ones)
    oracle = Thresholds(features, domain)
    low, high = map(oracle.summarise, batches(case))
    cuts = []
    for column, (sign, i) in enumerate(product((1, -1), range(features))):
        values = [Fraction(p[i]) for p in (*zeros, *ones)]
        zero = max(sign * Fraction(p[i]) for p in zeros)
        one = min(sign * Fraction(p[i]) for p in ones)
        if zero < one:
            cuts.append(((one - zero) / (max(values) - min(values)), -column, i, sign))
    found = oracle.separating(low, high)
    if not cuts:
        assert found is None
        return
    *_, i, sign = max(cuts)
    assert found is not None
    assert (found.feature, found.sign) == (i, ">=" if sign == 1 else "<=")


@given(seed=st.integers(0, 2**32), features=st.integers(2, 5))
def test_permuted_features_give_the_permuted_classifier(seed: int, features: int) -> None:
    """The rows are random, so that no two sides are exactly as good."""
    rng = np.random.default_rng(seed)
    rows = rng.random((40, features))
    ones = ((rows > 0.3) | (rng.random(features) < 0.5)).all(axis=1)
    assume(2 <= ones.sum() <= 35)
    order = rng.permutation(features)
    boxes, thresholds = Boxes(features), Thresholds(features)

    def chosen(table: NDArray[np.float64]) -> tuple[Box | None, Threshold | None]:
        extremes = thresholds.summarise(table[~ones]), thresholds.summarise(table[ones] + 1)
        clouds = boxes.summarise(table[~ones]), boxes.summarise(table[ones])
        return boxes.separating(*clouds), thresholds.separating(*extremes)

    (box, threshold), (moved, shifted) = chosen(rows), chosen(rows[:, order])
    assert threshold is not None
    assert shifted == replace(threshold, feature=order.tolist().index(threshold.feature))
    assert (box is None) == (moved is None)
    if box is not None and moved is not None:
        assert moved.least == tuple(box.least[i] for i in order)
        assert moved.greatest == tuple(box.greatest[i] for i in order)
