"""What a run did and why, row by row: the evidence from which a certificate is made.

Nothing observed is in it. Unless a verdict was wrong, it is the same whatever the noise was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from steel_verified.theory.schedules import FixedByParameters, FixedByVerdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.learning.plans import Plan, Word
    from steel_verified.theory.budget import Budget, Charge
    from steel_verified.theory.schedules import SeparatedTimes, WhyFixed


class Transition(NamedTuple):
    """T'(state, action) = to."""

    state: int
    action: int
    to: int


@dataclass(frozen=True, slots=True)
class Ran:
    """A plan was run, from this step of the whole trajectory on."""

    start: int
    plan: Plan


@dataclass(frozen=True, slots=True)
class Certified:
    """A verdict of the oracle became a decision, at a price.

    `because` says on which earlier verdicts the times of the samples depend.
    """

    number: int
    question: str
    answer: tuple[int, ...]
    charge: Charge
    because: WhyFixed


@dataclass(frozen=True, slots=True)
class Kept:
    """D(label) now holds samples of exactly these times, counted over the whole trajectory."""

    label: int
    times: SeparatedTimes


@dataclass(frozen=True, slots=True)
class Added:
    """These transitions were added to the model; the learner is now in state `current`."""

    transitions: tuple[Transition, ...]
    current: int


Row = Ran | Certified | Kept | Added


@dataclass(frozen=True, slots=True)
class Ledger:
    """Append-only rows, and the budget that the certified ones have drawn on."""

    budget: Budget
    rows: tuple[Row, ...] = ()

    def write(self, *rows: Ran | Kept | Added) -> Ledger:
        """Return the ledger with more rows. Certified rows are written by `omega.certify` alone."""
        return replace(self, rows=self.rows + rows)

    @property
    def verdicts(self) -> int:
        """How many verdicts have been certified."""
        return sum(isinstance(row, Certified) for row in self.rows)

    @property
    def steps(self) -> int:
        """How many steps have been taken."""
        return sum(row.plan.steps for row in self.rows if isinstance(row, Ran))

    def because(self) -> WhyFixed:
        """The reason for whatever is fixed by the parameters and all verdicts so far."""
        return FixedByVerdicts(self.verdicts) if self.verdicts else FixedByParameters()

    def calls(self) -> Iterator[Call]:
        """Every call of CycleFind, in order."""
        rows: list[Row] = []
        for row in self.rows:
            rows.append(row)
            if isinstance(row, Added):
                yield _call(rows, row)
                rows = []


@dataclass(frozen=True, slots=True)
class Call:
    """One call of CycleFind, read off a ledger."""

    runs: tuple[Ran, ...]
    finding: Certified | None
    """How the period was found; None if there was nothing to test (N = 1)."""
    naming: Certified
    """Which state was found at each position of the cycle."""
    kept: tuple[Kept, ...]
    """The datasets of the states that were new."""
    added: Added

    @property
    def word(self) -> Word:
        """â."""
        return self.runs[0].plan.word

    @property
    def labels(self) -> tuple[int, ...]:
        """The state at each position of the cycle."""
        return self.naming.answer

    @property
    def period(self) -> int:
        """n_cyc."""
        return len(self.labels) // len(self.word)

    @property
    def steps(self) -> int:
        """How many steps the call took: max(c, c_init)."""
        return sum(run.plan.steps for run in self.runs)


def _call(rows: list[Row], added: Added) -> Call:
    verdicts = {row.question: row for row in rows if isinstance(row, Certified)}
    return Call(
        runs=tuple(row for row in rows if isinstance(row, Ran)),
        finding=verdicts.get("period"),
        naming=verdicts["labels"],
        kept=tuple(row for row in rows if isinstance(row, Kept)),
        added=added,
    )
