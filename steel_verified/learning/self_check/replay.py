"""Replays the whole run in the model: F must have classifiers that read every row as its state.

If all conditions hold and the model is right, then all rows to which the model assigns one state
show this state, and F has a classifier that is 1 on them and 0 on all other rows: claim S.T12. So
if F has none for some state, a condition is violated. This is certain: no share of α is spent on
it.

The state in which the run began is not known, so every state is tried. A run may also have entered
a part of the world that it cannot leave. Then it is enough that the model explains the rows after
that, and that none of its classifiers is 1 on the rows before: claim S.T13. Only a few rows are
tried as the first one after that (`_after_the_fall`). So a right model may be refused in such a
world, in which a condition is violated: not every state reaches every other.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from steel_verified.evidence.entries import Ran
from steel_verified.evidence.observed import are_told_apart, glimpses, merged
from steel_verified.learning.located import Validating, looks_at_validation
from steel_verified.learning.looped import Touring, looks_at_tour
from steel_verified.learning.results import Accepted
from steel_verified.learning.self_check.rows import labels_found
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.self_check import rounds, rows_of_call, rows_on_the_way

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.observed import Glimpse, Loop
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.learning import located, looped
    from steel_verified.learning.model import Model

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Trail(Generic[Summary]):
    """A sequence of actions that leads to a label, and rows seen on the way."""

    before: int | None
    """The label at the start, or None if it is not known."""
    actions: Word
    after: int
    """The label at the end."""
    seen: tuple[tuple[int, Glimpse[Summary]], ...]
    """For each row, the number of actions before it, and the row; in order."""


@dataclass(frozen=True, slots=True)
class Traced(Generic[Summary]):
    """The rows that are kept of a run for the replay."""

    known: tuple[tuple[int, Glimpse[Summary]], ...] = ()
    """Rows whose label is known."""
    trails: tuple[Trail[Summary], ...] = ()
    steps: tuple[tuple[int, Glimpse[Summary]], ...] = ()
    """Rows of a located run with their steps; they become a trail when the run is accepted."""

    def __add__(self, other: Traced[Summary]) -> Traced[Summary]:
        return Traced(
            self.known + other.known, self.trails + other.trails, self.steps + other.steps
        )


@dataclass(frozen=True, slots=True)
class Explained:
    """F can read the kept rows of a run as states of its model."""

    left: int | None = None
    """If the run entered a part that it cannot leave: the last step seen in the part before."""


def explained(
    oracle: Oracle[Batch, Summary, Classifier], model: Model, traced: Traced[Summary]
) -> Explained | None:
    """Return how F can read all kept rows as states of a finished model, or None if it cannot.

    At most one trail begins at an unknown label.
    """
    table = np.array(model.table, dtype=np.int64)
    parts: list[list[Glimpse[Summary]]] = [[] for _ in range(model.states)]
    for label, glimpse in traced.known:
        parts[label].append(glimpse)
    unknown = []
    for trail in traced.trails:
        if trail.before is None:
            unknown.append(trail)
        else:
            (labels,) = _labels(table, trail, 0, np.array([trail.before]), begin=0)
            for label, (_, glimpse) in zip(labels, trail.seen, strict=True):
                parts[label].append(glimpse)
    states = [merged(oracle, of_label) for of_label in parts]
    if not unknown:
        return Explained() if are_told_apart(oracle, states, merged(oracle, ())) else None
    (trail,) = unknown
    if _is_read(oracle, table, trail, states, 0):
        return Explained()
    first = _after_the_fall(oracle, table, trail, states)
    return None if first is None else Explained(left=trail.seen[first - 1][0])


def _after_the_fall(
    oracle: Oracle[Batch, Summary, Classifier],
    table: NDArray[np.int64],
    trail: Trail[Summary],
    states: Sequence[Glimpse[Summary]],
) -> int | None:
    """Return the first row from which on the model explains all rows, and none before, or None."""
    low, high = 0, len(trail.seen)
    while high - low > 1:  # The later the first row, the fewer rows must be explained.
        middle = (low + high) // 2
        if _is_read(oracle, table, trail, states, middle):
            high = middle
        else:
            low = middle
    last = min(len(trail.seen), high + 2 * len(table))
    firsts = (
        first
        for first in range(high, last + 1)
        if _is_read(oracle, table, trail, states, first, outside=trail.seen[:first])
    )
    return next(firsts, None)


def _is_read(
    oracle: Oracle[Batch, Summary, Classifier],
    table: NDArray[np.int64],
    trail: Trail[Summary],
    states: Sequence[Glimpse[Summary]],
    first: int,
    outside: Sequence[tuple[int, Glimpse[Summary]]] = (),
) -> bool:
    """Return whether F can read the rows from number `first` on, for some state of that row."""
    none_of_them = merged(oracle, (glimpse for _, glimpse in outside))
    rest = [glimpse for _, glimpse in trail.seen[first:]]
    for labels in _possible(table, trail, first):
        parts = [[state] for state in states]
        for label, glimpse in zip(labels, rest, strict=True):
            parts[label].append(glimpse)
        if are_told_apart(oracle, [merged(oracle, part) for part in parts], none_of_them):
            return True
    return False


def _possible(
    table: NDArray[np.int64], trail: Trail[Summary], first: int
) -> Iterable[tuple[int, ...]]:
    """Return the labels of the rows from number `first` on, for each possible beginning.

    The whole run begins before its first action, in any state. If the rows before number `first`
    are left out, that row may have any label.
    """
    starts = np.arange(len(table))
    later = trail.seen[first][0] if first < len(trail.seen) else len(trail.actions)
    begin = later if first else 0
    here = starts
    for action in trail.actions[begin:]:
        here = table[here, action]
    possible = starts[here == trail.after]
    return dict.fromkeys(_labels(table, trail, first, possible, begin))


def _labels(
    table: NDArray[np.int64],
    trail: Trail[Summary],
    first: int,
    starts: NDArray[np.int64],
    begin: int,
) -> Iterator[tuple[int, ...]]:
    """Yield the labels of the rows from number `first` on, for each label after `begin` actions."""
    here, done, found = starts, begin, []
    for time, _ in trail.seen[first:]:
        for action in trail.actions[done:time]:
            here = table[here, action]
        done = time
        found.append(here)
    rows = np.array(found, dtype=np.int64).reshape(len(found), len(starts))
    return map(tuple, rows.T.tolist())


def with_looped(
    traced: Traced[Summary],
    before: looped.State[Summary, Classifier],
    after: looped.State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> Traced[Summary]:
    """Add the rows of a plan of the paper's algorithm, if a call or the tour has ended."""
    recipe, word = after.recipe, loop.plan.word
    p, calls = recipe.parameters, recipe.parameters.max_states * recipe.parameters.actions
    if (labels := labels_found(after.ledger)) is not None:
        last = loop.plan.done + loop.plan.steps
        actions = word * (p.max_states - 1)
        times = rounds(len(labels), max(1, len(actions)), last, rows_of_call(calls))
        on_the_way = range(
            1, min(len(actions), rows_on_the_way(oracle.declared.row_bytes) // calls) + 1
        )
        seen = glimpses(loop, oracle, [(Progression(time),) for time in on_the_way])
        end = labels[len(actions) % len(labels)]
        trail = Trail(before.current, actions, end, tuple(zip(on_the_way, seen, strict=True)))
        return traced + Traced(by_label(loop, oracle, labels, times), (trail,))
    if isinstance(before.stage, Touring):
        looks = looks_at_tour(before, before.stage)
        return traced + Traced(by_label(loop, oracle, looks.cycle, looks.again))
    return traced


def with_located(
    traced: Traced[Summary],
    before: located.State[Summary, Classifier],
    after: located.State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> Traced[Summary]:
    """Add the rows of a plan of located STEEL; of validations, only of the one that passed."""
    if isinstance(before.stage, Validating):
        if not isinstance(after.stage, Accepted):
            return traced
        looks = looks_at_validation(before, before.stage)
        runs = [each for each in after.ledger.entries if isinstance(each, Ran)]
        actions = tuple(
            each.word[(each.done + step) % len(each.word)]
            for each in runs
            if each.start < loop.start
            for step in range(each.steps)
        )
        trail = Trail(None, actions, before.stage.home, traced.steps)
        return Traced(by_label(loop, oracle, looks.cycle, looks.again), (trail,))
    if len(traced.steps) >= rows_on_the_way(oracle.declared.row_bytes):
        return traced
    done = loop.plan.done
    times = range(done + 1, done + loop.plan.steps + 1)
    seen = glimpses(loop, oracle, [(Progression(time),) for time in times])
    steps = (loop.start + time for time in times)
    return Traced(steps=(*traced.steps, *zip(steps, seen, strict=True)))


def by_label(
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    cycle: tuple[int, ...],
    times: tuple[int, ...],
) -> tuple[tuple[int, Glimpse[Summary]], ...]:
    """Return the rows at these times, grouped by label; the visits of a place are evenly spaced."""
    at: dict[int, list[int]] = {}
    for time in times:
        at.setdefault(time % len(cycle), []).append(time)
    datasets: dict[int, list[Progression]] = {}
    for place, visits in at.items():
        again = (Level(len(visits), visits[1] - visits[0]),) if len(visits) > 1 else ()
        datasets.setdefault(cycle[place], []).append(Progression(visits[0], again))
    seen = glimpses(loop, oracle, [tuple(pieces) for pieces in datasets.values()])
    return tuple(zip(datasets, seen, strict=True))
