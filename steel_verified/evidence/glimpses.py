"""Rows that are used again when a run has ended, to check that F can classify all of them.

They are kept besides the ledger, as summaries of the class (*glimpses*); the learner does not see
them.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import InitVar, dataclass
from functools import reduce
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.errors import BrokenWorld, InvalidArgument
from steel_verified.evidence.asking import each_against_others
from steel_verified.evidence.ledger import KEY
from steel_verified.evidence.omega import Observed, reveal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.recording import Loop
    from steel_verified.theory.progressions import Progression

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Summary_co = TypeVar("Summary_co", covariant=True)
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse(Generic[Summary_co]):
    """The summary of one row, or of several rows of the same label."""

    summary: Observed[Summary_co]
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TypeError("rows are looked at by reading them from a loop")


def glimpses(
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    datasets: Sequence[tuple[Progression, ...]],
) -> tuple[Glimpse[Summary], ...]:
    """Read rows at times that the plan allows, counted from the start of the loop.

    Raises `BrokenWorld` if the class cannot read the rows.
    """
    try:
        return tuple(
            Glimpse(Observed(oracle.summarise(batch)), KEY)
            for batch in reveal(loop.trajectory).rows(*datasets)
        )
    except InvalidArgument as error:
        raise BrokenWorld(f"{loop.world} gave rows that F cannot read: {error}") from error


def merged(
    oracle: Oracle[Batch, Summary, Classifier], parts: Iterable[Glimpse[Summary]]
) -> Glimpse[Summary]:
    """Return the union of these glimpses."""
    whole = reduce(oracle.merge, (reveal(part.summary) for part in parts), oracle.nothing())
    return Glimpse(Observed(whole), KEY)


def are_told_apart(
    oracle: Oracle[Batch, Summary, Classifier],
    states: Sequence[Glimpse[Summary]],
    outside: Glimpse[Summary],
) -> bool:
    """Return whether F has a classifier for each state: 1 on its rows, 0 on all other rows.

    It has them if every row is assigned to its true state: claims S.T12, S.T13.
    """
    seen = [reveal(part.summary) for part in (*states, outside)]
    found = each_against_others(oracle, seen, aside=True)
    return all(classifier is not None for classifier, _ in zip(found, states, strict=False))
