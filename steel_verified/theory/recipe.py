"""A recipe: the parameters of a run and the constants of its algorithm, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.theory.parameters import LocatedParameters, require_parameters

if TYPE_CHECKING:
    from steel_verified.theory.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Recipe:
    """Parameters, and the constants from which every count, schedule and charge is computed.

    A recipe is only as sound as the claims behind its constants. A recipe with other constants must
    have another name; certificates contain the name.
    """

    name: str
    parameters: Parameters
    separation_rate: Fraction
    """An upper bound on the chance that a fixed classifier separates two samples of one state,
    one from each dataset."""
    encoder_factor: int
    encoder_rate: Fraction
    """A classifier that errs with chance η on a state fits n of its samples with chance at most
    encoder_factor · exp(−encoder_rate · η · n)."""


def paper(parameters: Parameters) -> Recipe:
    """Return the recipe of the paper.

    (p + 1/4)(5/4 − p) ≤ 9/16 for every p: claims A24, B17 (l. 625, 765). Lemma 2 gives
    8·exp(−εn/3): claim G01 (l. 1105).
    """
    require_parameters(parameters, of_paper=True)
    return Recipe(
        name="paper",
        parameters=parameters,
        separation_rate=Fraction(9, 16),
        encoder_factor=8,
        encoder_rate=Fraction(1, 3),
    )


@dataclass(frozen=True, slots=True)
class LocatedRecipe:
    """The recipe of located STEEL, whose only constants are those of `theory/validation.py`."""

    parameters: LocatedParameters
    name: str = "located"


def located(parameters: Parameters | LocatedParameters) -> LocatedRecipe:
    """Return the recipe of located STEEL; |F| and D̂ are dropped from the paper's parameters."""
    require_parameters(parameters)
    p = parameters
    return LocatedRecipe(
        LocatedParameters(
            actions=p.actions,
            max_states=p.max_states,
            mixing_time=p.mixing_time,
            delta=p.delta,
            epsilon=p.epsilon,
        )
    )
