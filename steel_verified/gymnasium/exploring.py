"""The true dynamics of an environment without noise, by trying every action in every state.

Tests and examples compare learned models with them. No learner has access to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.fingerprints import fingerprint
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.gymnasium_world import discrete_actions

if TYPE_CHECKING:
    from collections.abc import Hashable

    from steel_verified.classes.numbers import Numbers
    from steel_verified.gymnasium.continuing import Continuing
    from steel_verified.gymnasium.noise import WithNoise

Observation = TypeVar("Observation")

_MOST_STATES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Explored(Generic[Observation]):
    """True dynamics. State 0 is the start, and `observations[s]` is the observation of state s."""

    dynamics: Dynamics
    observations: tuple[Observation, ...]
    ends: tuple[int, ...]
    """The states in which an episode ends."""

    def seen_in(self, env: WithNoise[Observation], *, each: int = 20) -> list[list[Numbers]]:
        """Return `each` observations of each state, with the noise of an environment.

        They are the input of `Learned.renaming`. Each observation advances the noise by one step.
        """
        return [[env.observation(one) for _ in range(each)] for one in self.observations]


def explored(
    env: Continuing[Observation], *, most_states: int = _MOST_STATES
) -> Explored[Observation]:
    """Return the dynamics of all states that can be reached from the start (breadth-first search).

    States are identified by their observations, so these must not be noisy. To reach a state, the
    environment is reset and the shortest sequence of actions is repeated. Raises `InvalidArgument`
    if there are more than `most_states` states, or if `env` is not a `Continuing` environment.
    """
    space = discrete_actions(env)
    if not hasattr(env, "at_end"):
        raise InvalidArgument("env", repr(env), "Continuing(env), without noise")
    first, _ = env.reset()
    paths: list[tuple[int, ...]] = [()]
    observations = [first]
    ends: list[int] = []
    number: dict[Hashable, int] = {fingerprint(first): 0}
    table: list[tuple[int, ...]] = []
    while len(table) < len(paths):
        path, row = paths[len(table)], []
        for action in range(space.n):
            seen = _after(env, (*path, action), int(space.start))
            to = number.setdefault(fingerprint(seen), len(number))
            if to == len(paths):
                paths.append((*path, action))
                observations.append(seen)
                if env.at_end:
                    ends.append(to)
            row.append(to)
        table.append(tuple(row))
        if len(paths) > most_states:
            expected = f"at most {most_states:,}: more were found; is there noise in what is seen?"
            raise InvalidArgument("states", len(paths), expected)
    return Explored(Dynamics(tuple(table)), tuple(observations), tuple(ends))


def _after(env: Continuing[Observation], word: tuple[int, ...], first_action: int) -> Observation:
    seen, _ = env.reset()
    for action in word:
        seen, *_ = env.step(np.int64(first_action + action))
    return seen
