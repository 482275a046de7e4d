"""Keeps rows beside a run, and checks the result with them before it is accepted."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.ledger import LabelsFound, Ran
from steel_verified.learning.checking import check
from steel_verified.learning.diagnosing import ranked
from steel_verified.learning.diagnosing_located import ranked_located
from steel_verified.learning.located import looks_at_validation
from steel_verified.learning.located_state import Validating
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.learning.steel import Touring, looks_at_tour
from steel_verified.learning.watching import of_call, of_walk
from steel_verified.theory.conditions import Cause, Condition
from steel_verified.theory.counts import settling_time
from steel_verified.theory.recipe import LocatedRecipe
from steel_verified.theory.self_check import rows_of_call
from steel_verified.theory.validation import round_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Declared, Oracle
    from steel_verified.evidence.recording import Loop
    from steel_verified.learning import located_state, steel
    from steel_verified.learning.checking import SelfChecked
    from steel_verified.learning.results import Result
    from steel_verified.learning.watching import Watched
    from steel_verified.theory.self_check import SelfCheck

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def of_looped(
    before: steel.State[Summary, Classifier],
    after: steel.State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> tuple[Watched, ...]:
    """What is kept of a plan of the paper's algorithm: if a call has ended, or the tour."""
    recipe, p = after.recipe, after.recipe.parameters
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
    """What is kept of a plan of located STEEL: if a validation has passed, its rows."""
    if isinstance(before.stage, Validating) and isinstance(after.stage, Accepted):
        return of_walk(loop, oracle, looks_at_validation(before, before.stage))
    return ()


def _labels_found(ledger: Ledger) -> tuple[int, ...] | None:
    """The labels of the call that ended with the last plan, if one did."""
    for entry in reversed(ledger.entries):
        if isinstance(entry, Ran):
            return None
        if isinstance(entry, LabelsFound):
            return entry.labels
    return None


def self_checked(
    result: Result[Classifier],
    watched: Sequence[Watched],
    wanted: SelfCheck,
    declared: Declared,
    fresh: Sequence[Watched] = (),
) -> Result[Classifier]:
    """Accept a result only if the self-check finds no fault; otherwise say what speaks against it.

    `declared` says what rows of the class are; `fresh` are rows of steps after the run.

    In a located run each round of validation has a share of the level, since any may be the last.
    """
    if isinstance(result, NotAccepted):
        is_located = isinstance(result.recipe, LocatedRecipe)
        return replace(result, causes=ranked_located(result, declared)) if is_located else result
    if isinstance(result, Contradicted):
        return replace(result, causes=ranked(watched, result))
    checked = _check(result, (*watched, *fresh), wanted)
    if not checked.won:
        return replace(result, self_check=checked)
    found = Contradicted(
        result.recipe, result.model, result.ledger, (), checked.won[0].sentence, checked
    )
    is_located = isinstance(result.recipe, LocatedRecipe)
    causes = ranked_located(found, declared) if is_located else ranked(watched, found)
    if fresh and not _check(result, watched, wanted).won:
        told = "the run agrees with itself, and not with the fresh steps after it"
        others = (each for each in causes if each.condition is not Condition.UNCHANGING)
        causes = Cause(Condition.UNCHANGING, told), *others
    return replace(found, causes=causes)


def _check(
    result: Accepted[Classifier], watched: Sequence[Watched], wanted: SelfCheck
) -> SelfChecked:
    p, level, fixed_at = result.recipe.parameters, wanted.level, 0
    if isinstance(result.recipe, LocatedRecipe):
        level = round_share(level, result.ledger.decisions)
        fixed_at = min((each.start for each in watched), default=0)
    return check(
        watched,
        fixed_at=fixed_at,
        mixing_time=p.mixing_time,
        max_states=p.max_states,
        level=level,
    )
