"""Arrows between states. Their heads do not touch each other if there is room for all of them."""

from __future__ import annotations

from cmath import phase, rect
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from math import asin, inf, pi, sin
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.learning.model import Transition

Point = complex
"""A place in the plane: x + y·i."""
Curve = tuple[Point, Point, Point, Point]
"""The control points of a cubic curve."""

# All lengths are shares of the unit, the distance between the two nearest states.
_HEAD: Final = 0.15
_WIDTH: Final = 0.124
_FILLED: Final = 0.85
"""Two neighbouring heads may take up this share of the distance between their tips."""
USUAL_SCALE: Final = 0.8
"""Tips are moved apart until there is room for heads of this size (a share of the largest)."""
LEAST_SCALE: Final = 0.2
"""Heads are never smaller than this, because smaller ones are invisible."""
_MOST_MOVED: Final = 0.7
"""Tips are moved apart to at most this share of their distance if they were spaced evenly."""
_REACH: Final = 0.55
"""How far the corners of a loop from a state to itself are from its rim."""
_MOUTH: Final = 0.28
"""How far the ends of a loop are apart."""
_SPREAD: Final = 0.85
"""How far its corners are apart."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A transition as a cubic curve that ends in a triangle."""

    transition: Transition
    curve: Curve
    head: tuple[Point, Point, Point]
    scale: float
    """The size of the head: 1 if there is room, smaller if other heads are near."""


@dataclass(frozen=True, slots=True)
class Disc:
    """The circle that represents a state."""

    centre: Point
    radius: float

    def rim(self, angle: float, beyond: float = 0.0) -> Point:
        """The point of the rim at an angle, or a point at this distance outside of it."""
        return self.centre + rect(self.radius + beyond, angle)


@dataclass(frozen=True, slots=True)
class Course:
    """An arrow without its head, from `leaving` through one or two bends to the rim of a state."""

    transition: Transition
    leaving: Point
    bends: tuple[Point] | tuple[Point, Point]
    arrives: float
    """The angle at which it meets the rim."""

    def curve(self, end: Point) -> Curve:
        if len(self.bends) == 2:
            return (self.leaving, *self.bends, end)
        (bend,) = self.bends
        first, second = (point + 2 * (bend - point) / 3 for point in (self.leaving, end))
        return (self.leaving, first, second, end)


def bowed(step: Transition, start: Disc, end: Disc, bow: float) -> Course:
    """An arrow bent to its left, so that there is room for one in the opposite direction."""
    across = end.centre - start.centre
    bend = (start.centre + end.centre) / 2 + 2j * bow * across / abs(across)
    leaving = start.rim(phase(bend - start.centre))
    return Course(step, leaving, (bend,), phase(bend - end.centre))


def loop(step: Transition, state: Disc, direction: float, unit: float) -> Course:
    """An arrow from a state to itself."""
    mouth = asin(min(1.0, _MOUTH * unit / 2 / state.radius))
    spread = asin(min(1.0, _SPREAD * unit / 2 / (state.radius + _REACH * unit)))
    first, second = (state.rim(direction + turn, _REACH * unit) for turn in (-spread, spread))
    return Course(step, state.rim(direction - mouth), (first, second), direction + mouth)


def radius_for(arrows: int, unit: float) -> float:
    """The radius that a state needs for this many heads of the usual size, `spaced` apart."""
    return arrows * USUAL_SCALE * _WIDTH * unit / _FILLED / _MOST_MOVED / (2 * pi)


def with_heads(courses: Sequence[Course], states: Sequence[Disc], unit: float) -> list[Arrow]:
    """Give every arrow its head, in the order of transitions.

    Heads point at the middle of their state. At each state, tips that are too near to each other
    are moved along the rim, and then all heads there are made small enough to keep a gap.
    """
    arriving: defaultdict[int, list[Course]] = defaultdict(list)
    for course in courses:
        arriving[course.transition.to].append(course)
    arrows: list[Arrow] = []
    for state, some in arriving.items():
        arrows += _at_one_state(some, states[state], unit)
    return sorted(arrows, key=lambda arrow: arrow.transition)


def _at_one_state(courses: Sequence[Course], state: Disc, unit: float) -> Iterator[Arrow]:
    apart = _WIDTH * unit / _FILLED / (2 * state.radius)
    wanted = 2 * asin(min(1.0, USUAL_SCALE * apart))
    angles = spaced([course.arrives for course in courses], wanted)
    nearest = min((b - a for a, b in _around(sorted(angles))), default=inf)
    room = sin(min(nearest, pi) / 2) / apart
    scale = min(1.0, max(LEAST_SCALE, room))
    for course, angle in zip(courses, angles, strict=True):
        base = state.rim(angle, _HEAD * scale * unit)
        side = rect(_WIDTH / 2 * scale * unit, angle + pi / 2)
        head = (state.rim(angle), base + side, base - side)
        yield Arrow(course.transition, course.curve(base), head, scale)


def spaced(angles: Sequence[float], wanted: float) -> list[float]:
    """Angles in the same circular order, moved as little as possible until they are so far apart.

    Where there are too many for that, they are `_MOST_MOVED` of an even spacing apart. What moves
    least is found by pooling neighbours that are too near to each other.
    """
    count = len(angles)
    if count < 2:
        return list(angles)
    gap = min(wanted, _MOST_MOVED * 2 * pi / count)
    order = sorted(range(count), key=lambda i: angles[i] % (2 * pi))
    around = [angles[i] % (2 * pi) for i in order]
    widest = max(range(count), key=lambda i: (around[i] - around[i - 1]) % (2 * pi))
    order = order[widest:] + order[:widest]
    around = around[widest:] + [angle + 2 * pi for angle in around[:widest]]
    moved = [angle + i * gap for i, angle in enumerate(_increasing(around, gap))]
    if 2 * pi - (moved[-1] - moved[0]) < gap:
        even = 2 * pi / count
        shift = sum(angle - i * even for i, angle in enumerate(around)) / count
        moved = [shift + i * even for i in range(count)]
    found = dict(zip(order, moved, strict=True))
    return [found[i] % (2 * pi) for i in range(count)]


def _increasing(angles: Sequence[float], gap: float) -> Iterator[float]:
    """The increasing sequence nearest to angle i minus i gaps: least squares, by pooling."""
    pools: list[tuple[float, int]] = []
    for i, angle in enumerate(angles):
        total, count = angle - i * gap, 1
        while pools and pools[-1][0] * count > total * pools[-1][1]:
            more, members = pools.pop()
            total, count = total + more, count + members
        pools.append((total, count))
    for total, count in pools:
        yield from [total / count] * count


def _around(angles: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Neighbours on the circle, of sorted angles."""
    yield from pairwise(angles)
    if len(angles) > 1:
        yield angles[-1], angles[0] + 2 * pi


def along(curve: Curve, share: float) -> Point:
    """A point of a cubic curve."""
    a, b, c, d = curve
    rest = 1 - share
    return rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d
