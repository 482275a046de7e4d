"""How many episodes and steps PPE takes, by formula, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.baselines.ppe.pairs import samples_needed
from steel_verified.theory.exact import ball, ceiling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

FORMULA_FACTOR: Final = 16
"""The constant of N = 16·|Υ|²·ln(|F|·|Ψ|·A·H/δ) episodes a layer. Uncertain: it was not at hand in
print, and is given from memory, as is the rest of this formula."""
UNCERTAIN: Final = "uncertain: from memory"
"""What is printed beside every number that rests on `FORMULA_FACTOR`."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What a run takes; an episode of layer h ends after h steps, where its observation is kept."""

    episodes: int
    steps: int


def widths(actions: int, states: int, horizon: int) -> tuple[int, ...]:
    """The most paths that layer 1, …, H can have if there are so many states."""
    return tuple(min(actions**h, actions * states) for h in range(1, horizon + 1))


def all_pairs(paths: Sequence[int]) -> int:
    """How many pairs of paths are compared at most, over all layers."""
    return sum(n * (n - 1) // 2 for n in paths)


def effort(episodes: Sequence[int]) -> Effort:
    """The sum over layers 1, 2, … of so many episodes each."""
    return Effort(sum(episodes), sum(h * n for h, n in enumerate(episodes, 1)))


def pair_form(paths: Sequence[int], class_size: int, delta: Fraction) -> tuple[int, Effort]:
    """Samples of each path in the pair form so that all is right with chance 1 − δ; what it takes.

    With upper bounds on the paths of each layer this is known before the first step.
    """
    each = samples_needed(class_size, max(1, all_pairs(paths)), delta)
    return each, effort([n * each for n in paths])


def formula(paths: Sequence[int], class_size: int, delta: Fraction, *, by_path: bool) -> Effort:
    """What N = ⌈16·|Υ|²·ln(|F|·|Ψ|·A·H/δ)⌉ asks for, all layers together (uncertain, see above).

    A layer has |Υ| = |Ψ|·A paths. |F| is the number of classifiers, or, `by_path`, that of the gap
    form's predictors, |F|^|Υ|. Each episode draws its path, so N need not be a multiple of |Υ|.
    """
    return effort(
        [_formula(n, class_size ** (n if by_path else 1), len(paths) / delta) for n in paths]
    )


def _formula(paths: int, class_size: int, layers_by_delta: Fraction) -> int:
    within = class_size * paths * layers_by_delta
    return ceiling(lambda: FORMULA_FACTOR * paths**2 * ball(within).log())
