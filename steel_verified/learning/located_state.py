"""The state of located STEEL between two plans: what it knows, and its current stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Pool, Sample, Validation
    from steel_verified.evidence.plans import Plan, Word
    from steel_verified.learning.labels import Labels
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
    from steel_verified.theory.recipe import LocatedRecipe

Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Looping(Generic[Summary]):
    """An action is looped until its period is known; the position is not known yet."""

    action: int
    rows: tuple[Sample[Summary], ...] = ()
    until: int = 0


@dataclass(frozen=True, slots=True)
class Exploring:
    """The learner is at a label; it took `lost` steps since it last recognised a state."""

    current: int
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Revisiting:
    """All transitions are known: labels are visited again to find those of the same state."""

    current: int
    walk: Word
    done: int = 0
    passes: int = 1


@dataclass(frozen=True, slots=True)
class Validating(Generic[Summary, Classifier]):
    """A validation is running: `done` passes of the walk have been run."""

    validation: Validation[Classifier]
    model: Model
    labels: tuple[int, ...]
    """The label of each state of the model."""
    home: int
    """The state in which every pass begins and ends."""
    done: int = 0
    seen: tuple[tuple[Sample[Summary], ...], ...] = ()
    """The samples of each state in each pass."""


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
    """The next plan, unless the run has ended."""
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
    """Whether plans also keep the rows for the self-check."""

    @property
    def bound(self) -> int:
        """N, the largest possible number of states."""
        return self.recipe.parameters.max_states
