"""A layout shows what is near: states that are few steps apart are drawn near to each other."""

from __future__ import annotations

from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from steel_verified.strategies import dynamics
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.pictures import FEW_STATES, MANY_STATES, spread_out

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics, Table


def grid(rows: int, columns: int) -> Table:
    """A grid on which a step towards a wall stays where it is."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    moves = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return tuple(
        tuple(
            columns * min(max(row + down, 0), rows - 1) + min(max(column + right, 0), columns - 1)
            for down, right in moves
        )
        for row, column in cells
    )


def loop(states: int) -> Table:
    return tuple(((state + 1) % states,) for state in range(states))


def gaps(places: list[tuple[float, float]]) -> list[float]:
    """From each state to the nearest other one."""
    points = np.array([complex(*place) for place in places])
    apart = np.abs(points[:, None] - points)
    np.fill_diagonal(apart, np.inf)
    return [float(each) for each in apart.min(axis=1)]


@pytest.mark.parametrize(
    "table",
    [grid(6, 6), grid(4, 10), loop(60), instance("multi-maze", 0).dynamics.table],
    ids=["6 x 6", "4 x 10", "loop", "maze"],
)
def test_connected_states_are_nearer_than_unconnected_ones(table: Table) -> None:
    places = [complex(*place) for place in spread_out(table)]
    pairs = list(combinations(range(len(table)), 2))
    neighbours = {pair for pair in pairs if pair[1] in table[pair[0]] or pair[0] in table[pair[1]]}
    near = [abs(places[a] - places[b]) for a, b in pairs if (a, b) in neighbours]
    far = [abs(places[a] - places[b]) for a, b in pairs if (a, b) not in neighbours]
    assert max(near) < 1.6 * min(near)
    # Of all strangers, hardly any may be as near as a neighbour can be.
    assert np.mean([distance <= max(near) for distance in far]) < 0.01


@given(dynamics(max_states=20))
def test_the_same_table_has_the_same_places_and_no_two_states_are_too_near(world: Dynamics) -> None:
    places = spread_out(world.table)
    assert places == spread_out(world.table)
    assert len(places) == world.states
    if world.states > 1:
        assert min(gaps(places)) > 0.3 * median(gaps(places))


@pytest.mark.parametrize("states", [1, FEW_STATES, MANY_STATES + 1])
def test_few_and_very_many_states_are_on_a_circle(states: int) -> None:
    radii = [abs(complex(*place)) for place in spread_out(loop(states))]
    assert radii == pytest.approx([1.0] * states)
