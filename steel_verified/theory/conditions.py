"""The conditions of the guarantee, and the error that names those that seem to be violated."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Condition(Enum):
    """A condition under which the guarantee holds; its value is the sentence that states it."""

    DETERMINISTIC = "the latent dynamics are deterministic"
    UNCHANGING = "the latent dynamics do not change with time"
    CONNECTED = "every latent state reaches every other"
    EXOGENOUS = "no action influences the noise"
    MIXING = "the noise is irreducible and aperiodic, with t_mix ≤ t̂_mix"
    MAX_STATES = "there are at most N latent states"
    MAX_DIAMETER = "every latent state reaches every other within D̂ steps"
    CLASS_SIZE = "F has at most |F| classifiers, and at least one for each latent state"
    REALISABLE = (
        "an observation shows one latent state only, and F has a classifier for each state that "
        "tells its observations from all others"
    )
    ORACLE = "the oracle returns a classifier that separates two datasets whenever F has one"
    UNBROKEN = "all observations come from one unbroken trajectory, without resets"

    @property
    def statement(self) -> str:
        return self.value


OF_LOCATED: Final = tuple(
    condition
    for condition in Condition
    if condition not in (Condition.MAX_DIAMETER, Condition.CLASS_SIZE)
)
"""The conditions of located STEEL, which needs neither D̂ nor |F|."""


ADVICE: Final = {
    Condition.DETERMINISTIC: "check whether the same action in the same state can lead to "
    "different states; if each step does so with a chance that you can bound below 1/2, give the "
    "bound as slips (steel learn --slips); if not, this method cannot learn the world",
    Condition.UNCHANGING: "check whether the world was changed during the run, and learn again",
    Condition.CONNECTED: "check whether every state can be left again; allow the agent to return",
    Condition.EXOGENOUS: "check whether an action changes what was taken for noise; if so, it "
    "belongs to the state: give a larger N and classifiers for it",
    Condition.MIXING: "learn again with a larger t̂_mix; noise that is periodic never mixes",
    Condition.MAX_STATES: "learn again with a larger N",
    Condition.MAX_DIAMETER: "learn again with a larger D̂",
    Condition.CLASS_SIZE: "give the true size of F, or a larger class",
    Condition.REALISABLE: "give classifiers that tell each state from all others without error",
    Condition.ORACLE: "use one of the exact classes, or a search that finds more",
    Condition.UNBROKEN: "learn from one trajectory, without resets or other agents",
}
"""What to try if a condition does not seem to hold."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A condition that may be violated, and what is known of it."""

    condition: Condition
    because: str
    is_supported: bool = False
    """Whether the data speak for this cause, more than for those that are not supported."""

    @property
    def advice(self) -> str:
        return ADVICE[self.condition]

    @property
    def sentence(self) -> str:
        """The condition, the evidence against it, and what to try."""
        return f"That {self.condition.statement}: {self.because}. What to try: {self.advice}."


def listed(conditions: Iterable[Condition]) -> tuple[Cause, ...]:
    """Return a cause for each condition of which one does not hold; nothing tells which."""
    each = tuple(conditions)
    if len(each) == 1:
        return (Cause(each[0], "this is what was found", is_supported=True),)
    return tuple(Cause(condition, "it would explain what was found") for condition in each)


def supported(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return the causes for which the data speak; they come first, the most likely one first."""
    return tuple(cause for cause in causes if cause.is_supported)


def heading(causes: Iterable[Cause]) -> str:
    """Return the sentence before a list of causes: whether their order means something."""
    match len(supported(causes)):
        case 0:
            return (
                "The data do not tell which of these conditions does not hold. They are in no "
                "order; what to try also shows which one it was:"
            )
        case 1:
            return "Most likely the first of these conditions does not hold:"
        case many:
            return (
                f"Most likely one of the first {many} of these conditions does not hold; the data "
                "hardly tell which one:"
            )


class AssumptionViolated(SteelError):
    """The observations contradict a condition of the theorem, or a verdict was wrong.

    `conditions` are those that may be violated.
    """

    def __init__(self, message: str, *conditions: Condition) -> None:
        super().__init__(message)
        self.conditions = conditions
