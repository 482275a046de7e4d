"""Plans in a learned model: shortest ways, and the best action in every state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.words import visits
from steel_verified.using.following import Route
from steel_verified.worlds.dynamics import distances

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.model import Model


@dataclass(frozen=True, slots=True)
class Policy:
    """The first action of a shortest way to a goal, in every state."""

    goal: int
    actions: tuple[int | None, ...]
    """For each state; None in the goal, and where no way leads to it."""
    state_of: Callable[[object], int]
    """The state that an observation shows."""

    def __call__(self, observation: object) -> int | None:
        """The action to take when this is seen, or None where the goal is seen."""
        return self.actions[self.state_of(observation)]


def first_actions(model: Model, goal: int) -> tuple[int | None, ...]:
    """In each state, the first action that leads nearer to the goal."""
    steps = _steps_to(model, goal)

    def chosen(state: int) -> int | None:
        if state == goal or state not in steps:
            return None
        return next(
            action
            for action, to in enumerate(model.table[state])
            if to is not None and steps.get(to) == steps[state] - 1
        )

    return tuple(map(chosen, range(model.states)))


def _steps_to(model: Model, goal: int) -> dict[int, int]:
    """How many steps the goal is away from each state that reaches it."""
    before: list[list[int]] = [[] for _ in model.table]
    for state, _, to in model.transitions():
        before[to].append(state)
    return distances(before, goal)


def route(model: Model, start: int, goal: int) -> Route:
    """A shortest way; of several, the one whose actions come first. It is empty at the goal."""
    actions = first_actions(model, goal)
    word, here = [], start
    while here != goal:
        action = actions[here]
        if action is None:
            raise InvalidArgument("to", goal, f"a state that state {start} reaches")
        word.append(action)
        (here,) = visits(model, here, (action,))
    return Route(start, goal, tuple(word), visits(model, start, tuple(word)))
