"""PPE by samples: what it may never do, how often it fails, and the lock with 20 states."""

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
