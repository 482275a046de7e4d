"""The bounds that learners are given in tests; δ and ε are 1/20, as in the paper's experiments."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Final

from steel_verified.theory.parameters import LocatedParameters, Parameters

ONE_IN_20: Final = Fraction(1, 20)


def bounds(
    actions: int,
    max_states: int,
    mixing_time: int = 1,
    *,
    delta: Fraction = ONE_IN_20,
    epsilon: Fraction = ONE_IN_20,
) -> LocatedParameters:
    """Return what located STEEL is given."""
    return LocatedParameters(
        actions=actions,
        max_states=max_states,
        mixing_time=mixing_time,
        delta=delta,
        epsilon=epsilon,
    )


def with_class(
    known: LocatedParameters, class_size: int, max_diameter: int | None = None
) -> Parameters:
    """Return what the paper's algorithm is given: |F| and D̂ too, which is N − 1 unless given."""
    diameter = known.max_states - 1 if max_diameter is None else max_diameter
    return Parameters(**asdict(known), class_size=class_size, max_diameter=diameter)
