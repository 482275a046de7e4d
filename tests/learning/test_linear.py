"""Linear separation is decided exactly, and rich enough to learn with."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.learning.linear import LinearSeparators, Point, _hulls_meet, separated
from steel_verified.learning.results import accepted, encode
from steel_verified.strategies import check_oracle_laws
from steel_verified.theory.recipe import paper
from steel_verified.worlds.driver import learn
from steel_verified.worlds.tabular import tabular_world
from steel_verified.worlds.truth import relabelling

from .coin import COIN, slow_coin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan, Trajectory
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.simulated import SimulatedWorld


def threshold_functions(n: int, largest: int) -> set[tuple[bool, ...]]:
    """The Boolean functions that small integer weights realise, by trying them all."""
    grid = list(product((0, 1), repeat=n))
    sizes = range(-largest, largest + 1)
    return {
        tuple(2 * sum(w * x for w, x in zip(weights, point, strict=True)) > bias for point in grid)
        for weights in product(sizes, repeat=n)
        for bias in range(-2 * largest * n - 1, 2 * largest * n + 2, 2)
    }


@pytest.mark.parametrize(("n", "largest", "count"), [(1, 1, 4), (2, 1, 14), (3, 2, 104)])
def test_the_class_size_covers_every_threshold_function(n: int, largest: int, count: int) -> None:
    functions = threshold_functions(n, largest)
    size = LinearSeparators(n).class_size
    assert len(functions) == count <= size
    assert size <= 2 ** (n * n) or n == 1
    assert (n, size) in {(1, 4), (2, 14), (3, 128)}


def test_every_labelling_of_the_square() -> None:
    """All 3⁴ ways to call corners 0, 1 or nothing, against all 14 threshold functions."""
    grid = list(product((0, 1), repeat=2))
    functions = threshold_functions(2, 1)
    for labels in product((0, 1, None), repeat=4):
        zeros = frozenset(p for p, label in zip(grid, labels, strict=True) if label == 0)
        ones = frozenset(p for p, label in zip(grid, labels, strict=True) if label == 1)
        separable = any(
            all(
                label is None or value == bool(label)
                for value, label in zip(f, labels, strict=True)
            )
            for f in functions
        )
        found = LinearSeparators(2).separating(zeros, ones)
        assert (found is not None) == separable
        assert found is None or (all(map(found, ones)) and not any(map(found, zeros)))


@st.composite
def labelled_points(draw: st.DrawFn) -> tuple[list[Point], list[Point]]:
    n = draw(st.integers(1, 4))
    points = st.lists(st.tuples(*[st.integers(-3, 9)] * n), max_size=8)
    return draw(points), draw(points)


@pytest.mark.properties
@given(case=labelled_points())
def test_answers_are_proved_and_hulls_meet_exactly_when_none_separates(
    case: tuple[list[Point], list[Point]],
) -> None:
    """Were both or neither answer provable, one of the two checks below would fail."""
    zeros, ones = case
    n = len((zeros + ones + [(0,)])[0])
    oracle = LinearSeparators(n, -3, 9)
    found = oracle.separating(frozenset(zeros), frozenset(ones))
    check_oracle_laws(
        oracle,
        np.array(zeros, dtype=np.int64).reshape(len(zeros), n),
        np.array(ones, dtype=np.int64).reshape(len(ones), n),
        lambda a, b: np.concatenate([a, b]),
        separable=found is not None,
    )


@pytest.mark.properties
@given(
    weights=st.lists(st.integers(-5, 5), min_size=3, max_size=3),
    bias=st.integers(-9, 9),
    points=st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=40),
)
def test_what_a_separator_separates_is_found_separable(
    weights: list[int], bias: int, points: list[Point]
) -> None:
    ones = {p for p in points if sum(w * x for w, x in zip(weights, p, strict=True)) > bias}
    oracle = LinearSeparators(3, 0, 4)
    assert oracle.separating(frozenset(set(points) - ones), frozenset(ones)) is not None


@pytest.mark.properties
@given(case=labelled_points())
@example(case=([(1,)], [(2,)]))
@example(case=([(2,)], [(1,)]))
@example(case=([(0, 0), (2, 2)], [(1, 1)]))
def test_a_point_of_both_hulls_is_exhibited_exactly_when_none_separates(
    case: tuple[list[Point], list[Point]],
) -> None:
    """Each of the two proofs is right without the other."""
    zeros, ones = (sorted(set(points)) for points in case)
    assume(zeros)
    assume(ones)
    assert _hulls_meet(zeros, ones) == (separated(zeros, ones) is None)


def test_features_outside_the_stated_range_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="values 0 to 2"):
        LinearSeparators(2).summarise(np.array([[0, 2]]))
    with pytest.raises(InvalidArgument, match="values -1 to 0"):
        LinearSeparators(2).summarise(np.array([[0, -1]]))
    assert LinearSeparators(2, -1, 2).summarise(np.array([[2, -1]])) == {(2, -1)}
    with pytest.raises(InvalidArgument, match="shape"):
        LinearSeparators(2).summarise(np.array([[0, 1, 1]]))
    with pytest.raises(InvalidArgument, match=r"float64 of shape .* expected 2 integer features"):
        LinearSeparators(2).summarise(np.array([[0, 0.5]]))
    with pytest.raises(InvalidArgument, match="highest"):
        LinearSeparators(2, 3, 3)


class Featured:
    """A tabular world seen through integer features of its observations."""

    def __init__(
        self, inner: SimulatedWorld[NDArray[np.int64]], features: NDArray[np.int64]
    ) -> None:
        self.inner = inner
        self.features = features

    @property
    def actions(self) -> int:
        return self.inner.actions

    @property
    def steps(self) -> int:
        return self.inner.steps

    def run(self, plan: Plan) -> FeaturedTrajectory:
        return FeaturedTrajectory(self.inner.run(plan), self.features)


class FeaturedTrajectory:
    def __init__(self, inner: Trajectory[NDArray[np.int64]], features: NDArray[np.int64]) -> None:
        self.inner = inner
        self.features = features

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[NDArray[np.int64], ...]:
        return tuple(self.features[rows] for rows in self.inner.rows(*datasets))


def test_steel_learns_with_linear_classifiers() -> None:
    """No single feature shows the state: it is 1 where the first exceeds the second."""
    world = tabular_world(slow_coin(Fraction(2, 3)), noise_seed=4)
    features = np.array([[0, 1, 0], [1, 2, 1], [1, 0, 0], [2, 1, 1]])
    oracle = LinearSeparators(3, 0, 2)
    p = replace(COIN, class_size=oracle.class_size, mixing_time=2)
    learned = accepted(learn(Featured(world, features), oracle, paper(p)))
    meaning = relabelling(learned.model, learned.current, world.dynamics, world.state)
    assert meaning is not None
    assert learned.classifiers is not None
    labels = encode(oracle, learned.classifiers, features)
    assert [meaning[label] for label in labels] == [0, 0, 1, 1]
