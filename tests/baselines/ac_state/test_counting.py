"""The fast ways to count give the counts, and the decisions, of counting every tuple."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from steel_verified.baselines.ac_state.encoders import (
    encoded,
    inverse_exponents,
    sign,
    sign_of_array,
    tuple_counts,
)
from steel_verified.baselines.ac_state.gains import (
    Cells,
    exponents,
    gains,
    logarithms,
    sign_of_noisy_gain,
    signs_of_gain,
)
from steel_verified.baselines.ac_state.noisy_pairs import Noisy, count_noisy_pairs
from steel_verified.baselines.ac_state.round_pairs import count_pairs
from steel_verified.baselines.ac_state.trajectories import Half, Loops, Place, coins, walk
from steel_verified.errors import InvalidArgument

from .counting import (
    POLICIES,
    data_of,
    double_prime_encoder,
    halves,
    signs_tuple_by_tuple,
    single_prime_encoder,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.properties


def require_counts_of_every_tuple(half: Half, most_lags: int) -> None:
    p, q = half.loops.p, half.loops.q
    lags = min(most_lags, half.seen - 1)
    expected = tuple_counts(data_of(half), lags, 2 * q, 2).reshape(lags, 2, q, 2, 2, q)
    counts = count_pairs(half, most_lags)
    found = np.zeros_like(expected)
    for before in range(q):
        for target in range(q):
            last = bool(counts.last_visited >> target & 1)
            ones, total = counts.cells(before, long_only=target >= p, with_last=last)
            for lag in range(max(1, before - target), lags + 1):
                apart = lag - before + target
                for cell in range(4):
                    copy, other = cell >> 1, (cell >> 1) ^ (cell & 1)
                    place = found[lag - 1, copy, -before % q, :, other, -target % q]
                    place[:] = total[cell, apart] - ones[cell, apart], ones[cell, apart]
    assert np.array_equal(found, expected)


@given(halves(), st.integers(1, 60))
def test_pairs_of_rounds_count_every_tuple(half: Half, most_lags: int) -> None:
    require_counts_of_every_tuple(half, most_lags)


@pytest.mark.parametrize("number", range(5))
def test_long_halves_count_every_tuple(number: int) -> None:
    """Long enough for several rounds to share a pass, and for bytes to be moved to totals."""
    p, q = ((2, 3), (2, 7), (3, 5), (11, 13), (41, 43))[number]
    loops = Loops(p, q)
    half = walk(POLICIES[number % 2], loops, Place(1, 1), 4_500 * (p + q), (5,))
    require_counts_of_every_tuple(half, 3 * loops.q)


@given(st.data())
def test_decisions_are_those_of_all_tuples(data: st.DataObject) -> None:
    """For every K; with ties, which are frequent when there is little data."""
    fit = data.draw(halves())
    optimise = data.draw(halves(fit.loops, fit.seen - 1))
    most_lags = data.draw(st.integers(1, 90))
    signs = signs_of_gain(count_pairs(fit, most_lags), count_pairs(optimise, most_lags), most_lags)
    assert signs.tolist() == signs_tuple_by_tuple(fit, optimise, min(most_lags, fit.seen - 1))


def test_data_too_short_to_tell_anything_ties() -> None:
    """Half of T = 100 is hardly a round of the largest loops: i and i' are never both seen."""
    loops, tied = Loops(41, 43), 0
    for seed in range(24):
        fit = walk("uniform", loops, Place(seed, 0), 50, (seed, 0))
        optimise = walk("uniform", loops, fit.last, 50, (seed, 1))
        signs = signs_of_gain(count_pairs(fit, 50), count_pairs(optimise, 50), 50)
        tied += bool((signs == 0).all())
        assert bool((signs == 0).all()) == bool((signs == 0).any())
    assert 0 < tied < 24


