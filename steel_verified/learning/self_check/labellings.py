"""Labellings of the rows of a run by states, and how well each one predicts the next row.

A probe is a yes-or-no measurement of a row (`probes.py`), such as the value of a
classifier. Rows with the same values of all probes are of one *kind*. A labelling assigns a state
to each kind. A better labelling gives a shorter code for the run: the next state from each state
and action, and the kind of row from each state. Code lengths are in nats, so a difference of 1 is a
likelihood ratio of e.

Example: two probes give the kinds 00, 01, 10 and 11. The labelling {00, 01} → 0, {10, 11} → 1 says
that the first probe shows the state and the second one shows noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import inf, lgamma, log
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.self_check.probes import OpenedRun, changing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


UNLABELLED: Final = -1
"""The label of a kind of row whose state is not determined."""
MOST_KINDS: Final = 256
"""If there are more kinds, only probes that exclude one another are used."""
_OFTEN: Final = 40
"""If two independent probes are expected to be 1 together in this many rows, they never are with
chance e^-40. Rows of noise depend on their neighbours, so the chance is larger, but still small."""
_MOST_COVERS: Final = 2_000
_MOST_TRIES: Final = 20_000
"""At most this many sets of probes are examined, and this many are tried to find them."""


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows that are to be explained, ordered by time."""

    run: OpenedRun
    kinds: NDArray[np.int64]
    """The kind of each row."""
    masks: tuple[int, ...]
    """For each probe, the set of kinds on which it is 1, as bits; equal sets appear once."""

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of rows of each kind."""
        return np.bincount(self.kinds)

    @cached_property
    def ends(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each kind, the places of its first and of its last row."""
        first = np.unique(self.kinds, return_index=True)[1]
        last = len(self.kinds) - 1 - np.unique(self.kinds[::-1], return_index=True)[1]
        return first, last

    @cached_property
    def nats_alone(self) -> float:
        """The part of the code length of the kinds that is the same for each labelling."""
        return sum(lgamma(n + 0.5) - lgamma(0.5) for n in self.sizes.tolist())

    @cached_property
    def follows(self) -> NDArray[np.bool_]:
        """For each row, whether the row one step earlier is also there."""
        return np.append(False, np.diff(self.run.times) == 1)

    @cached_property
    def moves(self) -> tuple[NDArray[np.int64], ...]:
        """The different triples of kind, action and next kind, and how often each occurred."""
        later = np.flatnonzero(self.follows)
        triples = (self.kinds[later - 1], self.run.actions[later], self.kinds[later])
        shape = (len(self.sizes), self.actions, len(self.sizes))
        each, many = np.unique(np.ravel_multi_index(triples, shape), return_counts=True)
        return *np.unravel_index(each, shape), many

    @cached_property
    def begins(self) -> int:
        """The number of rows without a row one step earlier."""
        return int((~self.follows).sum())

    @cached_property
    def actions(self) -> int:
        return int(self.run.actions.max()) + 1

    @property
    def whole(self) -> int:
        return (1 << len(self.sizes)) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A labelling, and how well its transitions repeat."""

    states: int
    labels: NDArray[np.int64]
    """The state of each kind; `UNLABELLED` if it is not determined."""
    nats: float
    """The code length of the rows given their states, and of states without a predecessor."""
    known: int
    """The number of different transitions (state and action) that were taken."""
    again: int
    """How often a transition was taken that had been taken before."""
    clashes: int
    """How often a transition led to another state than it usually does."""
    led: NDArray[np.int64]
    """How often each action led from each state to each state: [state, action, next state]."""

    @property
    def usual(self) -> NDArray[np.int64]:
        """Where each action leads most often from each state; `UNLABELLED` if it was not taken."""
        return np.where(self.led.any(axis=2), self.led.argmax(axis=2), UNLABELLED)

    @property
    def table(self) -> float:
        """The code length of the transition table, in nats."""
        return self.known * log(self.states)

    @property
    def with_slips(self) -> float:
        """The code length if all transitions have the same chance of leading elsewhere."""
        slips = coded((self.clashes, self.again - self.clashes)) + self.clashes * log(self.states)
        return self.nats + self.table + slips

    @property
    def if_sure(self) -> float:
        """The code length if dynamics are deterministic; a clash costs more than a first slip."""
        clash = clash_price(self.again, self.states)
        return self.nats + self.table + self.clashes * clash


def clash_price(many: int, states: int) -> float:
    """Return the price of one clash among `many` transitions if the dynamics are deterministic."""
    return 2 * log(many + 2) + log(states)


def rows_of(run: OpenedRun) -> Rows | None:
    """Sort the rows of a run into kinds; return None if rows hardly ever repeat."""
    order = np.unique(run.times, return_index=True)[1]
    run = run.only(order)
    seen = run.seen[:, changing(run.seen)]
    kinds, which = np.unique(seen, axis=0, return_inverse=True)
    if len(kinds) > MOST_KINDS:
        seen = seen[:, _excluding(seen)]
        kinds, which = np.unique(seen, axis=0, return_inverse=True)
    if not 1 < len(kinds) <= MOST_KINDS:
        return None
    masks = {sum(1 << kind for kind in np.flatnonzero(probe).tolist()) for probe in kinds.T}
    return Rows(run, which.reshape(-1), tuple(sorted(masks)))


def _excluding(seen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the probes that seem to distinguish states: those that exclude one another.

    Two probes surely exclude one another if they are never 1 together although this was to be
    expected often. A probe that excludes at least half of these is also taken: it may show a rare
    state.
    """
    ones = seen.astype(np.float32)
    never = (ones.T @ ones) == 0
    many = ones.sum(axis=0)
    surely = (never & (np.outer(many, many) >= _OFTEN * len(seen))).any(axis=0)
    if not surely.any():
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(surely | (never[:, surely].mean(axis=1) >= 0.5))


