"""Replays the whole run in the model: F must have classifiers that read every row as its state.

If all conditions hold and the model is right, then all rows to which the model assigns one state
show this state, and F has a classifier that is 1 on them and 0 on all other rows: claim S.T12. So
if F has none for some state, a condition is violated. This is certain: no share of α is spent on
it.

The state in which the run began, before its first action, is not known, so every state is tried. A
run may also have entered a part of the world that it cannot leave. Then it is enough that the model
explains the rows after that, and that none of its classifiers is 1 on the rows before: claim S.T13.
Only a few rows are tried as the first one after that (`_after_the_fall`), and none if the first
action entered that part. So a right model may be refused in such a world, in which a condition is
violated: not every state reaches every other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from steel_verified.evidence.observed import are_told_apart, pooled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Word
    from steel_verified.evidence.sealed import Pool
    from steel_verified.learning.model import Model

Batch = TypeVar("Batch", bound=Sized)


@dataclass(frozen=True, slots=True)
class Trail:
    """A sequence of actions that leads to a label, and rows seen on the way."""

    before: int | None
    """The label at the start, or None if it is not known."""
    actions: Word
    after: int
    """The label at the end."""
    seen: tuple[tuple[int, Pool], ...]
    """For each row, the number of actions before it, and the row; in order."""


@dataclass(frozen=True, slots=True)
class ToReplay:
    """The rows that are kept of a run for the replay."""

    known: tuple[tuple[int, Pool], ...] = ()
    """Rows whose label is known."""
    trails: tuple[Trail, ...] = ()

    def __add__(self, other: ToReplay) -> ToReplay:
        return ToReplay(self.known + other.known, self.trails + other.trails)


@dataclass(frozen=True, slots=True)
class Explained:
    """F can read the kept rows of a run as states of its model."""

    left: int | None = None
    """If the run entered a part that it cannot leave: the last step seen in the part before."""


def explained(oracle: Class[Batch], model: Model, kept: ToReplay) -> Explained | None:
    """Return how F can read all kept rows as states of a finished model, or None if it cannot.

    At most one trail begins at an unknown label.
    """
    table = np.array(model.table, dtype=np.int64)
    parts: list[list[Pool]] = [[] for _ in range(model.states)]
    for label, glimpse in kept.known:
        parts[label].append(glimpse)
    unknown = []
    for trail in kept.trails:
        if trail.before is None:
            unknown.append(trail)
        else:
            (labels,) = _labels(table, trail, 0, np.array([trail.before]), begin=0)
            for label, (_, glimpse) in zip(labels, trail.seen, strict=True):
                parts[label].append(glimpse)
    states = [[pooled(oracle, of_label)] if of_label else [] for of_label in parts]
    if not unknown:
        return Explained() if are_told_apart(oracle, states) else None
    (trail,) = unknown
    if _is_read(oracle, table, trail, states, 0):
        return Explained()
    first = _after_the_fall(oracle, table, trail, states)
    return None if first is None else Explained(left=trail.seen[first - 1][0])


def _after_the_fall(
    oracle: Class[Batch],
    table: NDArray[np.int64],
    trail: Trail,
    states: Sequence[Sequence[Pool]],
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
    oracle: Class[Batch],
    table: NDArray[np.int64],
    trail: Trail,
    states: Sequence[Sequence[Pool]],
    first: int,
    outside: Sequence[tuple[int, Pool]] = (),
) -> bool:
    """Return whether F can read the rows from number `first` on, for some state of that row."""
    for labels in _possible(table, trail, first):
        parts = [list(state) for state in states]
        for label, (_, glimpse) in zip(labels, trail.seen[first:], strict=True):
            parts[label].append(glimpse)
        if are_told_apart(oracle, parts, [glimpse for _, glimpse in outside]):
            return True
    return False


def _possible(table: NDArray[np.int64], trail: Trail, first: int) -> Iterable[tuple[int, ...]]:
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
    trail: Trail,
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
