"""Recipes and lengths of words, on a grid: the settings in which periods are tested."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.finite import exhausted
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory.recipe import Recipe, paper

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Setting:
    """A recipe and the length of a word."""

    recipe: Recipe
    length: int

    @property
    def most(self) -> int:
        return self.recipe.parameters.max_states

    @property
    def mixing(self) -> int:
        return self.recipe.parameters.mixing_time


_SETTINGS_SIZE: Final = "N ≤ 6, |â| ≤ 4, t̂_mix in {1, 2, 5, 9}, |A|, |F|, δ in two values each"


@cache
def _settings() -> tuple[Setting, ...]:
    return tuple(
        Setting(recipe_for(most, mixing, actions, size, delta), length)
        for most in range(2, 7)
        for mixing in (1, 2, 5, 9)
        for actions in (1, 3)
        for size in (2, 50)
        for delta in (Fraction(1, 2), Fraction(1, 20))
        for length in range(1, 5)
    )


def recipe_for(most: int, mixing: int, actions: int, size: int, delta: Fraction) -> Recipe:
    """The paper's recipe for these bounds."""
    return paper(parameters(most, mixing, actions=actions, class_size=size, delta=delta))


def on_settings(holds: Callable[[Setting], bool]) -> Evidence:
    """Show something in every setting."""
    return exhausted(_settings(), holds, _SETTINGS_SIZE)
