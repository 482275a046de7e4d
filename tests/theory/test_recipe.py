"""The two recipes, and the parameters that each one keeps."""

from dataclasses import replace
from fractions import Fraction

from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.recipe import LocatedRecipe, Recipe, located, paper

from .test_parameters import LOCK


def test_paper_recipe_has_the_printed_constants() -> None:
    assert paper(LOCK) == Recipe("paper", LOCK, Fraction(9, 16), 8, Fraction(1, 3))


def test_located_recipe_drops_class_size_and_diameter() -> None:
    kept = LocatedParameters(
        actions=2,
        max_states=30,
        mixing_time=40,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 7),
    )
    recipe = located(replace(LOCK, epsilon=Fraction(1, 7)))
    assert recipe == located(kept) == LocatedRecipe(kept, "located")
