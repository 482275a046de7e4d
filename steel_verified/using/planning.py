"""Planning in a learned model: shortest paths, and the best action in every state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.graph import visits
from steel_verified.using.following import Route
from steel_verified.worlds.dynamics import distances

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.model import Model


@dataclass(frozen=True, slots=True)
class Policy:
    """The first action of a shortest path to a goal, for every state."""

    goal: int
    actions: tuple[int | None, ...]
    """The action for each state; None in the goal, and in states that cannot reach it."""
    state_of: Callable[[object], int]
    """Returns the state of an observation."""

    def __call__(self, observation: object) -> int | None:
        """Return the action for this observation, or None if it shows the goal."""
        return self.actions[self.state_of(observation)]


def first_actions(model: Model, goal: int) -> tuple[int | None, ...]:
    """Return, for each state, the first action that leads nearer to the goal, or None."""
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
    """Return the number of steps to the goal, for each state that can reach it."""
    before: list[list[int]] = [[] for _ in model.table]
    for state, _, to in model.transitions():
        before[to].append(state)
    return distances(before, goal)


def route(model: Model, start: int, goal: int) -> Route:
    """Return the lexicographically first shortest path; it is empty at the goal.

    Raises `InvalidArgument` if the goal cannot be reached.
    """
    actions = first_actions(model, goal)
    word, here = [], start
    while here != goal:
        action = actions[here]
        if action is None:
            raise InvalidArgument("to", goal, f"a state that state {start} reaches")
        word.append(action)
        (here,) = visits(model, here, (action,))
    return Route(start, goal, tuple(word), visits(model, start, tuple(word)))
