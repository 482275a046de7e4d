"""Trajectories to count on, and the counts tuple by tuple."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from steel_verified.baselines.ac_state.encoders import (
    Data,
    encoded,
    inverse_exponents,
    sign_of_array,
    tuple_counts,
)
from steel_verified.baselines.ac_state.noisy_pairs import Noisy
from steel_verified.baselines.ac_state.trajectories import Half, Loops, Place, Policy, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.encoders import Encoder

POLICIES: tuple[Policy, ...] = ("uniform", "exploration")
LOOPS = tuple(Loops(p, q) for p, q in ((2, 3), (2, 5), (3, 5), (3, 7), (5, 7), (11, 13)))


def normal_form(outputs: Sequence[int]) -> Encoder:
    """The same encoder with its outputs numbered in order of their first use."""
    names: dict[int, int] = {}
    return tuple(names.setdefault(output, len(names)) for output in outputs)


def single_prime_encoder(q: int) -> Encoder:
    """φ_SP: i and i' are taken as one (l. 1874)."""
    return (*range(q), *range(q))


def double_prime_encoder(q: int) -> Encoder:
    """φ_DP: the identity (l. 1873)."""
    return tuple(range(2 * q))


@st.composite
def halves(draw: st.DrawFn, loops: Loops | None = None, steps: int | None = None) -> Half:
    """Halves of every start and length, by both policies, some without their last observation."""
    chosen = loops or draw(st.sampled_from(LOOPS))
    length = steps or draw(st.integers(2, 150))
    start = Place(draw(st.integers(0, chosen.q - 1)), draw(st.integers(0, 1)))
    policy = draw(st.sampled_from(POLICIES))
    return walk(policy, chosen, start, length, (draw(st.integers(0, 10**6)),))


def unrolled(half: Half) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """At each time: the round, the steps to its end, and the action (the last leads out)."""
    times = np.arange(half.seen)
    rounds = np.searchsorted(half.ends, times)
    before = half.ends[rounds] - times
    actions = (half.actions[rounds] >> before.astype(np.uint64)) & np.uint64(1)
    return rounds, before, actions.astype(np.int64)


def observations(half: Half | Noisy) -> NDArray[np.int64]:
    """x_t: i, or q + i for i'. DoublePrime shows the copy, SinglePrime the coin of the step."""
    if isinstance(half, Noisy):
        q, (rounds, before, _) = half.half.loops.q, unrolled(half.half)
        primed = ((half.coins[rounds] >> before.astype(np.uint64)) & np.uint64(1)).astype(np.int64)
    else:
        q, (rounds, before, _) = half.loops.q, unrolled(half)
        primed = half.copies[rounds].astype(np.int64)
    return -before % q + q * primed


def data_of(half: Half | Noisy) -> Data:
    """What was seen and done, timestep by timestep."""
    _, _, actions = unrolled(half.half if isinstance(half, Noisy) else half)
    return Data(observations(half), actions[:-1])


def signs_tuple_by_tuple(fit: Half, optimise: Half, most_lags: int) -> list[int]:
    """The sign of L(φ_SP) − L(φ_DP) for each K, from all tuples, decided exactly."""
    q = fit.loops.q
    losses = []
    for encoder in (single_prime_encoder(q), double_prime_encoder(q)):
        fitted, judged = (
            encoded(tuple_counts(data_of(half), most_lags, 2 * q, 2), encoder)
            for half in (fit, optimise)
        )
        size = int(fitted.sum(axis=2).max()) + 3
        losses.append(
            [
                inverse_exponents(f, o, size)
                for f, o in zip(fitted[:, None], judged[:, None], strict=True)
            ]
        )
    signs, total = [], np.zeros(1, dtype=np.int64)
    for single, double in zip(*losses, strict=True):
        total = _sum(total, single, -double)
        signs.append(sign_of_array(total))
    return signs


def _sum(*parts: NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.zeros(max(len(part) for part in parts), dtype=np.int64)
    for part in parts:
        found[: len(part)] += part
    return found
