"""The study of violated conditions: how runs end if a world violates a condition.

Each job runs one method on the worlds of one kind of violation, for a block of seeds, and records
how each run ended.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from steel_verified.sweeps.study import Job, at_once
from steel_verified.worlds.violated.breaking import violated_world
from steel_verified.worlds.violated.judging import (
    Check,
    Judgement,
    Method,
    Outcome,
    judgement,
)
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row, Study

WORLDS: Final = 1_000
"""The number of worlds of each kind in the recorded study."""
FIRST_SEED: Final = 20_000
"""The seed of the first of them. The self-check and the ranking of causes were tuned on worlds with
seeds below 6,000."""
FRESH: Final = 50
"""This many of them are also learned with fresh steps for the self-check."""
BLOCK: Final = 50
"""The number of worlds of one job."""
_MORE: Final = {
    (Violation.HONEST, Method.LOOPED): 3,
    (Violation.HONEST, Method.LOCATED): 10,
}
"""How many times more worlds there are in which all conditions hold, to count false alarms."""

_OF_ACCEPTED: Final = {
    Outcome.RIGHT: "R",
    Outcome.TWIN: "T",
    Outcome.FAINT: "F",
    Outcome.SILENT: "S",
}
_NOTICED: Final = (Outcome.FIRST, Outcome.NAMED, Outcome.OTHER, Outcome.NO_CAUSE)
_OF_NOTICED: Final = {
    None: "1234",
    Outcome.SILENT: "abcd",
    Outcome.RIGHT: "efgh",
    Outcome.TWIN: "ijkl",
    Outcome.FAINT: "mnop",
}
"""The letters of runs that were not accepted, one for each outcome of `_NOTICED`. The key is the
outcome without the self-check."""
LETTERS: Final[dict[str, tuple[Outcome, Outcome | None]]] = {
    letter: (outcome, outcome) for outcome, letter in _OF_ACCEPTED.items()
} | {
    letter: (outcome, unchecked)
    for unchecked, letters in _OF_NOTICED.items()
    for letter, outcome in zip(letters, _NOTICED, strict=True)
}
"""The outcomes that each recorded letter stands for: with and without the self-check."""
_LETTER_OF: Final = {ended: letter for letter, ended in LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of one method on worlds of one kind, with one kind of self-check."""

    violation: Violation
    method: Method
    check: Check = Check.USUAL
    _: KW_ONLY
    first_seed: int = FIRST_SEED
    worlds: int = BLOCK

    @property
    def seeds(self) -> range:
        return range(self.first_seed, self.first_seed + self.worlds)

    @property
    def key(self) -> str:
        """The key of the row of these runs."""
        name = self.violation.name.lower().replace("_", "-")
        seeds = f"{self.seeds[0]}-{self.seeds[-1]}"
        return f"violations {name} {self.method.value} {self.check.value} {seeds}"


def all_runs(worlds: int) -> list[Runs]:
    """All kinds and both methods, on `worlds` worlds each, or more; low seeds first.

    If `worlds` is at least `WORLDS`, `FRESH` of them are also learned with fresh steps.
    """
    usual = [
        Runs(violation, method, first_seed=FIRST_SEED + first, worlds=min(BLOCK, many - first))
        for violation in Violation
        for method in Method
        for many in [worlds * _MORE.get((violation, method), 1)]
        for first in range(0, many, BLOCK)
    ]
    fresh = [
        Runs(violation, method, Check.FRESH, worlds=FRESH)
        for violation in Violation
        for method in Method
        if worlds >= WORLDS
    ]
    return sorted(usual, key=lambda runs: runs.first_seed) + fresh


def violations_study(runs: Iterable[Runs]) -> Study:
    """These runs as jobs."""
    return at_once(Job(one.key, partial(ended_runs, one)) for one in runs)


def ended_runs(runs: Runs) -> Row:
    """How each run ended, as a letter, and the size of each violation.

    For each run that learned a wrong model, the row has the evidence against it, in decades. The
    row has no times, so it is reproducible.
    """
    worlds = [violated_world(runs.violation, seed) for seed in runs.seeds]
    ended = [judgement(world, runs.method, runs.check) for world in worlds]
    sizes = [None if world.size is None else str(world.size) for world in worlds]
    decades: list[Json] = [one.decades for one in ended if one.decades is not None]
    return {
        "ended": "".join(map(letter_of, ended)),
        **({"decades": decades} if decades else {}),
        **({"sizes": " ".join(map(str, sizes))} if any(sizes) else {}),
    }


def letter_of(ended: Judgement) -> str:
    """The letter that records how a run ended."""
    return _LETTER_OF[ended.outcome, ended.unchecked]
