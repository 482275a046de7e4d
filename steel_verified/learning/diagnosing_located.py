"""Which conditions the rows of a located run speak against, the most likely one first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.evidence.kept_rows import opened_run
from steel_verified.learning.explaining import explanations
from steel_verified.learning.results import Contradicted
from steel_verified.learning.wagers import Kind
from steel_verified.theory.conditions import Cause, Condition, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.evidence.oracle import Declared
    from steel_verified.learning.explaining import Explanation
    from steel_verified.learning.results import GivenUp

_CLEAR: Final = 12.0
"""An explanation that is better by so many nats than that all conditions hold is named, even if the
run did not end for a reason that speaks against them."""
_AS_WELL: Final = "it would explain what was found as well"
_OTHERS: Final = (
    Condition.DETERMINISTIC,
    Condition.REALISABLE,
    Condition.MAX_STATES,
    Condition.MIXING,
    Condition.UNCHANGING,
    Condition.EXOGENOUS,
)
_OF_BETS: Final = {
    Kind.EARLIER: Condition.MIXING,
    Kind.ANY: Condition.MIXING,
    Kind.HALF: Condition.MIXING,
    Kind.LOOP: Condition.EXOGENOUS,
    Kind.WAY: Condition.EXOGENOUS,
}


def ranked_located(result: GivenUp, declared: Declared) -> tuple[Cause, ...]:
    """The likely causes of a run of located STEEL that failed, the most likely one first.

    A run that reached a limit of steps is not blamed on a condition unless that explains its rows
    much better than that all conditions hold.
    """
    if not result.ledger.samples:
        return result.causes
    found = explanations(opened_run(result.ledger, declared), result.recipe.parameters.max_states)
    if not isinstance(result, Contradicted) and not result.causes and not _is_clear(found):
        return ()
    found_causes = (*_of_bets(result), *_of_rows(found))
    others = (Cause(each.condition, _AS_WELL) for each in (*result.causes, *listed(_OTHERS)))
    causes: dict[Condition, Cause] = {}
    for cause in (*found_causes, *others):
        causes.setdefault(cause.condition, cause)
    return tuple(causes.values())


def _is_clear(found: Sequence[Explanation]) -> bool:
    """Whether the best explanation is much better than that all conditions hold."""
    honest = [each.nats for each in found if each.condition is None]
    return bool(found) and (not honest or found[0].nats < honest[0] - _CLEAR)


def _of_bets(result: GivenUp) -> Iterator[Cause]:
    """What a bet that was won speaks against, if a model of several states fits the run."""
    checked = result.self_check if isinstance(result, Contradicted) else None
    for won in checked.won[:1] if checked is not None else ():
        if won.kind in _OF_BETS:
            yield Cause(_OF_BETS[won.kind], won.sentence)


def _of_rows(found: Sequence[Explanation]) -> Iterator[Cause]:
    """What the rows speak against: a condition may come more than once, the best reason first."""
    for each in found:
        if each.condition is not None:
            more = each.nats - found[0].nats
            less = f" (e^-{more:.0f} times as likely as the best explanation)" if more else ""
            yield Cause(each.condition, each.told + less)
