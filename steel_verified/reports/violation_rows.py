"""The rows of the study of violated conditions, as its tables and figure read them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.errors import SteelError
from steel_verified.experiments.violations import LETTERS, NOTICED
from steel_verified.worlds.violated.judging import ACCEPTED, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from steel_verified.experiments.violations import Runs
    from steel_verified.sweeps.study import Row
    from steel_verified.worlds.violated.judging import Check, Method
    from steel_verified.worlds.violated.violations import Violation

_OUTCOMES: Final = {letter: outcome for outcome, letter in LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Ended:
    """How the run on the world of one seed ended."""

    seed: int
    outcome: Outcome | None
    """None if it was noticed, and it is not known which causes were named."""
    size: Fraction | None
    contrary: int | None
    """If it is silently wrong: how many steps speak against the model."""

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
        """Only the runs on worlds in which the violation has a size within these bounds."""
        sized = ((one, one.size) for one in self.ended)
        return Tally(tuple(one for one, size in sized if size and above < size <= up_to))


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of these runs, as far as they are there."""

    rows: Mapping[str, Row]
    runs: tuple[Runs, ...]

    def has(self, check: Check) -> bool:
        """Whether there are any rows of runs with this check."""
        return any(one.key in self.rows for one in self.runs if one.check is check)

    def tally(self, violation: Violation, method: Method, check: Check) -> Tally:
        """How the runs of one kind ended."""
        kind = (violation, method, check)
        chosen = (one for one in self.runs if (one.violation, one.method, one.check) == kind)
        return Tally(tuple(self._ended(chosen)))

    def _ended(self, runs: Iterable[Runs]) -> Iterator[Ended]:
        for block in runs:
            if (row := self.rows.get(block.key)) is None:
                continue
            letters, sizes = row["ended"], row.get("sizes", [None] * block.worlds)
            if not isinstance(letters, str) or not isinstance(sizes, list):
                raise SteelError(f"{block.key}: expected letters and sizes in a row of results")
            contrary = iter(_numbers(row, "contrary"))
            for seed, letter, size in zip(block.seeds, letters, sizes, strict=True):
                outcome = _outcome(letter)
                against = next(contrary) if outcome is Outcome.SILENT else None
                yield Ended(seed, outcome, None if size is None else Fraction(size), against)


def _outcome(letter: str) -> Outcome | None:
    """The outcome that a letter stands for; raise `SteelError` if there is none."""
    if letter == NOTICED:
        return None
    if letter not in _OUTCOMES:
        raise SteelError(f"the letter {letter} in a row of results: expected one that is known")
    return _OUTCOMES[letter]


def _numbers(row: Row, field: str) -> list[int]:
    listed = row[field]
    if not isinstance(listed, list) or not all(isinstance(number, int) for number in listed):
        raise SteelError(f"{field} = {listed} in a row of results: expected whole numbers")
    return [number for number in listed if isinstance(number, int)]
