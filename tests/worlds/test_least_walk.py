"""The least walk is the shortest of all walks that take every transition."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.dynamics import is_connected, least_walk

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Table


def by_search(table: Table, start: int) -> int:
    """The shortest walk that takes every transition, by trying all walks, shortest first."""
    actions = len(table[0])
    everything = (1 << len(table) * actions) - 1
    found, steps = {(start, 0)}, 0
    frontier = found
    while not any(taken == everything for _, taken in frontier):
        frontier = {
            (table[state][a], taken | 1 << state * actions + a)
            for state, taken in frontier
            for a in range(actions)
        } - found
        found, steps = found | frontier, steps + 1
    return steps


def test_least_walk_is_the_shortest_of_all() -> None:
    small: list[Table] = [((a, b), (c, d)) for a, b, c, d in product((0, 1), repeat=4)]
    random = Random(0)
    for _ in range(150):
        states, actions = random.choice([(3, 1), (3, 2), (4, 2), (3, 3)])
        rows = (tuple(random.choices(range(states), k=actions)) for _ in range(states))
        small.append(tuple(rows))
    for table in filter(is_connected, small):
        for start in range(len(table)):
            assert least_walk(table, start) == by_search(table, start)


def test_least_walk_of_a_lock_has_a_formula() -> None:
    for seed, states in product(range(4), (5, 20, 40)):
        lock = combination_lock(seed, states=states, components=64, least_noise=0.1)
        walk = least_walk(lock.dynamics().table, lock.start)
        assert walk == states * (states + 1) // 2 + states - lock.start
