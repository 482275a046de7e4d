"""With each class, STEEL learns a world that single components cannot learn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.classes.features import Featured
from steel_verified.classes.finite import Components
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import accepted, encode
from steel_verified.using.learn import attempt
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.tabular import tabular_world
from tests.learning.coin import COIN, slow_coin

from .worlds import EPSILON, EXAMPLES, Learned, codes, discs, elevator, images, learned, rooms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.classes.rows import Numbers

    from .worlds import Example


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_located_steel_learns_each_example(example: Example) -> None:
    found = example.learned(0)
    assert isinstance(found, Learned), found
    assert found.states == example.truth.dynamics.states
    assert found.worst_error <= EPSILON


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_located_steel_learns_each_example_with_20_noise_seeds(example: Example) -> None:
    for seed in range(10, 30):
        found = example.learned(seed)
        assert isinstance(found, Learned), found
        assert found.worst_error <= EPSILON


ORDERS = [range(8), range(8)[::-1], [6, 0, 1, 2, 7, 3, 4, 5]]


def check_elevator(order: Sequence[int], seed: int) -> None:
    """The order of the features does not matter: weak ones are not used."""
    found = learned(elevator(order), Boxes(8), seed, max_steps=3000)
    assert isinstance(found, Learned), found
    assert found.worst_error <= EPSILON


def test_noisy_elevator_is_learned_with_weak_features_first() -> None:
    """The column that excludes the most rows, ties to the first, takes more than 3,000 steps."""
    check_elevator(ORDERS[0], 2)


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS, ids=["weak first", "strong first", "mixed"])
@pytest.mark.parametrize("seed", range(8))
def test_noisy_elevator_is_learned_in_every_order(order: Sequence[int], seed: int) -> None:
    check_elevator(order, seed)


def test_simpler_classes_are_not_accepted_on_the_examples() -> None:
    """Labels of different states are merged, or a label cannot be separated from all others."""
    merged, stuck = "all labels were merged into one state", "the limit of 2,000 steps was reached"
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
