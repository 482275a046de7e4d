"""What AC-State returns on the trajectories of its protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines.ac_state.copies_gain import signs_of_gain
from steel_verified.baselines.ac_state.noisy_loop import sign_of_noisy_gain
from steel_verified.baselines.ac_state.noisy_pairs import Noisy
from steel_verified.baselines.ac_state.policies import Policy, coins, start_of, walk
from steel_verified.baselines.ac_state.round_pairs import count_pairs
from steel_verified.baselines.ac_state.rounds import Half, Loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.jobs import Source, Stage
    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row

_STAGES: Final[tuple[Stage, ...]] = ("search", "test", "single")
_POLICIES: Final[tuple[Policy, ...]] = ("uniform", "exploration")


def judged(source: Source, stage: Stage, length: int, lags: int, batch: range) -> Row:
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
