"""Enumerates small worlds, partial models, words and parameters."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.dynamics import Dynamics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from steel_verified.evidence.plans import Word
    from steel_verified.worlds.dynamics import Table


def tables(states: int, actions: int) -> Iterator[Table]:
    """Every transition table of this size, strongly connected or not."""
    rows = tuple(product(range(states), repeat=actions))
    return product(rows, repeat=states)


@cache
def worlds(states: int, actions: int) -> tuple[Dynamics, ...]:
    """Every strongly connected table of this size.

    All names of the states occur, so starting in state 0 stands for every start.
    """
    found = []
    for table in tables(states, actions):
        try:
            found.append(Dynamics(table))
        except InvalidArgument:
            continue
    return tuple(found)


@cache
def small_worlds(most_states: int = 3, most_actions: int = 2) -> tuple[Dynamics, ...]:
    """Every world up to a size."""
    return tuple(
        world
        for states in range(1, most_states + 1)
        for actions in range(1, most_actions + 1)
        for world in worlds(states, actions)
    )


def partial_models(complete: Iterable[Table]) -> frozenset[Model]:
    """Every part of these tables on states 0, …, n−1 in which some transition is unknown.

    Any set of known states occurs as 0, …, n−1 in some renaming of the world.
    """
    found = set()
    for table in complete:
        actions = len(table[0])
        for known in range(1, len(table) + 1):
            entries = [(None, to) if to < known else (None,) for row in table[:known] for to in row]
            for flat in product(*entries):
                if None in flat:
                    rows = (flat[s * actions : (s + 1) * actions] for s in range(known))
                    found.add(Model(actions, tuple(rows)))
    return frozenset(found)


def words(actions: int, longest: int) -> Iterator[Word]:
    """Every word of 1 to `longest` actions."""
    for length in range(1, longest + 1):
        yield from product(range(actions), repeat=length)


def parameters(
    max_states: int,
    mixing_time: int,
    *,
    max_diameter: int | None = None,
    actions: int = 2,
    class_size: int = 7,
    delta: Fraction = Fraction(1, 20),
    epsilon: Fraction = Fraction(1, 10),
) -> Parameters:
    """Return parameters of a small instance; the default diameter is the largest possible."""
    return Parameters(
        actions=actions,
        max_states=max_states,
        max_diameter=max_states - 1 if max_diameter is None else max_diameter,
        mixing_time=mixing_time,
        class_size=class_size,
        delta=delta,
        epsilon=epsilon,
    )


@cache
def grid_of_parameters(least_states: int = 1, most_states: int = 4) -> tuple[Parameters, ...]:
    """A grid of parameters."""
    grid = product(
        range(least_states, most_states + 1),
        (1, 2, 3, 5, 8),
        (1, 7, 100),
        (Fraction(1, 20), Fraction(1, 3)),
    )
    return tuple(
        parameters(states, mixing, class_size=size, delta=delta)
        for states, mixing, size, delta in grid
    )


def words_and_periods() -> Iterator[tuple[Parameters, int, int]]:
    """All parameters of the grid with every |â| ≤ 3 and every n_cyc ≤ N."""
    for p in grid_of_parameters():
        for word_length in range(1, 4):
            for cycles in range(1, p.max_states + 1):
                yield p, word_length, cycles
