"""The conditions of the guarantee: what is assumed of a world, of the bounds and of F."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Condition(Enum):
    """A condition under which the guarantee holds, with the sentence that states it."""

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
