"""Assumptions that are broken on purpose, and what is said about each.

python examples/broken_assumptions.py FOLDER     # writes FOLDER/broken_assumptions.png
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import gymnasium

from examples.robot import Robot, after
from steel_verified import (
    Accepted,
    AssumptionViolated,
    Condition,
    Conjunctions,
    Parameters,
    learn,
    located,
    paper,
)
from steel_verified.gymnasium import Continuing
from steel_verified.reports.figures.preflight import preflight_figure
from steel_verified.worlds import SteppedWorld, preflight


class SlippingRobot(Robot):
    """One action in a hundred does nothing: the dynamics are random."""

    def step(self, action: int) -> list[bool]:
        place, lamp = self.place, self.lamp
        super().step(action)
        if self.noise.random() < 0.01:
            self.place, self.lamp = place, lamp
        return self.seen()


class SleepyCat(Robot):
    """The cat moves once in 200 steps, so the noise mixes slowly: t_mix is 69, not 1."""

    def step(self, action: int) -> list[bool]:
        self.place, self.lamp = after(self.place, self.lamp, action)
        self.cat ^= int(self.noise.integers(200) == 0)
        return self.seen()


def main(folder: Path) -> None:
    # Gymnasium's lake is slippery unless told otherwise. That is seen before anything is learned.
    try:
        Continuing(gymnasium.make("FrozenLake-v1"))
    except AssumptionViolated as error:
        print(f"A slippery lake is refused. Not true of it: {error.conditions[0].statement}.")

    slips = told("A robot that slips", SlippingRobot(seed=1), max_states=8)
    assert slips[0] is Condition.DETERMINISTIC
    few = told("N = 5 for six states, looped", Robot(seed=1), max_states=5, looped=True)
    assert few[0] is Condition.MAX_STATES
    slow = told("t̂_mix = 1 for a sleepy cat", SleepyCat(seed=1), max_states=8)
    assert slow[0] is Condition.MIXING

    # A short random walk in a world of its own warns of the last two, before a run.
    report = preflight(SleepyCat(seed=2), Conjunctions(6), steps=6000, max_states=3, mixing_time=1)
    for warning in report.warnings:
        print(f"Preflight: {warning}")
    preflight_figure(report).savefig(folder / "broken_assumptions.png", dpi=150)


def told(
    what: str, world: SteppedWorld, *, max_states: int, looped: bool = False
) -> tuple[Condition, ...]:
    """Run a method, say why it gave up, and return the likely causes in their order."""
    bounds = Parameters(
        actions=world.actions,
        max_states=max_states,
        max_diameter=5,
        class_size=Conjunctions(6).class_size,
        mixing_time=1,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 20),
    )
    recipe = paper(bounds) if looped else located(bounds)
    result = learn(world, Conjunctions(6), recipe, max_steps=100_000)
    assert not isinstance(result, Accepted)
    print(f"{what}: {result.because}.")
    print("Perhaps one of these is not true, the most likely one first:")
    for rank, cause in enumerate(result.causes, start=1):
        print(f"  {rank}. {cause.condition.statement}")
    print(f"To try first: {result.causes[0].advice}.")
    return tuple(cause.condition for cause in result.causes)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
