"""Ranks the conditions that are likely to be violated, the most likely one first.

This runs only after a run was not accepted, so it cannot raise a false alarm. It may use all rows
that were kept from the run, and rows of random steps after the run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.evidence.kept_rows import Stretch, opened_run, stretch_of_ledger
from steel_verified.learning.explaining import explanations, times_as_likely
from steel_verified.learning.labelling import rows_of
from steel_verified.learning.results import Contradicted
from steel_verified.theory.conditions import Cause, Condition, listed
from steel_verified.theory.recipe import LocatedRecipe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.evidence.oracle import Declared
    from steel_verified.learning.explaining import Explanation
    from steel_verified.learning.results import GivenUp
    from steel_verified.learning.watching import Watched

_CLEAR: Final = 12.0
"""An explanation is clear if its code is this many nats shorter than with all conditions true."""
_AS_WELL: Final = "it would explain what was found as well"
_NOTHING: Final = "the rows show no sign of it"
_OF_MODEL: Final = (Condition.CONNECTED, Condition.MAX_DIAMETER, Condition.CLASS_SIZE)
"""If a run ended because its model violates one of these, that is the cause, unless the rows give
clear evidence for another one."""
_OTHERS: Final = (
    Condition.DETERMINISTIC,
    Condition.REALISABLE,
    Condition.MAX_STATES,
    Condition.MIXING,
    Condition.UNCHANGING,
    Condition.EXOGENOUS,
)
"""From the most to the least likely, if nothing else is known."""

GivesUp = TypeVar("GivesUp", bound="GivenUp")


def diagnosed(
    result: GivesUp, watched: Sequence[Watched], after: Stretch | None, declared: Declared
) -> GivesUp:
    """Return the result with its likely causes, the most likely one first.

    `after` are rows of steps after the run. A run that reached a step limit gets no cause, unless
    a violated condition explains its rows much better than that all conditions hold.
    """
    stretches = [*_of_run(result, watched, declared), *(() if after is None else (after,))]
    found = _explanations(result, stretches, declared)
    steps = 0 if after is None else len(after.times)
    clear = _is_clear(found)
    if not isinstance(result, Contradicted) and not result.causes and not clear:
        return replace(result, steps_to_explain=steps)
    first = [each for each in result.causes[:1] if each.condition in _OF_MODEL and not clear]
    told = _NOTHING if found else _AS_WELL
    others = (Cause(each.condition, told) for each in (*result.causes, *listed(_OTHERS)))
    causes: dict[Condition, Cause] = {}
    for cause in (*first, *_causes(found), *others):
        causes.setdefault(cause.condition, cause)
    return replace(result, causes=tuple(causes.values()), steps_to_explain=steps)


def _of_run(result: GivenUp, watched: Sequence[Watched], declared: Declared) -> Iterator[Stretch]:
    """Yield the rows that were kept from the run itself."""
    if isinstance(result.recipe, LocatedRecipe):
        if result.ledger.samples:
            yield stretch_of_ledger(result.ledger, declared)
        return
    for each in watched:
        if each.dense is not None:
            within = range(each.dense_from, each.dense_from + each.dense.rows)
            actions = tuple(each.word[(time - 1) % len(each.word)] for time in within)
            yield Stretch(tuple(each.start + time for time in within), actions, each.dense)


def _explanations(
    result: GivenUp, stretches: Sequence[Stretch], declared: Declared
) -> tuple[Explanation, ...]:
    rows = rows_of(opened_run(stretches)) if stretches else None
    if rows is None:
        return ()
    p = result.recipe.parameters
    return explanations(
        rows,
        max_states=p.max_states,
        mixing_time=p.mixing_time,
        probes_are_all=declared.name == "finite",
    )


def _is_clear(found: Sequence[Explanation]) -> bool:
    """Return whether the best explanation is much better than that all conditions hold."""
    honest = [each.nats for each in found if each.condition is None]
    return bool(found) and (not honest or found[0].nats < honest[0] - _CLEAR)


def _causes(found: Sequence[Explanation]) -> Iterator[Cause]:
    broken = [(each.condition, each) for each in found if each.condition is not None]
    for condition, each in broken:
        more = each.nats - broken[0][1].nats
        less = f" (the first cause makes the rows {times_as_likely(more)})" if more else ""
        yield Cause(condition, each.told + less)
