"""Keeps rows besides the ledger, and checks the result with them before it is accepted."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.evidence.kept_rows import rows_before
from steel_verified.learning.checking import check
from steel_verified.learning.located import looks_at_validation
from steel_verified.learning.located_state import Validating
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.learning.steel import Touring, looks_at_tour
from steel_verified.learning.watching import (
    Kept,
    Tested,
    Watched,
    labels_found,
    of_call,
    of_failed_call,
    of_walk,
)
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.counts import settling_time
from steel_verified.theory.recipe import LocatedRecipe
from steel_verified.theory.self_check import LEAST_FOR_ONE_STATE, LEAST_SAMPLES, rows_of_call
from steel_verified.theory.validation import round_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Loop
    from steel_verified.evidence.oracle import Declared, Oracle
    from steel_verified.learning import located_state, steel
    from steel_verified.learning.checking import SelfChecked
    from steel_verified.learning.results import Result
    from steel_verified.learning.retracing import Explained
    from steel_verified.theory.conditions import Cause
    from steel_verified.theory.self_check import SelfCheck

_TOO_FEW: Final = (
    "a model with one state fits any run, and the self-check had {samples:,} samples, where "
    "{least:,} are needed to accept it; give --self-check-steps, or max_states = 1 if there is "
    "only one"
)

UNREADABLE: Final = (
    "the whole run{fresh} was replayed in the model, and for some state F has no classifier that "
    "separates the rows of this state from all others"
)
_FRESH: Final = ", with the fresh steps after it,"
_WHY_UNREADABLE: Final = (
    Condition.REALISABLE,
    Condition.DETERMINISTIC,
    Condition.UNCHANGING,
    Condition.MAX_STATES,
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
    if (labels := labels_found(after.ledger)) is not None:
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


def self_checked(
    result: Accepted[Classifier],
    watched: Sequence[Watched],
    wanted: SelfCheck,
    declared: Declared,
    explained: Explained | None,
    fresh: Sequence[Watched] = (),
) -> Result[Classifier]:
    """Return the result if the self-check finds no fault, otherwise one with the likely causes.

    `declared` describes the rows of the class. `fresh` are rows of steps after the run. `explained`
    says how F can read the whole run and these steps as states of the model; None if it cannot.

    In a located run each round of validation has a share of the level, because any round may be the
    last.
    """
    kept = _tested(result, (*watched, *fresh), wanted, declared)
    checked = _check(result, kept)
    if explained is not None and not checked.won:
        if result.model.states == 1 and checked.samples < _least_samples(result):
            because = _TOO_FEW.format(samples=checked.samples, least=LEAST_FOR_ONE_STATE)
            return NotAccepted(result.recipe, result.model, result.ledger, because)
        return replace(result, self_check=replace(checked, left=explained.left))
    why: tuple[Cause, ...] = ()
    if checked.won:
        because = checked.won[0].sentence
    else:
        why = listed(_WHY_UNREADABLE)
        because = UNREADABLE.format(fresh=_FRESH if fresh else "")
        # The bets show nothing, so a file of findings has no test to repeat.
        kept = replace(kept, tested=None)
    return Contradicted(result.recipe, result.model, result.ledger, why, because, checked, kept)


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
