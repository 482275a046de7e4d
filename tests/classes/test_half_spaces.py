"""Half-spaces: separation is decided exactly, and each answer is proved."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given

from steel_verified.classes import hulls
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, LiftedPoints
from steel_verified.classes.hulls import (
    Infeasible,
    Meeting,
    _guessed_meeting,
    decided,
    nonnegative_solution,
    separated,
)
from steel_verified.classes.rows import FLOAT64, Domain, Integers, Numbers

from .brute_force import Case, Point, batches, check_laws, two_datasets

BITS = Integers(0, 1)


def threshold_functions(n: int, largest: int) -> set[tuple[bool, ...]]:
    """Return the Boolean functions that small integer weights realise, by trying all weights."""
    grid = list(product((0, 1), repeat=n))
    sizes = range(-largest, largest + 1)
    return {
        tuple(2 * sum(w * x for w, x in zip(weights, point, strict=True)) > bias for point in grid)
        for weights in product(sizes, repeat=n)
        for bias in range(-2 * largest * n - 1, 2 * largest * n + 2, 2)
    }


@pytest.mark.parametrize(("n", "largest", "count"), [(1, 1, 4), (2, 1, 14), (3, 2, 104)])
def test_class_size_is_at_least_the_number_of_threshold_functions(
    n: int, largest: int, count: int
) -> None:
    functions = threshold_functions(n, largest)
    size = HalfSpaces(n, BITS).class_size
    assert len(functions) == count <= size
    assert size <= 2 ** (n * n) or n == 1
    assert (n, size) in {(1, 4), (2, 14), (3, 128)}


def test_class_size_on_floats_is_computed() -> None:
    assert HalfSpaces(20).class_size.bit_length() == 25540


def test_every_labelling_of_the_square_is_decided_correctly() -> None:
    """All 3⁴ ways to label the corners 0, 1 or not at all, against all 14 threshold functions."""
    grid = list(product((0, 1), repeat=2))
    functions = threshold_functions(2, 1)
    for labels in product((0, 1, None), repeat=4):
        zeros: list[Point] = [p for p, label in zip(grid, labels, strict=True) if label == 0]
        ones: list[Point] = [p for p, label in zip(grid, labels, strict=True) if label == 1]
        separable = any(
            all(
                label is None or value == bool(label)
                for value, label in zip(f, labels, strict=True)
            )
            for f in functions
        )
        for domain in (BITS, FLOAT64):
            rows = batches((2, domain, zeros, ones))
            check_laws(HalfSpaces(2, domain), *rows, separable=separable)


def is_common_point(meeting: Meeting, zeros: LiftedPoints, ones: LiftedPoints) -> bool:
    """Return whether both combinations are convex, of these points, and equal; in fractions."""
    mixed = []
    for mixture, known in ((meeting.zeros, zeros), (meeting.ones, ones)):
        points = {tuple(Fraction(x, p[-1]) for x in p[:-1]) for p in known.points}
        pairs = list(zip(mixture.weights, mixture.points, strict=True))
        if (
            sum(mixture.weights) != 1
            or min(mixture.weights) < 0
            or not points >= {p for _, p in pairs}
        ):
            return False
        mixed.append([sum(w * p[i] for w, p in pairs) for i in range(len(pairs[0][1]))])
    return mixed[0] == mixed[1]


def summaries(case: Case) -> tuple[HalfSpaces, LiftedPoints, LiftedPoints]:
    oracle = HalfSpaces(*case[:2])
    zeros, ones = batches(case)
    return oracle, oracle.summarise(zeros), oracle.summarise(ones)


@given(case=two_datasets(most_features=4))
@example(case=(1, FLOAT64, [(1.0,)], [(2.0,)]))
@example(case=(2, FLOAT64, [(0.0, 0.0), (2.0, 2.0)], [(1.0, 1.0)]))
@example(case=(1, FLOAT64, [(0.3,)], [(0.1 + 0.2,)]))
@example(case=(1, FLOAT64, [(-1.7e308,), (1.7e308,)], [(5e-324,)]))
def test_exactly_one_of_half_space_and_common_point_is_found(case: Case) -> None:
    """Both answers are checked: the half-space on all rows, the common point by computing it."""
    oracle, low, high = summaries(case)
    found, meeting = oracle.separating(low, high), oracle.meeting(low, high)
    assert (found is None) == (meeting is not None)
    assert meeting is None or is_common_point(meeting, low, high)
    check_laws(oracle, *batches(case), separable=found is not None)


@given(case=two_datasets(most_features=3))
def test_simplex_method_agrees_with_the_candidates(case: Case) -> None:
    oracle, low, high = summaries(case)
    assume(low.points)
    assume(high.points)
    exact = decided(sorted(low.points), sorted(high.points))
    assert type(exact) is type(separated(sorted(low.points), sorted(high.points)))
    if isinstance(exact, Meeting):
        assert is_common_point(exact, low, high)
    else:
        assert oracle.separates(exact, low, high)


def test_simplex_method_decides_if_no_candidate_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def counted(*points: list[tuple[int, ...]]) -> HalfSpace | Meeting:
        asked.append(points)
        return decided(*points)

    monkeypatch.setattr(hulls, "decided", counted)
    oracle = HalfSpaces(2)
    wide = oracle.summarise(np.array([[-1.7e308, 0.0], [1.7e308, 0.0]]))
    point = oracle.summarise(np.array([[0.0, 5e-324]]))
    found = oracle.separating(wide, point)
    assert found is not None
    assert oracle.separates(found, wide, point)
    assert asked


@pytest.mark.parametrize("domain", [FLOAT64, Integers(0, 255)], ids=["floats", "grey"])
def test_sets_with_a_narrow_gap_in_many_features_are_separated(domain: Domain) -> None:
    """Coarse rounding of a candidate would put some rows on the wrong side; each is checked."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        drawn = rng.random((80, 12))
        seen = drawn if domain == FLOAT64 else np.floor(256 * drawn)
        across = seen @ rng.normal(size=12)
        rows: Numbers = seen if domain == FLOAT64 else seen.astype(np.int64)
        ones = across > np.median(across)
        check_laws(HalfSpaces(12, domain), rows[~ones], rows[ones], separable=True)


