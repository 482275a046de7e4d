"""How the appendix tests AC-State (l. 1914): a search for K, a test with it, and a check.

1. Decades: T = 100, 1,000, … until for some K ≤ 50,000 AC-State is right on all 20 trajectories.
2. Refinement: T = 2·10^(m−1), 3·10^(m−1), … until that is so; K_opt is the median of these K.
3. Test: T = 10^(m−1), 2·10^(m−1), … with K_opt and new trajectories, until all 20 are right; that T
   is T_max, and the first T with at least 10 right is the median number of steps.
4. Check: on SinglePrime, with K_opt and T_max, AC-State returns φ_SP.

Where the appendix leaves room: exact ties give the larger encoder, as the text says (l. 1905); the
state between the halves belongs to both; the median of an even number of K is the lower one of the
middle two; K beyond the longest lag give what that lag gives, and count in the median. Twenty
trajectories decide each step, so a run is a draw. In 20 repeats of (3, 5), making one of these
choices otherwise left the spread of T_max as it was.

The work is split into jobs: each judges some trajectories and has a key. A trajectory is a function
of the pair, the policy, the stage, T, its index and the repeat: all of these are in the key of its
job. Rows can be read without Numba; only a job that is run needs it.

Up to T = 10⁷ all 20 trajectories are judged for all K: these are the curves of the search for K.
Longer trajectories are judged only as far as the answer needs it. No K can be right on all 20 that
was wrong on one, so after each few trajectories only the K that are left are looked at, and none
any more when no K is left. The answers are those of judging everything.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from steel_verified.errors import SteelError
from steel_verified.sweeps.study import Job, Row, side_by_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.trajectories import Policy
    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Study

FIRST_LENGTH: Final = 100
_LAST_LENGTH: Final = 10**10
_MOST_MULTIPLES: Final = 100

Stage: TypeAlias = Literal["search", "test", "single"]

TRAJECTORIES: Final = 20
MOST_LAGS: Final = 50_000
_WORK: Final = 2 * 10**9
"""About so many tuples, at least, make a job worth sending somewhere."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where trajectories come from, as far as all of them have it in common."""

    p: int
    q: int
    policy: Policy
    repeat: int

    def __str__(self) -> str:
        pair = f"p={self.p:02d} q={self.q:02d}"
        return f"ac-state {pair} {self.policy} repeat={self.repeat:02d}"


def jobs(source: Source, stage: Stage, length: int, lags: int = MOST_LAGS) -> list[Job]:
    """Twenty trajectories of a length: all K up to some in a search, one K otherwise."""
    return [_job(source, stage, length, lags, batch) for batch in _batches(length, lags)]


def jobs_of(source: Source, stage: Stage, length: int, lags: int, indices: range) -> list[Job]:
    """Some of the trajectories, each on its own."""
    return [_job(source, stage, length, lags, range(one, one + 1)) for one in indices]


def _job(source: Source, stage: Stage, length: int, lags: int, batch: range) -> Job:
    name = f"{source} {stage} T={length:011d} K={lags:05d}"
    return Job(
        f"{name} trajectories={batch[0]:02d}-{batch[-1]:02d}",
        partial(row, source, stage, length, lags, batch),
    )


def row(source: Source, stage: Stage, length: int, lags: int, batch: range) -> Row:
    """What AC-State returns on some of the trajectories (see judging).

    Raise `MissingExtra` if Numba is not installed.
    """
    from steel_verified.baselines.ac_state.gains import (  # noqa: PLC0415 (an extra)
        judged,
    )

    return judged(source, stage, length, lags, batch)


def _batches(length: int, lags: int) -> list[range]:
    enough = _WORK // (length * min(lags, length)) + 1
    size = max(divisor for divisor in (1, 2, 5, 10, 20) if divisor <= enough)
    return [range(first, first + size) for first in range(0, TRAJECTORIES, size)]


