"""What the learner asks for: open-loop plans, and observations at times fixed beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from steel_verified.learning.omega import Observed
    from steel_verified.theory.progressions import Progression

Batch_co = TypeVar("Batch_co", covariant=True)

Word = tuple[int, ...]
"""A sequence of actions."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Loop through `word` for `steps` steps, after `done` steps of the same loop were taken.

    Rows may be asked for at the times in `keeps`, and at no others: a world that records what it
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
    """What came of a loop, from its first step to the last one planned so far."""

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Observed[Batch_co], ...]:
        """The observations at the times of each dataset; time t is after the loop's t-th step.

        Datasets are asked for together where that is possible: a simulator may make them at once.
        """
        ...
