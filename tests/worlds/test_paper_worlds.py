"""The paper's worlds: the published instances, noise that depends on time alone, and mixing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

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
    combination_lock,
    mixing_time_of_product,
)
from steel_verified.worlds.dynamics import orbit
from steel_verified.worlds.grid import grid
from steel_verified.worlds.multi_maze import (
    CELLS,
    MultiMaze,
    multi_maze,
    walkers_mixing_time,
)
from steel_verified.worlds.prime_loops import prime_loops

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


def batches(world: CombinationLock | MultiMaze, seed: int, sizes: list[int]) -> list[BitRows]:
    """Datasets of several sizes, asked for together, along a loop."""
    acting = world.world(seed)
    trajectory = acting.run(Plan((0, 1), 4000))
    asked = [(Progression(3 + 5 * n, (Level(size, 7),)),) for n, size in enumerate(sizes)]
    return list(trajectory.rows(*asked))


@pytest.mark.parametrize("world", [SMALL, MAZES], ids=["lock", "mazes"])
@given(seed=st.integers(0, 999), sizes=st.lists(st.integers(1, 300), min_size=1, max_size=6))
def test_reduced_rows_equal_and_and_or_of_all_rows(
    world: CombinationLock | MultiMaze, seed: int, sizes: list[int]
) -> None:
    """What is not looked at changes nothing: against making every row and reducing it."""
    width = world.screen(0).width
    for rows, size in zip(batches(world, seed, sizes), sizes, strict=True):
        assert len(rows) == size
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


def test_grid_move_into_a_wall_keeps_the_state() -> None:
    assert grid(0).dynamics().table[0] == (0, 3, 0, 1)
    assert grid(0).dynamics().table[5] == (2, 5, 4, 5)
