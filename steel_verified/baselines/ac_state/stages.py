"""What the steps of AC-State's protocol ask for, and how their rows are read.

Up to T = 10⁷ all 20 trajectories are judged for all K: these are the curves of the search for K.
Longer trajectories are judged only as far as the answer needs it. No K can be right on all 20 that
was wrong on one, so after each few trajectories only the K that are left are looked at, and none
any more when no K is left. The answers are those of judging everything.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines.ac_state.jobs import MOST_LAGS, TRAJECTORIES, jobs, jobs_of
from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.choices import Choices
    from steel_verified.baselines.ac_state.jobs import Source, Stage
    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Job, Row

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


def some_lag_is_right(
    source: Source, choices: Choices, length: int
) -> Generator[Asked, Sequence[Row], bool]:
    """Whether some K is right on enough of 20 trajectories."""
    if length <= LONG:
        counts = right_counts(choices, (yield _all(source, "search", length, MOST_LAGS)))
        return bool(counts.max() >= choices.decade_right)
    for most in (_NEAR, MOST_LAGS):
        found = yield from _narrowed(source, choices, length, choices.decade_right, most)
        if found.any():
            return True
    return False


def lags_right_on_all(
    source: Source, choices: Choices, length: int
) -> Generator[Asked, Sequence[Row], list[int]]:
    """The K that are right on all 20 trajectories."""
    if length <= LONG:
        counts = right_counts(choices, (yield _all(source, "search", length, MOST_LAGS)))
        found = counts == TRAJECTORIES
    else:
        found = yield from _narrowed(source, choices, length, TRAJECTORIES, MOST_LAGS)
    return (np.flatnonzero(found) + 1).tolist()


def _narrowed(
    source: Source, choices: Choices, length: int, needed: int, near: int
) -> Generator[Asked, Sequence[Row], NDArray[np.bool_]]:
    """The K that are right on as many trajectories as needed, at least the smaller ones of them.

    K beyond `near` times the least possible one are given up once the first trajectory is known.
    """
    possible, wrong, lags = np.ones(MOST_LAGS, np.bool_), np.zeros(MOST_LAGS, np.int64), MOST_LAGS
    for first, after in pairwise(_FEW_FIRST):
        rows = yield _some(source, "search", length, lags, range(first, after))
        wrong += after - first - right_counts(choices, rows)
        possible &= wrong <= TRAJECTORIES - needed
        possible[lags:] = False
        if not possible.any():
            break
        left = np.flatnonzero(possible) + 1
        lags = min(int(left[-1]), near * int(left[0]))
    return possible


def right_with(
    source: Source, choices: Choices, length: int, lags: int, *, half_known: bool
) -> Generator[Asked, Sequence[Row], tuple[int, int]]:
    """On how many trajectories one K is right, and how many were judged.

    All 20, unless fewer tell that not all are right and, if that is not known of a smaller T,
    whether at least half are.
    """
    correct = (0, 1) if choices.ties == "larger" else (1,)
    if length <= LONG:
        rows = yield _all(source, "test", length, lags)
        return sum(sign in correct for sign in signs_of(rows)), TRAJECTORIES
    right = 0
    for first, after in pairwise(_FEW_FIRST if half_known else _HALF_FIRST):
        rows = yield _some(source, "test", length, lags, range(first, after))
        right += sum(sign in correct for sign in signs_of(rows))
        wrong = after - right
        half_told = half_known or 2 * right >= TRAJECTORIES or 2 * wrong > TRAJECTORIES
        if wrong and half_told:
            break
    return right, after


def singles(source: Source, length: int, lags: int) -> Asked:
    """The check on SinglePrime."""
    return _all(source, "single", length, lags)


def singles_right(choices: Choices, rows: Sequence[Row]) -> tuple[int, int]:
    """On how many trajectories of SinglePrime φ_SP is returned, and how many were judged."""
    correct, signs = (-1,) if choices.ties == "larger" else (-1, 0), signs_of(rows)
    return sum(sign in correct for sign in signs), len(signs)


def right_counts(choices: Choices, rows: Sequence[Row]) -> NDArray[np.int64]:
    """For K = 1, …, 50,000: on how many trajectories of a search AC-State is right."""
    counts = np.zeros(MOST_LAGS, dtype=np.int64)
    kinds = ("right", "tied") if choices.ties == "larger" else ("right",)
    for trajectory in (found for row in rows for found in listed(row["trajectories"])):
        assert isinstance(trajectory, Mapping), "as `row` writes it"
        lags = trajectory["lags"]
        for kind in kinds:
            for interval in listed(trajectory[kind]):
                first, last = numbers(interval)
                if last == lags and choices.beyond_the_data == "repeat":
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
