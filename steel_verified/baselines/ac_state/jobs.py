"""The work of AC-State's protocol: trajectories by key, and what AC-State returns on each.

A trajectory is a function of the pair, the policy (and how it is read), the stage, T, its index and
the repeat: all of these are in the key of its job, and nothing else is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from steel_verified.baselines.ac_state.copies_gain import signs_of_gain
from steel_verified.baselines.ac_state.noisy_loop import sign_of_noisy_gain
from steel_verified.baselines.ac_state.noisy_pairs import Noisy
from steel_verified.baselines.ac_state.policies import Policy, Unvisited, coins, start_of, walk
from steel_verified.baselines.ac_state.round_pairs import count_pairs
from steel_verified.baselines.ac_state.rounds import Half, Loops
from steel_verified.sweeps.study import Job

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row

Stage: TypeAlias = Literal["search", "test", "single"]

TRAJECTORIES: Final = 20
MOST_LAGS: Final = 50_000
_STAGES: Final[tuple[Stage, ...]] = ("search", "test", "single")
_POLICIES: Final[tuple[Policy, ...]] = ("uniform", "exploration")
_WORK: Final = 2 * 10**9
"""About so many tuples, at least, make a job worth sending somewhere."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where trajectories come from, as far as all of them have it in common."""

    p: int
    q: int
    policy: Policy
    unvisited: Unvisited
    shared_state: bool
    repeat: int

    def __str__(self) -> str:
        visits = "" if self.policy == "uniform" else f" unvisited={self.unvisited!r}"
        halves = "shared" if self.shared_state else "apart"
        pair = f"p={self.p:02d} q={self.q:02d}"
        return f"ac-state {pair} {self.policy}{visits} halves={halves} repeat={self.repeat:02d}"


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
    """What AC-State returns on some of the trajectories.

    In a search, the K for which φ_DP has the smaller loss ("right") and those with an exact tie
    ("tied"), as intervals; the last lag there is stands for all larger K. Otherwise the signs of
    the loss of φ_SP minus that of φ_DP.
    """
    if stage == "single":
        return {"signs": [_single(source, length, lags, index) for index in batch]}
    signs = [_signs(source, stage, length, lags, index) for index in batch]
    if stage == "test":
        return {"signs": [int(of_all[-1]) for of_all in signs]}
    return {
        "trajectories": [
            {
                "lags": len(of_all),
                "right": intervals(of_all > 0),
                "tied": intervals(of_all == 0),
            }
            for of_all in signs
        ]
    }


def intervals(chosen: NDArray[np.bool_]) -> list[Json]:
    """The K (from 1 on) that are chosen, as pairs (first, last)."""
    edges = np.flatnonzero(np.diff(chosen.astype(np.int8), prepend=0, append=0)).tolist()
    return [[first + 1, after] for first, after in zip(edges[::2], edges[1::2], strict=True)]


def _signs(source: Source, stage: Stage, length: int, lags: int, index: int) -> NDArray[np.int8]:
    fit, optimise = (
        count_pairs(half, lags) for half in _halves(source, stage, length, index, copies=2)
    )
    return signs_of_gain(fit, optimise, lags)


def _single(source: Source, length: int, lags: int, index: int) -> int:
    seed = _seed(source, "single", length, index)
    fit, optimise = (
        Noisy(half, coins(half, (*seed, 3 + part)))
        for part, half in enumerate(_halves(source, "single", length, index, copies=1))
    )
    return sign_of_noisy_gain(fit, optimise, lags)


def _halves(source: Source, stage: Stage, length: int, index: int, copies: int) -> Iterator[Half]:
    """The two halves, one after the other, so that the first can be given up before the second."""
    loops = Loops(source.p, source.q, copies)
    seed = _seed(source, stage, length, index)
    start = start_of(loops, (*seed, 0))
    for part in (1, 2):
        half = walk(source.policy, loops, start, length // 2, (*seed, part), source.unvisited)
        start = half.last
        yield half if source.shared_state else half.without_the_last()


def _seed(source: Source, stage: Stage, length: int, index: int) -> tuple[int, ...]:
    policy = _POLICIES.index(source.policy)
    return (source.p, source.q, policy, _STAGES.index(stage), length, index, source.repeat)


def _batches(length: int, lags: int) -> list[range]:
    enough = _WORK // (length * min(lags, length)) + 1
    size = max(divisor for divisor in (1, 2, 5, 10, 20) if divisor <= enough)
    return [range(first, first + size) for first in range(0, TRAJECTORIES, size)]