LONG: Final = 10**7
"""Longer trajectories are judged as far as needed. For shorter ones all K take minutes."""
_FEW_FIRST: Final = (0, 1, 2, 4, 8, 12, 16, 20)
"""Bounds of the trajectories judged together: as many as were judged before, at most four, so that
what turns out not to be needed is less than four trajectories."""
_HALF_FIRST: Final = (0, 10, 12, 16, 20)
"""The same where at least half of them must be judged in any case."""
_NEAR: Final = 4
"""Where one K is enough, those up to this many times the least possible one are tried first. At
T = 8·10⁶ of (17, 19) the K that are right on all reach from 1,413 to 1.8 times that."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Jobs of one step of the protocol."""

    stage: Stage
    length: int
    lags: int
    jobs: Sequence[Job]


def some_lag_is_right(source: Source, length: int) -> Generator[Asked, Sequence[Row], bool]:
    """Whether some K is right on all 20 trajectories."""
    if length <= LONG:
        counts = right_counts((yield _all(source, "search", length, MOST_LAGS)))
        return bool(counts.max() == TRAJECTORIES)
    for most in (_NEAR, MOST_LAGS):
        found = yield from _narrowed(source, length, most)
        if found.any():
            return True
    return False


def lags_right_on_all(source: Source, length: int) -> Generator[Asked, Sequence[Row], list[int]]:
    """The K that are right on all 20 trajectories."""
    if length <= LONG:
        counts = right_counts((yield _all(source, "search", length, MOST_LAGS)))
        found = counts == TRAJECTORIES
    else:
        found = yield from _narrowed(source, length, MOST_LAGS)
    return (np.flatnonzero(found) + 1).tolist()


def _narrowed(
    source: Source, length: int, near: int
) -> Generator[Asked, Sequence[Row], NDArray[np.bool_]]:
    """The K that are right on all 20 trajectories, at least the smaller ones of them.

    K beyond `near` times the least possible one are given up once the first trajectory is known.
    """
    possible, lags = np.ones(MOST_LAGS, np.bool_), MOST_LAGS
    for first, after in pairwise(_FEW_FIRST):
        rows = yield _some(source, "search", length, lags, range(first, after))
        possible &= right_counts(rows) == after - first
        possible[lags:] = False
        if not possible.any():
            break
        left = np.flatnonzero(possible) + 1
        lags = min(int(left[-1]), near * int(left[0]))
    return possible


def right_with(
    source: Source, length: int, lags: int, *, half_known: bool
) -> Generator[Asked, Sequence[Row], tuple[int, int]]:
    """On how many trajectories one K is right, and how many were judged.

    All 20, unless fewer tell that not all are right and, if that is not known of a smaller T,
    whether at least half are.
    """
    if length <= LONG:
        rows = yield _all(source, "test", length, lags)
        return sum(sign >= 0 for sign in signs_of(rows)), TRAJECTORIES
    right = 0
    for first, after in pairwise(_FEW_FIRST if half_known else _HALF_FIRST):
        rows = yield _some(source, "test", length, lags, range(first, after))
        right += sum(sign >= 0 for sign in signs_of(rows))
        wrong = after - right
        half_told = half_known or 2 * right >= TRAJECTORIES or 2 * wrong > TRAJECTORIES
        if wrong and half_told:
            break
    return right, after


def singles(source: Source, length: int, lags: int) -> Asked:
    """The check on SinglePrime."""
    return _all(source, "single", length, lags)


def singles_right(rows: Sequence[Row]) -> tuple[int, int]:
    """On how many trajectories of SinglePrime φ_SP is returned, and how many were judged."""
    signs = signs_of(rows)
    return sum(sign < 0 for sign in signs), len(signs)


def right_counts(rows: Sequence[Row]) -> NDArray[np.int64]:
    """For K = 1, …, 50,000: on how many trajectories of a search AC-State is right.

    An exact tie gives the larger encoder, φ_DP, which is right here (l. 1905). Where no lag is as
    long as K, the longest lag decides.
    """
    counts = np.zeros(MOST_LAGS, dtype=np.int64)
    for trajectory in (found for row in rows for found in listed(row["trajectories"])):
        assert isinstance(trajectory, Mapping), "as `row` writes it"
        lags = trajectory["lags"]
        for kind in ("right", "tied"):
            for interval in listed(trajectory[kind]):
                first, last = numbers(interval)
                if last == lags:
                    last = MOST_LAGS
                counts[first - 1 : last] += 1
    return counts