def labelled(rows: Rows, labels: NDArray[np.int64], states: int) -> Labelled:
    """Return how well a labelling predicts the next states; rows without a state are skipped."""
    before, action, after, many = rows.moves
    labelled = (labels[before] != UNLABELLED) & (labels[after] != UNLABELLED)
    where = (labels[before[labelled]] * rows.actions + action[labelled]) * states + labels[
        after[labelled]
    ]
    led = np.bincount(where, weights=many[labelled], minlength=states * rows.actions * states)
    led = led.reshape(-1, states)
    known, total = int(led.any(axis=1).sum()), int(led.sum())
    clashes = total - int(led.max(axis=1).sum())
    nats = nats_of_rows(rows, labels) + rows.begins * log(states)
    led = led.astype(np.int64).reshape(states, rows.actions, states)
    return Labelled(states, labels, nats, known, total - known, clashes, led)


def nats_of_rows(rows: Rows, labels: NDArray[np.int64]) -> float:
    """Return the code length of the kinds given their states, and of which rows have a state."""
    many, kinds = np.bincount(labels + 1, weights=rows.sizes), np.bincount(labels + 1)
    nats = sum(
        lgamma(n + k / 2) - lgamma(k / 2)
        for n, k in zip(many.tolist(), kinds.tolist(), strict=True)
        if k
    )
    odd = many[0]
    return nats - rows.nats_alone + (coded((odd, many.sum() - odd)) if odd else 0.0)


def coded(counts: tuple[float, ...]) -> float:
    """Return the code length of symbols with these counts, for an adaptive forecaster."""
    half = len(counts) / 2
    own = sum(lgamma(n + 0.5) - lgamma(0.5) for n in counts)
    return lgamma(sum(counts) + half) - lgamma(half) - own


