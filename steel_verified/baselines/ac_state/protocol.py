"""How the appendix tests AC-State (l. 1914): a search for K, a test with it, and a check.

1. Decades: T = 100, 1,000, … until for some K ≤ 50,000 AC-State is right on all 20 trajectories.
2. Refinement: T = 2·10^(m−1), 3·10^(m−1), … until that is so; K_opt is the median of these K.
3. Test: T = 10^(m−1), 2·10^(m−1), … with K_opt and new trajectories, until all 20 are right; that T
   is T_max, and the first T with at least 10 right is the median number of steps.
4. Check: on SinglePrime, with K_opt and T_max, AC-State returns φ_SP.

Where the appendix leaves room: exact ties give the larger encoder, as the text says (l. 1905); the
state between the halves belongs to both; the median of an even number of K is the lower one of the
middle two; K beyond the longest lag give what that lag gives, and count in the median.

The work is split into jobs. A trajectory is a function of what the key of its job has: pair,
policy, stage, T, index and repeat. Up to T = 10⁷ all 20 trajectories are judged for all K: these
are the curves of the search. Longer ones are judged only for the K that can still be right on all
20, and not at all when none is left. The answers are those of judging everything.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np

from steel_verified.errors import SteelError
from steel_verified.sweeps.study import Job, Row, Study, side_by_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.trajectories import Policy

FIRST_LENGTH: Final = 100
_LAST_LENGTH: Final = 10**10
_MOST_MULTIPLES: Final = 100

Stage: TypeAlias = Literal["search", "test", "single"]
Found = TypeVar("Found")

TRAJECTORIES: Final = 20
MOST_LAGS: Final = 50_000
_WORK: Final = 2 * 10**9
"""About so many tuples, at least, make a job worth sending somewhere."""
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
class Protocol:
    """One run of the protocol. Another repeat is the same with other trajectories."""

    pair: tuple[int, int]
    policy: Policy = "uniform"
    repeat: int = 0

    def __str__(self) -> str:
        p, q = self.pair
        return f"ac-state p={p:02d} q={q:02d} {self.policy} repeat={self.repeat:02d}"

    @property
    def outcome_key(self) -> str:
        return f"{self} outcome"


@dataclass(frozen=True, slots=True)
class Asked:
    """Jobs of one step of the protocol."""

    stage: Stage
    length: int
    lags: int
    jobs: Sequence[Job]


def asked(
    protocol: Protocol, stage: Stage, length: int, lags: int, indices: range | None = None
) -> Asked:
    """Judge all K up to `lags` in a search, the one K otherwise.

    Each of the trajectories `indices` is a job of its own. Without them all 20 are judged, several
    short ones in one job.
    """
    size = 1
    if indices is None:
        enough = _WORK // (length * min(lags, length)) + 1
        size = max(divisor for divisor in (1, 2, 5, 10, 20) if divisor <= enough)
        indices = range(0, TRAJECTORIES, size)
    name = f"{protocol} {stage} T={length:011d} K={lags:05d}"
    jobs = [
        Job(
            f"{name} trajectories={first:02d}-{first + size - 1:02d}",
            partial(row, protocol, stage, length, lags, range(first, first + size)),
        )
        for first in indices
    ]
    return Asked(stage, length, lags, jobs)


def row(protocol: Protocol, stage: Stage, length: int, lags: int, batch: range) -> Row:
    """What AC-State returns on some of the trajectories; see `gains.judged`."""
    from steel_verified.baselines.ac_state.gains import judged  # noqa: PLC0415 (an extra)

    return judged(protocol, stage, length, lags, batch)


class _Searched(msgspec.Struct, frozen=True):
    lags: int
    right: tuple[tuple[int, int], ...]
    tied: tuple[tuple[int, int], ...]


class _Search(msgspec.Struct, frozen=True):
    trajectories: tuple[_Searched, ...]


class _Signs(msgspec.Struct, frozen=True):
    signs: tuple[int, ...]


def _read(row: Row, kind: type[Found]) -> Found:
    try:
        return msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise SteelError(f"{dict(row)} in a row of results: {error}") from error


def right_counts(rows: Sequence[Row]) -> NDArray[np.int64]:
    """For K = 1, …, 50,000: on how many trajectories of a search AC-State is right.

    Where no lag is as long as K, the longest lag decides.
    """
    counts = np.zeros(MOST_LAGS, dtype=np.int64)
    for found in (one for row in rows for one in _read(row, _Search).trajectories):
        for first, last in (*found.right, *found.tied):
            counts[first - 1 : MOST_LAGS if last == found.lags else last] += 1
    return counts


def signs_of(rows: Sequence[Row]) -> list[int]:
    return [sign for row in rows for sign in _read(row, _Signs).signs]


_Steps: TypeAlias = Generator[Asked, Sequence[Row], Found]


def some_lag_is_right(protocol: Protocol, length: int) -> _Steps[bool]:
    """Whether some K is right on all 20 trajectories."""
    if length <= LONG:
        return bool((yield from lags_right_on_all(protocol, length)))
    for near in (_NEAR, MOST_LAGS):
        found = yield from _narrowed(protocol, length, near)
        if found.any():
            return True
    return False


def lags_right_on_all(protocol: Protocol, length: int) -> _Steps[list[int]]:
    """The K that are right on all 20 trajectories."""
    if length <= LONG:
        rows = yield asked(protocol, "search", length, MOST_LAGS)
        found = right_counts(rows) == TRAJECTORIES
    else:
        found = yield from _narrowed(protocol, length, MOST_LAGS)
    return (np.flatnonzero(found) + 1).tolist()


def _narrowed(protocol: Protocol, length: int, near: int) -> _Steps[NDArray[np.bool_]]:
    """The K that are right on all 20 trajectories, up to `near` times the least possible one."""
    possible, lags = np.ones(MOST_LAGS, np.bool_), MOST_LAGS
    for first, after in pairwise(_FEW_FIRST):
        rows = yield asked(protocol, "search", length, lags, range(first, after))
        possible &= right_counts(rows) == after - first
        possible[lags:] = False
        if not possible.any():
            break
        left = np.flatnonzero(possible) + 1
        lags = min(int(left[-1]), near * int(left[0]))
    return possible


def right_with(
    protocol: Protocol, length: int, lags: int, *, half_known: bool
) -> _Steps[tuple[int, int]]:
    """On how many trajectories one K is right, and how many were judged.

    All 20, unless fewer tell that not all are right and, if that is not known of a smaller T,
    whether at least half are.
    """
    if length <= LONG:
        rows = yield asked(protocol, "test", length, lags)
        return sum(sign >= 0 for sign in signs_of(rows)), TRAJECTORIES
    right = 0
    for first, after in pairwise(_FEW_FIRST if half_known else _HALF_FIRST):
        rows = yield asked(protocol, "test", length, lags, range(first, after))
        right += sum(sign >= 0 for sign in signs_of(rows))
        wrong = after - right
        half_told = half_known or 2 * right >= TRAJECTORIES or 2 * wrong > TRAJECTORIES
        if wrong and half_told:
            break
    return right, after


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the protocol found, as recorded rows have it."""

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
    single: tuple[int, int] = (0, 0)
    """How many trajectories of SinglePrime gave φ_SP, and how many of the 20 were judged: fewer
    while the check is under way."""

    @property
    def t_max(self) -> int:
        """The first T with all right."""
        return self.tested[-1][0]

    @property
    def t_median(self) -> int:
        """The first T with at least half right."""
        return next(length for length, right, _ in self.tested if 2 * right >= TRAJECTORIES)


