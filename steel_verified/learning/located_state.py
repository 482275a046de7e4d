"""What located STEEL knows between two plans, and what it is doing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.plans import Plan, Word
    from steel_verified.evidence.recording import Sample
    from steel_verified.evidence.sure import Pool
    from steel_verified.evidence.validating import Validation
    from steel_verified.learning.labels import Labels
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
    from steel_verified.theory.recipe import LocatedRecipe

Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Looping(Generic[Summary]):
    """An action is looped until its period is known: where we are is not."""

    action: int
    rows: tuple[Sample[Summary], ...] = ()
    until: int = 0


@dataclass(frozen=True, slots=True)
class Exploring:
    """We stand on a label; `lost` steps were taken since a state was recognised."""

    current: int
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Revisiting:
    """The table is closed: labels are visited again, so that duplicates are found."""

    current: int
    walk: Word
    done: int = 0
    passes: int = 1


@dataclass(frozen=True, slots=True)
class Validating(Generic[Summary, Classifier]):
    """A validation is under way: `done` passes of the walk have been run."""

    validation: Validation[Classifier]
    model: Model
    labels: tuple[int, ...]
    """The label of each state of the model."""
    home: int
    """The state in which every pass begins and ends."""
    done: int = 0
    seen: tuple[tuple[Sample[Summary], ...], ...] = ()
    """What each pass showed of each state."""


@dataclass(frozen=True, slots=True)
class State(Generic[Summary, Classifier]):
    """Everything that the learner knows between two plans."""

    recipe: LocatedRecipe
    labels: Labels
    pools: Mapping[int, Pool[Summary]]
    """D(ℓ), for each label that was not merged into another."""
    ledger: Ledger
    max_steps: int
    plan: Plan
    """What is asked for next, unless the run has ended."""
    stage: (
        Looping[Summary]
        | Exploring
        | Revisiting
        | Validating[Summary, Classifier]
        | Accepted[Classifier]
        | Contradicted
        | NotAccepted
    )
    watched: bool = True
    """Whether plans also keep the rows that the self-check looks at."""

    @property
    def bound(self) -> int:
        """N, the most states that there may be."""
        return self.recipe.parameters.max_states
