"""Shortest paths in a learned model, and what is seen when one is followed in the world."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.learning.graph import visits
from steel_verified.learning.names import NO_NAMES
from steel_verified.theory.progressions import Progression
from steel_verified.theory.wording import counted
from steel_verified.using.unbroken import is_environment, is_stepping, is_world
from steel_verified.worlds.dynamics import distances
from steel_verified.worlds.stepped import SteppedWorld

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium

    from steel_verified.evidence.plans import Word, World
    from steel_verified.learning.model import Model
    from steel_verified.learning.names import Names
    from steel_verified.using.encoder import Reads


@dataclass(frozen=True, slots=True)
class Step:
    """One action, the state that the model predicts after it, and the encoder's state."""

    action: int
    expected: int
    seen: int

    @property
    def agrees(self) -> bool:
        return self.expected == self.seen


@dataclass(frozen=True, slots=True)
class Followed:
    """The result of following a plan."""

    start: int
    goal: int
    steps: tuple[Step, ...]
    epsilon: Fraction | None
    """An upper bound on the encoder's error probability for each state; None if it is unknown."""
    cut_short: str | None = None
    """The reason why the plan was not followed to its end, or None."""
    names: Names = NO_NAMES

    @property
    def ended_in(self) -> int:
        """The state after the last step, according to the model: the start of the next plan."""
        return self.steps[-1].expected if self.steps else self.start

    @property
    def arrived(self) -> bool:
        """Whether the plan was followed to its end and the encoder read the goal there."""
        return self.cut_short is None and (not self.steps or self.steps[-1].agrees)

    @property
    def mismatches(self) -> tuple[int, ...]:
        """The numbers of the steps, from 1 on, after which the encoder read another state."""
        return tuple(n for n, step in enumerate(self.steps, start=1) if not step.agrees)

    @property
    def chance(self) -> Fraction:
        """A bound on the chance of at least this many mismatches, if the guarantee holds.

        Under stationary noise, n steps have at most εn mismatches on average. So by Markov's
        inequality, k or more mismatches have a chance of at most εn/k, for any dependence between
        the steps.
        """
        if not self.mismatches or self.epsilon is None:
            return Fraction(1)
        return min(Fraction(1), self.epsilon * len(self.steps) / len(self.mismatches))

    def __str__(self) -> str:
        actions = self.names.word(step.action for step in self.steps) or "(none)"
        state, action = self.names.state, self.names.action
        arrived = "arrived" if self.arrived else "not arrived"
        ends = f"From state {state(self.start)} to {state(self.goal)}"
        lines = [f"{ends} by the actions {actions}: {arrived}."]
        if self.cut_short is not None:
            lines.append(f"Cut short: {self.cut_short}.")
        for number in self.mismatches:
            step = self.steps[number - 1]
            lines.append(
                f"Step {number}, action {action(step.action)}: expected state "
                f"{state(step.expected)}, the encoder sees state {state(step.seen)}."
            )
        if self.mismatches and self.epsilon is not None:
            rare = "If there are many mismatches"
            text = "The guarantee says nothing of the encoder on observations that were not seen. "
            if self.epsilon < 1:
                rare = "If it is small"
                text = (
                    "The guarantee: the encoder misreads each state with chance at most "
                    f"ε = {self.epsilon}, so this many mismatches have a chance of at most "
                    f"{self.chance}. "
                )
            text += (
                f"{rare}, the world has changed (was it reset?), an assumption does not hold, or "
                "the start was another one: say start=…."
            )
            lines.append(fill(text, 80))
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Route:
    """A word to take from a state, and the states that the model predicts after each action."""

    start: int
    goal: int
    word: Word
    states: tuple[int, ...]


def follow(
    route: Route,
    where: object,
    *,
    actions: int,
    encoder: Reads,
    epsilon: Fraction | None,
    names: Names = NO_NAMES,
) -> Followed:
    """Take the actions of a route, one at a time, and encode each observation.

    If an episode ends, the route is cut short. Raises `InvalidArgument` if `where` is neither a
    world nor an environment nor a function of an action, or has other actions.
    """
    step: Callable[[int], tuple[int, str]]
    if is_environment(where):
        _require_actions(getattr(where.action_space, "n", None), actions)
        step = partial(_in_environment, where, encoder)
    elif is_world(where):
        _require_actions(where.actions, actions)
        step = partial(_in_world, where, encoder)
        if encoder.features is not None and isinstance(where, SteppedWorld):
            step = partial(_by_function, where.act, encoder)  # an observation, before it is a row
    elif is_stepping(where):
        _require_actions(getattr(where, "actions", actions), actions)
        step = partial(_by_function, where.step, encoder)
    elif callable(where):
        step = partial(_by_function, where, encoder)
    else:
        expected = "the world, the Gymnasium environment or the function that was learned"
        raise InvalidArgument("where", type(where).__name__, expected)
    taken: list[Step] = []
    for action, expected_state in zip(route.word, route.states, strict=True):
        seen, ended = step(action)
        taken.append(Step(action, expected_state, seen))
        if ended and len(taken) < len(route.word):
            text = f"the episode {ended} at step {len(taken)} of {len(route.word)}"
            return Followed(route.start, route.goal, tuple(taken), epsilon, text, names)
    return Followed(route.start, route.goal, tuple(taken), epsilon, names=names)


def _require_actions(found: object, learned: int) -> None:
    if found != learned:
        expected = f"a world with {counted(learned, 'action')}, like the one that was learned"
        raise InvalidArgument("where", "none" if found is None else f"{found} actions", expected)


def _in_world(world: World[object], encoder: Reads, action: int) -> tuple[int, str]:
    """Take an action; return the state that is seen after it, and how the episode ended: never."""
    after = (Progression(1),)
    (batch,) = world.run(Plan((action,), 1, keeps=after)).rows(after)
    return int(encoder.rows(batch)[0]), ""


def _by_function(step: Callable[[int], object], encoder: Reads, action: int) -> tuple[int, str]:
    return encoder.state_of(step(action)), ""


def _in_environment(
    env: gymnasium.Env[object, np.int64], encoder: Reads, action: int
) -> tuple[int, str]:
    first = getattr(env.action_space, "start", 0)
    observation, _, terminated, truncated, _ = env.step(np.int64(first + action))
    ended = "terminated" if terminated else "was truncated" if truncated else ""
    return encoder.state_of(observation), ended


@dataclass(frozen=True, slots=True)
class Policy:
    """An action for every state: of a shortest path to a goal, or the best one for rewards."""

    goal: int | None
    """The state in which an episode ends; None if there is none."""
    actions: tuple[int | None, ...]
    """The action for each state; None in the goal, and in states that cannot reach it."""
    state_of: Callable[[object], int]
    """Returns the state of an observation."""
    values: tuple[Fraction, ...] = ()
    """For rewards: the discounted sum of rewards from each state on, exactly; else empty."""

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
