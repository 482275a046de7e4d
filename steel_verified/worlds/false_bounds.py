"""Bounds given to a learner that are known to be false in this world.

For a user's world, the truth is unknown. For a built-in world it is known, so a bound that is too
small can be reported before the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.theory.conditions import Condition

if TYPE_CHECKING:
    from steel_verified.worlds.instances import RunnableInstance


@dataclass(frozen=True, slots=True)
class FalseBound:
    """A bound that is too small, or not known to be large enough."""

    condition: Condition
    argument: str
    symbol: str
    given: int
    needed: int
    because: str
    """The known fact about the world that makes the bound too small."""


def false_bounds(chosen: RunnableInstance, *, with_diameter: bool) -> tuple[FalseBound, ...]:
    """The bounds that are smaller than the known truth; located STEEL does not use D̂."""
    p, extent, truth = chosen.parameters, chosen.extent, chosen.simulation.drawn.truth()
    compared = [
        FalseBound(
            Condition.MAX_STATES,
            "max_states",
            "N",
            p.max_states,
            extent.states,
            f"there are {extent.states:,} states",
        ),
        FalseBound(
            Condition.MIXING,
            "mixing_time",
            "t̂_mix",
            p.mixing_time,
            truth.mixing_time,
            f"only {truth.mixing_time:,} is proven to be enough",
        ),
    ]
    if with_diameter:
        diameter = FalseBound(
            Condition.MAX_DIAMETER,
            "max_diameter",
            "D̂",
            p.max_diameter,
            extent.diameter,
            f"some state is {extent.diameter:,} steps away from another",
        )
        compared.append(diameter)
    return tuple(bound for bound in compared if bound.given < bound.needed)
