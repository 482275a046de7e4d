"""The geometry of a transition graph's arrows, used by all drawings."""

from __future__ import annotations

from cmath import isclose, phase, rect
from dataclasses import dataclass
from itertools import combinations
from math import pi, radians
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.model import Transition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Dynamics

Point = complex
"""A point of the plane as a complex number x + y·i."""

# All lengths are fractions of the distance between the two nearest states.
_RADIUS: Final = 0.23
_HEAD: Final = 0.15
_HALF_HEAD: Final = 0.062
_BOW: Final = 0.13
"""How far an arrow bends to its left. Each further arrow between the same states bends by as much
again."""
_ONE_SIDE: Final = (1, 2, 3)
_EITHER_SIDE: Final = (1, -1, 2, -2, 3, -3)
_CLEARANCE: Final = 1.25
_REACH: Final = 0.78
"""How far the control points of a self-loop are from their state."""
_MOUTH: Final = radians(38)
_SPREAD: Final = radians(33)
_APART: Final = radians(80)
"""The angle between two loops at one state."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A transition as a cubic curve (four control points) with a triangle as its head."""

    transition: Transition
    curve: tuple[Point, Point, Point, Point]
    head: tuple[Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Graph:
    """States as circles and transitions as arrows."""

    places: tuple[Point, ...]
    radius: float
    unit: float
    """The distance between the two nearest states."""
    arrows: tuple[Arrow, ...]

    @property
    def corners(self) -> tuple[Point, Point]:
        """The lower left and the upper right corner of the drawing."""
        extremes = [
            place + self.radius * sign for place in self.places for sign in (1 + 1j, -1 - 1j)
        ]
        extremes += [_along(arrow.curve, n / 16) for arrow in self.arrows for n in range(17)]
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
    unit = min((abs(a - b) for a, b in combinations(places, 2)), default=1.0)
    ways = [_way(dynamics, places, action) for action in range(dynamics.actions)]
    middle = sum(places) / len(places)
    everywhere = np.array(places, dtype=np.complex128)
    arrows: list[Arrow] = []
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
                arrows += [_loop(step, places[to], loops[step.action], unit) for step in steps]
            else:
                others = np.delete(everywhere, [state, to])
                alone = len(steps) == 1 and state not in dynamics.table[to]
                sides = _EITHER_SIDE if alone else _ONE_SIDE
                arrows += _between(steps, places, others, sides, unit)
    arrows.sort(key=lambda arrow: arrow.transition)
    return Graph(places, _RADIUS * unit, unit, tuple(arrows))


def _between(
    steps: Sequence[Transition],
    places: Sequence[Point],
    others: NDArray[np.complex128],
    sides: Sequence[int],
    unit: float,
) -> list[Arrow]:
    """Parallel arrows from one state to another, with the smallest bend that avoids other states.

    If no bend avoids all other states, the smallest bend is used.
    """
    tries = [
        [
            _bowed(step, places[step.state], places[step.to], _BOW * (side + n) * unit, unit)
            for n, step in enumerate(steps)
        ]
        for side in sides
    ]
    clear = (arrows for arrows in tries if all(_is_clear(one, others, unit) for one in arrows))
    return next(clear, tries[0])


def _is_clear(arrow: Arrow, others: NDArray[np.complex128], unit: float) -> bool:
    points = np.array([_along(arrow.curve, n / 12) for n in range(13)])
    nearest = np.abs(points[:, None] - others).min(initial=np.inf)
    return bool(nearest > _CLEARANCE * _RADIUS * unit)


def _bowed(step: Transition, start: Point, end: Point, bow: float, unit: float) -> Arrow:
    """An arrow that bends to its left, so that an arrow in the opposite direction has room."""
    bend = (start + end) / 2 + 2j * _towards(start, end, bow)
    leaving = start + _towards(start, bend, _RADIUS * unit)
    tip = end + _towards(end, bend, _RADIUS * unit)
    base = tip + _towards(tip, bend, _HEAD * unit)
    curve = (leaving, leaving + 2 * (bend - leaving) / 3, base + 2 * (bend - base) / 3, base)
    return Arrow(step, curve, _head(tip, base, unit))


def _loop(step: Transition, place: Point, direction: float, unit: float) -> Arrow:
    """An arrow from a state to itself."""
    leaving = place + rect(_RADIUS * unit, direction - _MOUTH)
    tip = place + rect(_RADIUS * unit, direction + _MOUTH)
    first = place + rect(_REACH * unit, direction - _SPREAD)
    second = place + rect(_REACH * unit, direction + _SPREAD)
    base = tip + _towards(tip, second, _HEAD * unit)
    return Arrow(step, (leaving, first, second, base), _head(tip, base, unit))


def _head(tip: Point, base: Point, unit: float) -> tuple[Point, Point, Point]:
    side = 1j * _towards(base, tip, _HALF_HEAD * unit)
    return (tip, base + side, base - side)


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


def _towards(start: Point, end: Point, length: float) -> Point:
    """The point at this distance from `start` in the direction of `end`."""
    return length * (end - start) / abs(end - start)


def _along(curve: tuple[Point, Point, Point, Point], share: float) -> Point:
    """The point of a cubic curve at this share of its parameter."""
    a, b, c, d = curve
    rest = 1 - share
    return rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d
