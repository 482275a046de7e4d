"""Violate assumptions on purpose, and see what the library reports about each.

python -m examples.broken_assumptions  # writes broken_assumptions.png
"""

from pathlib import Path
from textwrap import fill

import gymnasium

from examples.robot import Robot, after, seen
from steel_verified import (
    Accepted,
    AssumptionViolated,
    Conjunctions,
    Located,
    Looped,
    Parameters,
    attempt,
    preflight,
)
from steel_verified.findings import Condition
from steel_verified.gymnasium import Continuing
from steel_verified.plots import preflight_figure

ORACLE = Conjunctions(6)


class SlippingRobot(Robot):
    """One action in a hundred does nothing: the dynamics are random."""

    def step(self, action: int) -> list[bool]:
        before = self.state
        super().step(action)
        if self.noise.random() < 0.01:
            self.state = before
        return seen(self.state, self.cat)


class SleepyCat(Robot):
    """The cat moves once in 200 steps, so the noise mixes slowly: t_mix is 69, not 1."""

    def step(self, action: int) -> list[bool]:
        self.state = after(self.state, action)
        self.cat ^= int(self.noise.integers(200) == 0)
        return seen(self.state, self.cat)


def main(folder: Path = Path()) -> None:
    # Gymnasium's lake is slippery by default. This is detected before anything is learned.
    try:
        Continuing(gymnasium.make("FrozenLake-v1"))
    except AssumptionViolated as error:
        print(f"A slippery lake is refused. Not true of it: {error.conditions[0].statement}.")

    slips = text("A robot that slips", SlippingRobot(seed=1), max_states=8)
    assert slips is Condition.DETERMINISTIC
    few = text("N = 5 for six states, looped", Robot(seed=1), max_states=5, looped=True)
    assert few is Condition.MAX_STATES
    slow = text("t̂_mix = 1 for a sleepy cat", SleepyCat(seed=1), max_states=8)
    assert slow is Condition.MIXING

    # A short random walk in a separate world warns of the last two before a run.
    report = preflight(SleepyCat(seed=2), ORACLE, steps=6000, max_states=3, mixing_time=1)
    for warning in report.warnings:
        print(f"Preflight: {warning}")
    preflight_figure(report).savefig(folder / "broken_assumptions.png", dpi=150)


def text(what: str, world: Robot, *, max_states: int, looped: bool = False) -> Condition:
    """Run a method, print why it gave up, and return the most likely cause."""
    bounds = Parameters.of(world, ORACLE, max_states=max_states, mixing_time=1, max_diameter=5)
    method = Looped(bounds) if looped else Located(bounds)
    result = attempt(world, ORACLE, method, max_steps=100_000)
    assert not isinstance(result, Accepted)
    likely = result.causes[0]
    print(fill(f"{what}: {result.because}.", 80))
    print(fill(f"Is it true that {likely.condition.statement}? Advice: {likely.advice}.", 80))
    return likely.condition


if __name__ == "__main__":
    main()
