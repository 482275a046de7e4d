"""Why a run gave up: what was found, which conditions it speaks against, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.learning.results import Contradicted
from steel_verified.reports.tables import Prose, Style
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.learning.results import GivenUp
    from steel_verified.reports.tables import Part

_RANKED: Final = (
    "Something that was promised does not hold, or a verdict was wrong (the chance of which is at "
    "most δ). The most likely cause comes first:"
)


def given_up_as_parts(result: GivenUp, name: str) -> tuple[Part, ...]:
    """Why a run gave up, the likely causes in order, and what it had learned."""
    model = result.model
    so_far = (
        f"After {counted(result.ledger.steps, 'step')}, what is known: "
        f"{counted(model.states, 'label')} and "
        f"{counted(len(model.transitions()), 'transition')}. Nothing is guaranteed of them."
    )
    if not isinstance(result, Contradicted):
        return Prose(f"Not accepted on {name}: {result.because}.", Style.BAD), Prose(so_far)
    causes = tuple(
        Prose(
            f"{number}. Not true that {cause.condition.statement}: {cause.because}. "
            f"Try this: {cause.advice}."
        )
        for number, cause in enumerate(result.causes, start=1)
    )
    headline = Prose(f"Contradicted on {name}: {result.because}.", Style.BAD)
    return headline, Prose(_RANKED), *causes, Prose(so_far)


def given_up_as_json(result: GivenUp, name: str) -> Json:
    """The same as plain data."""
    causes = result.causes if isinstance(result, Contradicted) else ()
    return {
        "world": name,
        "accepted": False,
        "contradicted": causes[0].condition.name if causes else None,
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
        "labels": result.model.states,
        "transitions": len(result.model.transitions()),
        "steps": result.ledger.steps,
        "budget_spent": str(result.ledger.budget.spent),
    }
