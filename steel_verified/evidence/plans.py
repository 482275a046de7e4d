"""The requests of a learner: open-loop plans, and observations at times fixed beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.theory.progressions import Progression

Batch_co = TypeVar("Batch_co", covariant=True)

Word = tuple[int, ...]
"""A sequence of actions."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Loop through `word` for `steps` steps, after `done` steps of the same loop were taken.

    Rows may be requested only at the times in `keeps`, so a recording world need not store others.
    """

    word: Word
    steps: int
    done: int = 0
    keeps: tuple[Progression, ...] = ()

    def __post_init__(self) -> None:
        if not self.word:
            raise InvalidArgument("word", self.word, "at least one action")
        if self.steps < 1:
            raise InvalidArgument("steps", self.steps, "at least 1")
        if self.done < 0:
            raise InvalidArgument("done", self.done, "at least 0")
        for times in self.keeps:
            if not self.done < times.first <= times.last <= self.done + self.steps:
                expected = f"times from {self.done + 1} to {self.done + self.steps}"
                raise InvalidArgument("keeps", times, expected)

    @staticmethod
    def once(word: Word) -> Plan:
        """Return the plan that runs a word once, of which every row may be read."""
        return Plan(word, len(word), keeps=(Progression.every(1, len(word)),))


class Trajectory(Protocol[Batch_co]):
    """The observations of one loop, from its first step to the last one taken so far."""

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Batch_co, ...]:
        """Return the observations at the times of each dataset, one row for each time, in order.

        Time t is after the loop's t-th step.
        """
        ...


class World(Protocol[Batch_co]):
    """An environment in which actions can be taken, in one unbroken trajectory."""

    @property
    def actions(self) -> int:
        """|A|: the number of actions."""
        ...

    @property
    def steps(self) -> int:
        """The number of steps taken since the trajectory began."""
        ...

    def run(self, plan: Plan) -> Trajectory[Batch_co]:
        """Take the steps of a plan, from where the last plan ended.

        Rows may be requested from the returned trajectory until the next plan that starts a loop
        (`done` = 0). A world that cannot go on raises `RecordEnds`.
        """
        ...
