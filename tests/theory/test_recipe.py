"""The two recipes, and what of the parameters they keep."""

from dataclasses import replace
from fractions import Fraction

from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.recipe import LocatedRecipe, Recipe, located, paper

from .test_parameters import LOCK


def test_the_recipe_of_the_paper() -> None:
    assert paper(LOCK) == Recipe("paper", LOCK, Fraction(9, 16), 8, Fraction(1, 3))


def test_the_recipe_of_located_steel_drops_the_class_and_the_diameter() -> None:
    kept = LocatedParameters(
        actions=2,
        max_states=30,
        mixing_time=40,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 7),
    )
    recipe = located(replace(LOCK, epsilon=Fraction(1, 7)))
    assert recipe == located(kept) == LocatedRecipe(kept, "located")
