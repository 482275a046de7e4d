"""Group observations: observations that a class cannot distinguish belong to one state.

Two sets of observations, each from one state, are *apart* if the class has a separating classifier
in both directions. If they are not apart, they come from the same state, provided that each state
has its own classifier. If they are apart, nothing follows, so one state may have several groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import lcm
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.oracle import Oracle

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

LONGEST_PERIOD: Final = 12
_ENOUGH: Final = 40
"""A group with this many observations should not be apart from another group of its state."""
_MOST_KEPT: Final = 60
"""The largest number of observations of a cycle that are kept; more cost time and add little."""


@dataclass(slots=True)
class _Pool(Generic[Summary]):
    """A group: its summary, how many observations the summary has, and how many the group had."""

    seen: Summary
    kept: int
    visits: int


class Groups(Generic[Batch, Summary, Classifier]):
    """Groups of observations, and where actions lead from each group, updated along a walk."""

    def __init__(self, oracle: Oracle[Batch, Summary, Classifier]) -> None:
        self._oracle = oracle
        self._pools: dict[int, _Pool[Summary]] = {}
        self._leads: dict[tuple[int, int], int] = {}
        self._made = 0
        self.foreseen: int = 0
        """The number of steps for which a large group was predicted."""
        self.surprises: int = 0
        """The number of these steps that showed another large group instead."""

    def __len__(self) -> int:
        return len(self._pools)

    def visited(self, times: int) -> int:
        """How many groups were seen at least this many times."""
        return sum(pool.visits >= times for pool in self._pools.values())

    def add_cycle(self, action: int, rows: Sequence[Summary], period: int) -> None:
        """Add the observations of one repeated action, whose states recur with this period."""
        classes = [self._whole(rows[phase::period]) for phase in range(period)]
        numbers = [self._place(pool) for pool in classes]
        for here, there in zip(numbers, numbers[1:] + numbers[:1], strict=True):
            if here in self._pools and there in self._pools:
                self._leads[here, action] = there

    def add(self, row: Summary, before: int | None, action: int) -> int:
        """The group of an observation that follows an action in a group, if that group is known.

        If the action is known to lead to a group, the observation is added to that group, unless
        it is apart from that group and not apart from another large group.
        """
        foreseen = None if before is None else self._leads.get((before, action))
        if foreseen is None:
            found = self._place(_Pool(row, 1, 1))
            if before in self._pools:
                self._leads[before, action] = found
            return found
        pool = self._pools[foreseen]
        if pool.kept < _ENOUGH:
            self._grow(pool, row)
            return foreseen
        self.foreseen += 1
        if not self._apart(pool.seen, row):
            pool.visits += 1
            return foreseen
        others = (n for n, one in self._pools.items() if n != foreseen and one.kept >= _ENOUGH)
        other = next((n for n in others if not self._apart(self._pools[n].seen, row)), None)
        if other is None:
            self._grow(pool, row)
            return foreseen
        self.surprises += 1
        self._pools[other].visits += 1
        return other

    def _place(self, pool: _Pool[Summary]) -> int:
        """Merge a pool with all groups from which it is not apart; return the resulting group."""
        same = [n for n, other in self._pools.items() if not self._apart(other.seen, pool.seen)]
        if not same:
            self._made += 1
            self._pools[self._made] = pool
            return self._made
        first, *others = same
        for other in others:
            self._join(first, other)
        self._grow(self._pools[first], pool.seen, pool.kept)
        return first

    def _join(self, one: int, other: int) -> None:
        gone = self._pools.pop(other)
        self._grow(self._pools[one], gone.seen, gone.kept)
        self._pools[one].visits += gone.visits - gone.kept
        moved = {
            (one if here == other else here, action): one if there == other else there
            for (here, action), there in self._leads.items()
        }
        self._leads = moved

    def _grow(self, pool: _Pool[Summary], seen: Summary, rows: int = 1) -> None:
        pool.visits += rows
        pool.kept += rows
        pool.seen = self._oracle.merge(pool.seen, seen)

    def _whole(self, rows: Sequence[Summary]) -> _Pool[Summary]:
        last = rows[-_MOST_KEPT:]
        return _Pool(reduce(self._oracle.merge, last), len(last), len(rows))

    def _apart(self, one: Summary, other: Summary) -> bool:
        return apart(self._oracle, one, other)


def apart(oracle: Oracle[Batch, Summary, Classifier], one: Summary, other: Summary) -> bool:
    """Whether the class can separate two sets of observations in both directions."""
    forth, back = oracle.separating(one, other), oracle.separating(other, one)
    return forth is not None and back is not None


def different_outcomes(
    oracle: Oracle[Batch, Summary, Classifier], rows: Sequence[Summary], taken: Sequence[int]
) -> tuple[int, int]:
    """Count pairs of steps with the same action in the same state, and those that led apart.

    `taken[t]` is the action after which `rows[t]` was observed.
    """
    pairs = differing = 0
    for later in range(2, len(rows)):
        for earlier in range(1, later):
            alike = taken[earlier] == taken[later]
            if alike and not apart(oracle, rows[earlier - 1], rows[later - 1]):
                pairs += 1
                differing += apart(oracle, rows[earlier], rows[later])
    return pairs, differing


def period_of(oracle: Oracle[Batch, Summary, Classifier], rows: Sequence[Summary]) -> int | None:
    """A multiple of the period with which states recur, or None if no small one fits.

    If the period is m, the rows fall into m classes of different states, and each class can be
    separated from all others together. A candidate m for which this fails is refuted.
    """
    possible = [1]
    for period in range(2, LONGEST_PERIOD + 1):
        classes = [reduce(oracle.merge, rows[phase::period]) for phase in range(period)]
        others = [
            reduce(oracle.merge, (c for n, c in enumerate(classes) if n != phase))
            for phase in range(period)
        ]
        pairs = zip(others, classes, strict=True)
        if all(oracle.separating(rest, one) is not None for rest, one in pairs):
            possible.append(period)
    multiple = lcm(*possible)
    return multiple if multiple <= LONGEST_PERIOD else None
