"""Whoever calls `learn` can be told how far it has come."""

from __future__ import annotations

import pytest

from steel_verified.learning.results import accepted
from steel_verified.theory.recipe import LocatedRecipe, Recipe, located, paper
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.driver import learn

PARAMETERS = instance("combination-lock", 0, states=3, components=9).parameters


@pytest.mark.parametrize("recipe", [paper(PARAMETERS), located(PARAMETERS)])
def test_steps_and_transitions_are_told_as_they_grow(recipe: Recipe | LocatedRecipe) -> None:
    lock = combination_lock(0, states=3, components=9, least_noise=0.1)
    told: list[tuple[int, int]] = []

    def watch(steps: int, known: int) -> None:
        told.append((steps, known))

    learned = accepted(learn(lock.world(1), lock.oracle(), recipe, watch=watch))
    again = accepted(learn(lock.world(1), lock.oracle(), recipe))
    assert again.ledger == learned.ledger
    steps = [step for step, _ in told]
    assert steps == sorted(steps)
    assert told[-1][1] == len(learned.model.transitions()) == 6
    assert 0 < steps[0] < steps[-1] <= learned.ledger.steps