def test_integers_that_round_to_the_same_float_are_separated() -> None:
    domain = Integers(0, 2**63 - 1)
    low, high = np.array([[2**62, 0]]), np.array([[2**62 + 1, 0]])
    both = np.array([[2**62 - 1, 0], [2**62 + 1, 0]])
    check_laws(HalfSpaces(2, domain), low, high, separable=True)
    check_laws(HalfSpaces(2, domain), low, both, separable=False)


def test_common_point_with_negative_weights_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wrong linear program says that 2 lies between 0 and 1, which needs a weight of −1."""

    class Wrong:
        x = np.ones(3)

    zeros, ones = [(0, 1), (1, 1)], [(2, 1)]
    monkeypatch.setattr(hulls, "linprog", lambda *_, **__: Wrong())
    assert _guessed_meeting(zeros, ones) is None
    assert isinstance(separated(zeros, ones), HalfSpace)
    between = [(1, 1), (3, 1)]
    meeting = _guessed_meeting(between, ones)
    assert meeting is not None
    assert is_common_point(meeting, *(LiftedPoints(frozenset(side)) for side in (between, ones)))


HALF = Fraction(1, 2)


def test_infeasible_equations_give_farkas_multipliers() -> None:
    columns, goal = [(1, 1), (2, 1)], [0, 1]
    found = nonnegative_solution(columns, goal)
    assert isinstance(found, Infeasible)
    y = found.multipliers
    assert all(sum(a * b for a, b in zip(y, column, strict=True)) <= 0 for column in columns)
    assert sum(a * b for a, b in zip(y, goal, strict=True)) > 0
    assert nonnegative_solution([(1, 1), (-1, 1)], goal) == {0: HALF, 1: HALF}


@pytest.mark.parametrize(
    "other", [HalfSpace((1,), 0), HalfSpace((1, 2, 3), 0), HalfSpace((True, 2), 0)]
)
def test_contains_rejects_half_spaces_of_other_sizes(other: HalfSpace) -> None:
    assert HalfSpaces(2).contains(HalfSpace((1, -2), 3))
    assert not HalfSpaces(2).contains(other)
