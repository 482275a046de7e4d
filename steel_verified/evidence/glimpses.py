"""Rows that are looked at once more when a run has ended, to see whether F can read them all.

They are kept beside the ledger as the class summarises them, and the learner never sees them.
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
    """What one row showed, or several of the same label."""

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

    Raises `BrokenWorld` if the world gives rows of another kind.
    """
    try:
        return tuple(
            Glimpse(Observed(oracle.summarise(batch)), KEY)
            for batch in reveal(loop.trajectory).rows(*datasets)
        )
    except InvalidArgument as error:
        raise BrokenWorld(f"{loop.world} gave rows that F cannot judge: {error}") from error


def merged(
    oracle: Oracle[Batch, Summary, Classifier], parts: Iterable[Glimpse[Summary]]
) -> Glimpse[Summary]:
    """All that these showed together."""
    whole = reduce(oracle.merge, (reveal(part.summary) for part in parts), oracle.nothing())
    return Glimpse(Observed(whole), KEY)


def are_told_apart(
    oracle: Oracle[Batch, Summary, Classifier],
    states: Sequence[Glimpse[Summary]],
    outside: Glimpse[Summary],
) -> bool:
    """Whether F has a classifier for each state: 1 on its rows, 0 on all others and `outside`.

    If the rows are put together by their true states, it has: claims S.T12, S.T13.
    """
    seen = [reveal(part.summary) for part in (*states, outside)]
    found = each_against_others(oracle, seen, aside=True)
    return all(classifier is not None for classifier, _ in zip(found, states, strict=False))
