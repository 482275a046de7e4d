"""Why a run gave up: the findings, the conditions that may be violated, and what to try."""

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
    "If no verdict was wrong (a wrong one has probability at most δ), one of these conditions "
    "does not hold; the most likely one comes first:"
)
_RANKED_BY_CHECK: Final = (
    "If no verdict was wrong (a wrong one has probability at most δ), and this is not a false "
    "alarm (probability at most α), one of these conditions does not hold; the most likely one "
    "comes first:"
)
SUSPECTED: Final = "Perhaps one of these conditions does not hold; the most likely one comes first:"


def given_up_as_parts(result: GivenUp, name: str) -> tuple[Part, ...]:
    """Why a run gave up, the likely causes in order, and the partial model."""
    model = result.model
    so_far = (
        f"Known after {counted(result.ledger.steps, 'step')}: "
        f"{counted(model.states, 'label')} and "
        f"{counted(len(model.transitions()), 'transition')}, without any guarantee."
    )
    causes = causes_as_parts(result.causes)
    ended = "Contradicted" if isinstance(result, Contradicted) else "Not accepted"
    if not causes:
        return Prose(f"{ended} on {name}: {result.because}.", Style.BAD), Prose(so_far)
    likely = f"most likely, this condition does not hold: {result.causes[0].condition.statement}"
    return (
        Prose(f"{ended} on {name}: {likely}.", Style.BAD),
        Prose(f"How the run ended: {result.because}."),
        Prose(_introduction(result)),
        *causes,
        *_how_explained(result),
        Prose(so_far),
    )


def _how_explained(result: GivenUp) -> tuple[Prose, ...]:
    """A sentence about the extra steps taken to find the causes, if there were any."""
    if not result.steps_to_explain:
        return ()
    steps = counted(result.steps_to_explain, "random step")
    told = f"To find the causes, {steps} were taken after the run; they were used for nothing else."
    return (Prose(told),)


def causes_as_parts(causes: Iterable[Cause]) -> tuple[Part, ...]:
    """The likely causes in order, each with advice."""
    return tuple(
        Prose(f"{number}. {cause.sentence}") for number, cause in enumerate(causes, start=1)
    )


def _introduction(result: GivenUp) -> str:
    """How certain it is that one of the causes applies."""
    if not isinstance(result, Contradicted):
        return SUSPECTED
    return _RANKED if result.self_check is None else _RANKED_BY_CHECK


def given_up_as_json(result: GivenUp, name: str) -> Json:
    """The same information as JSON."""
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
