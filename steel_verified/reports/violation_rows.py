"""The rows of the study of violated conditions, as its tables and its figure use them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.errors import SteelError
from steel_verified.experiments.violations import LETTERS
from steel_verified.worlds.violated.judging import ACCEPTED, Check, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from steel_verified.experiments.violations import Runs
    from steel_verified.sweeps.study import Row
    from steel_verified.worlds.violated.judging import Method
    from steel_verified.worlds.violated.violations import Violation


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
