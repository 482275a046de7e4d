"""Transition graphs can be read: arrows keep clear of states, heads and numbers of each other."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.reports.graphs import (
    LEAST_SCALE,
    USUAL_SCALE,
    Arrow,
    Graph,
    graph,
    spaced,
)
from steel_verified.strategies import dynamics
from steel_verified.worlds.catalogue import NAMES, instance
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.instances import instance_of_table
from steel_verified.worlds.pictures import spread_out

GRID = instance("grid", 0)


def distance_to_rim(drawn: Graph, state: int, point: complex) -> float:
    disc = drawn.states[state]
    return abs(abs(point - disc.centre) - disc.radius)


@given(dynamics(max_states=7, max_actions=4))
def test_every_transition_is_an_arrow_of_its_own_between_its_states(world: Dynamics) -> None:
    drawn = graph(world, instance_of_table("own", world).layout)
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


@pytest.mark.parametrize("name", NAMES)
def test_no_arrow_of_the_papers_worlds_runs_into_a_third_state(name: str) -> None:
    chosen = instance(name, 0)
    drawn = graph(chosen.dynamics, chosen.layout)
    for arrow in drawn.arrows:
        a, b, c, d = arrow.curve
        for share in (n / 20 for n in range(21)):
            rest = 1 - share
            point = rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d
            for state, disc in enumerate(drawn.states):
                if state not in (arrow.transition.state, arrow.transition.to):
                    assert abs(point - disc.centre) > disc.radius


def test_loops_at_walls_point_at_the_walls() -> None:
    drawn = graph(GRID.dynamics, GRID.layout)
    for arrow in drawn.arrows:
        state, action, to = arrow.transition
        if state == to:
            ahead = sum(arrow.curve) / 4 - drawn.states[state].centre
            assert abs(ahead / abs(ahead) - (1j, -1j, -1, 1)[action]) < 0.2


def are_disjoint(one: Arrow, other: Arrow) -> bool:
    """Whether a side of one of the two triangles has all of the other triangle beyond it."""
    for mine, yours in ((one.head, other.head), (other.head, one.head)):
        for a, b, c in ((mine[i], mine[i - 1], mine[i - 2]) for i in range(3)):
            inside = ((c - a) / (b - a)).imag
            if all(((point - a) / (b - a)).imag * inside < 0 for point in yours):
                return True
    return False


def require_heads_apart(drawn: Graph) -> None:
    for one, other in combinations(drawn.arrows, 2):
        if one.transition.to not in drawn.crowded:
            assert are_disjoint(one, other), (one.transition, other.transition)


@pytest.mark.parametrize("name", NAMES)
def test_heads_in_the_papers_worlds_are_apart_and_of_a_size_that_can_be_seen(name: str) -> None:
    chosen = instance(name, 0)
    drawn = graph(chosen.dynamics, chosen.layout)
    require_heads_apart(drawn)
    assert min(arrow.scale for arrow in drawn.arrows) >= 0.99 * USUAL_SCALE


@given(dynamics(max_states=12, max_actions=4))
def test_heads_in_a_world_of_ones_own_are_apart(world: Dynamics) -> None:
    require_heads_apart(graph(world, spread_out(world.table)))


@pytest.mark.parametrize("actions", [1, 2, 8, 17, 18, 60])
def test_heads_overlap_only_at_a_state_that_is_called_crowded(actions: int) -> None:
    # State 0 is no larger than state 1, because there is no room for that.
    rows = ((0,) * (actions - 1) + (1,), (0,) * actions)
    drawn = graph(Dynamics(rows), [(0, 0), (1, 0)])
    ending = sum(arrow.transition.to == 0 for arrow in drawn.arrows)
    assert ending > 34 or not drawn.crowded
    assert ending < 100 or drawn.crowded == {0}
    require_heads_apart(drawn)
    assert min(arrow.scale for arrow in drawn.arrows) >= LEAST_SCALE


ANGLES = st.lists(st.integers(-1_000, 1_000).map(lambda n: n / 100), min_size=1, max_size=40)


@given(ANGLES)
def test_angles_that_are_far_enough_apart_stay(angles: list[float]) -> None:
    around = sorted(angle % (2 * pi) for angle in angles)
    nearest = min(b - a for a, b in pairwise([*around, around[0] + 2 * pi]))
    for before, after in zip(angles, spaced(angles, 0.99 * nearest), strict=True):
        turned = (before - after + pi) % (2 * pi) - pi
        assert len(angles) == 1 or abs(turned) < 1e-9
