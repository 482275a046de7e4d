"""The bets of the self-check, counted for all probes together, on the samples of each label.

A probe is a yes-or-no measurement of an observation, such as the value of classifier 3
(`probes.py`). Each bet claims that the symbol of a sample of a label depends on the
context of the sample. A symbol is the value of one probe, or of two. A context is the loop in which
the label was seen, the phase of the loop, the half of the loop, or the value of a probe some
samples earlier.

Example: the bet of kind WAY on probe 3 and label 5 claims that classifier 3 is 1 more often when
label 5 was reached by one action than when it was reached by another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.self_check.probes import FEW_PROBES, Block
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.learning.self_check.rows import LoopRows

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
_MOST_IN_A_BYTE: Final = 255
_FAR: Final = 1 << 62
_MANY_ACTIONS: Final = 1 << 32


class Kind(Enum):
    """The context on which a sample depends, according to a bet."""

    LOOP = "the loop"
    PHASE = "the phase of the loop"
    HALF = "the half of the loop"
    WAY = "the state and the action before"
    EARLIER = "an earlier sample"
    ANY = "an earlier sample of any state"


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of some probes in some rows, eight probes in one word, so that sums are fast."""

    words: NDArray[np.uint64]
    """[row, word]; each byte is 0 or 1."""
    probes: int

    def rows(self, at: NDArray[np.int64]) -> Values:
        return Values(self.words.take(at, axis=0), self.probes)

    def both(self, other: Values) -> Values:
        """Return where both are 1."""
        return Values(self.words & other.words, self.probes)

    @property
    def bits(self) -> NDArray[np.uint8]:
        """The values as an array [row, probe]."""
        return self.words.view(np.uint8)[:, : self.probes]


