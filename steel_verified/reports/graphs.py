"""The positions of the states and arrows of a transition graph, for figures and web pages."""

from __future__ import annotations

from cmath import isclose, phase
from dataclasses import dataclass
from math import inf, pi, radians
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.model import Transition
from steel_verified.reports.arrows import (
    LEAST_SCALE,
    Arrow,
    Course,
    Disc,
    along,
    bowed,
    loop,
    radius_for,
    with_heads,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.reports.arrows import Point
    from steel_verified.worlds.dynamics import Dynamics

    _Everywhere = tuple[NDArray[np.complex128], NDArray[np.float64]]

# All lengths are fractions of the distance between the two nearest states.
_RADIUS: Final = 0.23
_BOW: Final = 0.13
"""How far an arrow bends to its left. Each further arrow between the same states bends by as much
again."""
_ONE_SIDE: Final = (1, 2, 3)
_EITHER_SIDE: Final = (1, -1, 2, -2, 3, -3)
_CLEARANCE: Final = 1.25
_APART: Final = radians(80)
"""The angle between two loops at one state."""


@dataclass(frozen=True, slots=True)
class Graph:
    """States as discs, transitions as arrows."""

    states: tuple[Disc, ...]
    unit: float
    """The distance between the two nearest states."""
    arrows: tuple[Arrow, ...]

    @property
    def crowded(self) -> frozenset[int]:
        """The states where so many arrows end that even the smallest heads may overlap."""
        return frozenset(each.transition.to for each in self.arrows if each.scale <= LEAST_SCALE)

    @property
    def corners(self) -> tuple[Point, Point]:
        """The lower left and the upper right corner of all that is drawn."""
        diagonal = (1 + 1j, -1 - 1j)
        extremes = [disc.centre + disc.radius * sign for disc in self.states for sign in diagonal]
        extremes += [along(arrow.curve, n / 16) for arrow in self.arrows for n in range(17)]
        right, top = max(p.real for p in extremes), max(p.imag for p in extremes)
        left, bottom = min(p.real for p in extremes), min(p.imag for p in extremes)
        margin = 0.06 * self.unit
        return complex(left - margin, bottom - margin), complex(right + margin, top + margin)

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height of the drawing."""
        low, high = self.corners
        return (high - low).real, (high - low).imag


def graph(dynamics: Dynamics, layout: Sequence[tuple[float, float]]) -> Graph:
    """Lay out all transitions. Arrows between the same two states run side by side."""
    places = tuple(complex(x, y) for x, y in layout)
    nearest = _distances_to_nearest(places)
    unit = min(nearest)
    states = _discs(dynamics, places, nearest)
    ways = [_way(dynamics, places, action) for action in range(dynamics.actions)]
    middle = sum(places) / len(places)
    everywhere = np.array(places), np.array([disc.radius for disc in states])
    courses: list[Course] = []
    for state, row in enumerate(dynamics.table):
        outward = places[state] - middle
        if abs(outward) < unit / 2:
            outward = 1j
        loops = _directions_of_loops(row, state, ways, outward)
        for to in dict.fromkeys(row):
            steps = [
                Transition(state, action, to) for action, other in enumerate(row) if other == to
            ]
            if to == state:
                courses += [loop(step, states[to], loops[step.action], unit) for step in steps]
            else:
                alone = len(steps) == 1 and state not in dynamics.table[to]
                sides = _EITHER_SIDE if alone else _ONE_SIDE
                courses += _between(steps, states, everywhere, sides, unit)
    return Graph(states, unit, tuple(with_heads(courses, states, unit)))


def _distances_to_nearest(places: Sequence[Point]) -> list[float]:
    """For each state the distance to the nearest other one; 1 if there is no other."""
    if len(places) == 1:
        return [1.0]
    everywhere = np.array(places, dtype=np.complex128)
    found = []
    for state, place in enumerate(places):
        apart = np.abs(everywhere - place)
        apart[state] = inf
        found.append(float(apart.min()))
    return found


def _discs(
    dynamics: Dynamics, places: Sequence[Point], nearest: Sequence[float]
) -> tuple[Disc, ...]:
    """A disc for each state. Where many arrows end it is larger, if there is room for that."""
    unit = min(nearest)
    ending = [0] * dynamics.states
    for row in dynamics.table:
        for to in row:
            ending[to] += 1
    return tuple(
        Disc(place, max(_RADIUS * unit, min(radius_for(arrows, unit), _RADIUS * room)))
        for place, arrows, room in zip(places, ending, nearest, strict=True)
    )


def _between(
    steps: Sequence[Transition],
    states: Sequence[Disc],
    everywhere: _Everywhere,
    sides: Sequence[int],
    unit: float,
) -> list[Course]:
    """Arrows from one state to another, side by side, with the least bend that avoids others.

    If no bend avoids all other states, the smallest bend is used.
    """
    start, end = steps[0].state, steps[0].to
    centres = np.delete(everywhere[0], [start, end])
    radii = np.delete(everywhere[1], [start, end])
    tries = [
        [
            bowed(step, states[start], states[end], _BOW * (side + n) * unit)
            for n, step in enumerate(steps)
        ]
        for side in sides
    ]
    clear = (
        courses
        for courses in tries
        if all(_is_clear(one, states[end], centres, radii) for one in courses)
    )
    return next(clear, tries[0])


def _is_clear(
    course: Course, end: Disc, centres: NDArray[np.complex128], radii: NDArray[np.float64]
) -> bool:
    curve = course.curve(end.rim(course.arrives))
    points = np.array([along(curve, n / 12) for n in range(13)])
    return bool((np.abs(points[:, None] - centres) > _CLEARANCE * radii).all())


def _directions_of_loops(
    row: Sequence[int], state: int, ways: Sequence[Point | None], outward: Point
) -> dict[int, float]:
    """The angle at which each action's self-loop leaves a state.

    If an action always moves in the same direction, its loops point in that direction: the loop
    then shows at which side the agent bumped into a wall. Otherwise, loops point away from the
    middle of the graph, side by side.
    """
    loops = [action for action, to in enumerate(row) if to == state]
    astray = [action for action in loops if ways[action] is None]
    angles = {}
    for action in loops:
        way = ways[action]
        if way is not None:
            angles[action] = phase(way)
        else:
            offset = astray.index(action) - (len(astray) - 1) / 2
            angles[action] = phase(outward) + offset * min(_APART, 2 * pi / len(astray))
    return angles


def _way(dynamics: Dynamics, places: Sequence[Point], action: int) -> Point | None:
    """The direction in which an action moves, if it is always the same."""
    moves = [
        (places[row[action]] - places[state]) / abs(places[row[action]] - places[state])
        for state, row in enumerate(dynamics.table)
        if row[action] != state
    ]
    if len(moves) > 1 and all(isclose(move, moves[0], abs_tol=1e-9) for move in moves):
        return moves[0]
    return None
