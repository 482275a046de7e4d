"""How the knowledge of located STEEL grows, step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from steel_verified.learning.located import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.drive import LearnerState
    from steel_verified.learning.graph import Labels


@dataclass(frozen=True, slots=True)
class Growth:
    """What located STEEL knows after some steps."""

    steps: int
    made: int
    """Labels made so far."""
    labels: int
    """Labels that were not merged into another."""
    transitions: int
    """The known transitions of these labels."""

    @property
    def merged(self) -> int:
        return self.made - self.labels


def growing(
    growth: list[Growth], told: Callable[[LearnerState], None] = lambda _: None
) -> Callable[[LearnerState], None]:
    """Record what is known after every step that changed it; tell `told` of all states."""
    last: Labels | None = None

    def look(state: LearnerState) -> None:
        nonlocal last
        told(state)
        if not isinstance(state, State) or state.labels is last:
            return
        last = state.labels
        known = sum(to is not None for row in state.labels.rows.values() for to in row)
        made, labels = len(state.labels.parent), len(state.labels.rows)
        now = Growth(state.ledger.steps, made, labels, known)
        if not growth or replace(now, steps=growth[-1].steps) != growth[-1]:
            growth.append(now)

    return look
