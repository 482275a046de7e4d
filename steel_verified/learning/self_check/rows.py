"""Keeps rows of a run for its self-check; the learner does not see them.

In a looped run the times are fixed by the parameters and the verdicts. So, unless a verdict was
wrong, neither the times nor their labels depend on the noise. In a located run this holds only for
the validation that passed.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.entries import LabelsFound, Ran
from steel_verified.evidence.observed import keep
from steel_verified.learning.graph import visits
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.self_check import DENSE_ROWS, MOST_ON_THE_WAY, MOST_ROWS, rounds, windows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import KeptRows, Loop
    from steel_verified.evidence.oracle import Declared, Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.model import Model

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Watched:
    """Rows of one loop: at each time two rows, that of the time and the next."""

    word: Word
    cycle: tuple[int, ...]
    """`cycle[t % len(cycle)]` is the label after step t of the loop."""
    start: int
    """The number of steps of the trajectory before the loop."""
    times: tuple[int, ...]
    rows: KeptRows
    dense_from: int = 0
    dense: KeptRows | None = None
    """Consecutive rows at the end of a call of CycleFind; used only to find causes."""


def transitions_of(loops: Sequence[Watched]) -> set[tuple[int, int]]:
    """Return the states and actions of all transitions that these loops take."""
    return {
        (loop.cycle[step % len(loop.cycle)], loop.word[step % len(loop.word)])
        for loop in loops
        for step in range(lcm(len(loop.cycle), len(loop.word)))
    }


@dataclass(frozen=True, slots=True)
class Tested:
    """The step at which the times of a self-check were fixed, and its false-alarm chance."""

    fixed_at: int
    level: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """The rows that were kept besides the ledger, and their format."""

    declared: Declared
    loops: tuple[Watched, ...] = ()
    tested: Tested | None = None
    """Describes the self-check that was made with these rows, if there was one."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The times at which the self-check keeps rows of a walk; they are fixed before it begins."""

    cycle: tuple[int, ...]
    """`cycle[t % len(cycle)]` is the label after step t of the walk."""
    first: int
    last: int
    mixing_time: int

    @property
    def times(self) -> tuple[int, ...]:
        """The times at which a row and the next one are kept."""
        return windows(self.cycle, self.first, self.last, self.mixing_time, MOST_ROWS // 2)

    @property
    def again(self) -> tuple[int, ...]:
        """The times whose rows are used in the replay, not as samples; also in the first pass."""
        return rounds(len(self.cycle), 1, self.last, MOST_ON_THE_WAY)

    def rows(self, done: int, steps: int) -> tuple[Progression, ...]:
        """Return the rows that are kept among the `steps` steps after the first `done`."""
        rows = {row for time in self.times for row in (time, time + 1)}.union(self.again)
        return tuple(Progression(row) for row in sorted(rows) if done < row <= done + steps)


def looks_after_first_pass(cycle: tuple[int, ...], passes: int, mixing_time: int) -> Looks:
    """Return times in all passes of a walk but the first, after which the noise has mixed."""
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
    """Keep the first and the last rows of a call of CycleFind that contradicts a condition."""
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
    """Keep the rows of a walk at the times of `looks`, if there are any."""
    if not (times := looks.times):
        return ()
    (kept,) = keep(loop, oracle, _two_rows(times))
    return (Watched(loop.plan.word, looks.cycle, loop.start, times, kept),)


def cycle_of_walk(model: Model, home: int, walk: Word) -> tuple[int, ...]:
    """Return the label after each step of a closed walk: `cycle[t % len(walk)]` after step t."""
    *on_the_way, back = visits(model, home, walk)
    return back, *on_the_way


def _two_rows(times: tuple[int, ...]) -> tuple[Progression, ...]:
    return tuple(Progression(time, (Level(2, 1),)) for time in times)


def labels_found(ledger: Ledger) -> tuple[int, ...] | None:
    """Return the labels of the call that ended with the last plan, or None."""
    for entry in reversed(ledger.entries):
        if isinstance(entry, Ran):
            return None
        if isinstance(entry, LabelsFound):
            return entry.labels
    return None
