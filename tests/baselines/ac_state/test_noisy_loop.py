"""SinglePrime: counts by pairs of rounds against counts of every tuple, and decisions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from steel_verified.baselines.ac_state import gains
from steel_verified.baselines.ac_state.encoders import (
    encoded,
    inverse_exponents,
    sign_of_array,
    tuple_counts,
)
from steel_verified.baselines.ac_state.gains import sign_of_noisy_gain
from steel_verified.baselines.ac_state.noisy_pairs import Noisy, count_noisy_pairs
from steel_verified.baselines.ac_state.trajectories import Loops, Place, coins, walk
from tests.baselines.ac_state.counting import (
    POLICIES,
    data_of,
    double_prime_encoder,
    observations,
    single_prime_encoder,
)


def noisy_half(loops: Loops, steps: int, seed: int, policy: int = 0) -> Noisy:
    half = walk(POLICIES[policy], loops, Place(seed % loops.q, 0), steps, (seed,))
    return Noisy(half, coins(half, (seed, 9)))


def sign_tuple_by_tuple(fit: Noisy, optimise: Noisy, lags: int) -> int:
    q = fit.half.loops.q
    counts = [tuple_counts(data_of(half), lags, 2 * q, 2) for half in (fit, optimise)]
    size = fit.half.seen + 3
    single, double = (
        inverse_exponents(encoded(counts[0], phi), encoded(counts[1], phi), size)
        for phi in (single_prime_encoder(q), double_prime_encoder(q))
    )
    return sign_of_array(single - double)


CASES = st.tuples(
    st.sampled_from([Loops(2, 3, 1), Loops(3, 5, 1), Loops(5, 7, 1)]),
    st.integers(2, 120),
    st.integers(0, 10**6),
    st.integers(0, 1),
)


@given(CASES, st.integers(1, 40))
def test_decisions_are_those_of_all_tuples(case: tuple[Loops, int, int, int], lags: int) -> None:
    loops, steps, seed, policy = case
    fit, optimise = (noisy_half(loops, steps, seed + part, policy) for part in range(2))
    expected = sign_tuple_by_tuple(fit, optimise, min(lags, steps))
    assert sign_of_noisy_gain(fit, optimise, lags) == expected


def test_a_few_positions_at_a_time_and_exact_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    fit, optimise = (noisy_half(Loops(3, 5, 1), 400, seed) for seed in range(2))
    expected = sign_tuple_by_tuple(fit, optimise, 20)
    monkeypatch.setattr(gains, "_MEMORY", 300)
    assert sign_of_noisy_gain(fit, optimise, 20) == expected
    monkeypatch.setattr(gains, "_UNIT", 1e9)
    assert sign_of_noisy_gain(fit, optimise, 20) == expected


def counts_from_pairs(noisy: Noisy, lags: int, few: int) -> NDArray[np.int64]:
    """[k − 1, x, a, x'] from pairs of rounds, counted for a few distances at a time."""
    q = noisy.half.loops.q
    found = np.zeros((lags, 2, q, 2, 2, q), dtype=np.int64)
    for start in range(0, lags + q, few):
        counts = count_noisy_pairs(noisy, range(start, start + few))
        for before in range(q):
            ones, total = counts.cells(before)
            for target in range(q):
                for place in range(few):
                    if 1 <= (lag := start + place + before - target) <= lags:
                        into = found[lag - 1, :, -before % q, :, :, -target % q]
                        into[:, 1] = ones[:, target, place].reshape(2, 2)
                        into[:, 0] = total[:, target, place].reshape(2, 2) - into[:, 1]
    return found.reshape(lags, 2 * q, 2, 2 * q)


@given(CASES, st.integers(1, 30), st.integers(1, 40))
def test_pairs_of_rounds_count_every_tuple(
    case: tuple[Loops, int, int, int], lags: int, few: int
) -> None:
    loops, steps, seed, policy = case
    noisy, lags = noisy_half(loops, steps, seed, policy), min(lags, steps)
    expected = tuple_counts(data_of(noisy), lags, 2 * loops.q, 2)
    assert np.array_equal(counts_from_pairs(noisy, lags, few), expected)


@pytest.mark.parametrize("pair", [(3, 5), (29, 31), (59, 61)])
def test_more_pairs_at_one_distance_than_are_counted_together(pair: tuple[int, int]) -> None:
    """Also with the longest words: all 63 bits of them are used for q = 61."""
    noisy = noisy_half(Loops(*pair, 1), 1_500 * sum(pair), 1)
    assert noisy.half.rounds > 4 * 512
    lags = 9
    expected = tuple_counts(data_of(noisy), lags, 2 * pair[1], 2)
    assert np.array_equal(counts_from_pairs(noisy, lags, lags + pair[1]), expected)


def test_both_observations_of_a_state_are_equally_likely() -> None:
    """30,000 coins: a share off by 0.02 has probability below 2·e^(−24)."""
    seen = observations(noisy_half(Loops(3, 5, 1), 30_000, 4))
    assert abs((seen >= 5).mean() - 0.5) < 0.02
    assert abs(np.corrcoef(seen[:-1] >= 5, seen[1:] >= 5)[0, 1]) < 0.03
