"""Whether a run of located STEEL confirms what another run, made before, has learned.

The run has a model and a walk of its own, fixed at step τ. The earlier encoder is fixed even before
that. Which state of the earlier model belongs to which label is decided at τ, by rows that were
seen before: so the rows after τ judge the earlier encoder as they judge the run's own.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.validating import named_on, named_on_all
from steel_verified.learning.located_state import Validating
from steel_verified.learning.model import matching

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.learning.located_state import State
    from steel_verified.learning.results import Accepted

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def meaning_in(
    candidate: Accepted[Classifier],
    validated: State[Summary, Classifier],
    oracle: Oracle[Batch, Summary, Classifier],
) -> tuple[int, ...] | None:
    """The candidate's state for each state of a run that confirms it; None if it does not.

    `validated` is the state of the run before the last pass of the validation that it passed. It
    confirms the candidate if both models are the same up to names and the candidate's encoder names
    the right state on every row that was checked, in all passes but the last.
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
