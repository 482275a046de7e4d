"""Decides whether a run of located STEEL confirms what an earlier run has learned.

The run has its own model and its own walk, fixed at step τ. The earlier encoder was fixed before
that. The correspondence between the states of the earlier model and the labels is also decided at
τ, by rows that were seen before. So the rows after τ validate the earlier encoder in the same way
as the run's own encoder.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.observed import named_on, named_on_all
from steel_verified.learning.located import Validating
from steel_verified.learning.model import matching

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.located import State
    from steel_verified.learning.results import Accepted

Batch = TypeVar("Batch", bound=Sized)


def meaning_in(
    candidate: Accepted,
    validated: State,
    oracle: Class[Batch],
) -> tuple[int, ...] | None:
    """Return the candidate's state for each state of the run, or None if it is not confirmed.

    `validated` is the state of the run before the last pass of the validation that it passed. The
    run confirms the candidate if both models are isomorphic and the candidate's encoder returns the
    right state on every row that was checked, in all passes but the last. Raises `InvalidArgument`
    if `validated` is not a validation or the candidate has no encoder.
    """
    stage, classifiers = validated.stage, candidate.classifiers
    if not isinstance(stage, Validating) or classifiers is None:
        raise InvalidArgument("validated", type(stage).__name__, "a validation, and an encoder")
    home = named_on_all(oracle, classifiers, validated.pools[stage.labels[stage.home]])
    meaning = None if home is None else matching(stage.model, stage.home, candidate.model, home)
    if meaning is None:
        return None
    is_confirmed = all(
        named_on(oracle, classifiers, sample) == meant
        for samples in stage.seen
        for meant, sample in zip(meaning, samples, strict=True)
    )
    return meaning if is_confirmed else None
