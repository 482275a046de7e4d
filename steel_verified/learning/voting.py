"""Which of several attempts to believe, where each may be wrong because a step has slipped.

A *candidate* is what an attempt has learned. Later attempts confirm it or not. Its score is the
number of attempts that confirm it, itself included, less the number of those that do not: attempts
that are not accepted count against it. It is believed once its score is high enough; if its score
falls to 0, the next attempt makes a new candidate.

An attempt that is made while there is no candidate, and is not accepted, uses up the number of a
candidate: so the first attempt of each number is fixed before it begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.theory.slips import votes_needed

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.learning.results import Accepted, GivenUp, Result
    from steel_verified.theory.slips import Slips

Classifier = TypeVar("Classifier")


class Vote(Enum):
    """What an attempt says of the candidate."""

    CANDIDATE = "is the candidate"
    FOR = "confirms it"
    AGAINST = "does not confirm it"
    NONE = "is not accepted"
    """There was no candidate, and it makes none."""


@dataclass(frozen=True, slots=True)
class Attempt(Generic[Classifier]):
    """One run of located STEEL, from nothing, and its vote."""

    result: Result[Classifier]
    vote: Vote

    @property
    def steps(self) -> int:
        return self.result.ledger.steps


@dataclass(frozen=True, slots=True)
class Poll(Generic[Classifier]):
    """The attempts so far, and how the candidate stands."""

    slips: Slips
    delta: Fraction
    attempts: tuple[Attempt[Classifier], ...] = ()
    candidate: Accepted[Classifier] | None = None
    number: int = 1
    """The number of the candidate, or of the next one."""
    score: int = 0

    @property
    def needed(self) -> int:
        """The score with which the candidate is believed."""
        return votes_needed(self.slips.bad_attempt(self.delta), self.delta, self.number)

    @property
    def is_decided(self) -> bool:
        return self.candidate is not None and self.score >= self.needed


def with_candidate(poll: Poll[Classifier], found: Accepted[Classifier]) -> Poll[Classifier]:
    """The attempt was accepted, and there was no candidate: it is one now."""
    attempts = (*poll.attempts, Attempt(found, Vote.CANDIDATE))
    return replace(poll, attempts=attempts, candidate=found, score=1)


def with_failure(poll: Poll[Classifier], result: GivenUp) -> Poll[Classifier]:
    """The attempt was not accepted, and there was no candidate."""
    made: Attempt[Classifier] = Attempt(result, Vote.NONE)
    return replace(poll, attempts=(*poll.attempts, made), number=poll.number + 1)


def with_vote(
    poll: Poll[Classifier], result: Result[Classifier], *, confirms: bool
) -> Poll[Classifier]:
    """The attempt confirms the candidate, or not; a candidate whose score is 0 is dropped."""
    vote, score = (Vote.FOR, poll.score + 1) if confirms else (Vote.AGAINST, poll.score - 1)
    poll = replace(poll, attempts=(*poll.attempts, Attempt(result, vote)), score=score)
    return poll if score else replace(poll, candidate=None, number=poll.number + 1)
