"""The bets of the self-check, counted for all probes together, on the samples of each label.

A probe is a yes-or-no measurement of an observation, such as the value of classifier 3
(`evidence/kept_rows.py`). Each bet claims that the symbol of a sample of a label depends on the
context of the sample. A symbol is the value of one probe, or of two. A context is the loop in which
the label was seen, the phase of the loop, the half of the loop, or the value of a probe some
samples earlier.

Example: the bet of kind WAY on probe 3 and label 5 claims that classifier 3 is 1 more often when
label 5 was reached by one action than when it was reached by another.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.learning.self_check.rows import Watched


FEW_CONTEXTS: Final = 32
"""Bets on pairs of probes are made only with at most this many contexts."""
_LEAST: Final = 8
"""No bets are made on fewer samples."""
STRIDES: Final = (1, 2, 4, 8)
"""Every sample, every second sample, …: fewer samples that are farther apart."""
_LAGS: Final = ("in the sample before", "two samples before", "three samples before")
NEXT_ROW: Final = "and the next row"
OF_RUN: Final = "of the run"
_MOST_WORDS: Final = 12
"""The phases of loops of up to this many words are contexts."""


class Kind(Enum):
    """The context on which a sample depends, according to a bet."""

    LOOP = "the loop"
    PHASE = "the phase of the loop"
    HALF = "the half of the loop"
    WAY = "the state and the action before"
    EARLIER = "an earlier sample"
    ANY = "an earlier sample of any state"


@dataclass(frozen=True, slots=True, eq=False)
class Bets:
    """Bets of one kind on the samples of one label: one for each choice of probes."""

    kind: Kind
    label: int
    mixing_times: int
    counts: NDArray[np.int64]
    """[context, symbol, bet]."""
    probes: tuple[NDArray[np.int64], ...]
    """The probes of each bet: one array for single probes, two for pairs."""
    made: int
    """The number of bets, including those that cannot be won, which have no counts."""
    told: str
    of_labels: NDArray[np.int64] | None = None
    """[label, symbol, bet], if the samples are of several labels."""

    @property
    def totals(self) -> NDArray[np.int64]:
        """How often each symbol was seen with each label: an array [label, symbol, bet]."""
        return self.counts.sum(axis=0)[None] if self.of_labels is None else self.of_labels

    @property
    def joint(self) -> bool:
        """Whether a symbol consists of two probes."""
        return bool(self.counts.shape[1] == 4)


def bets_on(samples: Samples, mixing_time: int, max_states: int) -> Iterator[Bets]:
    """Yield all bets on the samples of one label. Which bets are made depends only on the times.

    There are no bets on samples that are less than t̂_mix apart.
    """
    labels = np.unique(samples.after).tolist()
    by_next = [samples.only(np.flatnonzero(samples.after == label)) for label in labels]
    for stride in STRIDES:
        some = samples.every(stride)
        if len(some.times) < _LEAST:
            return
        if (apart := some.mixing_times(mixing_time, 1)) >= 1:
            for kind, told, contexts in _contexts(some, max_states, phases=stride == 1):
                yield from _on_contexts(some, apart, kind, told, contexts)
            if stride <= 4:
                yield from _on_earlier(some, apart)
        for all_pairs in by_next if stride > 1 else ():
            pairs = all_pairs.every(stride)
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
    yield Kind.HALF, OF_RUN, (2 * np.arange(many) >= many).astype(np.int64)
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
    groups, now, many = grouped(contexts), samples.now, samples.probes
    yield Bets(kind, samples.label, apart, groups.single(now), (samples.columns,), many, told)
    if 2 <= many <= FEW_PROBES and groups.contexts <= FEW_CONTEXTS:
        counts, probes = groups.joint(now, now)
        yield Bets(kind, samples.label, apart, counts, probes, counts.shape[2], told)


def _on_pairs(samples: Samples, apart: int) -> Iterator[Bets]:
    """Bet that a row and the next one together depend on the loop."""
    if samples.loops[0] == samples.loops[-1] or apart < 1:
        return
    counts, probes, made = _two(samples, grouped(samples.loops), samples.now, samples.later)
    yield Bets(Kind.LOOP, samples.label, apart, counts, probes, made, NEXT_ROW)


def _on_earlier(samples: Samples, apart: int) -> Iterator[Bets]:
    for lag, told in enumerate(_LAGS, start=1):
        many = len(samples.times) - lag
        if many < _LEAST:
            return
        together = grouped(np.zeros(many, np.int64))
        counts, probes, made = _two(samples, together, samples.now[:-lag], samples.now[lag:])
        # [1, 4, bets] → [2, 2, bets]: the earlier probe is the context.
        counts = counts.reshape(2, 2, -1)
        yield Bets(Kind.EARLIER, samples.label, apart, counts, probes, made, told)


def bets_on_all(every: Sequence[Samples], mixing_time: int) -> Iterator[Bets]:
    """Yield bets that a probe depends on its value in the sample before, of any label.

    The samples of all labels together are closer than those of one label, so more of them are t̂_mix
    apart. These bets detect slow noise that is visible in all states. Each label has its own
    distribution, and the times and labels of the samples are fixed beforehand: claims S.T08, S.T11.
    """
    if len(every) < 2:
        return
    columns = reduce(np.intersect1d, [each.columns for each in every])
    times = np.concatenate([each.times for each in every])
    labels = np.repeat(np.arange(len(every)), [len(each.times) for each in every])
    rows = np.concatenate([each.now[:, np.isin(each.columns, columns)] for each in every])
    order = np.argsort(times, kind="stable")
    for apart in STRIDES:
        chosen = order[_far_apart(times[order], apart * mixing_time)]
        if len(chosen) <= _LEAST:
            return
        before, now, of = rows[chosen[:-1]], rows[chosen[1:]], labels[chosen[1:]]
        counts = np.stack(
            [[(~now & b).sum(axis=0), (now & b).sum(axis=0)] for b in (~before, before)]
        )
        seen = [now[of == label] for label in np.unique(of).tolist()]
        totals = np.stack([[(~own).sum(axis=0), own.sum(axis=0)] for own in seen])
        made = every[0].probes
        yield Bets(Kind.ANY, every[0].label, apart, counts, (columns,), made, _LAGS[0], totals)


def _far_apart(times: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """Return indices of times, from the first on, each at least `least` later than the last one."""
    chosen, last = [], 0
    for place, time in enumerate(times.tolist()):
        if time >= last + least:
            chosen.append(place)
            last = time
    return np.array(chosen, dtype=np.int64)


def _two(
    samples: Samples, groups: Grouped, one: NDArray[np.bool_], other: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], ...], int]:
    """Return the counts of two probes: of all pairs if there are few, otherwise of equal ones.

    Also return the probes, and the number of bets.
    """
    if samples.probes <= FEW_PROBES:
        counts, pairs = groups.joint(one, other)
        return counts, pairs, counts.shape[2]
    return groups.same(one, other), (samples.columns, samples.columns), samples.probes


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


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Samples sorted by context."""

    order: NDArray[np.int64]
    ends: tuple[int, ...]
    """The start of each context in this order, and the end of the last one."""

    @property
    def contexts(self) -> int:
        return len(self.ends) - 1

    def ones(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how often each probe is 1: an array [context, probe]."""
        kind = np.min_scalar_type(len(self.order))
        sorted_ = values.view(np.uint8)[self.order].astype(kind, copy=False)
        counted = np.empty((self.contexts, values.shape[1]), dtype=kind)
        # Separate sums are several times faster than `reduceat`, which goes down the columns.
        for into, (start, end) in zip(counted, pairwise(self.ends), strict=True):
            np.add.reduce(sorted_[start:end], axis=0, dtype=kind, out=into)
        return counted.astype(np.int64)

    def single(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how often each probe is 0 and 1: an array [context, 0 or 1, probe]."""
        ones = self.ones(values)
        sizes = np.diff(self.ends)
        return np.stack([sizes[:, None] - ones, ones], axis=1)

    def same(self, one: NDArray[np.bool_], other: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the joint counts of each probe in both: [context, 2·first + second, probe]."""
        return _table(self.single(one), self.single(other), self.ones(one & other))

    def joint(
        self, one: NDArray[np.bool_], other: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], ...]]:
        """Return the joint counts of all pairs of probes, and the pairs.

        If both arrays are the same, each pair is counted in one order only.
        """
        many = one.shape[1]
        first, second = np.triu_indices(many, 1) if one is other else _all_pairs(many)
        a, b = (each[self.order].astype(np.float32) for each in (one, other))
        both = np.stack([(a[i:j].T @ b[i:j])[first, second] for i, j in pairwise(self.ends)])
        of_one = self.single(one)
        of_other = of_one if one is other else self.single(other)
        both_seen = np.rint(both).astype(np.int64)
        return _table(of_one[:, :, first], of_other[:, :, second], both_seen), (first, second)


def grouped(contexts: NDArray[np.int64]) -> Grouped:
    """Sort samples by context; the order within a context is kept."""
    order = np.argsort(contexts, kind="stable")
    new = np.flatnonzero(np.diff(contexts[order])) + 1
    return Grouped(order, (0, *new.tolist(), len(order)))


def _all_pairs(many: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.indices((many, many))
    return first.reshape(-1), second.reshape(-1)


def _table(
    one: NDArray[np.int64], other: NDArray[np.int64], both: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the four counts of two events from the counts of each and of both together."""
    a, b = one[:, 1], other[:, 1]
    return np.stack([one[:, 0] - b + both, b - both, a - both, both], axis=1)