def covers(rows: Rows, whole: int) -> Iterator[tuple[int, ...]]:
    """Yield sets of probes of which exactly one is 1 on each of these kinds (exact covers)."""
    useful = sorted({mask & whole for mask in rows.masks} - {0, whole})
    tries = iter(range(_MOST_TRIES))

    def go(left: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not left:
            yield chosen
            return
        lowest = left & -left
        for mask in useful:
            if mask & lowest and not mask & ~left and next(tries, None) is not None:
                yield from go(left & ~mask, (*chosen, mask))

    return islice(go(whole, ()), _MOST_COVERS)


def partial_covers(rows: Rows, most: int) -> Iterator[tuple[int, ...]]:
    """Yield probes that exclude one another, followed by the rest; at most `most` sets together.

    The rest is the set of kinds on which none of them is 1. No single probe is 1 on exactly this
    set.
    """
    useful = sorted(set(rows.masks) - {0, rows.whole})
    tries = iter(range(_MOST_TRIES))

    def go(left: int, first: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for number in range(first, len(useful)):
            mask = useful[number]
            rest = left & ~mask
            if not mask & ~left and rest and next(tries, None) is not None:
                if len(chosen) + 3 <= most:
                    yield from go(rest, number + 1, (*chosen, mask))
                if rest not in useful:
                    yield (*chosen, mask, rest)

    return islice(go(rows.whole, 0, ()) if most > 1 else iter(()), _MOST_COVERS)


def labels_of(rows: Rows, cover: tuple[int, ...]) -> NDArray[np.int64]:
    """Return, for each kind, the number of the set to which it belongs."""
    found = np.full(len(rows.sizes), UNLABELLED)
    for state, mask in enumerate(cover):
        bits = np.frombuffer(mask.to_bytes(-(-len(found) // 8), "little"), dtype=np.uint8)
        found[np.unpackbits(bits, count=len(found), bitorder="little").astype(np.bool_)] = state
    return found


def looks(rows: Rows) -> list[Labelled]:
    """Return labellings by the values of some probes together, with fewer and fewer probes.

    Probes are dropped one by one, each time the one whose removal gives the shortest code.
    """
    columns = np.stack([labels_of(rows, (mask,)) == 0 for mask in rows.masks], axis=1)

    def read(probes: list[int]) -> Labelled:
        patterns, labels = np.unique(columns[:, probes], axis=0, return_inverse=True)
        return labelled(rows, labels.reshape(-1), len(patterns))

    left = list(range(len(rows.masks)))
    found = [read(left)]
    while len(left) > 1:
        fewer = [[other for other in left if other != probe] for probe in left]
        read_so = [read(probes) for probes in fewer]
        best = min(range(len(left)), key=lambda number: read_so[number].with_slips)
        left = fewer[best]
        found.append(read_so[best])
    return [each for each in found if each.states > 1]


_LONGEST_PERIOD: Final = 8
"""Periods of noise up to this many steps are tried."""
_MIXING_TIMES: Final = 6
"""How far back a probe is compared. After this many mixing times at most 1/64 of any difference is
left, which gains less than one nat in 2,000 rows."""
_TIMES: Final = 8
"""The number of parts of the run in which the frequencies of a probe are compared."""


@dataclass(frozen=True, slots=True)
class Gain:
    """How much better a probe is predicted, and from which information."""

    nats: float
    text: str


def gain_from_actions(rows: Rows, labels: NDArray[np.int64]) -> Gain:
    """Return the gain from the last action, or the last two, in addition to the state."""
    seen, many = _changing(rows), rows.actions
    last = rows.run.actions
    plain = _code(labels, seen)
    one = _best(_code(labels * many + last, seen) - plain)
    then = rows.follows
    two = labels[then] * many * many + last[then] * many + last[np.flatnonzero(then) - 1]
    both = _best(_code(two, seen[then]) - _code(labels[then], seen[then]))
    if both > one:
        return Gain(both, "what a state shows depends on the last two actions")
    return Gain(one, "what a state shows depends on the action before")


def gain_from_past(rows: Rows, labels: NDArray[np.int64], mixing_time: int) -> Gain:
    """Return the gain from an earlier value, the time modulo a period, or the part of the run."""
    return max(_gains_from_past(rows, labels, mixing_time), key=lambda gain: gain.nats)


def _gains_from_past(rows: Rows, labels: NDArray[np.int64], mixing_time: int) -> Iterator[Gain]:
    seen, times = _changing(rows), rows.run.times
    lag = _MIXING_TIMES * mixing_time
    if (late := _gain_from_earlier(rows, labels, lag)) > 0:
        # Noise with such a long memory also explains the dependence on the step before.
        text = f"what a state shows depends on what was seen {lag:,} steps before"
        yield Gain(max(late, _gain_from_earlier(rows, labels, 1)), text)
    plain = _code(labels, seen)
    for period in range(2, _LONGEST_PERIOD + 1):
        gain = _best(_code(labels * period + times % period, seen) - plain) - log(_LONGEST_PERIOD)
        yield Gain(gain, f"what a state shows repeats every {period} steps")
    part = np.arange(len(times)) * _TIMES // len(times)
    acted = labels * rows.actions + rows.run.actions
    gain = _best(_code(acted * _TIMES + part, seen) - _code(acted, seen))
    yield Gain(gain, "what a state shows is not the same in all parts of the run")


def _gain_from_earlier(rows: Rows, labels: NDArray[np.int64], lag: int) -> float:
    """Return the gain from the value of the same probe `lag` steps before."""
    seen, times = _changing(rows), rows.run.times
    now = np.flatnonzero(times[lag:] - times[:-lag] == lag) + lag
    if not len(now):
        return -inf
    here, before = labels[now], seen[now - lag]
    plain = _code(here, seen[now])
    past = [
        _code(2 * here + before[:, probe], seen[now, probe : probe + 1])[0] - plain[probe]
        for probe in range(seen.shape[1])
    ]
    return _best(np.array(past))


def _best(gains: NDArray[np.float64]) -> float:
    """Return the gain for the best probe, minus the price of choosing it."""
    return float(gains.max()) - log(len(gains)) if len(gains) else -inf


def _changing(rows: Rows) -> NDArray[np.bool_]:
    """Return the probes that show both values."""
    return rows.run.seen[:, changing(rows.run.seen)]


def _code(contexts: NDArray[np.int64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the log-probability of each probe, for a forecaster that knows each row's context."""
    order = np.argsort(contexts, kind="stable")
    starts = np.append([0], np.flatnonzero(np.diff(contexts[order])) + 1)
    ones = np.add.reduceat(seen[order], starts, axis=0, dtype=np.int64)
    sizes = np.diff(np.append(starts, len(order)))
    half = np.concatenate([[0.0], np.cumsum(np.log(np.arange(len(seen) + 1) + 0.5))])
    whole = np.concatenate([[0.0], np.cumsum(np.log(np.arange(len(seen) + 1) + 1.0))])
    gain = (half[ones] + half[sizes[:, None] - ones]).sum(axis=0) - whole[sizes].sum()
    return np.asarray(gain, dtype=np.float64)