@dataclass(frozen=True, slots=True)
class Curve:
    """On how many of 20 trajectories of one length AC-State is right, for each K.

    As steps: (K, number) says that from this K on it is that number.
    """

    length: int
    steps: tuple[tuple[int, int], ...]


def study(protocol: Protocol) -> Study:
    """The jobs of a run of the protocol, stage by stage."""

    def still_to_do(done: Mapping[str, Row]) -> Sequence[Job]:
        _, waiting = so_far(protocol, done)
        return [] if waiting is None else [job for job in waiting.jobs if job.key not in done]

    return still_to_do


def outcome(protocol: Protocol, rows: Mapping[str, Row]) -> Outcome | None:
    found, waiting = so_far(protocol, rows)
    return found if waiting is None else None


def so_far(protocol: Protocol, rows: Mapping[str, Row]) -> tuple[Outcome | None, Asked | None]:
    """What a run has found, as soon as T_max is known, and the step it waits for, if any."""
    if (kept := rows.get(protocol.outcome_key)) is not None:
        return _read(kept, Outcome), None
    reached = _follow(steps_of(protocol), rows)
    if isinstance(reached, Asked):
        return None, reached
    single = asked(protocol, "single", reached.t_max, reached.k_opt)
    signs = signs_of([rows[job.key] for job in single.jobs if job.key in rows])
    right = sum(sign < 0 for sign in signs)
    found = msgspec.structs.replace(reached, single=(right, len(signs)))
    return found, None if len(signs) == TRAJECTORIES else single


