"""A check before a run: a short walk in a world, and plain answers to what may go wrong.

    print(preflight(world, Components(12), max_states=10, mixing_time=5))

Nothing here is part of the guarantee. Observations that a class cannot distinguish form a group.
Two sets of observations, each from one state, are *apart* if the class has a separating classifier
in both directions. If they are not apart, they come from the same state, provided that each state
has its own classifier. If they are apart, nothing follows: one state may have several groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import lcm, sqrt
from random import Random
from textwrap import fill
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Class, Declared, Summary, each_against_others
from steel_verified.evidence.plans import Plan, World
from steel_verified.theory.parameters import require_integer, require_oracle, require_world
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.chains import MIXED
from steel_verified.worlds.progress import Progress, counting

if TYPE_CHECKING:
    from numpy.typing import NDArray


Batch = TypeVar("Batch", bound=Sized)

LONGEST_PERIOD: Final = 12
_ENOUGH: Final = 40
"""A group with this many observations should not be apart from another group of its state."""
_MOST_KEPT: Final = 60
"""The largest number of observations of a cycle that are kept; more cost time and add little."""


@dataclass(slots=True)
class _Pool:
    """A group: its summary, how many observations the summary has, and how many the group had."""

    seen: Summary
    kept: int
    visits: int


class Groups(Generic[Batch]):
    """Groups of observations, and where actions lead from each group, updated along a walk."""

    def __init__(self, oracle: Class[Batch]) -> None:
        self._oracle = oracle
        self._pools: dict[int, _Pool] = {}
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

    def join_alike(self, times: int) -> None:
        """Merge groups seen so often that are not apart any more: they were compared when new."""
        often = [n for n, pool in self._pools.items() if pool.visits >= times]
        for one, other in combinations(often, 2):
            pools = [self._pools.get(one), self._pools.get(other)]
            seen = [pool.seen for pool in pools if pool is not None]
            if len(seen) == 2 and not apart(self._oracle, *seen):
                self._join(one, other)

    def alone(self, times: int) -> int:
        """How many of the groups seen so often have a classifier of their own."""
        seen = [pool.seen for pool in self._pools.values() if pool.visits >= times]
        return sum(found is not None for found in each_against_others(self._oracle, seen))

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
        if not apart(self._oracle, pool.seen, row):
            pool.visits += 1
            return foreseen
        others = (n for n, one in self._pools.items() if n != foreseen and one.kept >= _ENOUGH)
        other = next((n for n in others if not apart(self._oracle, self._pools[n].seen, row)), None)
        if other is None:
            self._grow(pool, row)
            return foreseen
        self.surprises += 1
        self._pools[other].visits += 1
        return other

    def _place(self, pool: _Pool) -> int:
        """Merge a pool with all groups from which it is not apart; return the resulting group."""
        same = [
            n for n, other in self._pools.items() if not apart(self._oracle, other.seen, pool.seen)
        ]
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
        self._leads = {
            (one if here == other else here, action): one if there == other else there
            for (here, action), there in self._leads.items()
        }

    def _grow(self, pool: _Pool, seen: Summary, rows: int = 1) -> None:
        pool.visits += rows
        pool.kept += rows
        pool.seen = self._oracle.merge(pool.seen, seen)

    def _whole(self, rows: Sequence[Summary]) -> _Pool:
        last = rows[-_MOST_KEPT:]
        return _Pool(reduce(self._oracle.merge, last), len(last), len(rows))


def apart(oracle: Class[Batch], one: Summary, other: Summary) -> bool:
    """Whether the class can separate two sets of observations in both directions."""
    forth, back = oracle.separating(one, other), oracle.separating(other, one)
    return forth is not None and back is not None


def different_outcomes(
    oracle: Class[Batch], rows: Sequence[Summary], taken: Sequence[int]
) -> tuple[int, int]:
    """Count pairs of steps with the same action in the same state, and those that led apart."""
    pairs = differing = 0
    for later in range(2, len(rows)):
        for earlier in range(1, later):
            alike = taken[earlier] == taken[later]
            if alike and not apart(oracle, rows[earlier - 1], rows[later - 1]):
                pairs += 1
                differing += apart(oracle, rows[earlier], rows[later])
    return pairs, differing


def period_of(oracle: Class[Batch], rows: Sequence[Summary]) -> int | None:
    """A multiple of the period with which states recur, or None if no small one fits.

    With period m, the rows fall into m classes, each of which can be separated from all others.
    """
    possible = [1]
    for period in range(2, LONGEST_PERIOD + 1):
        classes = [reduce(oracle.merge, rows[phase::period]) for phase in range(period)]
        if all(found is not None for found in each_against_others(oracle, classes)):
            possible.append(period)
    multiple = lcm(*possible)
    return multiple if multiple <= LONGEST_PERIOD else None


_MOST_LAGS: Final = 60
_SURE: Final = 3.0
"""An autocorrelation within this many standard deviations of 0 counts as 0."""


@dataclass(frozen=True, slots=True)
class MixingEstimate:
    """How noise mixed while one action was repeated and the state recurred every `period` steps.

    Each feature that varied is modelled as a two-state chain, independent of the others.
    """

    action: int
    period: int
    varying: int
    """How many features varied although the state was the same."""
    steps: int | None
    """The estimate of t_mix; None if the noise is too slow for the walk to tell."""
    autocorrelation: tuple[float, ...]
    """Autocorrelations of the slowest feature, at lags of 1, 2, … periods."""


def estimated(action: int, period: int, features: NDArray[np.bool_]) -> MixingEstimate:
    """The estimate from one observation for each step, if the state recurs with this period."""
    rows = features.astype(np.float64)
    rows = rows[: len(rows) // period * period].reshape(-1, period, rows.shape[1])
    centred = rows - rows.mean(axis=0)
    varying = np.flatnonzero((centred**2).sum(axis=(0, 1)))
    if not len(varying):
        return MixingEstimate(action, period, 0, 1, ())
    first = _correlation(centred[:, :, varying], 1)
    shares = rows.mean(axis=(0, 1))[varying]
    most = np.maximum(shares, 1 - shares)
    unclear = _SURE / sqrt(len(rows) * period)
    rates = np.where(np.abs(first) < unclear, 0.0, np.abs(first))
    slowest = centred[:, :, [varying[int(np.argmax(rates))]]]
    lags = range(1, min(_MOST_LAGS, len(rows) // 4) + 1)
    return MixingEstimate(
        action=action,
        period=period,
        varying=len(varying),
        steps=_steps(rates, most, period, len(rows)),
        autocorrelation=tuple(float(_correlation(slowest, lag)[0]) for lag in lags),
    )


def probes(packed: Sequence[bytes], declared: Declared) -> NDArray[np.bool_]:
    """The entries of rows as bits: a number counts as 1 if it is above its median."""
    rows = _rows(packed, declared)
    above: NDArray[np.bool_] = rows > (0 if declared.entries == "bits" else np.median(rows, axis=0))
    return above


def varying_features(packed: Sequence[bytes], declared: Declared) -> int:
    """How many features took more than one value."""
    rows = _rows(packed, declared)
    return int(np.count_nonzero(rows.min(axis=0) != rows.max(axis=0)))


def _rows(packed: Sequence[bytes], declared: Declared) -> NDArray[np.uint8 | np.int64 | np.float64]:
    held = np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), -1)
    if declared.entries == "bits":
        return np.unpackbits(held, axis=1, count=declared.width, bitorder="little")
    return held.view(np.int64 if declared.entries == "int64" else np.float64)


def _correlation(centred: NDArray[np.float64], lag: int) -> NDArray[np.float64]:
    """The autocorrelation of each feature, over all phases of the period."""
    products = (centred[lag:] * centred[:-lag]).sum(axis=(0, 1))
    correlation: NDArray[np.float64] = products / (centred**2).sum(axis=(0, 1))
    return correlation


def _steps(
    rates: NDArray[np.float64], most: NDArray[np.float64], period: int, repeats: int
) -> int | None:
    """The first time at which the distances from stationarity sum to at most 1/4."""
    for passes in range(1, repeats // 4 + 1):
        if float((most * rates**passes).sum()) <= float(MIXED):
            return passes * period
    return None


WALK_STEPS: Final = 2000
OFTEN: Final = 10
_RICH: Final = 50
_FEW: Final = 0.02
_MOSTLY: Final = 0.8
"""Two groups of one state have no classifier of their own, which says nothing against a class."""
_COMPARED: Final = 60
_LEAST_EACH: Final = 4 * LONGEST_PERIOD


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its answer, and whether the answer needs attention."""

    question: str
    text: str
    warns: bool


