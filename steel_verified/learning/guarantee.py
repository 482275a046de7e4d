"""The guarantee of an accepted run, as a value that is stored with the model."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import Located
from steel_verified.learning.results import parameters_of

if TYPE_CHECKING:
    from steel_verified.learning.results import Accepted


GuaranteedBy: TypeAlias = Literal["looped", "located", "certain", "coins", "log"]


class Guarantee(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """With probability at least 1 − δ, over the run, the dynamics are right up to relabelling.

    With the same probability the encoder errs with chance at most ε on each state, for noise in its
    stationary distribution. Both hold under the conditions in `theory/conditions.py`. For certain
    runs and logs δ is 0, for every noise, unless coins decided ("coins"); ε is 0 if each label has
    one classifier, and 1 (nothing is said) otherwise. What a log says is about the states that can
    be reached from its starts.
    """

    method: GuaranteedBy
    delta: Fraction
    epsilon: Fraction
    certified: bool
    """False if the oracle searched without proof: then the guarantee also depends on its search."""
    given: str = ""
    """What else is supposed, such as "two states were visited"."""

    def __post_init__(self) -> None:
        if self.method in ("certain", "coins", "log"):
            if (self.delta != 0) != (self.method == "coins") or self.epsilon not in (0, 1):
                found = f"δ = {self.delta}, ε = {self.epsilon}"
                expected = "δ = 0 unless coins decided, and ε = 0 or 1"
                raise InvalidArgument("guarantee", found, expected)
            return
        for name, value in (("delta", self.delta), ("epsilon", self.epsilon)):
            if not 0 < value < 1:
                raise InvalidArgument(name, value, "a fraction between 0 and 1")


def guarantee_of(learned: Accepted) -> Guarantee:
    """Return the guarantee of an accepted run.

    δ is the budget of its ledger. If the paper's algorithm continued a run of located STEEL, each
    of the two has half of it.
    """
    if (decided := learned.decided) is not None:
        exact = all(len(fits) == 1 for fits in decided.labels)
        is_log = decided.current is None
        two = "two states were visited" if is_log else "there are two states"
        return Guarantee(
            "log" if is_log else "coins" if decided.chance else "certain",
            decided.chance,
            Fraction(0 if exact else 1),
            learned.certified,
            two if decided.supposes_two else "",
        )
    return Guarantee(
        "located" if isinstance(learned.method, Located) else "looped",
        learned.ledger.budget.allowed,
        parameters_of(learned).epsilon,
        learned.certified,
    )