def curves(protocol: Protocol, rows: Mapping[str, Row]) -> list[Curve]:
    """The searches that are complete, by T: how many of 20 are right for each K."""
    found, length = [], FIRST_LENGTH
    while length < _LAST_LENGTH:
        for multiple in range(1, 10):
            search = asked(protocol, "search", multiple * length, MOST_LAGS).jobs
            if all(job.key in rows for job in search):
                counts = right_counts([rows[job.key] for job in search])
                changes = np.flatnonzero(np.diff(counts, prepend=-1)).tolist()
                steps = tuple((lag + 1, int(counts[lag])) for lag in changes)
                found.append(Curve(multiple * length, steps))
        length *= 10
    return found


def _follow(steps: _Steps[Outcome], rows: Mapping[str, Row]) -> Outcome | Asked:
    """Go through the protocol as far as there are rows: to its end, or to the jobs it waits for."""
    try:
        waiting = next(steps)
        while all(job.key in rows for job in waiting.jobs):
            waiting = steps.send([rows[job.key] for job in waiting.jobs])
    except StopIteration as end:
        found: Outcome = end.value
        return found
    return waiting


def steps_of(protocol: Protocol) -> _Steps[Outcome]:
    """The protocol step by step, all but the check on SinglePrime: it is sent the rows of each."""
    length = FIRST_LENGTH
    while not (yield from some_lag_is_right(protocol, length)):
        length *= 10
        if length > _LAST_LENGTH:
            raise SteelError(f"{protocol}: no K is right on all trajectories up to T = 10^10")
    step = length // 10
    for multiple in range(2, _MOST_MULTIPLES + 1):
        right = yield from lags_right_on_all(protocol, multiple * step)
        if right:
            break
    else:
        raise SteelError(
            f"{protocol}: no K is right on all trajectories up to T = {multiple * step}"
        )
    k_opt = median_low(right)  # the higher median would be right for all 20, too
    tested = yield from _tested(protocol, step, k_opt)
    return Outcome(
        decade=len(str(length)) - 1,
        searched_length=multiple * step,
        right_lags=(right[0], right[-1], len(right)),
        k_opt=k_opt,
        tested=tuple(tested),
    )


def _tested(protocol: Protocol, step: int, k_opt: int) -> _Steps[list[tuple[int, int, int]]]:
    """The test: T, how many were right, and how many were judged, until all 20 are right."""
    tested: list[tuple[int, int, int]] = []
    half_known = False
    for multiple in range(1, _MOST_MULTIPLES + 1):
        right, judged = yield from right_with(
            protocol, multiple * step, k_opt, half_known=half_known
        )
        tested.append((multiple * step, right, judged))
        if right == TRAJECTORIES:
            return tested
        half_known = half_known or 2 * right >= TRAJECTORIES
    raise SteelError(f"{protocol}: not all right with K = {k_opt} up to T = {multiple * step}")


def runs(protocols: Iterable[Protocol], repeats: int) -> Study:
    return side_by_side(
        study(replace(protocol, repeat=repeat))
        for protocol in protocols
        for repeat in range(repeats)
    )
