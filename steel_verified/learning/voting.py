"""Chooses among several attempts, each of which may be wrong because a step has slipped.

A *candidate* is what an attempt has learned. Later attempts confirm it or not. Its score is the
number of attempts that confirm it, including itself, minus the number of those that do not;
attempts that are not accepted count against it. The candidate is chosen when its score is high
enough. If its score falls to 0, the next attempt makes a new candidate.

If an attempt is made without a candidate and is not accepted, it uses up the number of a candidate.
So the first attempt of each number is fixed before it begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from steel_verified.theory.slips import votes_needed

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.learning.results import Accepted, GivenUp, Result
    from steel_verified.theory.slips import Slips


class Vote(Enum):
    """The relation of an attempt to the candidate."""

    CANDIDATE = "is the candidate"
    FOR = "confirms it"
    AGAINST = "does not confirm it"
    NONE = "is not accepted"
    """There was no candidate, and the attempt was not accepted."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of located STEEL, without earlier knowledge, and its vote."""

    result: Result
    vote: Vote

    @property
    def steps(self) -> int:
        return self.result.ledger.steps


@dataclass(frozen=True, slots=True)
class Poll:
    """The attempts so far, and the score of the candidate."""

    slips: Slips
    delta: Fraction
    attempts: tuple[Attempt, ...] = ()
    candidate: Accepted | None = None
    number: int = 1
    """The number of the candidate, or of the next one."""
    score: int = 0

    @property
    def needed(self) -> int:
        """The score at which the candidate is chosen."""
        return votes_needed(self.slips.bad_attempt(self.delta), self.delta, self.number)

    @property
    def is_decided(self) -> bool:
        return self.candidate is not None and self.score >= self.needed


def with_candidate(poll: Poll, found: Accepted) -> Poll:
    """Add an accepted attempt when there was no candidate: it becomes the candidate."""
    attempts = (*poll.attempts, Attempt(found, Vote.CANDIDATE))
    return replace(poll, attempts=attempts, candidate=found, score=1)


def with_failure(poll: Poll, result: GivenUp) -> Poll:
    """Add an attempt that was not accepted when there was no candidate."""
    made: Attempt = Attempt(result, Vote.NONE)
    return replace(poll, attempts=(*poll.attempts, made), number=poll.number + 1)


def with_vote(poll: Poll, result: Result, *, confirms: bool) -> Poll:
    """Add an attempt that confirms the candidate or not; drop a candidate with score 0."""
    vote, score = (Vote.FOR, poll.score + 1) if confirms else (Vote.AGAINST, poll.score - 1)
    poll = replace(poll, attempts=(*poll.attempts, Attempt(result, vote)), score=score)
    return poll if score else replace(poll, candidate=None, number=poll.number + 1)
