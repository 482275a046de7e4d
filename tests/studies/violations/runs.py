"""The study of violated conditions: how runs end if a world violates a condition.

Each job runs one method on the worlds of one kind of violation, for a block of seeds, and records
how each run ended.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from steel_verified.errors import SteelError
from steel_verified.sweeps.study import Job, at_once
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.judging import (
    ACCEPTED,
    Check,
    Judgement,
    Method,
    Outcome,
    judgement,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

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


@dataclass(frozen=True, slots=True)
class Ended:
    """How the run on the world of one seed ended."""

    seed: int
    outcome: Outcome | None
    """None if the violation was noticed and the named causes do not matter."""
    size: Fraction | None
    decades: int | None
    """For a wrong model: log10 of how much likelier the observations are in the true world."""

    @property
    def noticed(self) -> bool:
        return self.outcome not in ACCEPTED


@dataclass(frozen=True, slots=True)
class Tally:
    """How the runs of one method on the worlds of one kind ended."""

    ended: tuple[Ended, ...]

    @property
    def noticed(self) -> int:
        return sum(one.noticed for one in self.ended)

    def of(self, outcome: Outcome) -> int:
        return sum(one.outcome is outcome for one in self.ended)

    def of_seeds(self, seeds: AbstractSet[int]) -> Tally:
        """Only the runs on worlds with these seeds."""
        return Tally(tuple(one for one in self.ended if one.seed in seeds))

    def of_size(self, above: Fraction, up_to: Fraction) -> Tally:
        """Only the runs on worlds whose violation has a size within these bounds."""
        sized = ((one, one.size) for one in self.ended)
        return Tally(tuple(one for one, size in sized if size and above < size <= up_to))

    def of_decades(self, least: int, most: int) -> Tally:
        """Only the runs with a wrong model and evidence against it within these bounds."""
        wrong = ((one, one.decades) for one in self.ended)
        return Tally(tuple(one for one, n in wrong if n is not None and least <= n <= most))


@dataclass(frozen=True, slots=True)
class Rows:
    """The recorded rows of these runs; some may be missing."""

    rows: Mapping[str, Row]
    runs: tuple[Runs, ...]

    def has(self, check: Check) -> bool:
        """Whether there are any rows of runs with this check."""
        return any(one.key in self.rows for one in self.runs if one.check is check)

    def tally(self, violation: Violation, method: Method, check: Check) -> Tally:
        """How the runs of one kind ended. With no check: how they would have ended without it."""
        unchecked = check is Check.NONE
        kind = (violation, method, Check.USUAL if unchecked else check)
        chosen = (one for one in self.runs if (one.violation, one.method, one.check) == kind)
        return Tally(tuple(self._ended(chosen, unchecked=unchecked)))

    def _ended(self, runs: Iterable[Runs], *, unchecked: bool) -> Iterator[Ended]:
        for block in runs:
            if (row := self.rows.get(block.key)) is None:
                continue
            letters, sizes = row["ended"], row.get("sizes", " ".join(["None"] * block.worlds))
            if not isinstance(letters, str) or not isinstance(sizes, str):
                raise SteelError(f"{block.key}: expected letters and sizes in a row of results")
            decades = iter(_decades(row))
            for seed, letter, size in zip(block.seeds, letters, sizes.split(), strict=True):
                outcome, before = _outcomes(letter)
                against = next(decades) if before is Outcome.SILENT else None
                own_size = None if size == "None" else Fraction(size)
                yield Ended(seed, before if unchecked else outcome, own_size, against)


def _outcomes(letter: str) -> tuple[Outcome, Outcome | None]:
    """The outcomes that a letter encodes; raises `SteelError` for an unknown letter."""
    if letter not in LETTERS:
        raise SteelError(f"the letter {letter} in a row of results: expected one that is known")
    return LETTERS[letter]


def _decades(row: Row) -> list[int]:
    listed = row.get("decades", [])
    if not isinstance(listed, list) or not all(isinstance(number, int) for number in listed):
        raise SteelError(f"decades = {listed} in a row of results: expected whole numbers")
    return [number for number in listed if isinstance(number, int)]