def signs_of(rows: Sequence[Row]) -> list[int]:
    """What a test found, trajectory by trajectory."""
    return [sign for row in rows for sign in numbers(row["signs"])]


def _all(source: Source, stage: Stage, length: int, lags: int) -> Asked:
    return Asked(stage, length, lags, jobs(source, stage, length, lags))


def _some(source: Source, stage: Stage, length: int, lags: int, indices: range) -> Asked:
    return Asked(stage, length, lags, jobs_of(source, stage, length, lags, indices))


def numbers(value: Json) -> list[int]:
    """The integers of a list in a row."""
    return [number for number in listed(value) if isinstance(number, int)]


def listed(value: Json) -> Sequence[Json]:
    """A list in a row; raise `SteelError` if it is none."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise SteelError(f"{value} in a row of results: expected a list")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the protocol found."""

    decade: int
    """m: at T = 10^m some K was right on enough trajectories."""
    searched_length: int
    """The T at which K_opt was found."""
    right_lags: tuple[int, int, int]
    """The least and the largest K that were right on all 20 there, and how many there were."""
    k_opt: int
    tested: tuple[tuple[int, int, int], ...]
    """Each T of the test, how many trajectories were right, and how many were judged: all 20, or,
    of long ones, as many as tell whether all are right and whether half are."""
    single_right: int = 0
    """How many trajectories of SinglePrime gave φ_SP."""
    single_judged: int = 0
    """How many of the 20 were judged: fewer while the check is under way."""

    @property
    def t_max(self) -> int:
        """The first T with all right."""
        return self.tested[-1][0]

    @property
    def t_median(self) -> int:
        """The first T with at least half right."""
        return next(length for length, right, _ in self.tested if 2 * right >= TRAJECTORIES)


def outcome_of(row: Row) -> Outcome:
    """The outcome that a row holds; raise `SteelError` if it holds none."""
    try:
        decade, length, k_opt = numbers(
            [row[name] for name in ("decade", "searched_length", "k_opt")]
        )
        least, most, number = numbers(row["right_lags"])
        tested = [
            (steps, right, judged) for steps, right, judged in map(numbers, listed(row["tested"]))
        ]
        single_right, single_judged = numbers(row["single"])
    except (KeyError, ValueError) as error:
        raise SteelError(f"{dict(row)} is not the outcome of a run ({error})") from error
    return Outcome(
        decade=decade,
        searched_length=length,
        right_lags=(least, most, number),
        k_opt=k_opt,
        tested=tuple(tested),
        single_right=single_right,
        single_judged=single_judged,
    )


@dataclass(frozen=True, slots=True)
class Protocol:
    """One run of the protocol. Another repeat is the same with other trajectories."""

    pair: tuple[int, int]
    policy: Policy = "uniform"
    repeat: int = 0

    @property
    def source(self) -> Source:
        return Source(*self.pair, self.policy, self.repeat)

    @property
    def outcome_key(self) -> str:
        """The key of the outcome of a recorded run whose other rows were not kept."""
        return f"{self.source} outcome"


@dataclass(frozen=True, slots=True)
class Curve:
    """On how many of 20 trajectories of one length AC-State is right, for each K.

    As steps: (K, number) says that from this K on it is that number.
    """

    length: int
    steps: tuple[tuple[int, int], ...]


_Steps: TypeAlias = Generator[Asked, Sequence[Row], Outcome]


def study(protocol: Protocol) -> Study:
    """The jobs of a run of the protocol, stage by stage."""

    def still_to_do(done: Mapping[str, Row]) -> Sequence[Job]:
        _, asked = so_far(protocol, done)
        return [] if asked is None else [job for job in asked.jobs if job.key not in done]

    return still_to_do


