"""Plans in a learned model: shortest words, and the best action in every state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.words import shortest_words, visits
from steel_verified.using.following import Route

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.model import Model


@dataclass(frozen=True, slots=True)
class Policy:
    """The first action of a shortest way to a goal, in every state."""

    goal: int
    actions: tuple[int | None, ...]
    """For each state; None in the goal."""
    state_of: Callable[[object], int]
    """The state that an observation shows."""

    def __call__(self, observation: object) -> int | None:
        """The action to take when this is seen, or None where the goal is seen."""
        return self.actions[self.state_of(observation)]


def route(model: Model, start: int, goal: int) -> Route:
    """A shortest way; of several, the one whose actions come first. It is empty at the goal."""
    if start == goal:
        return Route(start, goal, (), ())
    words = shortest_words(model, start)
    if goal not in words:
        raise InvalidArgument("to", goal, f"a state that state {start} reaches")
    return Route(start, goal, words[goal], visits(model, start, words[goal]))


def first_actions(model: Model, goal: int) -> tuple[int | None, ...]:
    """The first action of `route` from each state; None in the goal."""
    words = [route(model, start, goal).word for start in range(model.states)]
    return tuple(word[0] if word else None for word in words)