def values_of(seen: NDArray[np.bool_]) -> Values:
    """Return values that are given as an array [row, probe]."""
    rows, probes = seen.shape
    if probes % 8:
        seen = np.pad(seen, ((0, 0), (0, -probes % 8)))
    return Values(np.ascontiguousarray(seen).view(np.uint64).reshape(rows, -1), probes)


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Samples of one label in order of time, at times that were fixed beforehand."""

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
    at: NDArray[np.int64]
    """The place of each sample in `now` and `later`, which have all samples of the label."""
    now: Values
    """The probes at each time; `later` has those one step later."""
    later: Values
    columns: NDArray[np.int64]
    """The numbers of these probes. If there are many, those that never change are omitted."""
    probes: int
    """The number of all probes."""

    def every(self, stride: int) -> Samples:
        """Return every `stride`-th sample; the first is as late as the others are apart."""
        chosen = np.arange(0, len(self.times), stride)
        apart = np.diff(self.times[chosen]).min(initial=_FAR)
        return self.only(chosen[self.times[chosen] >= apart])

    def only(self, chosen: NDArray[np.int64]) -> Samples:
        names = ("times", "loops", "within", "lengths", "ways", "after", "at")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    def mixing_times(self, mixing_time: int, width: int) -> int:
        """Return how many mixing times lie before each sample of `width` rows. Claim S.T06."""
        between = int(np.diff(self.times).min()) - width + 1
        return min(between, int(self.times[0])) // mixing_time


def samples_of(
    watched: Sequence[LoopRows], block: Block, skipped: int, probes: int, fixed_at: int
) -> Iterator[Samples]:
    """Yield the samples of each label, with the probes of a block, of `probes` probes in all.

    After the first `skipped` rows, the block has two rows for each time: that of the time and the
    next one. The times do not depend on anything seen after step `fixed_at` of the trajectory.

    If there are many probes, only those are taken that show both values. A bet on any other single
    probe cannot be won: if only one symbol was seen, `most_likely` is 1, and `forecast` is at most
    1 because it is a probability. So the bet pays at most 1, and to win it must pay the number of
    bets divided by α, which is more than 1.
    """
    loops, within, starts, lengths, ways, labels, after = (
        np.concatenate(column)
        for column in zip(*map(_columns, range(len(watched)), watched), strict=True)
    )
    for label in sorted(set(labels.tolist())):
        here = np.flatnonzero(labels == label)
        rows = skipped + np.concatenate([2 * here, 2 * here + 1])
        seen, columns = block.read(rows), block.probes
        if probes > FEW_PROBES:
            chosen = block.changing(rows)
            if len(chosen) < len(columns):
                seen, columns = seen[:, chosen], columns[chosen]
        yield Samples(
            label,
            starts[here] + within[here] - fixed_at,
            loops[here],
            within[here],
            lengths[here],
            ways[here],
            after[here],
            np.arange(len(here)),
            values_of(seen[: len(here)]),
            values_of(seen[len(here) :]),
            columns,
            probes,
        )


def _columns(number: int, each: LoopRows) -> tuple[NDArray[np.int64], ...]:
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
    seen: NDArray[np.int64]
    """How often a probe was 1: [context, bet]. For two probes, or if the context is the value of a
    probe, how often each symbol was seen: [context, symbol, bet]."""
    sizes: NDArray[np.int64]
    """The number of samples in each context."""
    probes: tuple[NDArray[np.int64], ...]
    """The probes of each bet: one array for single probes, two for pairs."""
    made: int
    """The number of bets, including those that cannot be won, which are not counted in `seen`."""
    text: str
    of_labels: NDArray[np.int64] | None = None
    """[label, symbol, bet], if the samples are of several labels."""
    likely: NDArray[np.float64] | None = None
    """The logarithm of `most_likely` for each bet, if it is known."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each symbol was seen in each context: an array [context, symbol, bet]."""
        if self.seen.ndim == 3:
            return self.seen
        return np.stack([self.sizes[:, None] - self.seen, self.seen], axis=1)

    @property
    def totals(self) -> NDArray[np.int64]:
        """How often each symbol was seen with each label: an array [label, symbol, bet]."""
        return self.counts.sum(axis=0)[None] if self.of_labels is None else self.of_labels

    @property
    def joint(self) -> bool:
        """Whether a symbol consists of two probes."""
        return self.seen.ndim == 3 and bool(self.seen.shape[1] == 4)

    def only(self, place: int) -> Bets:
        """Return one of these bets."""
        one, of = slice(place, place + 1), self.of_labels
        return replace(
            self,
            seen=self.seen[..., one].copy(),
            probes=tuple(each[one].copy() for each in self.probes),
            of_labels=None if of is None else of[..., one].copy(),
            likely=None,
        )

    def log_winnings(self) -> NDArray[np.float64]:
        """Return the logarithm of `winnings` for all bets, in floating point. Claim S.T09."""
        likely = self.likely
        if likely is None:
            likely = sum(
                (log_most_likely(each, self.mixing_times) for each in self.totals),
                start=np.zeros(self.seen.shape[-1]),
            )
        if self.seen.ndim == 2:
            return _log_forecasts(self.seen, self.sizes) - likely
        sizes = self.seen.sum(axis=1)
        most = int(sizes.max())
        above, below = log_products(most, 1), log_products(most, self.seen.shape[1])
        forecast = above.take(self.seen).sum(axis=(0, 1)) - below.take(sizes).sum(axis=0)
        return np.asarray(forecast - likely, dtype=np.float64)


