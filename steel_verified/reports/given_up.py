"""Why a run gave up: what was found, which conditions it speaks against, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.learning.results import Contradicted
from steel_verified.reports.self_checks import self_check_as_json
from steel_verified.reports.tables import Prose, Style
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.results import GivenUp
    from steel_verified.reports.tables import Part
    from steel_verified.theory.conditions import Cause

_RANKED: Final = (
    "If no verdict was wrong (the chance of which is at most δ), one of these does not hold, the "
    "most likely one first:"
)
_RANKED_BY_CHECK: Final = (
    "If no verdict was wrong (the chance of which is at most δ), and this is no false alarm (the "
    "chance of which is at most α), one of these does not hold, the most likely one first:"
)
SUSPECTED: Final = "Perhaps one of these does not hold, the most likely one first:"


def given_up_as_parts(result: GivenUp, name: str) -> tuple[Part, ...]:
    """Why a run gave up, the likely causes in order, and what it had learned."""
    model = result.model
    so_far = (
        f"After {counted(result.ledger.steps, 'step')}, what is known: "
        f"{counted(model.states, 'label')} and "
        f"{counted(len(model.transitions()), 'transition')}. Nothing is guaranteed of them."
    )
    causes = causes_as_parts(result.causes)
    ended = "Contradicted" if isinstance(result, Contradicted) else "Not accepted"
    if not causes:
        return Prose(f"{ended} on {name}: {result.because}.", Style.BAD), Prose(so_far)
    likely = f"most likely it is not true that {result.causes[0].condition.statement}"
    return (
        Prose(f"{ended} on {name}: {likely}.", Style.BAD),
        Prose(f"How the run ended: {result.because}."),
        Prose(_introduction(result)),
        *causes,
        *_how_explained(result),
        Prose(so_far),
    )


def _how_explained(result: GivenUp) -> tuple[Prose, ...]:
    """That steps were taken in order to find the causes, if so."""
    if not result.steps_to_explain:
        return ()
    steps = counted(result.steps_to_explain, "random step")
    told = f"To find the causes, {steps} were taken after the run; nothing else rests on them."
    return (Prose(told),)


def causes_as_parts(causes: Iterable[Cause]) -> tuple[Part, ...]:
    """Likely causes in order, each with what to try."""
    return tuple(
        Prose(f"{number}. {cause.sentence}") for number, cause in enumerate(causes, start=1)
    )


def _introduction(result: GivenUp) -> str:
    """How sure it is that one of the causes is true."""
    if not isinstance(result, Contradicted):
        return SUSPECTED
    return _RANKED if result.self_check is None else _RANKED_BY_CHECK


def given_up_as_json(result: GivenUp, name: str) -> Json:
    """The same as plain data."""
    causes = result.causes
    contradicted = isinstance(result, Contradicted)
    checked = result.self_check if isinstance(result, Contradicted) else None
    return {
        "world": name,
        "accepted": False,
        "contradicted": causes[0].condition.name if contradicted and causes else None,
        "causes": tuple(
            {
                "condition": cause.condition.name,
                "statement": cause.condition.statement,
                "because": cause.because,
                "advice": cause.advice,
            }
            for cause in causes
        ),
        "because": result.because,
        "steps_to_explain": result.steps_to_explain,
        "self_check": self_check_as_json(checked),
        "labels": result.model.states,
        "transitions": len(result.model.transitions()),
        "table": result.model.table,
        "steps": result.ledger.steps,
        "budget_spent": str(result.ledger.budget.spent),
    }
