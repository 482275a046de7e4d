"""Follows the model through a loop: what was found must agree with where the learner was before."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import AssumptionViolated

if TYPE_CHECKING:
    from steel_verified.learning.cycle_find import Cycle
    from steel_verified.learning.model import Model

Summary = TypeVar("Summary")


def require_consistent(
    model: Model, before: int | None, cycle: Cycle[Summary], *, at_step: int
) -> None:
    """Raise `AssumptionViolated` if the loop, followed from `before`, does not end in the cycle.

    `model` has the transitions of the cycle. Where the way into the cycle takes a transition that
    is still unknown, nothing can be said.
    """
    here, start = before, 0
    seen: set[int] = set()
    while here is not None and here not in seen:
        seen.add(here)
        here = model.walk(here, cycle.word)
        start += 1
    if here is None:
        return
    # After `start` words the loop is in its cycle; it must be at the position that was found.
    found = cycle.labels[start * len(cycle.word) % len(cycle.labels)]
    if here != found:
        raise AssumptionViolated(
            "determinism",
            f"from state {before} at step {at_step}, the model leads the loop of {cycle.word} to "
            f"state {here}, but state {found} was found there: the world moved by itself, the "
            "dynamics are not deterministic, or a verdict was wrong (the chance of which δ covers)",
        )
