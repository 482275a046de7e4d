"""PPE by samples, its gaps by their definition, and worlds in episodes."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.episodes import Episodes, RestartingLock
from steel_verified.baselines.ppe import (
    ByGaps,
    ByPairs,
    Effort,
    Layer,
    LayeredModel,
    all_pairs,
    effort,
    eliminated,
    formula,
    learn_layers,
    pair_form,
    samples_needed,
    widths,
)
from steel_verified.classes.finite import tables
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.table1.worlds import toggle
from steel_verified.worlds.combination_lock import CombinationLock, combination_lock
from steel_verified.worlds.tabular import HiddenModel, certain, law

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics


DELTA = Fraction(1, 20)
LOCK_PATHS = [2 * h for h in range(1, 21)]
"""The paths of each layer on the lock with 20 states, from state 0: 2 from each state reached."""


def ends(dynamics: Dynamics, layer: Layer) -> list[int]:
    """The true state at the end of each path, from state 0."""
    found = []
    for word in layer.paths:
        here = 0
        for action in word:
            here = dynamics.table[here][action]
        found.append(here)
    return found


def right_on(lock: CombinationLock, model: LayeredModel) -> bool:
    """Whether labels are states, and each has the component that shows it."""
    for layer in model.layers:
        true = ends(lock.dynamics(), layer)
        pairs = set(zip(true, layer.label, strict=True))
        if not len(pairs) == len(set(true)) == layer.states or layer.classifiers is None:
            return False
        if any(layer.classifiers[label] != lock.indicators[s] for s, label in pairs):
            return False
    return True


def test_ppe_by_pairs_learns_the_lock_within_its_failure_bound() -> None:
    """A run fails with chance at most 512·5530·4⁻¹³ < 0.043; more than 6 of 20 with chance 1e-5."""
    lock = combination_lock(0, states=20, components=512, least_noise=0.1)
    each, stated = pair_form(LOCK_PATHS, 512, DELTA)
    assert (each, stated) == (13, Effort(episodes=5_460, steps=74_620))
    wrong = 0
    for seed in range(20):
        world = RestartingLock(lock, seed)
        model = learn_layers(
            world,
            partial(ByPairs, lock.oracle()),
            horizon=20,
            runs=lambda _: each,
            shuffler=np.random.default_rng((seed, 1)),
        )
        if right_on(lock, model):
            assert Effort(world.episodes, world.steps) == stated
        else:
            wrong += 1
    assert wrong == 0


def test_ppe_by_gaps_learns_the_lock_with_20_states() -> None:
    lock = combination_lock(0, states=20, components=512, least_noise=0.1)
    world = RestartingLock(lock, 0)
    form = partial(ByGaps, lock.oracle())
    shuffler = np.random.default_rng(1)
    model = learn_layers(world, form, horizon=20, runs=lambda _: 20, shuffler=shuffler)
    assert right_on(lock, model)
    assert Effort(world.episodes, world.steps) == Effort(8_400, 114_800)


def test_episodes_and_steps_by_formula_have_the_computed_sizes() -> None:
    assert all_pairs(LOCK_PATHS) == 5_530
    assert formula(LOCK_PATHS, 512, DELTA, by_path=False) == Effort(2_867_168, 44_291_048)
    assert formula(LOCK_PATHS, 512, DELTA, by_path=True) == Effort(36_935_408, 603_736_844)
    assert effort([n * 20 for n in LOCK_PATHS]) == Effort(8_400, 114_800)
    assert widths(2, 20, 20)[:6] == (2, 4, 8, 16, 32, 40)
    assert pair_form(widths(2, 20, 20), 512, DELTA) == (14, Effort(9_268, 112_812))


@given(
    st.integers(1, 2000), st.integers(1, 9999), st.fractions(Fraction(1, 999), Fraction(99, 100))
)
def test_samples_needed_is_the_least_sufficient_number(
    size: int, pairs: int, delta: Fraction
) -> None:
    n = samples_needed(size, pairs, delta)
    assert Fraction(size * pairs, 4**n) <= delta
    assert n == 1 or Fraction(size * pairs, 4 ** (n - 1)) > delta


def blocks(table: list[list[int]], chances: list[int]) -> HiddenModel:
    """States that show x = 3s, 3s + 1 or 3s + 2, with these weights; no other noise."""
    total = sum(chances)
    shows = [law({3 * s + i: Fraction(w, total) for i, w in enumerate(chances)}) for s in range(3)]
    return HiddenModel(certain(0), tuple(tuple(map(certain, row)) for row in table), tuple(shows))


def one_for_each_state(extra: list[list[bool]]) -> list[list[bool]]:
    return [*([x // 3 == s for x in range(9)] for s in range(3)), *extra]


TABLES = st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=2), min_size=3, max_size=3)
WEIGHTS = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any)
EXTRA = st.lists(st.lists(st.booleans(), min_size=9, max_size=9), max_size=4)


@given(TABLES, WEIGHTS, EXTRA, st.integers(1, 4), st.integers(0, 2**20))
def test_pairs_never_merge_different_states(
    table: list[list[int]], weights: list[int], extra: list[list[bool]], each: int, seed: int
) -> None:
    """Whatever the data are, if F has a classifier for each state."""
    model = learn_layers(
        Episodes(blocks(table, weights), seed),
        partial(ByPairs, tables(one_for_each_state(extra))),
        horizon=3,
        runs=lambda _: each,
        shuffler=np.random.default_rng(seed),
    )
    for layer in model.layers:
        states: dict[int, int] = {}
        for word, label in zip(layer.paths, layer.label, strict=True):
            here = 0
            for action in word:
                here = table[here][action]
            assert states.setdefault(label, here) == here


def test_the_failure_bound_holds_and_is_nearly_met() -> None:
    """All outcomes of a fair coin, n for each of two paths to one state; F: coin and negation."""
    coin, other = [False, True], [True, False]
    oracle = tables([coin, other])
    for n in (1, 2, 3):
        apart = 0
        for data in product(range(2), repeat=2 * n):
            compared = ByPairs(oracle, [np.array(data[:n]), np.array(data[n:])])
            apart += not compared.same(0, 1)
        assert Fraction(apart, 4**n) == Fraction(2, 4**n)


def test_elimination_compares_with_surviving_paths_only() -> None:
    """2 looks like 1, which looks like 0: 1 is eliminated before 2 is compared with it."""
    assert eliminated(4, lambda i, j: (i, j) in {(0, 1), (1, 2), (0, 3)}) == (0, 0, 1, 0)


def test_pseudo_episodes_without_resets_end_in_one_state() -> None:
    """Without resets the end of an episode tells nothing of its path."""
    world = Episodes(toggle().model, 3, resets=False)
    model = learn_layers(
        world,
        partial(ByPairs, toggle().functions),
        horizon=2,
        runs=lambda _: 20,
        shuffler=np.random.default_rng(4),
    )
    assert [layer.states for layer in model.layers] == [1, 1]


def test_impossible_horizons_and_runs_are_refused() -> None:
    world, form = Episodes(toggle().model, 0), partial(ByPairs, toggle().functions)
    shuffler = np.random.default_rng(0)
    with pytest.raises(InvalidArgument, match="horizon = 0"):
        learn_layers(world, form, horizon=0, runs=lambda _: 1, shuffler=shuffler)
    with pytest.raises(InvalidArgument, match="runs = 0: expected at least 1 for 2 paths"):
        learn_layers(world, form, horizon=1, runs=lambda _: 0, shuffler=shuffler)


@st.composite
def layers_of_data(draw: st.DrawFn) -> tuple[list[list[bool]], list[list[int]]]:
    """Some classifiers on four observations, and the data of some paths."""
    row = st.lists(st.booleans(), min_size=4, max_size=4)
    functions = draw(st.lists(row, min_size=1, max_size=5))
    data = draw(
        st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), min_size=2, max_size=4)
    )
    return functions, data


@given(layers_of_data())
def test_sampled_gap_equals_its_definition(given: tuple[list[list[bool]], list[list[int]]]) -> None:
    functions, data = given
    compared = ByGaps(tables(functions), [np.array(each) for each in data])
    for path, own in enumerate(data):
        others = [x for number, each in enumerate(data) if number != path for x in each]

        def cost(f: int, own: list[int] = own, others: list[int] = others) -> tuple[int, int, int]:
            misses = sum(not functions[f][x] for x in own)
            return misses, sum(functions[f][x] for x in others), f

        assert compared.chosen[path] == min(range(len(functions)), key=cost)

    def predictor(path: int, x: int) -> Fraction:
        fires = [functions[f][x] for f in compared.chosen]
        if not any(fires):
            return Fraction(1, len(fires))
        return Fraction(int(fires[path]), sum(fires))

    everything = [x for each in data for x in each]
    for j in range(1, len(data)):
        apart = [abs(predictor(0, x) - predictor(j, x)) for x in everything]
        assert compared.gap(0, j) == sum(apart, Fraction(0)) / len(everything)


FLIP_TWICE = (1, 1)


def test_episode_begins_in_the_start_state_and_counts_steps() -> None:
    world = Episodes(toggle().model, 0)
    for number in range(1, 50):
        assert world.begin() & 1 == 0
        assert world.act(1) & 1 == 1
        assert world.act(0) & 1 == 1
        assert (world.episodes, world.steps) == (number, 2 * number)


def test_without_resets_an_episode_begins_where_the_last_one_ended() -> None:
    world = Episodes(toggle().model, 0, resets=False)
    state = 0
    for _ in range(50):
        assert world.begin() & 1 == state
        state = world.act(1) & 1


def test_last_rows_are_grouped_by_word_in_episode_order() -> None:
    words, order = [(0,), (1,), FLIP_TWICE], [1, 0, 1, 2, 1]
    batches = Episodes(toggle().model, 3).last_rows(words, order)
    assert [len(batch) for batch in batches] == [1, 3, 1]
    assert [set((batch & 1).tolist()) for batch in batches] == [{0}, {1}, {0}]
    again = Episodes(toggle().model, 3)
    one_by_one: list[list[int]] = [[], [], []]
    for number in order:
        one_by_one[number] += again.last_rows(words, [number])[number].tolist()
    assert [batch.tolist() for batch in batches] == one_by_one


def test_restarting_lock_shows_the_final_state_of_each_word() -> None:
    """2,000 episodes: no share of 60 components is off by 5 deviations, but with chance 1e-4."""
    lock = combination_lock(1, states=4, components=64, least_noise=0.1)
    world = RestartingLock(lock, 5)
    words = [(0,), (1,), (0, 1)]
    batches = world.last_rows(words, [0, 1, 2] * 2_000)
    assert (world.episodes, world.steps) == (6_000, 8_000)
    indicators = list(lock.indicators)
    for word, batch in zip(words, batches, strict=True):
        here = 0
        for action in word:
            here = lock.dynamics().table[here][action]
        bits = np.unpackbits(batch.packed(), axis=1, bitorder="little")
        assert (bits[:, indicators] == np.eye(4, dtype=np.uint8)[here]).all()
        noise = [i for i in range(64) if i not in indicators]
        chances = (lock.turns_on / (lock.turns_on + lock.turns_off))[noise]
        deviation = np.sqrt(chances * (1 - chances) / 2_000)
        assert (np.abs(bits[:, noise].mean(axis=0) - chances) < 5 * deviation).all()
