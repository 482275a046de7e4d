"""The study of violated conditions: what happens if a world is not as it should be.

Each job runs one method on the worlds of one kind of violation, for a block of seeds, and records
how each run ended.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from steel_verified.sweeps.study import Job, at_once
from steel_verified.worlds.violated.breaking import violated_world
from steel_verified.worlds.violated.judging import ACCEPTED, Check, Method, Outcome, judgement
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.sweeps.study import Row, Study

WORLDS: Final = 1_000
"""How many worlds of each kind there are in the recorded study."""
BLOCK: Final = 50
"""How many worlds one job takes."""


LETTERS: Final = {
    Outcome.RIGHT: "R",
    Outcome.TWIN: "T",
    Outcome.FIRST: "1",
    Outcome.NAMED: "2",
    Outcome.OTHER: "3",
    Outcome.NO_CAUSE: "4",
    Outcome.SILENT: "S",
}
"""How a run ended, as it is recorded."""
NOTICED: Final = "N"
"""A run that was not accepted, where it does not matter which causes were named."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of one method on worlds of one kind, with one kind of self-check or none."""

    violation: Violation
    method: Method
    check: Check
    _: KW_ONLY
    first_seed: int = 0
    worlds: int = BLOCK

    @property
    def seeds(self) -> range:
        return range(self.first_seed, self.first_seed + self.worlds)

    @property
    def key(self) -> str:
        """Under which the row of these runs is kept."""
        name = self.violation.name.lower().replace("_", "-")
        seeds = f"{self.seeds[0]:04d}-{self.seeds[-1]:04d}"
        return f"violations {name} {self.method.value} {self.check.value} {seeds}"


def all_runs(worlds: int) -> list[Runs]:
    """All kinds and both methods, on so many worlds each; low seeds first.

    A twentieth of the worlds is also learned with fresh steps for the self-check.
    """
    return [
        Runs(violation, method, check, first_seed=first, worlds=min(BLOCK, worlds - first))
        for first in range(0, worlds, BLOCK)
        for check in Check
        for violation in Violation
        for method in Method
        if check is not Check.FRESH or first < worlds / 20
    ]


def violations_study(runs: Iterable[Runs]) -> Study:
    """These runs as jobs."""
    return at_once(Job(one.key, partial(ended_runs, one)) for one in runs)


def ended_runs(runs: Runs) -> Row:
    """How each of the runs ended, as a letter, and how large each violation was.

    For each run that is silently wrong, the row has the number of steps that speak against the
    model. It holds no clock: it is the same every time. Without the self-check it is not kept which
    causes were named.
    """
    worlds = [violated_world(runs.violation, seed) for seed in runs.seeds]
    ended = [judgement(world, runs.method, runs.check) for world in worlds]
    sizes = [None if world.size is None else str(world.size) for world in worlds]
    return {
        "ended": "".join(_letter(one.outcome, runs.check) for one in ended),
        "contrary": [one.contrary for one in ended if one.outcome is Outcome.SILENT],
        **({"sizes": sizes} if any(sizes) else {}),
    }


def _letter(outcome: Outcome, check: Check) -> str:
    hidden = check is Check.NONE and outcome not in ACCEPTED
    return NOTICED if hidden else LETTERS[outcome]
