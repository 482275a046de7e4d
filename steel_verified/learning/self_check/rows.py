"""What is kept of a run for its self-check, besides the ledger; the learner does not see it.

`SelfCheckRows` observes a run. In a looped run the times at which it keeps rows are fixed by the
parameters and the verdicts. So, unless a verdict was wrong, neither the times nor their labels
depend on the noise. In a located run this holds only for the validation that passed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass, field
from fractions import Fraction  # noqa: TC003 (msgspec reads it in files of findings)
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from steel_verified.evidence.entries import Ran
from steel_verified.evidence.observed import glimpses, keep
from steel_verified.learning import located, looped
from steel_verified.learning.graph import visits
from steel_verified.learning.located import Validating
from steel_verified.learning.looped import Touring
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.learning.self_check.replay import ToReplay, Trail
from steel_verified.theory.counts import settling_time
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.self_check import (
    DENSE_ROWS,
    MOST_ON_THE_WAY,
    rounds,
    rows_of_call,
    rows_of_walk,
    rows_on_the_way,
    windows,
)

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class, Declared
    from steel_verified.evidence.plans import Plan, Word
    from steel_verified.evidence.sealed import KeptRows, Loop, Pool
    from steel_verified.learning.model import Model

Batch = TypeVar("Batch", bound=Sized)
State: TypeAlias = looped.State | located.State


@dataclass(frozen=True, slots=True)
class LoopRows:
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


def transitions_of(loops: Sequence[LoopRows]) -> set[tuple[int, int]]:
    """Return the states and actions of all transitions that these loops take."""
    return {
        (loop.cycle[step % len(loop.cycle)], loop.word[step % len(loop.word)])
        for loop in loops
        for step in range(lcm(len(loop.cycle), len(loop.word)))
    }


@dataclass(frozen=True, slots=True)
class Terms:
    """The step at which the times of a self-check were fixed, and its false-alarm chance."""

    fixed_at: int
    level: Fraction
    walks: int = 1
    """After how many fresh walks the run may be judged. Each has an equal share of the level."""

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise ValueError(f"the level {self.level} is not between 0 and 1")
        if self.walks not in (1, 2):
            raise ValueError(f"{self.walks} fresh walks are not 1 or 2")


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """The rows that were kept besides the ledger, and their format."""

    declared: Declared
    loops: tuple[LoopRows, ...] = ()
    tested: Terms | None = None
    """Describes the self-check that was made with these rows, if there was one."""


@dataclass(frozen=True, slots=True)
class WalkTimes:
    """The times at which rows of a closed walk are kept; they are fixed before it begins."""

    cycle: tuple[int, ...]
    """`cycle[t % len(cycle)]` is the label after step t of the walk."""
    first: int
    last: int
    mixing_time: int
    row_bytes: int

    @property
    def samples(self) -> tuple[int, ...]:
        """The times at which a row and the next one are kept, as samples."""
        most = rows_of_walk(self.row_bytes) // 2
        return windows(self.cycle, self.first, self.last, self.mixing_time, most)

    @property
    def replayed(self) -> tuple[int, ...]:
        """The times whose rows are used in the replay, not as samples; also in the first pass."""
        return rounds(len(self.cycle), 1, self.last, MOST_ON_THE_WAY)

    def of(self, plan: Plan) -> tuple[Progression, ...]:
        """Return the rows that are kept of a plan, which is a part of the walk."""
        every = _rows_of_walk(self)
        first, end = (bisect_right(every, time) for time in (plan.done, plan.done + plan.steps))
        return tuple(map(Progression, every[first:end]))


@lru_cache(maxsize=4)
def _rows_of_walk(times: WalkTimes) -> list[int]:
    rows = {row for time in times.samples for row in (time, time + 1)}
    return sorted(rows.union(times.replayed))


def cycle_of_walk(model: Model, home: int, walk: Word) -> tuple[int, ...]:
    """Return the label after each step of a closed walk: `cycle[t % len(walk)]` after step t."""
    *on_the_way, back = visits(model, home, walk)
    return back, *on_the_way


@dataclass(slots=True)
class SelfCheckRows(Generic[Batch]):
    """An observer of a run that keeps the rows for its self-check.

    Of a walk through a finished model (the tour of a looped run, the last validation of a located
    one) and of a call of CycleFind, whose labels are known when it ends, rows are kept as samples
    for the bets. Rows are also kept for the replay, as long as there is room.
    """

    oracle: Class[Batch]
    loops: tuple[LoopRows, ...] = ()
    replay: ToReplay = field(default_factory=ToReplay)
    steps: list[tuple[int, Pool]] = field(default_factory=list)
    """Rows of a located run with their steps; they become a trail when the run is accepted."""

    def rows(self, state: State, plan: Plan) -> tuple[Progression, ...]:
        """Return the rows of the next plan that are read besides those that it keeps anyway."""
        times = self._times(state)
        return () if times is None else times.of(plan)

    def observe(
        self,
        before: State,
        loop: Loop[Batch],
        after: State,
    ) -> None:
        """Keep rows of the plan that was run; those of a method that gave up are dropped."""
        if type(before) is not type(after):
            self.loops, self.replay, self.steps = (), ToReplay(), []
            return
        times = self._times(before)
        if times is not None:
            # A validation that failed is followed by others, so its rows are not independent.
            if isinstance(after.stage, Accepted | Contradicted):
                self._keep_walk(before, loop, times)
        elif isinstance(before, located.State):
            self._keep_steps(loop)
        elif isinstance(after.stage, Contradicted):
            self._keep_failed_call(loop, before.method.parameters.mixing_time)
        elif isinstance(after, looped.State) and len(after.cycles) > len(before.cycles):
            self._keep_call(before, loop, after.cycles[-1].labels)

    def _times(self, state: State) -> WalkTimes | None:
        """Return when rows of the next plan are kept if it is a walk through a finished model.

        Samples are taken in all passes but the first, after which the noise has mixed.
        """
        match state.stage:
            case Touring(home, walk, passes) if isinstance(state, looped.State):
                cycle = cycle_of_walk(state.model, home, walk)
            case Validating(validation, model, home=home):
                cycle = cycle_of_walk(model, home, validation.walk)
                passes = validation.passes + 1
            case _:
                return None
        mixing_time, row_bytes = state.method.parameters.mixing_time, self.oracle.declared.row_bytes
        return WalkTimes(cycle, len(cycle) + 1, passes * len(cycle), mixing_time, row_bytes)

    def _keep_walk(self, before: State, loop: Loop[Batch], times: WalkTimes) -> None:
        self.loops += samples_of_walk(loop, self.oracle, times)
        trails: tuple[Trail, ...] = ()
        if isinstance(before.stage, Validating):
            actions = _actions_before(loop.ledger, loop.start)
            trails = (Trail(None, actions, before.stage.home, tuple(self.steps)),)
        self.replay += ToReplay(by_label(loop, self.oracle, times.cycle, times.replayed), trails)

    def _keep_call(self, before: looped.State, loop: Loop[Batch], labels: tuple[int, ...]) -> None:
        """Keep rows of a call of CycleFind, and those on the way into its cycle for the replay."""
        p, word = before.method.parameters, loop.plan.word
        calls = p.max_states * p.actions
        settled, last = settling_time(p, len(word)), loop.plan.done + loop.plan.steps
        row_bytes = self.oracle.declared.row_bytes
        most = rows_of_call(calls, row_bytes) // 2
        samples = windows(labels, settled, last, p.mixing_time, most)
        if samples:
            dense_from = last - min(DENSE_ROWS, last - settled + 1) + 1
            rows, dense = keep(
                loop, self.oracle, _two_rows(samples), (Progression.every(dense_from, last),)
            )
            kept = LoopRows(word, labels, loop.start, samples, rows, dense_from, dense)
            self.loops += (kept,)
        actions = word * (p.max_states - 1)
        times = rounds(len(labels), max(1, len(actions)), last, rows_of_call(calls))
        room = rows_on_the_way(row_bytes) // calls
        seen = _one_by_one(loop, self.oracle, range(1, min(len(actions), room) + 1))
        trail = Trail(before.current, actions, labels[len(actions) % len(labels)], seen)
        self.replay += ToReplay(by_label(loop, self.oracle, labels, times), (trail,))

    def _keep_failed_call(self, loop: Loop[Batch], first: int) -> None:
        """Keep the first and the last rows of a call that contradicts a condition."""
        last = loop.plan.done + loop.plan.steps
        many = min(DENSE_ROWS, last - first + 1)
        if many < 1:
            return
        begins = (first, last - many + 1)
        dense = keep(loop, self.oracle, *((Progression.every(at, at + many - 1),) for at in begins))
        self.loops += tuple(
            LoopRows(loop.plan.word, (), loop.start, (), rows, at, rows)
            for at, rows in zip(begins, dense, strict=True)
        )

    def _keep_steps(self, loop: Loop[Batch]) -> None:
        """Keep each row of a plan for the replay, as long as there is room."""
        if len(self.steps) < rows_on_the_way(self.oracle.declared.row_bytes):
            done = loop.plan.done
            seen = _one_by_one(loop, self.oracle, range(done + 1, done + loop.plan.steps + 1))
            self.steps += [(loop.start + time, glimpse) for time, glimpse in seen]


def samples_of_walk(
    loop: Loop[Batch], oracle: Class[Batch], times: WalkTimes
) -> tuple[LoopRows, ...]:
    """Keep the samples of a walk, if there are any."""
    if not (samples := times.samples):
        return ()
    (kept,) = keep(loop, oracle, _two_rows(samples))
    return (LoopRows(loop.plan.word, times.cycle, loop.start, samples, kept),)


def by_label(
    loop: Loop[Batch],
    oracle: Class[Batch],
    cycle: tuple[int, ...],
    times: tuple[int, ...],
) -> tuple[tuple[int, Pool], ...]:
    """Return the rows at these times, grouped by label; the visits of a place are evenly spaced."""
    at: dict[int, list[int]] = {}
    for time in times:
        at.setdefault(time % len(cycle), []).append(time)
    datasets: dict[int, list[Progression]] = {}
    for place, visited in at.items():
        again = (Level(len(visited), visited[1] - visited[0]),) if len(visited) > 1 else ()
        datasets.setdefault(cycle[place], []).append(Progression(visited[0], again))
    seen = glimpses(loop, oracle, [tuple(pieces) for pieces in datasets.values()])
    return tuple(zip(datasets, seen, strict=True))


def _one_by_one(
    loop: Loop[Batch], oracle: Class[Batch], times: Iterable[int]
) -> tuple[tuple[int, Pool], ...]:
    """Return the row at each of these times, with the time."""
    asked = tuple(times)
    seen = glimpses(loop, oracle, [(Progression(time),) for time in asked])
    return tuple(zip(asked, seen, strict=True))


def _two_rows(times: tuple[int, ...]) -> tuple[Progression, ...]:
    return tuple(Progression(time, (Level(2, 1),)) for time in times)


def _actions_before(ledger: Ledger, step: int) -> Word:
    """Return the actions of all plans that began before this step."""
    return tuple(
        each.word[(each.done + taken) % len(each.word)]
        for each in ledger.entries
        if isinstance(each, Ran) and each.start < step
        for taken in range(each.steps)
    )
