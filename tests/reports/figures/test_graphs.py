"""Transition graphs can be read: arrows keep clear of states, and heads can be seen."""

from __future__ import annotations

from itertools import combinations
from math import pi
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from steel_verified.reports.graphs import Graph, graph
from steel_verified.strategies import dynamics
from steel_verified.worlds.catalogue import NAMES, instance
from steel_verified.worlds.instances import instance_of_table

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics

GRID = instance("grid", 0)


def distance_to_rim(drawn: Graph, state: int, point: complex) -> float:
    disc = drawn.states[state]
    return abs(abs(point - disc.centre) - disc.radius)


@given(dynamics(max_states=7, max_actions=4))
def test_every_transition_is_an_arrow_of_its_own_between_its_states(world: Dynamics) -> None:
    drawn = graph(world.table, instance_of_table("own", world).layout)
    assert [arrow.transition for arrow in drawn.arrows] == [
        (state, action, to)
        for state, row in enumerate(world.table)
        for action, to in enumerate(row)
    ]
    for arrow in drawn.arrows:
        assert distance_to_rim(drawn, arrow.transition.state, arrow.curve[0]) < 1e-9
        assert distance_to_rim(drawn, arrow.transition.to, arrow.head[0]) < 1e-9
    for one, other in combinations(drawn.arrows, 2):
        if {*one.transition[::2]} == {*other.transition[::2]}:
            assert abs(sum(one.curve) - sum(other.curve)) / 4 > 0.05 * drawn.unit
    low, high = drawn.corners
    places = [disc.centre for disc in drawn.states]
    for point in (*places, *(point for arrow in drawn.arrows for point in arrow.head)):
        assert low.real < point.real < high.real
        assert low.imag < point.imag < high.imag


def require_clear(drawn: Graph) -> None:
    for arrow in drawn.arrows:
        a, b, c, d = arrow.curve
        for share in (n / 20 for n in range(21)):
            rest = 1 - share
            point = rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d
            for state, disc in enumerate(drawn.states):
                if state not in (arrow.transition.state, arrow.transition.to):
                    assert abs(point - disc.centre) > disc.radius


@pytest.mark.parametrize("name", NAMES)
def test_no_arrow_of_the_papers_worlds_runs_into_a_third_state(name: str) -> None:
    chosen = instance(name, 0)
    require_clear(graph(chosen.dynamics.table, chosen.layout))


def test_an_arrow_back_to_the_start_of_a_corridor_bends_around_the_states_between() -> None:
    for length in range(3, 6):
        table = tuple(((state + 1) % length,) for state in range(length))
        require_clear(graph(table, [(state, 0) for state in range(length)]))


def test_loops_at_walls_point_at_the_walls() -> None:
    drawn = graph(GRID.dynamics.table, GRID.layout)
    for arrow in drawn.arrows:
        state, action, to = arrow.transition
        if state == to:
            ahead = sum(arrow.curve) / 4 - drawn.states[state].centre
            assert abs(ahead / abs(ahead) - (1j, -1j, -1, 1)[action]) < 0.2


@pytest.mark.parametrize("name", NAMES)
def test_heads_in_the_papers_worlds_fit_side_by_side_at_a_size_that_can_be_seen(name: str) -> None:
    chosen = instance(name, 0)
    drawn = graph(chosen.dynamics.table, chosen.layout)
    for state, disc in enumerate(drawn.states):
        heads = [arrow.head for arrow in drawn.arrows if arrow.transition.to == state]
        widths = [abs(left - right) for _, left, right in heads]
        assert sum(widths) <= 2 * pi * disc.radius
        assert min(widths) >= 0.09 * drawn.unit


@pytest.mark.parametrize("actions", [1, 2, 8, 60])
def test_heads_get_smaller_where_a_state_has_no_room_to_grow(actions: int) -> None:
    rows = ((0,) * (actions - 1) + (1,), (0,) * actions)
    drawn = graph(rows, [(0, 0), (1, 0)])
    assert drawn.states[0].radius == drawn.states[1].radius
    heads = [arrow.head for arrow in drawn.arrows if arrow.transition.to == 0]
    assert sum(abs(left - right) for _, left, right in heads) <= 2 * pi * drawn.states[0].radius
