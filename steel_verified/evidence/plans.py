"""What a learner requests: open-loop plans, and observations at times fixed beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from steel_verified.theory.progressions import Progression

Batch_co = TypeVar("Batch_co", covariant=True)

Word = tuple[int, ...]
"""A sequence of actions."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Loop through `word` for `steps` steps, after `done` steps of the same loop were taken.

    Rows may be requested at the times in `keeps`, and at no others: a world that records what it
    sees need not record more.
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


class Trajectory(Protocol[Batch_co]):
    """What a world showed during one loop, from its first step to the last one taken so far."""

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Batch_co, ...]:
        """Return the observations at the times of each dataset, one row for each time, in order.

        Time t is after the loop's t-th step. Several datasets are requested together where that is
        possible, so that a simulator can compute them at once.
        """
        ...


class World(Protocol[Batch_co]):
    """An environment that can be acted upon, in one unbroken trajectory."""

    @property
    def actions(self) -> int:
        """|A|."""
        ...

    @property
    def steps(self) -> int:
        """How many steps have been taken since the trajectory began."""
        ...

    def run(self, plan: Plan) -> Trajectory[Batch_co]:
        """Take the steps of a plan, from where the last plan ended.

        The trajectory may be asked for rows until the next plan that starts a loop (`done` = 0). A
        world that was recorded raises `RecordEnds` if it took other actions.
        """
        ...
