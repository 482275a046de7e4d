"""The study of violated conditions: how runs of each method end if a world violates a condition.

Each job runs one method on the worlds of one kind of violation, for a block of seeds, and records
how each run ended, as a letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from steel_verified.errors import SteelError
from steel_verified.sweeps.study import Job
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.judging import Method, Outcome, judgement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from steel_verified.sweeps.study import Row

WORLDS: Final = 1_000
"""The number of worlds of each kind, when the study is complete."""
FIRST_SEED: Final = 20_000
"""The seed of the first of them. The self-check and its causes were tuned on seeds below 6,000."""
BLOCK: Final = 10
"""The number of worlds of one job."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of one method on a block of worlds of one kind."""

    violation: Violation
    method: Method
    first_seed: int = FIRST_SEED

    @property
    def seeds(self) -> range:
        return range(self.first_seed, self.first_seed + BLOCK)

    @property
    def key(self) -> str:
        """The key of the row of these runs."""
        name = self.violation.name.lower().replace("_", "-")
        return f"violations {name} {self.method.value} {self.seeds[0]}-{self.seeds[-1]}"


def all_runs() -> list[Runs]:
    """All kinds and methods, low seeds first, so that a part of the study has all kinds.

    What a method is not told cannot be wrong: then the world would be an honest one for it.
    """
    return [
        Runs(violation, method, first)
        for first in range(FIRST_SEED, FIRST_SEED + WORLDS, BLOCK)
        for violation in Violation
        for method in Method
        if method.is_told(violation)
    ]


def jobs() -> list[Job]:
    """These runs as jobs."""
    return [Job(runs.key, partial(ended_runs, runs)) for runs in all_runs()]


def ended_runs(runs: Runs) -> Row:
    """How each run ended. The row has no times, so it is reproducible."""
    return {"ended": "".join(ended(runs.violation, runs.method, seed) for seed in runs.seeds)}


def ended(violation: Violation, method: Method, seed: int) -> str:
    """How the run on the world of a seed ended, as a letter."""
    return judgement(violated_world(violation, seed), method).value


@dataclass(frozen=True, slots=True)
class Tally:
    """How the runs of one method on the worlds of one kind ended: the outcome for each seed."""

    outcomes: Mapping[int, Outcome]

    @property
    def worlds(self) -> int:
        return len(self.outcomes)

    def of(self, *outcomes: Outcome) -> int:
        return sum(each in outcomes for each in self.outcomes.values())

    def seeds(self, outcome: Outcome) -> list[int]:
        """The worlds whose runs ended so."""
        return [seed for seed, each in self.outcomes.items() if each is outcome]


def tally(rows: Mapping[str, Row], violation: Violation, method: Method) -> Tally:
    """How the recorded runs of one kind ended; some blocks may be missing."""
    return Tally(dict(_outcomes(rows, violation, method)))


def _outcomes(
    rows: Mapping[str, Row], violation: Violation, method: Method
) -> Iterator[tuple[int, Outcome]]:
    for runs in all_runs():
        if (runs.violation, runs.method) == (violation, method) and runs.key in rows:
            letters = rows[runs.key]["ended"]
            if not isinstance(letters, str) or set(letters) - {each.value for each in Outcome}:
                raise SteelError(f"{runs.key}: expected the letters of outcomes, not {letters}")
            yield from zip(runs.seeds, map(Outcome, letters), strict=True)
