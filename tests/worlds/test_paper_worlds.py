"""The paper's worlds: noise that depends on time alone, its law, and mixing."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.rows import BitRows, packed_bits
from steel_verified.evidence.plans import Plan
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.chains import Chain, distance_from_stationarity
from steel_verified.worlds.combination_lock import (
    CombinationLock,
    Flicker,
    combination_lock,
    mixing_time_of_product,
)
from steel_verified.worlds.dynamics import orbit
from steel_verified.worlds.multi_maze import (
    Jumps,
    MultiMaze,
    Walkers,
    maze,
    multi_maze,
    walkers_mixing_time,
)
from steel_verified.worlds.prime_loops import PrimeLoops, prime_loops
from steel_verified.worlds.simulated import mixed, random_words, stream_origin

from .laws_of_data import too_far

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Table


SMALL = combination_lock(3, states=4, components=21, least_noise=0.1)
MAZES = multi_maze(1, mazes=3)


def test_double_prime_11_13_has_the_transitions_of_the_papers_figure() -> None:
    """Figure for (11, 13): 0 → 3', 0' → 3, and everything else goes round."""
    table = prime_loops(0, 2, p=11, q=13).dynamics().table
    assert table[0] == (1, 13 + 3)
    assert table[13] == (14, 3)
    assert table[12] == (0, 0)
    assert table[25] == (13, 13)
    assert prime_loops(0, 1, p=11, q=13).dynamics().table[0] == (1, 3)


# --- the noise is a function of the seed and the time -------------------------------------------


def seen(
    world: CombinationLock | MultiMaze, seed: int, times: list[int], state: int
) -> list[bytes]:
    screen = world.screen(seed)
    rows = screen.noise(np.array(times)) | screen.states[state]
    return [row.tobytes() for row in rows]


@pytest.mark.parametrize("world", [SMALL, MAZES], ids=["lock", "mazes"])
@given(seed=st.integers(0, 2**64), times=st.lists(st.integers(0, 3000), min_size=1, max_size=8))
def test_rows_do_not_depend_on_other_requested_rows(
    world: CombinationLock | MultiMaze, seed: int, times: list[int]
) -> None:
    together = seen(world, seed, times, 0)
    assert together == [seen(world, seed, [time], 0)[0] for time in times]
    assert together[::-1] == seen(world, seed, times[::-1], 0)


@pytest.mark.parametrize("world", [SMALL, MAZES], ids=["lock", "mazes"])
@given(data=st.data(), seed=st.integers(0, 99))
def test_rows_do_not_depend_on_cuts_or_actions(
    world: CombinationLock | MultiMaze, data: st.DataObject, seed: int
) -> None:
    """Two trajectories with different actions show the same noise; only the state differs."""
    actions = world.dynamics().actions
    shown = world.screen(seed)
    acting = world.world(seed)
    for _ in range(data.draw(st.integers(1, 3))):
        word = tuple(data.draw(st.lists(st.integers(0, actions - 1), min_size=1, max_size=3)))
        steps = data.draw(st.integers(1, 60))
        start, before = acting.steps, acting.state
        every = Progression(1, (Level(steps, 1),))
        cut = data.draw(st.integers(0, steps - 1))
        if cut:
            acting.run(Plan(word, cut))
        (rows,) = acting.run(Plan(word, steps - cut, done=cut)).rows((every,))
        loop = orbit(acting.dynamics, before, word)
        states = [loop.at(time) for time in range(1, steps + 1)]
        noise = shown.noise(np.arange(start + 1, start + steps + 1))
        assert (rows.packed() == noise | shown.states[states]).all()


LATER = Progression(2500, (Level(3, 400), Level(2, 9)))


def batches(world: CombinationLock | MultiMaze, seed: int, sizes: list[int]) -> list[BitRows]:
    """Datasets of several sizes, asked for together, along a loop."""
    acting = world.world(seed)
    trajectory = acting.run(Plan((0, 1), 4000))
    firsts = [Progression(3 + 5 * n, (Level(size, 7),)) for n, size in enumerate(sizes)]
    return list(trajectory.rows(*((first, LATER) for first in firsts)))


@pytest.mark.parametrize("world", [SMALL, MAZES], ids=["lock", "mazes"])
@given(seed=st.integers(0, 999), sizes=st.lists(st.integers(1, 300), min_size=1, max_size=6))
def test_reduced_rows_equal_and_and_or_of_all_rows(
    world: CombinationLock | MultiMaze, seed: int, sizes: list[int]
) -> None:
    """What is not looked at changes nothing: against making every row and reducing it."""
    width = world.screen(0).width
    for rows, size in zip(batches(world, seed, sizes), sizes, strict=True):
        assert len(rows) == size + len(LATER)
        bits = np.unpackbits(rows.packed(), axis=1, count=width, bitorder="little")
        assert rows.reduced() == packed_bits(bits.astype(np.bool_)).reduced()


def test_the_state_is_shown_by_its_indicator_alone() -> None:
    screen = SMALL.screen(5)
    for state, time in product(range(4), range(30)):
        row = screen.noise(np.array([time]))[0] | screen.states[state]
        bits = np.unpackbits(row, count=21, bitorder="little")
        assert [bits[i] for i in SMALL.indicators] == [s == state for s in range(4)]


# --- what is known of mixing ------------------------------------------------------------------


def test_the_maze_walkers_mix_as_the_paper_says() -> None:
    """t_mix(1/32) of one walker is 293, exactly (l. 1645)."""
    assert walkers_mixing_time(8) == 293
    assert walkers_mixing_time(0) == 1


@given(chances=st.lists(st.tuples(st.integers(1, 15), st.integers(1, 15)), min_size=1, max_size=3))
def test_mixing_bound_of_product_is_at_least_the_exact_mixing_time(
    chances: list[tuple[int, int]],
) -> None:
    """Against the exact mixing time of the product chain."""
    pairs = [(Fraction(a, 16), Fraction(b, 16)) for a, b in chances]
    states = list(product((0, 1), repeat=len(pairs)))

    def chance(here: tuple[int, ...], there: tuple[int, ...]) -> Fraction:
        total = Fraction(1)
        for (up, down), a, b in zip(pairs, here, there, strict=True):
            leave = down if a else up
            total *= leave if a != b else 1 - leave
        return total

    whole = Chain(tuple(tuple(chance(a, b) for b in states) for a in states))
    on = np.array([float(up) for up, _ in pairs])
    off = np.array([float(down) for _, down in pairs])
    bound = mixing_time_of_product(on, off)
    assert distance_from_stationarity(whole, bound) <= Fraction(1, 4)


def test_any_lock_of_the_paper_mixes_within_35_steps() -> None:
    """The worst case of all chances being at their ends (l. 1628), and a drawn one."""
    assert mixing_time_of_product(np.full(512, 0.1), np.full(512, 0.1)) <= 35
    lock = combination_lock(0, states=20, components=512, least_noise=0.1)
    assert lock.truth().mixing_time <= 35


def test_random_words_equal_splitmix64_reference_outputs() -> None:
    """SplitMix64 from seed 1234567: the first outputs of its reference implementation."""
    step = 0x9E3779B97F4A7C15
    states = np.array([(1234567 + n * step) % 2**64 for n in range(1, 4)], dtype=np.uint64)
    assert mixed(states).tolist() == [
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


def test_flicker_rows_equal_single_bits() -> None:
    """Rows one step apart are computed together; the order and repetitions do not matter."""
    flicker = Flicker(np.linspace(0.02, 0.98, 40), np.linspace(0.9, 0.05, 40), seed=7)
    long = list(range(3000, 4500))
    for times in ([0, 1, 2, 3, 7, 8, 20, 21, 22], [5], [9, 8, 8, 9, 10], [0, 2, 4], [], long):
        at = np.array(times, dtype=np.int64)
        rows = np.unpackbits(flicker.rows(at), axis=1, bitorder="little")
        single = flicker.bits(np.repeat(at, 40), np.tile(np.arange(40), len(at)))
        assert (rows == single.reshape(-1, 40)).all()


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
