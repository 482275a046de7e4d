"""With each class, STEEL learns a world that single components cannot; learners without proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.classes.features import Featured
from steel_verified.classes.finite import Components
from steel_verified.classes.fitted import Fitted
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.errors import BrokenOracle, InvalidArgument
from steel_verified.evidence.oracle import Searched
from steel_verified.learning.drive import Fallback
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import accepted, encode
from steel_verified.using.attempt import attempt
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.tabular import tabular_world
from tests.bounds import bounds, with_class

from ..learning.problem_runs import COIN, slow_coin
from .brute_force import check_laws
from .worlds import (
    EPSILON,
    EXAMPLES,
    Learned,
    codes,
    discs,
    elevator,
    images,
    learned,
    perceptron,
    rooms,
    sensors,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.fitted import Values
    from steel_verified.classes.rows import Numbers

    from .worlds import Example


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.parametrize("seeds", [[0], pytest.param(range(10, 30), marks=pytest.mark.slow)])
def test_located_steel_learns_each_example(example: Example, seeds: Sequence[int]) -> None:
    for seed in seeds:
        found = example.learned(seed)
        assert isinstance(found, Learned), found
        assert found.states == example.truth.dynamics.states
        assert found.worst_error <= EPSILON


WEAK_FIRST, STRONG_FIRST, IN_BETWEEN = range(8), range(8)[::-1], [6, 0, 1, 2, 7, 3, 4, 5]


@pytest.mark.parametrize(
    ("order", "seed"),
    [
        (WEAK_FIRST, 2),
        *(
            pytest.param(order, seed, marks=pytest.mark.slow)
            for order in (WEAK_FIRST, STRONG_FIRST, IN_BETWEEN)
            for seed in range(8)
        ),
    ],
)
def test_noisy_elevator_is_learned_in_every_order(order: Sequence[int], seed: int) -> None:
    """The column that excludes the most rows, ties to the first, takes more than 3,000 steps."""
    found = learned(elevator(order), Boxes(8), seed, max_steps=3000)
    assert isinstance(found, Learned), found
    assert found.worst_error <= EPSILON


def test_simpler_classes_are_not_accepted_on_the_examples() -> None:
    """Labels of different states are merged, or a label cannot be separated from all others."""
    merged, stuck = "all labels were merged into one state", "tells 6 of them from all others"
    assert merged in str(learned(codes(), Components(12), 0, max_steps=2000))
    assert stuck in str(learned(rooms(), Thresholds(3), 0, max_steps=2000))
    assert merged in str(learned(images(), Boxes(8, Integers(0, 255)), 0, max_steps=2000))
    assert merged in str(learned(discs(), HalfSpaces(2), 0, max_steps=2000))


def test_looped_steel_learns_with_half_spaces() -> None:
    """No single feature shows the state: it is 1 if the first feature exceeds the second."""
    world = tabular_world(slow_coin(Fraction(2, 3)), noise_seed=4)
    features = np.array([[0, 1, 0], [1, 2, 1], [1, 0, 0], [2, 1, 1]])

    def look_up(rows: Numbers) -> Numbers:
        return features[rows.astype(np.int64)]

    half_spaces = HalfSpaces(3, Integers(0, 2))
    oracle = Featured(look_up, half_spaces)
    p = replace(COIN, class_size=half_spaces.class_size, mixing_time=2)
    found = accepted(attempt(world, oracle, Looped(p)))
    meaning = relabelling(found.model, found.current, world.dynamics, world.state)
    assert meaning is not None
    assert found.classifiers is not None
    labels = encode(oracle, found.classifiers, np.arange(4))
    assert [meaning[label] for label in labels] == [0, 0, 1, 1]


LOW, HIGH = np.array([[0.0, 0.1], [0.2, 0.0]]), np.array([[0.9, 1.0], [1.0, 0.8]])
MIXED = np.array([[0.5, 0.5], [0.05, 0.05]])


def test_fitted_perceptron_satisfies_the_oracle_laws() -> None:
    check_laws(Fitted(2, perceptron), LOW, HIGH, separable=True)
    check_laws(Fitted(2, perceptron), HIGH, LOW, separable=True)
    check_laws(Fitted(2, perceptron), LOW, MIXED, separable=False)


@pytest.mark.parametrize("value", [False, True])
def test_function_that_errs_on_a_row_is_not_returned(*, value: bool) -> None:
    """The function is checked: if it errs on a row, the result is None."""

    def constant(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.full(len(rows), value)

    oracle = Fitted(2, lambda _zeros, _ones: constant)
    assert oracle.separating(oracle.summarise(LOW), oracle.summarise(HIGH)) is None


@pytest.mark.parametrize("empty", [LOW[:0], HIGH[:0]])
def test_fit_is_not_called_if_a_side_is_empty(empty: NDArray[np.float64]) -> None:
    def refuse(*_: NDArray[np.float64]) -> Values | None:
        raise AssertionError("called without rows")

    check_laws(Fitted(2, refuse), LOW, empty, separable=True)
    check_laws(Fitted(2, refuse), empty, LOW, separable=True)
    check_laws(Fitted(2, refuse), LOW, LOW, separable=False)


def test_fit_receives_each_row_once_and_sorted() -> None:
    seen = []

    def noting(zeros: NDArray[np.float64], ones: NDArray[np.float64]) -> Values | None:
        seen.append((zeros.tolist(), ones.tolist()))
        return None

    oracle = Fitted(1, noting)
    oracle.separating(oracle.summarise(np.array([2.0, 1.0, 2.0])), oracle.summarise(np.array([3])))
    assert seen == [([[1.0], [2.0]], [[3.0]])]


def test_function_without_boolean_values_raises_broken_oracle() -> None:
    oracle = Fitted(2, lambda _zeros, _ones: lambda rows: rows[:, 0])  # type: ignore[arg-type,return-value] # floats
    with pytest.raises(BrokenOracle, match=r"gave float64 of shape \(2,\) for 2 rows"):
        oracle.separating(oracle.summarise(LOW), oracle.summarise(HIGH))


def test_none_is_proved_only_for_exact_classes() -> None:
    assert HalfSpaces(2).none_is_proved
    assert Components(2).none_is_proved
    assert not Fitted(2, perceptron).none_is_proved
    assert not Searched(Components(2), lambda _zeros, _ones: None).none_is_proved


def test_looped_steel_refuses_a_class_without_a_size() -> None:
    truth = sensors()
    parameters = with_class(
        bounds(truth.dynamics.actions, truth.dynamics.states, 2, epsilon=Fraction(1, 10)),
        10**6,
        truth.dynamics.states,
    )
    oracle = Fitted(truth.features, perceptron)
    expected = "oracle.class_size = None: expected a class of known size: looped STEEL needs"
    with pytest.raises(InvalidArgument, match=expected):
        attempt(truth.world(0), oracle, Looped(parameters))
    with pytest.raises(InvalidArgument, match=expected):
        attempt(truth.world(0), oracle, Fallback(parameters))
