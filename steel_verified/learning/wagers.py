"""The bets of the self-check, counted for all probes at once.

Each bet says: the symbol that a sample of a label shows depends on its context. A symbol is what
one probe shows, or two; a context is the loop in which the label was seen, the phase of the loop,
the half of the loop, or what a probe showed some samples before.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.learning.watching import Watched

FEW_PROBES: Final = 24
"""With at most so many probes all pairs of them are symbols, too."""
FEW_CONTEXTS: Final = 32
"""Bets on pairs of probes are made with at most so many contexts."""
_FAR: Final = 1 << 62
_LEAST: Final = 8
"""No bets are made on fewer samples."""
_STRIDES: Final = (1, 2, 4, 8)
"""Every sample, every second one, …: fewer samples, farther apart."""
_MANY_ACTIONS: Final = 1 << 32
_LAGS: Final = (1, 2, 3)
_MOST_WORDS: Final = 12
"""The phases of loops of up to so many words are contexts."""


class Kind(Enum):
    """What a bet says that a sample depends on."""

    LOOP = "the loop"
    PHASE = "the phase of the loop"
    HALF = "the half of the loop"
    WAY = "the state and the action before"
    EARLIER = "an earlier sample"


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """All samples of one label in order, at times that were fixed beforehand."""

    label: int
    times: NDArray[np.int64]
    """Steps since everything was fixed that the times depend on."""
    loops: NDArray[np.int64]
    """The number of the loop of each sample."""
    within: NDArray[np.int64]
    """The time in that loop."""
    lengths: NDArray[np.int64]
    """The length of the word of that loop."""
    ways: NDArray[np.int64]
    """The label and the action before, as one number."""
    after: NDArray[np.int64]
    """The label of the next row."""
    now: NDArray[np.bool_]
    """The probes at each time, and one step later."""
    later: NDArray[np.bool_]

    def every(self, stride: int) -> Samples:
        """Every second one, or third, …; the first is as late as others are apart."""
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
        )

    def mixing_times(self, mixing_time: int, width: int) -> int:
        """How many mixing times lie before each sample of so many rows, at least. Claim S.T06."""
        between = int(np.diff(self.times).min()) - width + 1
        return min(between, int(self.times[0])) // mixing_time


def samples_of(
    watched: Sequence[Watched], probes: Sequence[NDArray[np.bool_]], fixed_at: int
) -> tuple[Samples, ...]:
    """The samples of each label; `probes` has those of the rows that were kept of each loop.

    The times depend on nothing that was seen after step `fixed_at` of the trajectory.
    """
    loops, within, starts, lengths, ways, labels, after = (
        np.concatenate(column)
        for column in zip(*map(_columns, range(len(watched)), watched), strict=True)
    )
    rows = np.concatenate(probes)
    found = []
    for label in np.unique(labels).tolist():
        here = np.flatnonzero(labels == label)
        found.append(
            Samples(
                label,
                starts[here] + within[here] - fixed_at,
                loops[here],
                within[here],
                lengths[here],
                ways[here],
                after[here],
                rows[2 * here],
                rows[2 * here + 1],
            )
        )
    return tuple(found)


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


@dataclass(frozen=True, slots=True, eq=False)
class Bets:
    """Bets of one kind on the samples of one label: one for each choice of probes."""

    kind: Kind
    label: int
    mixing_times: int
    counts: NDArray[np.int64]
    """[context, symbol, bet]."""
    probes: tuple[NDArray[np.int64], ...]
    """The probes of each bet: one array, or two."""
    told: str

    @property
    def joint(self) -> bool:
        """Whether a symbol is made of two probes."""
        return bool(self.counts.shape[1] == 4)


def bets_on(samples: Samples, mixing_time: int, max_states: int) -> Iterator[Bets]:
    """All bets on the samples of one label. Which they are depends on the times alone."""
    for stride in _STRIDES:
        some = samples.every(stride)
        if len(some.times) < _LEAST:
            return
        apart = some.mixing_times(mixing_time, 1)
        for kind, told, contexts in _contexts(some, max_states, phases=stride == 1):
            yield from _on_contexts(some, apart, kind, told, contexts)
        if stride <= 4:
            yield from _on_earlier(some, apart)
        for label in np.unique(samples.after).tolist() if stride > 1 else ():
            pairs = samples.only(np.flatnonzero(samples.after == label)).every(stride)
            if len(pairs.times) >= _LEAST:
                yield from _on_pairs(pairs, pairs.mixing_times(mixing_time, 2))


def _contexts(
    samples: Samples, max_states: int, *, phases: bool
) -> Iterator[tuple[Kind, str, NDArray[np.int64]]]:
    many = len(samples.times)
    if samples.loops[0] != samples.loops[-1]:
        yield Kind.LOOP, "", samples.loops
    if len(np.unique(samples.ways)) > 1:
        yield Kind.WAY, "", samples.ways
    loop_of = np.unique(samples.loops, return_inverse=True)[1].reshape(-1)
    sizes = np.bincount(loop_of)
    rank = np.arange(many) - (np.cumsum(sizes) - sizes)[loop_of]
    yield Kind.HALF, "", 2 * loop_of + (2 * rank >= sizes[loop_of])
    yield Kind.HALF, "of the run", (2 * np.arange(many) >= many).astype(np.int64)
    if not phases:
        return
    for words in range(1, min(2 * max_states, _MOST_WORDS) + 1):
        period = words * samples.lengths
        phase = samples.loops * int(period.max()) + samples.within % period
        if len(sizes) < len(np.unique(phase)) <= many // 3:
            yield Kind.PHASE, f"of {words}", phase


def _on_contexts(
    samples: Samples, apart: int, kind: Kind, told: str, contexts: NDArray[np.int64]
) -> Iterator[Bets]:
    groups, now = _grouped(contexts), samples.now
    single = np.arange(now.shape[1])
    yield Bets(kind, samples.label, apart, groups.single(now), (single,), told)
    if 2 <= now.shape[1] <= FEW_PROBES and len(groups.starts) <= FEW_CONTEXTS:
        counts, probes = groups.joint(now, now)
        yield Bets(kind, samples.label, apart, counts, probes, told)


def _on_pairs(samples: Samples, apart: int) -> Iterator[Bets]:
    """What a row and the next one show together must not depend on the loop."""
    if samples.loops[0] == samples.loops[-1] or apart < 1:
        return
    counts, probes = _two(_grouped(samples.loops), samples.now, samples.later)
    yield Bets(Kind.LOOP, samples.label, apart, counts, probes, "and the next row")


def _on_earlier(samples: Samples, apart: int) -> Iterator[Bets]:
    for lag in _LAGS:
        many = len(samples.times) - lag
        if many < _LEAST:
            return
        together = _grouped(np.zeros(many, np.int64))
        counts, probes = _two(together, samples.now[:-lag], samples.now[lag:])
        # [1, 4, bets] → [2, 2, bets]: the earlier probe is the context.
        counts = counts.reshape(2, 2, -1)
        yield Bets(Kind.EARLIER, samples.label, apart, counts, probes, f"{lag} before")


def _two(
    groups: _Grouped, one: NDArray[np.bool_], other: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], ...]]:
    """Counts of two probes, one of each: of all pairs if there are few, else of equal ones."""
    if one.shape[1] <= FEW_PROBES:
        return groups.joint(one, other)
    single = np.arange(one.shape[1])
    return groups.same(one, other), (single, single)


@dataclass(frozen=True, slots=True, eq=False)
class _Grouped:
    """Samples sorted by context."""

    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Where each context begins in that order."""

    def ones(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """[context, probe]: how often each probe is 1."""
        counted: NDArray[np.int64] = np.add.reduceat(
            values[self.order], self.starts, axis=0, dtype=np.int64
        )
        return counted

    def single(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """[context, 0 or 1, probe]."""
        ones = self.ones(values)
        sizes = np.diff(np.append(self.starts, len(self.order)))
        return np.stack([sizes[:, None] - ones, ones], axis=1)

    def same(self, one: NDArray[np.bool_], other: NDArray[np.bool_]) -> NDArray[np.int64]:
        """[context, 2·first + second, probe]: each probe in both."""
        return _table(self.single(one), self.single(other), self.ones(one & other))

    def joint(
        self, one: NDArray[np.bool_], other: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], ...]]:
        """The same for all pairs of probes, and which they are.

        Of two probes of the same row, one order is enough.
        """
        many = one.shape[1]
        first, second = np.triu_indices(many, 1) if one is other else _all_pairs(many)
        a, b = (each[self.order].astype(np.float32) for each in (one, other))
        ends = np.append(self.starts, len(self.order)).tolist()
        both = np.stack([(a[i:j].T @ b[i:j])[first, second] for i, j in pairwise(ends)])
        counts = _table(
            self.single(one)[:, :, first],
            self.single(other)[:, :, second],
            np.rint(both).astype(np.int64),
        )
        return counts, (first, second)


def _grouped(contexts: NDArray[np.int64]) -> _Grouped:
    order = np.argsort(contexts, kind="stable")
    new = np.flatnonzero(np.diff(contexts[order])) + 1
    return _Grouped(order, np.append([0], new))


def _all_pairs(many: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.indices((many, many))
    return first.reshape(-1), second.reshape(-1)


def _table(
    one: NDArray[np.int64], other: NDArray[np.int64], both: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The four counts of two events, from the counts of each and how often both happened."""
    a, b = one[:, 1], other[:, 1]
    return np.stack([one[:, 0] - b + both, b - both, a - both, both], axis=1)
