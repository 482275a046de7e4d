"""What counts as right in Table 1: the truth does, and every small change of it does not."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from steel_verified.baselines.ppe import Layer, LayeredModel
from steel_verified.experiments.table1.methods import (
    Fate,
    Learned,
    counted_laws,
    judged,
    judged_layers,
    meaning,
)
from steel_verified.experiments.table1.worlds import (
    SmallWorld,
    coded_lock,
    hidden_noise,
    masked,
    random_moves,
    random_start,
    toggle,
)

ALL = [toggle, masked, random_start, hidden_noise, random_moves, coded_lock]
ONE = Fraction(1)


def laws_of(world: SmallWorld) -> Learned:
    return {
        (s, action): dict(law)
        for s, row in enumerate(world.transitions)
        for action, law in enumerate(row)
    }


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_true_laws_are_right_under_any_renaming(world: SmallWorld) -> None:
    assert judged(world.encoder, laws_of(world), world) is Fate.RIGHT
    last = world.states - 1
    renamed = {
        (last - s, action): {last - to: p for to, p in law.items()}
        for (s, action), law in laws_of(world).items()
    }
    assert judged([last - s for s in world.encoder], renamed, world) is Fate.RIGHT


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_every_other_encoder_of_as_many_labels_is_wrong(world: SmallWorld) -> None:
    for x in range(world.observations):
        for label in range(world.states + 1):
            if label != world.encoder[x]:
                other = [*world.encoder[:x], label, *world.encoder[x + 1 :]]
                assert judged(other, laws_of(world), world) is Fate.WRONG


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_a_transition_that_leads_elsewhere_is_wrong(world: SmallWorld) -> None:
    for pair, true in laws_of(world).items():
        for to in range(world.states):
            if true.get(to) != 1:
                changed = {**laws_of(world), pair: {to: ONE}}
                assert judged(world.encoder, changed, world) is Fate.WRONG
        unknown = {one: law for one, law in laws_of(world).items() if one != pair}
        assert judged(world.encoder, unknown, world) is Fate.WRONG


def test_chances_may_be_off_by_a_tenth() -> None:
    world = random_moves()
    near = {0: Fraction(6, 10), 1: Fraction(4, 10)}
    far = {0: Fraction(61, 100), 1: Fraction(39, 100)}
    assert judged(world.encoder, {**laws_of(world), (0, 1): near}, world) is Fate.RIGHT
    assert judged(world.encoder, {**laws_of(world), (0, 1): far}, world) is Fate.WRONG


def test_meanings_need_one_state_for_a_label_and_one_label_for_a_state() -> None:
    assert meaning({0: 7, 1: 8, 2: 7}, [0, 1, 0]) == {7: 0, 8: 1}
    assert meaning({0: 7, 1: 7, 2: 7}, [0, 1, 0]) is None
    assert meaning({0: 7, 1: 8, 2: 9}, [0, 1, 0]) is None


SHOWS_0, SHOWS_1, NOISE = 2, 0, 1
"""Classifiers of the switch: the negation of bit 0, bit 0, and bit 1."""


def layered(label: tuple[int, ...], classifiers: tuple[int, ...] | None) -> LayeredModel:
    """A model of two layers: the first is right, the second is given."""
    first = Layer(((0,), (1,)), (0, 1), (SHOWS_0, SHOWS_1))
    words = tuple(product(range(2), repeat=2))
    return LayeredModel(2, (first, Layer(words, label, classifiers)))


def test_layers_are_judged_one_by_one() -> None:
    right = (0, 1, 1, 0)
    both = (SHOWS_0, SHOWS_1)
    assert judged_layers(layered(right, both), toggle()) is Fate.RIGHT
    assert judged_layers(layered(right, None), toggle()) is Fate.NOTICED
    assert judged_layers(layered(right, both[::-1]), toggle()) is Fate.WRONG
    assert judged_layers(layered(right, (SHOWS_0, NOISE)), toggle()) is Fate.WRONG
    assert judged_layers(layered((0, 1, 0, 1), both), toggle()) is Fate.WRONG
    assert judged_layers(layered((0, 1, 1, 2), (*both, NOISE)), toggle()) is Fate.WRONG
    assert judged_layers(layered(right, both), random_start()) is Fate.WRONG
    assert judged_layers(layered(right, both), random_moves()) is Fate.WRONG


def test_counted_laws_are_relative_frequencies() -> None:
    assert counted_laws([(0, 1, 0), (0, 1, 1), (0, 1, 1), (2, 0, 2)]) == {
        (0, 1): {0: Fraction(1, 3), 1: Fraction(2, 3)},
        (2, 0): {2: ONE},
    }


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_the_class_has_a_classifier_for_each_state(world: SmallWorld) -> None:
    """Which STEEL and PPE assume."""
    everything = np.arange(world.observations)
    values = [
        tuple(world.functions.values(f, everything).tolist())
        for f in range(world.functions.class_size)
    ]
    for state in range(world.states):
        assert tuple(s == state for s in world.encoder) in values
