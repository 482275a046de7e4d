"""Keeps rows besides the ledger, and checks the result with them before it is accepted."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.evidence.kept_rows import rows_before
from steel_verified.evidence.ledger import LabelsFound, Ran
from steel_verified.learning.checking import check
from steel_verified.learning.located import looks_at_validation
from steel_verified.learning.located_state import Validating
from steel_verified.learning.replaying_located import disagreement
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.learning.steel import Touring, looks_at_tour
from steel_verified.learning.watching import (
    Kept,
    Tested,
    Watched,
    of_call,
    of_failed_call,
    of_walk,
)
from steel_verified.theory.counts import settling_time
from steel_verified.theory.recipe import LocatedRecipe
from steel_verified.theory.self_check import LEAST_FOR_ONE_STATE, LEAST_SAMPLES, rows_of_call
from steel_verified.theory.validation import round_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Declared, Oracle
    from steel_verified.evidence.recording import Loop
    from steel_verified.learning import located_state, steel
    from steel_verified.learning.checking import SelfChecked
    from steel_verified.learning.replaying_located import Disagreement
    from steel_verified.learning.results import Result
    from steel_verified.theory.self_check import SelfCheck

_TOO_FEW: Final = (
    "a model with one state fits any run, and the self-check had {samples:,} samples, where "
    "{least:,} are needed to accept it; give --self-check-steps, or max_states = 1 if there is "
    "only one"
)

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def of_looped(
    before: steel.State[Summary, Classifier],
    after: steel.State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> tuple[Watched, ...]:
    """Return the rows kept from a plan of the paper's algorithm, if a call or the tour ended."""
    recipe, p = after.recipe, after.recipe.parameters
    if isinstance(after.stage, Contradicted) and not isinstance(before.stage, Touring):
        return of_failed_call(loop, oracle, p.mixing_time)
    if (labels := _labels_found(after.ledger)) is not None:
        return of_call(
            loop,
            oracle,
            labels,
            settled=settling_time(recipe, len(loop.plan.word)),
            mixing_time=p.mixing_time,
            rows=rows_of_call(p.max_states * p.actions),
        )
    if isinstance(before.stage, Touring):
        return of_walk(loop, oracle, looks_at_tour(before, before.stage))
    return ()


def of_located(
    before: located_state.State[Summary, Classifier],
    after: located_state.State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> tuple[Watched, ...]:
    """Return the rows kept from a plan of located STEEL, if a validation has passed."""
    if isinstance(before.stage, Validating) and isinstance(after.stage, Accepted):
        return of_walk(loop, oracle, looks_at_validation(before, before.stage))
    return ()


def _labels_found(ledger: Ledger) -> tuple[int, ...] | None:
    """Return the labels of the call that ended with the last plan, or None."""
    for entry in reversed(ledger.entries):
        if isinstance(entry, Ran):
            return None
        if isinstance(entry, LabelsFound):
            return entry.labels
    return None


def replay(
    result: Result[Classifier],
    seen: Sequence[Summary],
    oracle: Oracle[Batch, Summary, Classifier],
    labels: int,
) -> Disagreement | None:
    """Return how all rows of a located run contradict its model, or None if they agree.

    `labels` is the number of labels of the run. `seen` has what the class read from each row of the
    ledger, in order, and perhaps more.
    """
    if not isinstance(result, Accepted):
        return None
    read = seen[: result.ledger.samples]
    return disagreement(result, read, oracle, dropped=labels > result.model.states)


def self_checked(
    result: Result[Classifier],
    watched: Sequence[Watched],
    wanted: SelfCheck,
    declared: Declared,
    fresh: Sequence[Watched] = (),
    replayed: Disagreement | None = None,
) -> Result[Classifier]:
    """Return the result if the self-check finds no fault, otherwise one with the likely causes.

    `declared` describes the rows of the class; `fresh` are rows of steps after the run; `replayed`
    is the result of replaying a located run.

    In a located run each round of validation has a share of the level, because any round may be the
    last.
    """
    if not isinstance(result, Accepted):
        return result
    if replayed is not None and replayed.left is None:
        return Contradicted(
            result.recipe, result.model, result.ledger, replayed.causes, replayed.because
        )
    kept = _tested(result, (*watched, *fresh), wanted, declared)
    checked = _check(result, kept)
    if replayed is not None:
        checked = replace(checked, left=replayed.left)
    if not checked.won:
        if result.model.states == 1 and checked.samples < _least_samples(result):
            because = _TOO_FEW.format(samples=checked.samples, least=LEAST_FOR_ONE_STATE)
            return NotAccepted(result.recipe, result.model, result.ledger, because)
        return replace(result, self_check=checked)
    because = checked.won[0].sentence
    return Contradicted(result.recipe, result.model, result.ledger, (), because, checked, kept)


def was_checked(checked: SelfChecked) -> bool:
    """Return whether there were enough samples to detect anything."""
    return bool(checked.bets) and checked.samples >= LEAST_SAMPLES


def _least_samples(result: Accepted[Classifier]) -> int:
    """Return how many samples are needed to accept a model of one state."""
    return LEAST_FOR_ONE_STATE if result.recipe.parameters.max_states > 1 else 0


def with_rows(
    result: Result[Classifier], loops: Sequence[Watched], declared: Declared
) -> Result[Classifier]:
    """Return the result; one that was not accepted gets the rows of its loops."""
    if isinstance(result, Accepted) or result.kept is not None:
        return result
    return replace(result, kept=Kept(declared, tuple(loops)))


def _tested(
    result: Accepted[Classifier],
    watched: Sequence[Watched],
    wanted: SelfCheck,
    declared: Declared,
) -> Kept:
    """Return the rows for the check of a result, and the step at which their times were fixed."""
    level, fixed_at = wanted.level, 0
    if isinstance(result.recipe, LocatedRecipe) and watched:
        level = round_share(level, result.ledger.decisions)
        fixed_at = min(each.start for each in watched)
        if declared.entries != "bits":
            watched = (_explored(result.ledger, declared, fixed_at), *watched)
    return Kept(declared, tuple(watched), Tested(fixed_at, level))


def _check(result: Accepted[Classifier], kept: Kept) -> SelfChecked:
    assert kept.tested is not None, "rows for a test have `tested`"
    p = result.recipe.parameters
    return check(
        kept.loops,
        fixed_at=kept.tested.fixed_at,
        mixing_time=p.mixing_time,
        max_states=p.max_states,
        level=kept.tested.level,
    )


def _explored(ledger: Ledger, declared: Declared, fixed_at: int) -> Watched:
    """Return the rows before the validation as a first loop, on which there are no bets.

    They determine the values with which numbers are compared, so these are fixed before the
    validation.
    """
    rows = rows_before(ledger, declared, fixed_at)
    return Watched(word=(0,), cycle=(0,), start=0, times=(), rows=rows)
