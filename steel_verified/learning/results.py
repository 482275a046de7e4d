"""How a run ends: accepted, contradicted, or not accepted. Each has what was learned so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Evaluates
    from steel_verified.learning.checking import SelfChecked
    from steel_verified.learning.model import Model
    from steel_verified.theory.conditions import Cause
    from steel_verified.theory.recipe import LocatedRecipe, Recipe

Batch = TypeVar("Batch")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Accepted(Generic[Classifier]):
    """The guarantee holds: the dynamics, the state we are in, and, if wanted, the encoder.

    An observation is encoded as the label of the first classifier that is 1 on it (argmax, lowest
    label on ties). Without an encoder, `model` and `current` allow to go on open-loop (l. 243).
    """

    recipe: Recipe | LocatedRecipe
    model: Model
    current: int
    classifiers: tuple[Classifier, ...] | None
    ledger: Ledger
    certified: bool = True
    """False if the oracle searched without proof: that it found nothing was taken on trust."""
    self_check: SelfChecked | None = None
    """What was tested before it was accepted; None if no self-check was wanted."""


@dataclass(frozen=True, slots=True)
class Contradicted:
    """A condition is contradicted, or a verdict was wrong (the chance of which δ covers)."""

    recipe: Recipe | LocatedRecipe
    model: Model
    ledger: Ledger
    causes: tuple[Cause, ...]
    """The conditions that the evidence speaks against, the most likely one first."""
    because: str
    """What was found."""
    self_check: SelfChecked | None = None
    """The self-check that failed, if that is why."""
    steps_to_explain: int = 0
    """How many steps were taken after the run, in order to find the causes."""


@dataclass(frozen=True, slots=True)
class NotAccepted:
    """The run ended before anything could be guaranteed."""

    recipe: Recipe | LocatedRecipe
    model: Model
    ledger: Ledger
    because: str
    """Which limit was reached."""
    causes: tuple[Cause, ...] = ()
    """The conditions that may not hold, the most likely one first, if any is suspected."""
    interrupted: bool = False
    """Whether somebody interrupted the run (Ctrl-C)."""
    steps_to_explain: int = 0
    """How many steps were taken after the run, in order to find the causes."""


def limit_reached(max_steps: int) -> str:
    """Why a run is not accepted that would take more steps than are allowed."""
    return f"the limit of {counted(max_steps, 'step')} was reached"


GivenUp = Contradicted | NotAccepted
Result = Accepted[Classifier] | GivenUp


def accepted(result: Result[Classifier]) -> Accepted[Classifier]:
    """Return the result if it is accepted; raise `AssumptionViolated` with the reason otherwise.

    A run that was interrupted raises `KeyboardInterrupt`.
    """
    if isinstance(result, Accepted):
        return result
    raise violation(result)


def violation(result: GivenUp) -> AssumptionViolated | KeyboardInterrupt:
    """The error that says why a run gave up."""
    if isinstance(result, NotAccepted) and result.interrupted:
        return KeyboardInterrupt(result.because)
    return AssumptionViolated(result.because, *(cause.condition for cause in result.causes))


def encode(
    functions: Evaluates[Batch, Classifier],
    classifiers: Sequence[Classifier],
    batch: Batch,
) -> NDArray[np.int64]:
    """φ'(x) = argmax_s f_s(x) for each observation, the lowest label on ties (l. 359)."""
    values = np.stack([functions.values(classifier, batch) for classifier in classifiers])
    labels: NDArray[np.int64] = np.argmax(values, axis=0)
    return labels
