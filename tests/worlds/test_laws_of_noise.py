"""The noise of the paper's worlds has exactly the law it should."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.worlds.combination_lock import Flicker, combination_lock
from steel_verified.worlds.multi_maze import Jumps, Walkers, maze
from steel_verified.worlds.prime_loops import PrimeLoops
from steel_verified.worlds.simulated import _mixed, random_words, stream_origin

from .counts_against_laws import too_far

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Table


def test_random_words_equal_splitmix64_reference_outputs() -> None:
    """SplitMix64 from seed 1234567: the first outputs of its reference implementation."""
    step = 0x9E3779B97F4A7C15
    states = np.array([(1234567 + n * step) % 2**64 for n in range(1, 4)], dtype=np.uint64)
    assert _mixed(states).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_different_streams_give_different_words() -> None:
    origins = {int(stream_origin(seed, stream)) for seed in range(20) for stream in range(20)}
    assert len(origins) == 400


@pytest.mark.parametrize(
    ("on", "off"), [(0.1, 0.1), (0.25, 0.5), (0.7, 0.9), (0.9, 0.1), (0.5, 0.5)]
)
def test_flicker_has_the_law_of_two_state_chains(on: float, off: float) -> None:
    """Initial coin, marginals at several times, and pairs at several lags, over 4000 chains.

    False alarm below 10⁻⁶ for each of about 20 tests; a shift of 0.08 is seen with 99.9 %.
    """
    chains = 4000
    flicker = Flicker(np.full(chains, on), np.full(chains, off), seed=11)
    component = np.arange(chains)
    kernel = np.array([[1 - on, on], [off, 1 - off]])
    values = {t: flicker.bits(np.full(chains, t), component) for t in (0, 1, 2, 5, 40, 41, 43)}
    for time, bits in values.items():
        law = np.array([0.5, 0.5]) @ np.linalg.matrix_power(kernel, time)
        counted = [int((~bits).sum()), int(bits.sum())]
        assert not too_far(counted, law.tolist(), alarm=1e-6)
        assert too_far(counted, (law + np.array([0.08, -0.08])).tolist(), alarm=1e-6)
    for early, late in ((0, 1), (0, 5), (40, 41), (41, 43), (1, 2)):
        for value in (False, True):
            after = values[late][values[early] == value]
            law = np.linalg.matrix_power(kernel, late - early)[int(value)].tolist()
            assert not too_far([int((~after).sum()), int(after.sum())], law, alarm=1e-6)


def test_broadcast_flicker_bits_equal_single_bits() -> None:
    """Times and components may be broadcast, in any order in memory; time 0 is among them."""
    flicker = Flicker(np.linspace(0.02, 0.98, 40), np.linspace(0.9, 0.05, 40), seed=7)
    component = np.arange(40)
    times = np.arange(30)[:, None] * np.ones((1, 40), dtype=np.int64)
    for table in (times, np.asfortranarray(times)):
        alone = flicker.bits(table.ravel(), np.tile(component, 30))
        assert (flicker.bits(table, component) == alone.reshape(30, 40)).all()
    assert (flicker.bits(times[:, :1], component) == flicker.bits(times, component)).all()
    assert flicker.bits(times[:0], component).shape == (0, 40)


def test_flicker_rows_equal_single_bits() -> None:
    """Rows one step apart are computed together; the order and repetitions do not matter."""
    flicker = Flicker(np.linspace(0.02, 0.98, 40), np.linspace(0.9, 0.05, 40), seed=7)
    components = np.arange(40)[3:]
    for times in ([0, 1, 2, 3, 7, 8, 20, 21, 22], [5], [9, 8, 8, 9, 10], [0, 2, 4], []):
        at = np.array(times, dtype=np.int64)
        assert (flicker.rows(at, components) == flicker.bits(at[:, None], components)).all()


def test_noise_of_a_seed_is_unchanged_between_versions() -> None:
    noise = (
        combination_lock(0, states=7, components=512, least_noise=0.1)
        .screen(9)
        .noise(np.arange(300))
    )
    assert sha256(noise.tobytes()).hexdigest()[:16] == "3dae3be1fdcb1b7d"


def test_flicker_components_are_independent() -> None:
    """Neighbouring components, at one time and one step apart; false alarm below 10⁻⁵ in all."""
    flicker = Flicker(np.full(8000, 0.3), np.full(8000, 0.4), seed=2)
    component = np.arange(8000)
    now = flicker.bits(np.full(8000, 30), component).reshape(-1, 2)
    later = flicker.bits(np.full(8000, 31), component).reshape(-1, 2)
    p = 0.3 / 0.7
    pair_law = [(1 - p) ** 2, (1 - p) * p, p * (1 - p), p * p]
    for pairs in (now, np.stack([now[:, 0], later[:, 1]], axis=1)):
        counted = np.bincount(pairs @ np.array([2, 1]), minlength=4).tolist()
        assert not too_far(counted, pair_law, alarm=1e-6)


def test_walkers_start_uniformly_and_move_uniformly() -> None:
    """Places at times 0, 1, 4 and 5 (across a word), and moves within and across words.

    False alarm below 10⁻⁵ in all.
    """
    walkers = Walkers(Jumps(maze().table), seed=5, count=3000)
    places = walkers.places(np.array([0, 1, 4, 5, 6]))
    step = np.zeros((68, 68))
    for state, row in enumerate(maze().table):
        for to in row:
            step[state, to] += 0.25
    uniform = np.full(68, 1 / 68)
    for column, time in enumerate((0, 1, 4, 5, 6)):
        law = (uniform @ np.linalg.matrix_power(step, time)).tolist()
        counted = np.bincount(places[:, column], minlength=68).tolist()
        assert not too_far(counted, law, alarm=1e-6)
    long_walk = Walkers(Jumps(maze().table), seed=6, count=1).places(np.arange(60_000))[0]
    for here in (0, 17, 40):
        for lag in (1, 7):
            starts = np.flatnonzero(long_walk[:-lag] == here)
            starts = starts[np.concatenate([[True], np.diff(starts) > 600])]
            counted = np.bincount(long_walk[starts + lag], minlength=68).tolist()
            law = np.linalg.matrix_power(step, lag)[here].tolist()
            assert not too_far(counted, law, alarm=1e-6)


def test_the_coin_of_single_prime_is_fair_and_new_at_each_step() -> None:
    loops = PrimeLoops(1, 3, 5, start=0, first_action=0)
    see = loops.see(4)
    tosses = [int(see(time, 2)) // 5 for time in range(4000)]
    assert not too_far([tosses.count(0), tosses.count(1)], [0.5, 0.5], alarm=1e-6)
    pairs = [2 * a + b for a, b in pairwise(tosses)]
    assert not too_far([pairs.count(n) for n in range(4)], [0.25] * 4, alarm=1e-6)


def test_words_at_far_positions_are_uniform_in_their_high_bits() -> None:
    """Positions as a long run has them; false alarm below 10⁻⁶."""
    words = random_words(stream_origin(1, 0), np.arange(10**12, 10**12 + 40_000))
    counted: NDArray[np.int64] = np.bincount(
        (words >> np.uint64(60)).astype(np.int64), minlength=16
    )
    assert not too_far(counted.tolist(), [1 / 16] * 16, alarm=1e-6)


RING = tuple(((here + 1) % 5, (here - 1) % 5) for here in range(5))
"""Walkers that are moved alike never meet here."""


@pytest.mark.parametrize("table", [maze().table, RING], ids=["maze", "ring"])
def test_long_walks_follow_their_moves_one_by_one(table: Table) -> None:
    jumps, steps = Jumps(table), 20_000
    walk = Walkers(jumps, seed=4, count=2).places(np.arange(steps + 1)).tolist()
    bits = 10 // jumps.steps
    words = random_words(stream_origin(4, 2), np.arange(steps)) >> np.uint64(54)
    here = walk[1][0]
    for time in range(steps):
        word = int(words[time // jumps.steps])
        here = table[here][word >> time % jumps.steps * bits & (1 << bits) - 1]
        assert walk[1][time + 1] == here


def test_lock_rows_read_together_equal_rows_read_in_parts() -> None:
    screen = combination_lock(0, states=3, components=512, least_noise=0.1).screen(1)
    times = np.arange(7, 7_000, 11)
    parts = [screen.noise(times[start : start + 100]) for start in range(0, len(times), 100)]
    assert np.array_equal(screen.noise(times), np.concatenate(parts))
