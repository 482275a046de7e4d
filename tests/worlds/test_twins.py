"""Violations that nobody can see: a world that breaks no condition has the same law of data."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

import pytest

from steel_verified.learning.results import Accepted
from steel_verified.theory.conditions import Condition
from steel_verified.theory.recipe import located, paper
from steel_verified.worlds.driver import learn
from steel_verified.worlds.hidden import HiddenWorld, hidden_model
from steel_verified.worlds.truth import relabelling

from .laws_of_data import difference, seen_as
from .readings import broken, reading_of
from .twins import HORIZON, TWINS, Twins

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.recipe import LocatedRecipe, Recipe
    from steel_verified.worlds.hidden import HiddenModel

each_pair = pytest.mark.parametrize("pair", TWINS, ids=lambda pair: pair.name)


def as_learned_from(pair: Twins) -> tuple[HiddenModel, HiddenModel]:
    """Both worlds, with observations named by what the classifiers say where only that counts."""
    one, other = pair.broken.model, hidden_model(pair.twin)
    if not pair.by_classifiers:
        return one, other
    names = pair.classifiers.columns
    return seen_as(one, names.__getitem__), seen_as(other, names.__getitem__)


@each_pair
def test_the_world_breaks_these_conditions_and_its_twin_breaks_none(pair: Twins) -> None:
    assert broken(pair.broken, pair.classifiers, pair.parameters) == pair.breaks
    assert broken(reading_of(pair.twin), pair.classifiers, pair.parameters) == set()


@each_pair
def test_the_law_of_data_is_the_same(pair: Twins) -> None:
    """For every length and all actions after the first, which is the learner's."""
    one, other = as_learned_from(pair)
    assert difference(one, other, first_action=0, steps=pair.steps) is None


@each_pair
@pytest.mark.parametrize("method", [paper, located])
def test_both_methods_learn_the_twin(
    pair: Twins, method: Callable[[Parameters], Recipe | LocatedRecipe]
) -> None:
    """From the same seed they see the same data; so the results are equal, ledgers included."""
    one, other = pair.broken.model, hidden_model(pair.twin)
    whole = lcm(one.denominator(), other.denominator())
    violated, honest = HiddenWorld(one, 7, whole), HiddenWorld(other, 7, whole)
    results = [
        learn(world, pair.classifiers, method(pair.parameters)) for world in (violated, honest)
    ]
    assert results[0] == results[1]
    learned = results[1]
    assert isinstance(learned, Accepted)
    state = honest.state // len(pair.twin.noise)
    assert relabelling(learned.model, learned.current, pair.twin.dynamics, state)
    assert pair.steps is None or learned.ledger.steps < pair.steps


def test_a_world_that_differs_is_seen() -> None:
    """Without the limit of steps, the change of the dynamics shows as soon as it is there."""
    (later,) = (pair for pair in TWINS if pair.steps is not None)
    found = difference(later.broken.model, hidden_model(later.twin), first_action=0)
    assert found is not None
    assert len(found.history) == HORIZON + 1
    assert set(found.chances) == {0, 1}


def test_the_first_action_matters_for_a_fall() -> None:
    """After another first action, the first observation shows the difference."""
    (fallen,) = (pair for pair in TWINS if pair.name == "a fall at the first step")
    found = difference(fallen.broken.model, hidden_model(fallen.twin), first_action=1)
    assert found is not None
    assert len(found.history) == 1


def test_what_only_classifiers_hide_is_seen_in_the_observations() -> None:
    (pair,) = (pair for pair in TWINS if pair.by_classifiers)
    found = difference(pair.broken.model, hidden_model(pair.twin), first_action=0)
    assert found is not None
    assert found.history == ((0, 1), (0, 0))


def test_every_condition_on_worlds_and_bounds_has_a_twin() -> None:
    """The oracle is no part of a world: see `test_assumptions_page.py`."""
    assert set().union(*(pair.breaks for pair in TWINS)) == set(Condition) - {Condition.ORACLE}
