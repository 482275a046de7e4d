"""Worlds in episodes: what a reset does, and what a world without resets does instead."""

from __future__ import annotations

import numpy as np

from steel_verified.baselines.episodes import Episodes, RestartingLock
from steel_verified.experiments.table1.worlds import random_start, toggle
from steel_verified.worlds.combination_lock import combination_lock

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


def test_a_random_start_is_drawn_in_every_episode() -> None:
    """400 fair coins: fewer than 140 or more than 260 of a kind with chance below 1e-8."""
    world = Episodes(random_start().model, 0)
    assert 140 < sum(world.begin() & 1 for _ in range(400)) < 260


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
