"""The progress of a run, and the number of steps that it may take."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import largest_extent
from steel_verified.theory.recipe import Recipe
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.model import Model
    from steel_verified.theory.recipe import LocatedRecipe

Note: TypeAlias = "Callable[[int, Callable[[], Model]], None]"
"""Called between two plans, with the steps so far and a function that returns the model."""

_PAUSE: Final = 0.1
"""Seconds between two reports; a located run executes thousands of plans per second."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The steps of a run, exactly or as a bound; None if there is no bound."""

    steps: int | None
    exact: bool = False

    def __str__(self) -> str:
        if self.steps is None:
            return "an unknown number of steps: located STEEL has no bound"
        return f"{'' if self.exact else 'at most '}{counted(self.steps, 'step')}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    steps: int
    estimate: Estimate
    """The number of steps known before the start."""
    transitions: int
    """The number of known transitions."""
    seconds: float
    """Seconds since the start."""

    @property
    def seconds_left(self) -> float | None:
        """The remaining seconds at the speed so far (an upper bound unless `estimate` is exact)."""
        if self.estimate.steps is None or not self.steps:
            return None
        return max(0.0, (self.estimate.steps - self.steps) * self.seconds / self.steps)


def most_steps(recipe: Recipe | LocatedRecipe) -> Estimate:
    """The bound of Theorem 1, from the parameters alone; located STEEL has no bound.

    If the dynamics are known, `worlds.ideal.exact_steps` gives the exact number.
    """
    if isinstance(recipe, Recipe):
        return Estimate(total_bound(recipe, largest_extent(recipe.parameters)))
    return Estimate(None)


def reporting(progress: Callable[[Progress], None], estimate: Estimate) -> Note:
    """A function that reports to `progress` at the start, and then some ten times per second."""
    began = last = monotonic()
    progress(Progress(0, estimate, transitions=0, seconds=0.0))

    def note(steps: int, model: Callable[[], Model]) -> None:
        nonlocal last
        now = monotonic()
        if now - last < _PAUSE:
            return
        last = now
        known = len(model().transitions())
        progress(Progress(steps, estimate, known, now - began))

    return note
