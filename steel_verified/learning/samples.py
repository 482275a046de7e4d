"""The samples of each label on which the self-check bets.

Probes are yes-or-no measurements of a row, such as the value of a classifier: see
`evidence/kept_rows.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.learning.watching import Watched

FEW_PROBES: Final = 24
"""With at most this many probes, all pairs of probes are symbols, too."""
_FAR: Final = 1 << 62
_MANY_ACTIONS: Final = 1 << 32


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """All samples of one label in order of time, at times that were fixed beforehand."""

    label: int
    times: NDArray[np.int64]
    """The time of each sample, counted from the step at which all times were fixed."""
    loops: NDArray[np.int64]
    """The number of the loop of each sample."""
    within: NDArray[np.int64]
    """The time within that loop."""
    lengths: NDArray[np.int64]
    """The length of the word of that loop."""
    ways: NDArray[np.int64]
    """The label and the action before the sample, as one number."""
    after: NDArray[np.int64]
    """The label one step later."""
    now: NDArray[np.bool_]
    """The probes at each time; `later` has those one step later."""
    later: NDArray[np.bool_]
    columns: NDArray[np.int64]
    """The numbers of these probes."""
    probes: int
    """The number of all probes. If there are many, those that never change are omitted."""

    def every(self, stride: int) -> Samples:
        """Return every `stride`-th sample; the first is as late as the others are apart."""
        chosen = np.arange(0, len(self.times), stride)
        apart = np.diff(self.times[chosen]).min(initial=_FAR)
        return self.only(chosen[self.times[chosen] >= apart])

    def only(self, chosen: NDArray[np.int64]) -> Samples:
        return Samples(
            self.label,
            self.times[chosen],
            self.loops[chosen],
            self.within[chosen],
            self.lengths[chosen],
            self.ways[chosen],
            self.after[chosen],
            self.now[chosen],
            self.later[chosen],
            self.columns,
            self.probes,
        )

    def mixing_times(self, mixing_time: int, width: int) -> int:
        """Return how many mixing times lie before each sample of `width` rows. Claim S.T06."""
        between = int(np.diff(self.times).min()) - width + 1
        return min(between, int(self.times[0])) // mixing_time


def samples_of(
    watched: Sequence[Watched], probes: Sequence[NDArray[np.bool_]], fixed_at: int
) -> tuple[Samples, ...]:
    """Return the samples of each label; `probes` are those of the kept rows of each loop.

    The times do not depend on anything seen after step `fixed_at` of the trajectory.
    """
    loops, within, starts, lengths, ways, labels, after = (
        np.concatenate(column)
        for column in zip(*map(_columns, range(len(watched)), watched), strict=True)
    )
    rows = np.concatenate(probes)
    many = rows.shape[1]
    found = []
    for label in np.unique(labels).tolist():
        here = np.flatnonzero(labels == label)
        now, later = rows[2 * here], rows[2 * here + 1]
        columns = np.arange(many) if many <= FEW_PROBES else _changing(now, later)
        found.append(
            Samples(
                label,
                starts[here] + within[here] - fixed_at,
                loops[here],
                within[here],
                lengths[here],
                ways[here],
                after[here],
                now[:, columns],
                later[:, columns],
                columns,
                many,
            )
        )
    return tuple(found)


def _changing(now: NDArray[np.bool_], later: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the probes that show both values. A bet on any other single probe cannot be won.

    If only one symbol was seen, `most_likely` is 1, and `forecast` is at most 1 because it is a
    probability. So the bet pays at most 1, and to win it must pay the number of bets divided by α,
    which is more than 1.
    """
    every = now.all(axis=0) & later.all(axis=0)
    some = now.any(axis=0) | later.any(axis=0)
    return np.flatnonzero(some & ~every)


def _columns(number: int, each: Watched) -> tuple[NDArray[np.int64], ...]:
    times = np.array(each.times)
    cycle = np.array(each.cycle)
    many = len(times)
    return (
        np.full(many, number),
        times,
        np.full(many, each.start),
        np.full(many, len(each.word)),
        cycle[(times - 1) % len(cycle)] * _MANY_ACTIONS
        + np.array(each.word)[(times - 1) % len(each.word)],
        cycle[times % len(cycle)],
        cycle[(times + 1) % len(cycle)],
    )
