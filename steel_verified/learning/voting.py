"""Chooses among several attempts, each of which may be wrong because a step has slipped.

A *candidate* is what an attempt has learned. Later attempts confirm it or not. Its score is the
number of attempts that confirm it, including itself, minus the number of those that do not;
attempts that are not accepted count against it. The candidate is chosen when its score is high
enough. If its score falls to 0, the next attempt makes a new candidate.

If an attempt is made without a candidate and is not accepted, it uses up the number of a candidate.
So the first attempt of each number is fixed before it begins.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.observed import named_on, named_on_all
from steel_verified.learning.located import Validating
from steel_verified.learning.model import matching
from steel_verified.theory.slips import votes_needed

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.located import State
    from steel_verified.learning.results import Accepted, GivenUp, Result
    from steel_verified.theory.slips import Slips

Batch = TypeVar("Batch", bound=Sized)


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


def meaning_in(
    candidate: Accepted,
    validated: State,
    oracle: Class[Batch],
) -> tuple[int, ...] | None:
    """Return the candidate's state for each state of the run, or None if it is not confirmed.

    The run has its own model and its own walk, fixed at step τ. The earlier encoder was fixed
    before that, and rows before τ decide which label is which of its states. So the rows after τ
    validate it in the same way as the run's own encoder.

    `validated` is the state of the run before the last pass of the validation that it passed. The
    run confirms the candidate if both models are isomorphic and the candidate's encoder returns the
    right state on every row that was checked, in all passes but the last. Raises `InvalidArgument`
    if `validated` is not a validation or the candidate has no encoder.
    """
    stage, classifiers = validated.stage, candidate.classifiers
    if not isinstance(stage, Validating) or classifiers is None:
        raise InvalidArgument("validated", type(stage).__name__, "a validation, and an encoder")
    home = named_on_all(oracle, classifiers, validated.pools.held[stage.labels[stage.home]])
    meaning = None if home is None else matching(stage.model, stage.home, candidate.model, home)
    if meaning is None:
        return None
    is_confirmed = all(
        named_on(oracle, classifiers, sample) == meant
        for samples in stage.seen
        for meant, sample in zip(meaning, samples, strict=True)
    )
    return meaning if is_confirmed else None
