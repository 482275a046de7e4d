"""The number of episodes and steps of PPE, by formula, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.baselines.ppe.pairs import samples_needed
from steel_verified.theory.exact import ball, ceiling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

FORMULA_FACTOR: Final = 16
"""The constant of N = 16·|Υ|²·ln(|F|·|Ψ|·A·H/δ) episodes per layer. It is uncertain: the print was
not available, and the whole formula is given from memory."""
UNCERTAIN: Final = "uncertain: from memory"
"""The remark that is printed beside every number that depends on `FORMULA_FACTOR`."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The cost of a run. An episode of layer h ends after h steps, and its last row is kept."""

    episodes: int
    steps: int


def widths(actions: int, states: int, horizon: int) -> tuple[int, ...]:
    """The largest numbers of paths that layers 1, …, H can have if there are `states` states."""
    return tuple(min(actions**h, actions * states) for h in range(1, horizon + 1))


def all_pairs(paths: Sequence[int]) -> int:
    """The largest number of pairs of paths that are compared, over all layers."""
    return sum(n * (n - 1) // 2 for n in paths)


def effort(episodes: Sequence[int]) -> Effort:
    """The total over layers 1, 2, … with these numbers of episodes."""
    return Effort(sum(episodes), sum(h * n for h, n in enumerate(episodes, 1)))


def pair_form(paths: Sequence[int], class_size: int, delta: Fraction) -> tuple[int, Effort]:
    """Samples of each path with which the pair form is right with probability 1 − δ, and its cost.

    If `paths` are upper bounds for each layer, this is known before the first step.
    """
    each = samples_needed(class_size, max(1, all_pairs(paths)), delta)
    return each, effort([n * each for n in paths])


def formula(paths: Sequence[int], class_size: int, delta: Fraction, *, by_path: bool) -> Effort:
    """The cost of N = ⌈16·|Υ|²·ln(|F|·|Ψ|·A·H/δ)⌉ episodes, for all layers (uncertain, see above).

    A layer has |Υ| = |Ψ|·A paths. |F| is the number of classifiers, or, `by_path`, that of the gap
    form's predictors, |F|^|Υ|. Each episode draws its path, so N need not be a multiple of |Υ|.
    """
    return effort(
        [_formula(n, class_size ** (n if by_path else 1), len(paths) / delta) for n in paths]
    )


def _formula(paths: int, class_size: int, layers_by_delta: Fraction) -> int:
    within = class_size * paths * layers_by_delta
    return ceiling(lambda: FORMULA_FACTOR * paths**2 * ball(within).log())