def _log_forecasts(ones: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the logarithm of `forecast` for each probe, from a table for each size of contexts."""
    different, which = np.unique(sizes, return_inverse=True)
    most = int(different[-1])
    above, below = log_products(most, 1), log_products(most, 2)
    tables = [above[: n + 1] + above[n::-1] - below[n] for n in different.tolist()]
    begins = np.cumsum([0, *map(len, tables[:-1])])
    logs = np.concatenate(tables).take(ones + begins[which.reshape(-1)][:, None])
    return np.asarray(logs.sum(axis=0), dtype=np.float64)


def log_most_likely(counts: NDArray[np.int64], mixing_times: int) -> NDArray[np.float64]:
    """The logarithm of `most_likely` for the counts [symbol, bet] of one label. Claim S.T10."""
    totals = np.sort(counts, axis=0)[::-1].astype(np.float64)
    room = 1 + (totals > 0).sum(axis=0) * float(distance_after(mixing_times))
    left = totals.sum(axis=0)
    likely = np.zeros(counts.shape[1])
    for row in totals:
        share = np.minimum(1.0, room * row / np.maximum(left, 1.0))
        likely += np.where(row > 0, row * np.log(np.maximum(share, 1e-300)), 0.0)
        room, left = room - share, left - row
    return likely


def log_products(most: int, halves: int) -> NDArray[np.float64]:
    """Return the logarithms of h(h + 1)…(h + n − 1) for h = halves/2.

    The index n goes from 0 to `most` or more.
    """
    return _log_products_below(1 << most.bit_length(), halves)


@lru_cache(maxsize=32)
def _log_products_below(many: int, halves: int) -> NDArray[np.float64]:
    logs = np.log(np.arange(many - 1) + halves / 2)
    return np.concatenate([[0.0], np.cumsum(logs)])


def bets_on(samples: Samples, mixing_time: int, max_states: int) -> Iterator[Bets]:
    """Yield all bets on the samples of one label. Which bets are made depends only on the times.

    There are no bets on samples that are less than t̂_mix apart.
    """
    labels = sorted(set(samples.after.tolist()))
    by_next = [samples.only(np.flatnonzero(samples.after == label)) for label in labels]
    for stride in STRIDES:
        some = samples.every(stride)
        if len(some.times) < _LEAST:
            return
        if (apart := some.mixing_times(mixing_time, 1)) >= 1:
            yield from _on_contexts(some, apart, max_states, phases=stride == 1)
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
    if len(set(samples.ways.tolist())) > 1:
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
        if len(sizes) < len(set(phase.tolist())) <= many // 3:
            yield Kind.PHASE, f"of {words}", phase


def _on_contexts(samples: Samples, apart: int, max_states: int, *, phases: bool) -> Iterator[Bets]:
    label, now, many = samples.label, samples.now.rows(samples.at), samples.probes
    likely = None
    for kind, text, contexts in _contexts(samples, max_states, phases=phases):
        groups = grouped(contexts)
        ones = groups.ones(now)
        if likely is None:  # All these bets are on the same samples.
            total = ones.sum(axis=0)
            likely = log_most_likely(np.stack([len(samples.at) - total, total]), apart)
        columns = (samples.columns,)
        yield Bets(kind, label, apart, ones, groups.sizes, columns, many, text, likely=likely)
        if 2 <= many <= FEW_PROBES and groups.contexts <= FEW_CONTEXTS:
            counts, probes = groups.joint(now, now)
            yield Bets(kind, label, apart, counts, groups.sizes, probes, counts.shape[2], text)


def _on_pairs(samples: Samples, apart: int) -> Iterator[Bets]:
    """Bet that a row and the next one together depend on the loop."""
    if samples.loops[0] == samples.loops[-1] or apart < 1:
        return
    groups = grouped(samples.loops)
    now, later = samples.now.rows(samples.at), samples.later.rows(samples.at)
    counts, probes, made = _two(samples, groups, now, later)
    yield Bets(Kind.LOOP, samples.label, apart, counts, groups.sizes, probes, made, NEXT_ROW)


def _on_earlier(samples: Samples, apart: int) -> Iterator[Bets]:
    for lag, text in enumerate(_LAGS, start=1):
        many = len(samples.times) - lag
        if many < _LEAST:
            return
        together = grouped(np.zeros(many, np.int64))
        earlier, later = samples.now.rows(samples.at[:-lag]), samples.now.rows(samples.at[lag:])
        counts, probes, made = _two(samples, together, earlier, later)
        # [1, 4, bets] → [2, 2, bets]: the earlier probe is the context.
        counts = counts.reshape(2, 2, -1)
        sizes = together.sizes
        yield Bets(Kind.EARLIER, samples.label, apart, counts, sizes, probes, made, text)


def _two(
    samples: Samples, groups: Grouped, one: Values, other: Values
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], ...], int]:
    """Return the counts of two probes: of all pairs if there are few, otherwise of equal ones.

    Also return the probes, and the number of bets.
    """
    if samples.probes <= FEW_PROBES:
        counts, pairs = groups.joint(one, other)
        return counts, pairs, counts.shape[2]
    return groups.same(one, other), (samples.columns, samples.columns), samples.probes


def bets_on_all(every: Sequence[Samples], mixing_time: int) -> Iterator[Bets]:
    """Yield bets that a probe depends on its value in the sample before, of any label.

    The samples of all labels together are closer than those of one label, so more of them are t̂_mix
    apart. These bets detect slow noise that is visible in all states. Each label has its own
    distribution, and the times and labels of the samples are fixed beforehand: claims S.T08, S.T11.
    """
    if len(every) < 2:
        return
    shared = set.intersection(*(set(each.columns.tolist()) for each in every))
    columns = np.array(sorted(shared), dtype=np.int64)
    times = np.concatenate([each.times for each in every])
    labels = np.repeat(np.arange(len(every)), [len(each.times) for each in every])
    rows = values_of(
        np.concatenate([each.now.bits[:, np.isin(each.columns, columns)] for each in every])
    )
    order = np.argsort(times, kind="stable")
    for apart in STRIDES:
        chosen = order[_far_apart(times[order], apart * mixing_time)]
        if len(chosen) <= _LEAST:
            return
        earlier, later = chosen[:-1], chosen[1:]
        together = grouped(np.zeros(len(later), np.int64))
        counts = together.same(rows.rows(earlier), rows.rows(later)).reshape(2, 2, -1)
        of_label = grouped(labels[later])
        ones = of_label.ones(rows.rows(later))
        totals = np.stack([of_label.sizes[:, None] - ones, ones], axis=1)
        label, made, sizes = every[0].label, every[0].probes, together.sizes
        yield Bets(Kind.ANY, label, apart, counts, sizes, (columns,), made, _LAGS[0], totals)


def _far_apart(times: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """Return indices of times, from the first on, each at least `least` later than the last one."""
    chosen, last = [], 0
    for place, time in enumerate(times.tolist()):
        if time >= last + least:
            chosen.append(place)
            last = time
    return np.array(chosen, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Samples sorted by context, to count how often each symbol was seen in each context."""

    order: NDArray[np.int64]
    ends: tuple[int, ...]
    """The start of each context in this order, and the end of the last one."""

    @property
    def contexts(self) -> int:
        return len(self.ends) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.ends)

    def ones(self, values: Values) -> NDArray[np.int64]:
        """Return how often each probe is 1: an array [context, probe]."""
        # A byte can count up to 255 rows, so larger contexts are counted in pieces.
        pieces = [range(start, end, _MOST_IN_A_BYTE) for start, end in pairwise(self.ends)]
        starts = [start for piece in pieces for start in piece]
        words = np.add.reduceat(values.words.take(self.order, axis=0), starts, axis=0)
        counted = Values(words, values.probes).bits.astype(np.int64)
        if len(starts) == self.contexts:
            return counted
        firsts = np.cumsum([0, *map(len, pieces[:-1])])
        return np.add.reduceat(counted, firsts, axis=0)

    def same(self, one: Values, other: Values) -> NDArray[np.int64]:
        """Return the joint counts of each probe in both: [context, 2·first + second, probe]."""
        return self._table(self.ones(one), self.ones(other), self.ones(one.both(other)))

    def joint(
        self, one: Values, other: Values
    ) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], ...]]:
        """Return the joint counts of all pairs of probes, and the pairs.

        If both arrays are the same, each pair is counted in one order only.
        """
        first, second = np.triu_indices(one.probes, 1) if one is other else _all_pairs(one.probes)
        a, b = (each.bits[self.order].astype(np.float32) for each in (one, other))
        both = np.stack([(a[i:j].T @ b[i:j])[first, second] for i, j in pairwise(self.ends)])
        of_one, of_other = self.ones(one)[:, first], self.ones(other)[:, second]
        return self._table(of_one, of_other, np.rint(both).astype(np.int64)), (first, second)

    def _table(
        self, one: NDArray[np.int64], other: NDArray[np.int64], both: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the four counts of two events from the counts of each and of both together."""
        neither = self.sizes[:, None] - one - other + both
        return np.stack([neither, other - both, one - both, both], axis=1)


def grouped(contexts: NDArray[np.int64]) -> Grouped:
    """Sort samples by context; the order within a context is kept."""
    order = np.argsort(contexts, kind="stable")
    new = np.flatnonzero(np.diff(contexts[order])) + 1
    return Grouped(order, (0, *new.tolist(), len(order)))


def _all_pairs(many: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.indices((many, many))
    return first.reshape(-1), second.reshape(-1)
