"""Small worlds for tests: a table, and what each state shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from steel_verified.worlds.ideal import IdealWorld
from steel_verified.worlds.stepped import SteppedWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.evidence.plans import Plan
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.ideal import IdealTrajectory
    from steel_verified.worlds.stepped import Seen

SWITCH = ((1, 0), (0, 1))
"""Action 0 goes to the other state, action 1 stays."""


class Toy(SteppedWorld):
    """A table of transitions whose states are shown by a function of the state and of noise."""

    def __init__(
        self,
        table: Sequence[Sequence[int]],
        shows: Callable[[int, np.random.Generator], Seen] | None = None,
        seed: int = 0,
    ) -> None:
        self.actions = len(table[0])
        self.table, self.state = table, 0
        self.shows = shows or (lambda state, _: [state == s for s in range(len(table))])
        self.random = np.random.default_rng(seed)

    def step(self, action: int) -> Seen:
        self.state = self.table[self.state][action]
        return self.shows(self.state, self.random)


class ByBits(Protocol):
    """A world of tests that shows each row as one number."""

    @property
    def actions(self) -> int: ...

    @property
    def size(self) -> int: ...

    def step(self, action: int) -> int: ...


class Shown(SteppedWorld):
    """Such a world as one that learners run."""

    def __init__(self, world: ByBits) -> None:
        self.world, self.actions = world, world.actions

    def step(self, action: int) -> list[bool]:
        row = self.world.step(action)
        return [bool(row >> f & 1) for f in range(self.world.size)]


class Jumping(IdealWorld):
    """Known dynamics in which the state may change between two loops.

    `jump` says to which state before each loop, which are numbered from 0; None leaves it.
    """

    def __init__(self, dynamics: Dynamics, jump: Callable[[int], int | None]) -> None:
        super().__init__(dynamics, 0)
        self.jump, self.loops = jump, 0

    def run(self, plan: Plan) -> IdealTrajectory:
        if plan.done == 0:
            to, self.loops = self.jump(self.loops), self.loops + 1
            self.state = self.state if to is None else to
        return super().run(plan)
