"""The work of AC-State's protocol, as jobs: each judges some trajectories, and is known by its key.

A trajectory is a function of the pair, the policy (and how it is read), the stage, T, its index and
the repeat: all of these are in the key of its job, and nothing else is drawn. Rows can be read
without Numba; only a job that is run needs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from steel_verified.sweeps.study import Job

if TYPE_CHECKING:
    from steel_verified.baselines.ac_state.policies import Policy, Unvisited
    from steel_verified.sweeps.study import Row

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
    """What AC-State returns on some of the trajectories (see judging).

    Raise `MissingExtra` if Numba is not installed.
    """
    from steel_verified.baselines.ac_state.judging import (  # noqa: PLC0415 (an extra)
        judged,
    )

    return judged(source, stage, length, lags, batch)


def _batches(length: int, lags: int) -> list[range]:
    enough = _WORK // (length * min(lags, length)) + 1
    size = max(divisor for divisor in (1, 2, 5, 10, 20) if divisor <= enough)
    return [range(first, first + size) for first in range(0, TRAJECTORIES, size)]