def outcome(protocol: Protocol, rows: Mapping[str, Row]) -> Outcome | None:
    """What a run of the protocol found; None while it is under way."""
    found, asked = so_far(protocol, rows)
    return found if asked is None else None


def so_far(protocol: Protocol, rows: Mapping[str, Row]) -> tuple[Outcome | None, Asked | None]:
    """What a run has found, as soon as T_max is known, and the step it waits for, if any."""
    if (kept := rows.get(protocol.outcome_key)) is not None:
        return outcome_of(kept), None
    reached = _follow(steps_of(protocol), rows)
    if isinstance(reached, Asked):
        return None, reached
    asked = singles(protocol.source, reached.t_max, reached.k_opt)
    done = [rows[job.key] for job in asked.jobs if job.key in rows]
    right, judged = singles_right(done)
    found = replace(reached, single_right=right, single_judged=judged)
    return found, None if judged == TRAJECTORIES else asked


def curves(protocol: Protocol, rows: Mapping[str, Row]) -> list[Curve]:
    """The searches that are complete, by T: how many of 20 are right for each K."""
    found, length = [], FIRST_LENGTH
    while length < _LAST_LENGTH:
        for multiple in range(1, 10):
            asked = jobs(protocol.source, "search", multiple * length)
            if all(job.key in rows for job in asked):
                counts = right_counts([rows[job.key] for job in asked])
                changes = np.flatnonzero(np.diff(counts, prepend=-1)).tolist()
                steps = tuple((lag + 1, int(counts[lag])) for lag in changes)
                found.append(Curve(multiple * length, steps))
        length *= 10
    return found


def _follow(steps: _Steps, rows: Mapping[str, Row]) -> Outcome | Asked:
    """Go through the protocol as far as there are rows: to its end, or to the jobs it waits for."""
    try:
        asked = next(steps)
        while all(job.key in rows for job in asked.jobs):
            asked = steps.send([rows[job.key] for job in asked.jobs])
    except StopIteration as end:
        found: Outcome = end.value
        return found
    return asked


def steps_of(protocol: Protocol) -> _Steps:
    """The protocol step by step, all but the check on SinglePrime: it is sent the rows of each."""
    source, length = protocol.source, FIRST_LENGTH
    while not (yield from some_lag_is_right(source, length)):
        length *= 10
        if length > _LAST_LENGTH:
            raise SteelError(f"{source}: no K is right on all trajectories up to T = 10^10")
    step = length // 10
    for multiple in range(2, _MOST_MULTIPLES + 1):
        right = yield from lags_right_on_all(source, multiple * step)
        if right:
            break
    else:
        raise SteelError(f"{source}: no K is right on all trajectories up to T = {multiple * step}")
    k_opt = median_low(right)  # the higher median would be right for all 20, too
    tested = yield from _tested(protocol, step, k_opt)
    return Outcome(
        decade=len(str(length)) - 1,
        searched_length=multiple * step,
        right_lags=(right[0], right[-1], len(right)),
        k_opt=k_opt,
        tested=tuple(tested),
    )


def _tested(
    protocol: Protocol, step: int, k_opt: int
) -> Generator[Asked, Sequence[Row], list[tuple[int, int, int]]]:
    """The test: T, how many were right, and how many were judged, until all 20 are right."""
    tested: list[tuple[int, int, int]] = []
    half_known = False
    for multiple in range(1, _MOST_MULTIPLES + 1):
        right, judged = yield from right_with(
            protocol.source, multiple * step, k_opt, half_known=half_known
        )
        tested.append((multiple * step, right, judged))
        if right == TRAJECTORIES:
            return tested
        half_known = half_known or 2 * right >= TRAJECTORIES
    raise SteelError(
        f"{protocol.source}: not all right with K = {k_opt} up to T = {multiple * step}"
    )


def runs(protocols: Iterable[Protocol], repeats: int) -> Study:
    """So many repeats of each protocol, as one study."""
    return side_by_side(
        study(replace(protocol, repeat=repeat))
        for protocol in protocols
        for repeat in range(repeats)
    )