@dataclass(frozen=True, slots=True)
class Preflight:
    """The results of a short walk. A group contains observations that cannot be distinguished."""

    steps: int
    different: int
    """The number of different observations."""
    features: int
    varying: int
    """The number of features that took more than one value."""
    growth: tuple[int, ...]
    """The number of groups after each step of the random walk."""
    often: int
    """The number of groups that were seen often."""
    alone: int
    """How many of these have a classifier that is 1 on this group, and 0 on all the others."""
    foreseen: int
    """Steps with a predicted outcome: the same action in the same group was seen often before."""
    surprises: int
    """The number of these steps that showed another group."""
    pairs: int
    """Pairs of steps with the same action from observations of the same state; counted only if
    there is only one group."""
    differing: int
    """The number of these pairs that led to distinguishable observations."""
    mixing: MixingEstimate | None
    max_states: int | None
    mixing_time: int | None

    @property
    def groups(self) -> int:
        return self.growth[-1]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The questions and their answers."""
        return (
            self._varies(),
            self._separates(),
            self._random(),
            self._states(),
            self._mixes(),
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(answer.text for answer in self.answers if answer.warns)

    def __str__(self) -> str:
        """The answers for a screen of 80 columns, with a "!" before those that need attention."""
        lines: list[str] = []
        for answer in self.answers:
            lines.append(f"{'!' if answer.warns else ' '} {answer.question}")
            text = f"{answer.text[0].upper()}{answer.text[1:]}."
            lines.append(fill(text, 80, initial_indent="    ", subsequent_indent="    "))
        return "\n".join(lines)

    def _varies(self) -> Answer:
        text = f"features that took more than one value: {self.varying} of {self.features}"
        return Answer("Does any classifier vary?", text, warns=self.varying == 0)

    def _separates(self) -> Answer:
        text = f"different observations: {self.different:,}; groups of them: {self.groups:,}"
        warning = ""
        if self.groups == 1:
            warning = (
                ". All observations look alike: the features do not show the state, the class is "
                "too small, the dynamics are random, or there is only one state"
            )
        elif self.groups >= _RICH and 2 * self.groups > max(self.different, 4 * self.often):
            warning = (
                ". Almost nothing is recognised: the class is too large, or the walk too short"
            )
        elif self.alone < self.often:
            warning = (
                f". {self.often - self.alone:,} of {self.often:,} that were seen often have no "
                "classifier that tells them from all others"
            )
            if self.alone < _MOSTLY * self.often:
                warning += ": the class is too small"
        text, warns = text + warning, bool(warning) and not warning.endswith("all others")
        return Answer("Do the features separate anything?", text, warns=warns)

    def _random(self) -> Answer:
        question = "Is there visible randomness in the dynamics?"
        if self.groups == 1:
            text = (
                f"an estimate: of {self.pairs:,} pairs of steps with one action from observations "
                f"of one state, {self.differing:,} led to observations that look different"
            )
            return Answer(question, text, warns=self.differing > 0)
        if not self.foreseen:
            return Answer(question, "unknown: no state was seen often enough", warns=False)
        warns = self.surprises > _FEW * self.foreseen
        text = (
            f"an estimate: of {self.foreseen:,} steps whose outcome had been seen often, "
            f"{self.surprises:,} showed another state"
        )
        if warns:
            text += (
                ". The dynamics are random or depend on something that is not observed, or some "
                "state does not have its own classifier"
            )
        return Answer(question, text, warns=warns)

    def _states(self) -> Answer:
        text = f"an estimate: groups seen at least {OFTEN} times: {self.often:,}"
        warns = self.max_states is not None and self.often > self.max_states
        if self.max_states is not None:
            given = f"N = {self.max_states} seems too small" if warns else f"N is {self.max_states}"
            text += f"; {given}"
        return Answer("Which N seems too small?", text, warns=warns)

    def _mixes(self) -> Answer:
        question = "How slowly does the noise seem to mix?"
        found = self.mixing
        if found is None:
            text = f"unknown: no action leads back to a state within {LONGEST_PERIOD} steps"
            return Answer(question, text, warns=False)
        where = f"while action {found.action} was repeated"
        if not found.varying:
            return Answer(question, f"no noise was seen {where}", warns=False)
        if found.steps is None:
            text = f"too slowly for this walk to tell, {where}: walk longer"
            return Answer(question, text, warns=True)
        text = f"an estimate, {where}: t_mix is about {found.steps}"
        warns = self.mixing_time is not None and self.mixing_time < found.steps
        if warns:
            text += f"; t̂_mix = {self.mixing_time} seems too small"
        return Answer(question, text, warns=warns)


@dataclass(frozen=True, slots=True)
class Walk(Generic[Batch]):
    """What was seen on a walk: each action repeated, and then actions at random."""

    repeated: tuple[tuple[Batch, ...], ...]
    """For each action, the rows while it was repeated, from when its states may recur."""
    word: tuple[int, ...]
    """The random actions."""
    rows: tuple[Batch, ...]
    """The row after each of them."""
    steps: int
    """All steps that were taken."""

    def beginning(self, steps: int) -> Walk[Batch]:
        """The first steps of each part, for a class that takes long to compare observations."""
        repeated = tuple(batches[:steps] for batches in self.repeated)
        return Walk(repeated, self.word[:steps], self.rows[:steps], self.steps)


def walk(world: World[Batch], *, steps: int = WALK_STEPS, seed: int = 0) -> Walk[Batch]:
    """Repeat each action, then walk at random, each for half of the steps."""
    require_world(world)
    each = steps // 2 // world.actions
    if each < _LEAST_EACH:
        expected = f"at least {2 * _LEAST_EACH * world.actions}, for this many actions"
        raise InvalidArgument("steps", steps, expected)
    # The first observations may be from states that do not recur.
    repeated = tuple(
        rows_after(world, (action,) * each)[each // 4 :] for action in range(world.actions)
    )
    random = Random(seed)
    word = tuple(random.randrange(world.actions) for _ in range(steps - each * world.actions))
    return Walk(repeated, word, rows_after(world, word), steps)


def looked(
    walked: Walk[Batch],
    oracle: Class[Batch],
    *,
    max_states: int | None = None,
    mixing_time: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Preflight:
    """Return what a class sees on a walk."""
    groups: Groups[Batch] = Groups(oracle)
    packed: list[bytes] = []
    estimates: list[MixingEstimate] = []
    for action, batches in enumerate(walked.repeated):
        rows = [oracle.summarise(batch) for batch in batches]
        shown = [oracle.pack(batch) for batch in batches]
        packed += shown
        if (period := period_of(oracle, rows)) is not None:
            groups.add_cycle(action, rows, period)
            estimates.append(estimated(action, period, probes(shown, oracle.declared)))
    singles = [oracle.summarise(batch) for batch in walked.rows]
    packed += [oracle.pack(batch) for batch in walked.rows]
    growth = _grown(groups, walked.word, singles, counting(progress, "comparing", len(singles)))
    groups.join_alike(OFTEN)
    few = _COMPARED if len(groups) == 1 else 0
    pairs, differing = different_outcomes(oracle, singles[:few], walked.word[:few])
    return Preflight(
        steps=walked.steps,
        different=len(set(packed)),
        features=oracle.declared.width,
        varying=varying_features(packed, oracle.declared),
        growth=growth,
        often=groups.visited(OFTEN),
        alone=groups.alone(OFTEN),
        foreseen=groups.foreseen,
        surprises=groups.surprises,
        pairs=pairs,
        differing=differing,
        mixing=min(estimates, key=lambda one: one.period, default=None),
        max_states=max_states,
        mixing_time=mixing_time,
    )


def preflight(
    world: World[Batch],
    oracle: Class[Batch],
    *,
    steps: int = WALK_STEPS,
    seed: int = 0,
    max_states: int | None = None,
    mixing_time: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Preflight:
    """Repeat each action, then walk at random, each for half of the steps, and return answers.

    The world is used up by this: learn in a new one. `max_states` and `mixing_time` are the N and
    t̂_mix that you plan to use. `progress` is called while observations are compared.
    """
    require_oracle(oracle)
    for argument, bound in (("max_states", max_states), ("mixing_time", mixing_time)):
        if bound is not None:
            require_integer(argument, bound, at_least=1)
    return looked(
        walk(world, steps=steps, seed=seed),
        oracle,
        max_states=max_states,
        mixing_time=mixing_time,
        progress=progress,
    )


def _grown(
    groups: Groups[Batch],
    word: Sequence[int],
    rows: Sequence[Summary],
    note: Callable[[int], None],
) -> tuple[int, ...]:
    growth: list[int] = []
    here: int | None = None
    for done, (action, row) in enumerate(zip(word, rows, strict=True), start=1):
        here = groups.add(row, here, action)
        growth.append(len(groups))
        note(done)
    return tuple(growth)


def rows_after(world: World[Batch], word: tuple[int, ...]) -> tuple[Batch, ...]:
    """The observation after each action of a word, one row per batch."""
    every = (Progression(1, (Level(len(word), 1),)),)
    loop = world.run(Plan(word, len(word), keeps=every))
    return loop.rows(*((Progression(time),) for time in range(1, len(word) + 1)))
