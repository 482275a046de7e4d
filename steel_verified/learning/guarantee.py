"""The guarantee of an accepted run, as a value that is stored with the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import Located

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.learning.results import Accepted


@dataclass(frozen=True, slots=True)
class Guarantee:
    """With probability at least 1 − δ, over the run, the dynamics are right up to relabelling.

    With the same probability the encoder errs with chance at most ε on each state, for noise in its
    stationary distribution. Both hold under the conditions in `theory/conditions.py`.
    """

    method: Literal["looped", "located"]
    delta: Fraction
    epsilon: Fraction
    certified: bool
    """False if the oracle searched without proof: then the guarantee also depends on its search."""

    def __post_init__(self) -> None:
        for name, value in (("delta", self.delta), ("epsilon", self.epsilon)):
            if not 0 < value < 1:
                raise InvalidArgument(name, value, "a fraction between 0 and 1")


def guarantee_of(learned: Accepted) -> Guarantee:
    """Return the guarantee of an accepted run.

    δ is the budget of its ledger. If the paper's algorithm continued a run of located STEEL, each
    of the two has half of it.
    """
    return Guarantee(
        "located" if isinstance(learned.method, Located) else "looped",
        learned.ledger.budget.allowed,
        learned.method.parameters.epsilon,
        learned.certified,
    )
