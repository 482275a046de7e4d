"""The paper's worlds: the published instances, exact laws, and noise that depends on time alone."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.bits import BitRows, packed_bits
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.chains import Chain, distance_from_stationarity
from steel_verified.worlds.combination_lock import CombinationLock, combination_lock
from steel_verified.worlds.dynamics import orbit
from steel_verified.worlds.flicker import Flicker
from steel_verified.worlds.grid import grid
from steel_verified.worlds.multi_maze import CELLS, MultiMaze, maze, multi_maze, walkers_mixing_time
from steel_verified.worlds.prime_loops import PrimeLoops, double_prime, single_prime
from steel_verified.worlds.random_access import _mixed, random_words, stream_origin
from steel_verified.worlds.two_state import mixing_time_of_product
from steel_verified.worlds.walkers import Jumps, Walkers

from .counts_against_laws import too_far

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL = combination_lock(3, states=4, components=21, least_noise=0.1)
MAZES = multi_maze(1, mazes=3)


def test_seed_0_is_the_published_lock() -> None:
    """Drawn again here, line by line as it is documented."""
    draw = np.random.default_rng(0)
    on, off = draw.uniform(0.1, 0.9, 512), draw.uniform(0.1, 0.9, 512)
    shown = draw.choice(512, 20, replace=False)
    right = draw.random(20) >= 0.5
    start, first = int(draw.integers(20)), int(draw.integers(2))
    lock = combination_lock(0, states=20, components=512, least_noise=0.1)
    assert np.array_equal(lock.turns_on, on)
    assert np.array_equal(lock.turns_off, off)
    assert lock.indicators == tuple(shown.tolist())
    assert lock.right_actions == tuple(right.tolist())
    assert (lock.start, lock.first_action) == (start, first)


def test_seed_0_is_the_published_maze() -> None:
    draw = np.random.default_rng(0)
    ours = int(draw.integers(9))
    row, column = int(draw.integers(11)), int(draw.integers(11))
    while (row, column) not in CELLS:
        row, column = int(draw.integers(11)), int(draw.integers(11))
    drawn = multi_maze(0, mazes=9)
    assert (drawn.ours, CELLS[drawn.start]) == (ours, (row, column))
    assert drawn.first_action == draw.integers(4)


def test_the_double_prime_of_the_paper() -> None:
    """Figure for (11, 13): 0 → 3', 0' → 3, and everything else goes round."""
    table = double_prime(0, p=11, q=13).dynamics().table
    assert table[0] == (1, 13 + 3)
    assert table[13] == (14, 3)
    assert table[12] == (0, 0)
    assert table[25] == (13, 13)
    assert single_prime(0, p=11, q=13).dynamics().table[0] == (1, 3)


# --- the noise is a function of the seed and the time -------------------------------------------


def seen(
    world: CombinationLock | MultiMaze, seed: int, times: list[int], state: int
) -> list[bytes]:
    screen = world.screen(seed)
    rows = screen.noise(np.array(times)) | screen.states[state]
    return [row.tobytes() for row in rows]


@pytest.mark.properties
@pytest.mark.parametrize("world", [SMALL, MAZES], ids=["lock", "mazes"])
@given(seed=st.integers(0, 2**64), times=st.lists(st.integers(0, 3000), min_size=1, max_size=8))
def test_rows_do_not_depend_on_what_else_is_asked_for(
    world: CombinationLock | MultiMaze, seed: int, times: list[int]
) -> None:
    together = seen(world, seed, times, 0)
    assert together == [seen(world, seed, [time], 0)[0] for time in times]
    assert together[::-1] == seen(world, seed, times[::-1], 0)


@pytest.mark.properties
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


def batches(world: CombinationLock | MultiMaze, seed: int, sizes: list[int]) -> list[BitRows]:
    """Datasets of several sizes, asked for together, along a loop."""
    acting = world.world(seed)
    trajectory = acting.run(Plan((0, 1), 4000))
    asked = [(Progression(3 + 5 * n, (Level(size, 7),)),) for n, size in enumerate(sizes)]
    return list(trajectory.rows(*asked))


@pytest.mark.properties
@pytest.mark.parametrize("world", [SMALL, MAZES], ids=["lock", "mazes"])
@given(seed=st.integers(0, 999), sizes=st.lists(st.integers(1, 300), min_size=1, max_size=6))
def test_shortcuts_give_the_and_and_or_of_the_rows(
    world: CombinationLock | MultiMaze, seed: int, sizes: list[int]
) -> None:
    """What is not looked at changes nothing: against making every row and reducing it."""
    width = world.screen(0).width
    for rows, size in zip(batches(world, seed, sizes), sizes, strict=True):
        assert len(rows) == size
        bits = np.unpackbits(rows.packed(), axis=1, count=width, bitorder="little")
        assert rows.reduced() == packed_bits(bits.astype(np.bool_)).reduced()


@pytest.mark.parametrize(
    "world", [SMALL, MAZES, combination_lock(0, states=1, components=1, least_noise=0.1)]
)
def test_no_rows_reduce_to_all_ones_and_zero(world: CombinationLock | MultiMaze) -> None:
    empty = packed_bits(np.zeros((0, world.screen(0).width), dtype=np.bool_))
    assert empty.reduced() == ((1 << world.screen(0).width) - 1, 0)


def test_the_state_is_shown_by_its_indicator_alone() -> None:
    screen = SMALL.screen(5)
    for state, time in product(range(4), range(30)):
        row = screen.noise(np.array([time]))[0] | screen.states[state]
        bits = np.unpackbits(row, count=21, bitorder="little")
        assert [bits[i] for i in SMALL.indicators] == [s == state for s in range(4)]


# --- the law is exact ---------------------------------------------------------------------------


def test_random_words_are_the_published_generator() -> None:
    """SplitMix64 from seed 1234567: the first outputs of its reference implementation."""
    step = 0x9E3779B97F4A7C15
    states = np.array([(1234567 + n * step) % 2**64 for n in range(1, 4)], dtype=np.uint64)
    assert _mixed(states).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_streams_differ() -> None:
    origins = {int(stream_origin(seed, stream)) for seed in range(20) for stream in range(20)}
    assert len(origins) == 400


@pytest.mark.parametrize(
    ("on", "off"), [(0.1, 0.1), (0.25, 0.5), (0.7, 0.9), (0.9, 0.1), (0.5, 0.5)]
)
def test_two_state_chains_have_their_law(on: float, off: float) -> None:
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


def test_bits_in_tables_are_the_bits_one_by_one() -> None:
    """Times and components may be broadcast, in any order in memory; time 0 is among them."""
    flicker = Flicker(np.linspace(0.02, 0.98, 40), np.linspace(0.9, 0.05, 40), seed=7)
    component = np.arange(40)
    times = np.arange(30)[:, None] * np.ones((1, 40), dtype=np.int64)
    for table in (times, np.asfortranarray(times)):
        alone = flicker.bits(table.ravel(), np.tile(component, 30))
        assert (flicker.bits(table, component) == alone.reshape(30, 40)).all()
    assert (flicker.bits(times[:, :1], component) == flicker.bits(times, component)).all()
    assert flicker.bits(times[:0], component).shape == (0, 40)


def test_a_seed_means_the_same_noise_in_every_version() -> None:
    noise = (
        combination_lock(0, states=7, components=512, least_noise=0.1)
        .screen(9)
        .noise(np.arange(300))
    )
    assert sha256(noise.tobytes()).hexdigest()[:16] == "3dae3be1fdcb1b7d"


def test_components_are_independent() -> None:
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


def test_walkers_start_anywhere_and_move_as_chance_has_it() -> None:
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


def test_a_walk_never_jumps() -> None:
    walk = Walkers(Jumps(maze().table), seed=9, count=2).places(np.arange(5000))
    for places in walk.tolist():
        assert all(b in maze().table[a] for a, b in pairwise(places))


def test_the_coin_of_single_prime_is_fair_and_new_at_each_step() -> None:
    loops = PrimeLoops(1, 3, 5, start=0, first_action=0)
    see = loops.see(4)
    tosses = [int(see(time, 2)) // 5 for time in range(4000)]
    assert not too_far([tosses.count(0), tosses.count(1)], [0.5, 0.5], alarm=1e-6)
    pairs = [2 * a + b for a, b in pairwise(tosses)]
    assert not too_far([pairs.count(n) for n in range(4)], [0.25] * 4, alarm=1e-6)


# --- what is known of mixing ------------------------------------------------------------------


def test_the_maze_walkers_mix_as_the_paper_says() -> None:
    """t_mix(1/32) of one walker is 293, exactly (l. 1645)."""
    assert walkers_mixing_time(8) == 293
    assert walkers_mixing_time(0) == 1


@pytest.mark.properties
@given(chances=st.lists(st.tuples(st.integers(1, 15), st.integers(1, 15)), min_size=1, max_size=3))
def test_the_bound_on_products_is_a_bound(chances: list[tuple[int, int]]) -> None:
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


@pytest.mark.parametrize(
    "draw",
    [
        lambda: combination_lock(0, states=0, components=8, least_noise=0.1),
        lambda: combination_lock(0, states=9, components=8, least_noise=0.1),
        lambda: combination_lock(0, states=8, components=8, least_noise=0.0),
        lambda: combination_lock(0, states=8, components=8, least_noise=0.6),
        lambda: multi_maze(0, mazes=0),
        lambda: double_prime(0, p=5, q=3),
        lambda: Jumps(((0, 0, 0),)),
    ],
)
def test_instances_that_make_no_sense(draw: object) -> None:
    assert callable(draw)
    with pytest.raises(InvalidArgument):
        draw()


def test_words_at_far_positions_are_uniform_in_their_high_bits() -> None:
    """Positions as a long run has them; false alarm below 10⁻⁶."""
    words = random_words(stream_origin(1, 0), np.arange(10**12, 10**12 + 40_000))
    counted: NDArray[np.int64] = np.bincount(
        (words >> np.uint64(60)).astype(np.int64), minlength=16
    )
    assert not too_far(counted.tolist(), [1 / 16] * 16, alarm=1e-6)


def test_the_grid_stays_at_its_walls() -> None:
    assert grid(0).dynamics().table[0] == (0, 3, 0, 1)
    assert grid(0).dynamics().table[5] == (2, 5, 4, 5)