@pytest.mark.parametrize(("pair", "steps"), [((3, 5), 150), ((29, 31), 60)])
def test_decisions_without_floating_point_equal_the_exact_ones(
    pair: tuple[int, int], steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a bound that decides nothing, every K is decided by prime factors and enclosures.

    On the larger loops, after so few steps, some lags add the same to both losses.
    """
    fit = walk("uniform", Loops(*pair), Place(3, 0), steps, (2,))
    optimise = walk("uniform", Loops(*pair), fit.last, steps, (3,))
    fitted, judged = count_pairs(fit, 60), count_pairs(optimise, 60)
    usual = signs_of_gain(fitted, judged, 60)
    assert usual.any()
    monkeypatch.setattr("steel_verified.baselines.ac_state.gains._UNIT", 1e9)
    assert np.array_equal(signs_of_gain(fitted, judged, 60), usual)


COUNTS = arrays(np.int64, (4, 6), elements=st.integers(0, 9))


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_gains_are_the_sums_of_logarithms_they_stand_for(
    fit_ones: NDArray[np.int64],
    fit_zeros: NDArray[np.int64],
    ones: NDArray[np.int64],
    zeros: NDArray[np.int64],
) -> None:
    cells = Cells(fit_ones, fit_ones + fit_zeros, ones, ones + zeros)
    logs = logarithms(4 * 18)
    value, trivial = gains(cells, logs)
    for place in range(6):
        once = (np.arange(6) == place).astype(np.int64)
        powers = exponents(cells, once, len(logs))
        assert abs(value[place] - powers @ logs) < 1e-9
        if trivial[place]:
            assert sign_of_array(powers) == 0


def test_halves_of_different_lengths_are_refused() -> None:
    loops = Loops(3, 5)
    fit, optimise = (count_pairs(walk("uniform", loops, Place(0, 0), n, (1,)), 9) for n in (50, 60))
    with pytest.raises(InvalidArgument, match="optimise = 61: expected 51 observations"):
        signs_of_gain(fit, optimise, 9)


@pytest.mark.parametrize(("p", "q", "copies"), [(4, 5, 2), (5, 3, 2), (59, 67, 2), (3, 5, 3)])
def test_other_loops_are_refused(p: int, q: int, copies: int) -> None:
    with pytest.raises(InvalidArgument, match="expected"):
        Loops(p, q, copies)


def test_lags_up_to_where_the_limits_agree_never_favour_the_larger_encoder() -> None:
    """For K ≤ (q − 1)p both encoders have the same loss in the limit (Claims J06, J08), so that on
    data φ_DP only pays for its finer cells; from K = (q − 1)p + 1 = 13 on it gains.

    For K ≤ 12 some 2 % of trajectories give φ_DP at this length, for K = 20 nearly all. That half
    of 60 do, or do not, has probability below 12·e^(−2·60·0.45²) < 10⁻⁹.
    """
    loops, returned = Loops(3, 5), np.zeros(20)
    for seed in range(60):
        fit = walk("uniform", loops, Place(0, 0), 5_000, (seed, 0))
        optimise = walk("uniform", loops, fit.last, 5_000, (seed, 1))
        returned += signs_of_gain(count_pairs(fit, 20), count_pairs(optimise, 20), 20) >= 0
    assert returned[:12].max() < 30
    assert returned[19] > 30
    assert int(np.argmax(np.diff(returned))) in (11, 12)


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
def test_noisy_decisions_are_those_of_all_tuples(
    case: tuple[Loops, int, int, int], lags: int
) -> None:
    loops, steps, seed, policy = case
    fit, optimise = (noisy_half(loops, steps, seed + part, policy) for part in range(2))
    expected = sign_tuple_by_tuple(fit, optimise, min(lags, steps))
    assert sign_of_noisy_gain(fit, optimise, lags) == expected


def test_a_few_positions_at_a_time_and_exact_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    fit, optimise = (noisy_half(Loops(3, 5, 1), 400, seed) for seed in range(2))
    expected = sign_tuple_by_tuple(fit, optimise, 20)
    monkeypatch.setattr("steel_verified.baselines.ac_state.gains._MEMORY", 300)
    assert sign_of_noisy_gain(fit, optimise, 20) == expected
    monkeypatch.setattr("steel_verified.baselines.ac_state.gains._UNIT", 1e9)
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
def test_noisy_pairs_of_rounds_count_every_tuple(
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


EXPONENTS = st.dictionaries(st.integers(1, 40), st.integers(-5, 5), max_size=8)


@given(EXPONENTS)
def test_the_sign_is_that_of_the_product_compared_with_one(exponents: dict[int, int]) -> None:
    product = prod(
        (Fraction(number) ** power for number, power in exponents.items()), start=Fraction(1)
    )
    assert sign(exponents) == (product > 1) - (product < 1)
    array = np.zeros(50, dtype=np.int64)
    for number, power in exponents.items():
        array[number] = power
    assert sign_of_array(array) == sign(exponents)


def test_log_sum_sign_beyond_float_precision() -> None:
    """log(1 + 10⁻⁴⁰) against 0, and 2^(10¹²) against the next power."""
    assert sign({10**40 + 1: 1, 10**40: -1}) == 1
    assert sign({2: 10**12, 3: -630_929_753_571}) == 1
    assert sign({2: 10**12, 3: -630_929_753_572}) == -1
