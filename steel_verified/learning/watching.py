"""What is kept of a run for its self-check, beside the learner and unknown to it.

In a looped run the times are fixed by the parameters and the verdicts. So unless a verdict was
wrong they do not depend on the noise, and neither do the labels that belong to them. In a located
run this holds only for the validation that passed.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.kept_rows import keep
from steel_verified.learning.words import visits
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.self_check import DENSE_ROWS, MOST_ROWS, windows

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.kept_rows import KeptRows
    from steel_verified.evidence.oracle import Declared, Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.evidence.recording import Loop
    from steel_verified.learning.model import Model

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Watched:
    """Rows of one loop: at each time two of them, that one and the next."""

    word: Word
    cycle: tuple[int, ...]
    """`cycle[t % len(cycle)]` is the label after step t of the loop."""
    start: int
    """The steps of the trajectory before the loop."""
    times: tuple[int, ...]
    rows: KeptRows
    dense_from: int = 0
    dense: KeptRows | None = None
    """Rows at the end of a call of CycleFind, one after the other; used to find causes only."""


@dataclass(frozen=True, slots=True)
class Tested:
    """When the times of a self-check were fixed, and the chance of a false alarm that it took."""

    fixed_at: int
    level: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What was kept of a run beside its ledger: rows of its loops, and what a row consists of."""

    declared: Declared
    loops: tuple[Watched, ...] = ()
    tested: Tested | None = None
    """Of the self-check that was made with these rows, if there was one."""


@dataclass(frozen=True, slots=True)
class Looks:
    """When a walk is looked at, which is fixed before it begins."""

    cycle: tuple[int, ...]
    """`cycle[t % len(cycle)]` is the label after step t of the walk."""
    first: int
    last: int
    mixing_time: int

    @property
    def times(self) -> tuple[int, ...]:
        """At each of these times the row is kept, and the next one."""
        return windows(self.cycle, self.first, self.last, self.mixing_time, MOST_ROWS // 2)

    def rows(self, done: int, steps: int) -> tuple[Progression, ...]:
        """The rows that are kept among so many steps after `done` others."""
        rows = {row for time in self.times for row in (time, time + 1)}
        return tuple(Progression(row) for row in sorted(rows) if done < row <= done + steps)


def looks_after_first_pass(cycle: tuple[int, ...], passes: int, mixing_time: int) -> Looks:
    """Look at all passes of a walk but the first, after which the noise has mixed."""
    return Looks(cycle, len(cycle) + 1, passes * len(cycle), mixing_time)


def of_call(
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    labels: tuple[int, ...],
    *,
    settled: int,
    mixing_time: int,
    rows: int,
) -> tuple[Watched, ...]:
    """Keep rows of a call of CycleFind that is in its cycle from step `settled` on, if any."""
    last = loop.plan.done + loop.plan.steps
    times = windows(labels, settled, last, mixing_time, rows // 2)
    if not times:
        return ()
    many = min(DENSE_ROWS, last - settled + 1)
    dense_from = last - many + 1
    every = Progression(dense_from, (Level(many, 1),))
    kept, dense = keep(loop, oracle, _two_rows(times), (every,))
    return (Watched(loop.plan.word, labels, loop.start, times, kept, dense_from, dense),)


def of_failed_call(
    loop: Loop[Batch], oracle: Oracle[Batch, Summary, Classifier], settled: int
) -> tuple[Watched, ...]:
    """Keep the first rows and the last of a call of CycleFind that contradicts a condition."""
    last = loop.plan.done + loop.plan.steps
    many = min(DENSE_ROWS, last - settled + 1)
    if many < 1:
        return ()
    begins = (settled, last - many + 1)
    dense = keep(loop, oracle, *((Progression(at, (Level(many, 1),)),) for at in begins))
    return tuple(
        Watched(loop.plan.word, (), loop.start, (), rows, at, rows)
        for at, rows in zip(begins, dense, strict=True)
    )


def of_walk(
    loop: Loop[Batch], oracle: Oracle[Batch, Summary, Classifier], looks: Looks
) -> tuple[Watched, ...]:
    """Keep the rows of a walk that were to be looked at, if there are any."""
    if not (times := looks.times):
        return ()
    (kept,) = keep(loop, oracle, _two_rows(times))
    return (Watched(loop.plan.word, looks.cycle, loop.start, times, kept),)


def cycle_of_walk(model: Model, home: int, walk: Word) -> tuple[int, ...]:
    """The label after each step of a walk that comes back: `cycle[t % len(walk)]` after step t."""
    *on_the_way, back = visits(model, home, walk)
    return back, *on_the_way


def _two_rows(times: tuple[int, ...]) -> tuple[Progression, ...]:
    return tuple(Progression(time, (Level(2, 1),)) for time in times)
