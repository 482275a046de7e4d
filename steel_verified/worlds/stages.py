"""The stages of a run, for its progress: how much of the present one is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.learning import located, looped
from steel_verified.learning.located import Revisiting, Validating
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.learning.model import Model


EXPLORING: Final = "exploring"


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a run: `done` of `of` are done; `unit` says what is counted, in the singular.

    Exploring counts transitions: those that are known, of all that the states found so far have. It
    has no known end, since more states may be found, and labels of one state may be merged.
    """

    name: str
    unit: str = ""
    done: int = 0
    of: int = 0
    """0 if nothing is counted."""
    end_is_known: bool = True
    """Whether the run ends with this stage unless a check fails."""
    seconds_left: float | None = None
    """The remaining seconds of this stage at its speed so far; None if they are unknown."""

    def __str__(self) -> str:
        return f"{self.done:,} of {counted(self.of, self.unit)}" if self.of else ""


def stage_of(
    state: looped.State | located.State,
) -> Stage:
    """The stage in which a learner is."""
    match state.stage:
        case Accepted():
            return Stage("self-check")
        case Contradicted() | NotAccepted():
            return Stage("finding the cause")
        case Validating(validation=validation, done=done):
            return Stage("validating", "walk", done, validation.passes + 1)
        case looped.Touring(_, cycle, passes):
            return Stage("sampling", "step", 0, passes * len(cycle))
        case Revisiting(_, walk, done, passes):
            return Stage("revisiting", "step", done, passes * len(walk), end_is_known=False)
        case _:
            model = model_of(state)
            known, needed = len(model.transitions()), model.states * model.actions
            return Stage(EXPLORING, "transition", known, needed, end_is_known=False)


def model_of(
    state: looped.State | located.State,
) -> Model:
    """What a learner knows of the dynamics."""
    return state.model if isinstance(state, looped.State) else state.labels.model_so_far()
