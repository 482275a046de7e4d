"""A transition graph as geometry: the colours of actions, and where states and arrows are.

Arrow heads do not touch each other if there is room for all of them, and a loop points at the wall
at which it bumped. (networkx draws heads one over the other where many arrows end, and all loops on
one side; and it draws with matplotlib, which the audit page does without.)
"""

from __future__ import annotations

from cmath import isclose, phase, rect
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from math import asin, inf, pi, radians, sin
from typing import TYPE_CHECKING, Final

import numpy as np
from markupsafe import Markup

from steel_verified.learning.model import Transition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Dynamics

    _Everywhere = tuple[NDArray[np.complex128], NDArray[np.float64]]


HUES: Final = ("#0072b2", "#d55e00", "#009e73", "#aa3377", "#e69f00", "#56b4e9", "#7a6a00")
"""Colours that stay apart with any kind of colour vision, and in grey (after Okabe and Ito)."""


def hue(number: int) -> str:
    """The colour of an action or a state; after the last colour they start again."""
    return HUES[number % len(HUES)]


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


def as_svg(
    drawn: Graph,
    pixels: float,
    told: str,
    look: Callable[[Transition], str] = lambda _: "",
    magnified: float = 1,
) -> Markup:
    """The graph as SVG: a group for each arrow and for each state; a page's style gives colours.

    `pixels` is the length of a unit of space, `look` the class of a transition's group. The page
    may show it `magnified` up to so many times.
    """
    low, high = drawn.corners

    def at(point: Point) -> tuple[str, str]:
        return f"{pixels * (point - low).real:.1f}", f"{pixels * (high - point).imag:.1f}"

    arrows = Markup().join(
        Markup('<g class="{}"><path d="M{} C{}"/><polygon points="{}"/></g>\n').format(
            look(each.transition),
            " ".join(at(each.curve[0])),
            ", ".join(" ".join(at(point)) for point in each.curve[1:]),
            " ".join(",".join(at(point)) for point in each.head),
        )
        for each in drawn.arrows
    )
    states = Markup().join(
        Markup(
            '<g><circle cx="{0}" cy="{1}" r="{2:.1f}"/>'
            '<text x="{0}" y="{1}" dy="0.35em" style="font-size: {3:.1f}px">{4}</text></g>\n'
        ).format(*at(disc.centre), size := disc.radius * pixels, min(13, 1.1 * size), number)
        for number, disc in enumerate(drawn.states)
    )
    wide, tall = (pixels * length for length in drawn.size)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" width="{:.0f}" '
        'height="{:.0f}" viewBox="0 0 {:.0f} {:.0f}" style="max-width: {:.0f}px">\n'
        '<g id="arrows">\n{}</g>\n<g id="states">\n{}</g>\n</svg>'
    ).format(told, wide, tall, wide, tall, magnified * wide, arrows, states)
