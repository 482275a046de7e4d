"""SinglePrime: counts by transform against counts of every tuple, and decisions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.ac_state import copies_gain, noisy_loop
from steel_verified.baselines.ac_state.log_sums import sign_of_array
from steel_verified.baselines.ac_state.losses import (
    Data,
    encoded,
    inverse_exponents,
    tuple_counts,
)
from steel_verified.baselines.ac_state.noisy_loop import Noisy, lag_counts, sign_of_noisy_gain
from steel_verified.baselines.ac_state.policies import coins, walk
from steel_verified.baselines.ac_state.rounds import Loops, Place
from steel_verified.errors import InvalidArgument
from tests.baselines.ac_state.counting import (
    POLICIES,
    double_prime_encoder,
    single_prime_encoder,
)


def noisy_half(loops: Loops, steps: int, seed: int, policy: int = 0) -> Noisy:
    half = walk(POLICIES[policy], loops, Place(seed % loops.q, 0), steps, (seed,))
    return Noisy(half, coins(half, (seed, 9)))


def data_of(noisy: Noisy) -> Data:
    _, _, actions = noisy.unrolled()
    return Data(noisy.observations(), actions[:-1])


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


@pytest.mark.properties
@given(CASES, st.integers(1, 40))
def test_decisions_are_those_of_all_tuples(case: tuple[Loops, int, int, int], lags: int) -> None:
    loops, steps, seed, policy = case
    fit, optimise = (noisy_half(loops, steps, seed + part, policy) for part in range(2))
    expected = sign_tuple_by_tuple(fit, optimise, min(lags, steps))
    assert sign_of_noisy_gain(fit, optimise, lags) == expected


def test_a_few_positions_at_a_time_and_exact_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    fit, optimise = (noisy_half(Loops(3, 5, 1), 400, seed) for seed in range(2))
    expected = sign_tuple_by_tuple(fit, optimise, 20)
    monkeypatch.setattr(noisy_loop, "_MEMORY", 1)
    assert sign_of_noisy_gain(fit, optimise, 20) == expected
    monkeypatch.setattr(copies_gain, "_UNIT", 1e9)
    assert sign_of_noisy_gain(fit, optimise, 20) == expected


@pytest.mark.properties
@given(st.integers(1, 500), st.integers(1, 12), st.integers(0, 100))
def test_lag_counts(length: int, lags: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    firsts, seconds = draw.integers(-1, 3, length), draw.integers(0, 4, length)
    actions = draw.integers(0, 2, length)
    zeros, ones = lag_counts(firsts, 3, actions, seconds, 4, lags)
    for lag in range(1, lags + 1):
        for first in range(3):
            for second in range(4):
                both = (firsts[:-lag] == first) & (seconds[lag:] == second)
                assert zeros[first, second, lag - 1] == (both & (actions[:-lag] == 0)).sum()
                assert ones[first, second, lag - 1] == (both & (actions[:-lag] == 1)).sum()


def test_both_observations_of_a_state_are_equally_likely() -> None:
    """30,000 coins: a share off by 0.02 has probability below 2·e^(−24)."""
    seen = noisy_half(Loops(3, 5, 1), 30_000, 4).observations()
    assert abs((seen >= 5).mean() - 0.5) < 0.02
    assert abs(np.corrcoef(seen[:-1] >= 5, seen[1:] >= 5)[0, 1]) < 0.03


def test_codes_that_occur_too_often_are_refused() -> None:
    """Their counts could spill over into those of the other action."""
    codes = np.zeros(1 << 22, dtype=np.int64)
    with pytest.raises(InvalidArgument, match="fewer than 2²²"):
        lag_counts(codes, 1, codes, codes, 1, 1)
