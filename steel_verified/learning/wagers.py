"""The bets of the self-check, counted for all probes together.

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
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.counting import grouped
from steel_verified.learning.samples import FEW_PROBES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.learning.counting import Grouped
    from steel_verified.learning.samples import Samples

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
