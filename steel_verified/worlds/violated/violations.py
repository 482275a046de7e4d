"""The ways in which this package violates a condition of the guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from steel_verified.theory.conditions import Condition


@dataclass(frozen=True, slots=True)
class Break:
    """Which condition a violation breaks (None: all hold), and a description."""

    condition: Condition | None
    told: str


class Violation(Enum):
    """A kind of violation. The honest kinds break nothing; they measure false alarms."""

    HONEST = Break(None, "all conditions hold")
    ONE_STATE_MORE = Break(Condition.MAX_STATES, "N = |S| − 1")
    TWICE_THE_STATES = Break(Condition.MAX_STATES, "N ≤ |S|/2")
    SLIP_1000 = Break(Condition.DETERMINISTIC, "slips with chance 0.001")
    SLIP_100 = Break(Condition.DETERMINISTIC, "slips with chance 0.01")
    SLIP_10 = Break(Condition.DETERMINISTIC, "slips with chance 0.1")
    CHANGE = Break(Condition.UNCHANGING, "one transition changes during the run")
    NO_WAY_BACK = Break(Condition.CONNECTED, "a part of the world has no way back")
    LARGE_DIAMETER = Break(Condition.MAX_DIAMETER, "D̂ ≤ D/2")
    MISSING = Break(Condition.REALISABLE, "no classifier for one state")
    ERRING = Break(Condition.REALISABLE, "the classifier of one state errs")
    ALIKE = Break(Condition.REALISABLE, "two states look alike")
    SHARED = Break(Condition.REALISABLE, "two states share an observation")
    PERIODIC = Break(Condition.MIXING, "periodic noise")
    SLOW = Break(Condition.MIXING, "t̂_mix ≤ t_mix/10")
    FOLLOWING = Break(Condition.EXOGENOUS, "noise that follows actions")
    HONEST_SLOW = Break(None, "all conditions hold, slow noise")

    @property
    def condition(self) -> Condition | None:
        return self.value.condition

    @property
    def told(self) -> str:
        return self.value.told


SLIP_CHANCES = {
    Violation.SLIP_1000: Fraction(1, 1000),
    Violation.SLIP_100: Fraction(1, 100),
    Violation.SLIP_10: Fraction(1, 10),
}
"""The probability of a slip at each step."""
