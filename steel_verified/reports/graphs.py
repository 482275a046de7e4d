"""A transition graph as geometry: the colours of actions, and where states and arrows are.

A state is larger where many arrows end, an arrow bends around other states, and a loop points at
the wall at which it bumped. (networkx does none of this.)
"""

from __future__ import annotations

from cmath import isclose, phase, rect
from collections import Counter
from dataclasses import dataclass, replace
from math import asin, pi, radians
from typing import TYPE_CHECKING, Final

import numpy as np
from markupsafe import Markup

from steel_verified.learning.model import Transition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Table

    _Everywhere = tuple[NDArray[np.complex128], NDArray[np.float64]]
    """The middles of all states, and how near arrows may come to them."""

HUES: Final = ("#0072b2", "#d55e00", "#009e73", "#aa3377", "#e69f00", "#56b4e9", "#7a6a00")
"""Colours that stay apart with any kind of colour vision, and in grey (after Okabe and Ito)."""
COLOURS: Final = (*HUES, "#111111", "#7b4fd6", "#f28cb1", "#7f4f24", "#9acd32")
"""Those of figures, of worlds with more actions; on the audit page colours begin again."""


def hue(number: int) -> str:
    """The colour of an action or a state; after the last colour they start again."""
    return COLOURS[number % len(COLOURS)]


Point = complex
"""A place in the plane: x + y·i."""
Curve = tuple[Point, Point, Point, Point]
"""The control points of a cubic curve."""

# All lengths are shares of the unit, the distance between the two nearest states.
_RADIUS: Final = 0.23
_HEAD: Final = 0.15
_WIDTH: Final = 0.124
"""The length and the width of an arrow head."""
_FILLED: Final = 0.6
"""All heads at a state take up at most this share of its rim: they are smaller where many end."""
_USUAL: Final = 0.8
"""A state is made larger, if there is room, until heads of this share of their size fit."""
_BOW: Final = 0.13
"""How far an arrow bends to its left. Each further arrow between the same states bends by as much
again."""
_ONE_SIDE: Final = (1, 2, 3)
_EITHER_SIDE: Final = (1, -1, 2, -2, 3, -3)
_CLEARANCE: Final = 1.25
"""Arrows stay this many radii away from the middle of other states."""
_REACH, _MOUTH, _SPREAD = 0.55, 0.28, 0.85
"""Of a loop: how far its corners are from the rim, how far apart its ends are, and its corners."""
_APART: Final = radians(80)
"""The angle between two loops at one state."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A transition as a cubic curve that ends in a triangle."""

    transition: Transition
    curve: Curve
    head: tuple[Point, Point, Point]
    actions: tuple[int, ...]
    """The actions that it stands for: that of the transition, unless arrows were merged."""


@dataclass(frozen=True, slots=True)
class Disc:
    """The circle that represents a state; `head` is the size of the arrow heads that end there."""

    centre: Point
    radius: float
    head: float

    def rim(self, angle: float, beyond: float = 0.0) -> Point:
        """The point of the rim at an angle, or a point at this distance outside of it."""
        return self.centre + rect(self.radius + beyond, angle)

    def reached(self, step: Transition, leaving: Point, bends: Sequence[Point]) -> Arrow:
        """An arrow through one or two bends; its head points at the middle of this state."""
        angle = phase(bends[-1] - self.centre)
        base, side = (
            self.rim(angle, _HEAD * self.head),
            rect(_WIDTH * self.head / 2, angle + pi / 2),
        )
        if len(bends) == 1:
            bends = [point + 2 * (bends[0] - point) / 3 for point in (leaving, base)]
        curve = (leaving, bends[0], bends[1], base)
        return Arrow(step, curve, (self.rim(angle), base + side, base - side), (step.action,))


@dataclass(frozen=True, slots=True)
class Graph:
    """States as discs, transitions as arrows."""

    states: tuple[Disc, ...]
    unit: float
    """The distance between the two nearest states."""
    arrows: tuple[Arrow, ...]

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
        low, high = self.corners
        return (high - low).real, (high - low).imag


def along(curve: Curve, share: float) -> Point:
    a, b, c, d = curve
    rest = 1 - share
    return rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d


def graph(table: Table, layout: Sequence[tuple[float, float]], *, merged: bool = False) -> Graph:
    """Lay out all transitions. Arrows between the same two states run side by side.

    If they are merged, there is only one arrow for them; loops that show a wall stay apart.
    """
    places = [complex(x, y) for x, y in layout]
    nearest = [
        min((abs(place - other) for j, other in enumerate(places) if j != i), default=1.0)
        for i, place in enumerate(places)
    ]
    unit = min(nearest)
    ending = Counter(to for row in table for to in (dict.fromkeys(row) if merged else row))
    states = tuple(
        _disc(place, ending[state], room, unit)
        for state, (place, room) in enumerate(zip(places, nearest, strict=True))
    )
    everywhere = np.array(places), _CLEARANCE * np.array([disc.radius for disc in states])
    arrows = [
        arrow
        for state, row in enumerate(table)
        for to in dict.fromkeys(row)
        for arrow in (
            _loops(table, states, state, unit, merged=merged)
            if to == state
            else _between(table, states, everywhere, (state, to), unit, merged=merged)
        )
    ]
    return Graph(states, unit, tuple(sorted(arrows, key=lambda arrow: arrow.transition)))


def _disc(place: Point, ending: int, room: float, unit: float) -> Disc:
    """The disc of a state. Where many arrows end it is larger, if there is room for that."""
    taken = max(ending, 1) * _WIDTH * unit / (2 * pi * _FILLED)
    radius = max(_RADIUS * unit, min(_USUAL * taken, _RADIUS * room))
    return Disc(place, radius, unit * min(1.0, radius / taken))


def _between(
    table: Table,
    states: Sequence[Disc],
    everywhere: _Everywhere,
    ends: tuple[int, int],
    unit: float,
    *,
    merged: bool,
) -> list[Arrow]:
    """Arrows from one state to another, side by side, with the least bend that avoids others.

    They bend to their left, so that there is room for arrows in the opposite direction.
    """
    (state, to), (start, end) = ends, (states[place] for place in ends)
    together = tuple(action for action, other in enumerate(table[state]) if other == to)
    actions = together[:1] if merged else together
    across = end.centre - start.centre
    centres, clearance = everywhere[0], everywhere[1].copy()
    clearance[[*ends]] = 0

    def bowed(side: int) -> Iterator[Arrow]:
        for number, action in enumerate(actions):
            bow = 2j * _BOW * (side + number) * unit
            bend = (start.centre + end.centre) / 2 + bow * across / abs(across)
            leaving = start.rim(phase(bend - start.centre))
            yield end.reached(Transition(state, action, to), leaving, [bend])

    def is_clear(arrow: Arrow) -> bool:
        points = np.array([along(arrow.curve, n / 12) for n in range(13)])
        return bool((np.abs(points[:, None] - centres) > clearance).all())

    alone = len(actions) == 1 and state not in table[to]
    tries = [list(bowed(side)) for side in (_EITHER_SIDE if alone else _ONE_SIDE)]
    found = next((arrows for arrows in tries if all(map(is_clear, arrows))), tries[0])
    return [replace(arrow, actions=together) for arrow in found] if merged else found


def _loops(
    table: Table, states: Sequence[Disc], state: int, unit: float, *, merged: bool
) -> Iterator[Arrow]:
    """The arrows from a state to itself, side by side, away from the middle of the graph.

    If an action always moves in one direction, its loops point there: the agent bumped into a wall.
    """
    disc = states[state]
    outward = disc.centre - sum(each.centre for each in states) / len(states)
    away = phase(outward if abs(outward) >= unit / 2 else 1j)
    actions = [action for action, to in enumerate(table[state]) if to == state]
    ways = {action: _way(table, states, action) for action in actions}
    astray = tuple(action for action in actions if ways[action] is None)
    together = astray if merged else ()
    if merged:
        actions = [action for action in actions if action not in astray[1:]]
        astray = astray[:1]
    mouth = asin(min(1.0, _MOUTH * unit / 2 / disc.radius))
    spread = asin(min(1.0, _SPREAD * unit / 2 / (disc.radius + _REACH * unit)))
    for action in actions:
        way = ways[action]
        if way is None:
            offset = astray.index(action) - (len(astray) - 1) / 2
            angle = away + offset * min(_APART, 2 * pi / len(astray))
        else:
            angle = phase(way)
        first, second = (disc.rim(angle + turn, _REACH * unit) for turn in (-spread, spread))
        leaving = disc.rim(angle - mouth)
        arrow = disc.reached(Transition(state, action, state), leaving, [first, second])
        yield replace(arrow, actions=together) if action in together else arrow


def _way(table: Table, states: Sequence[Disc], action: int) -> Point | None:
    """The direction in which an action moves, if it is always the same."""
    moves = [
        states[row[action]].centre - states[state].centre
        for state, row in enumerate(table)
        if row[action] != state
    ]
    ways = [move / abs(move) for move in moves]
    same = len(ways) > 1 and all(isclose(way, ways[0], abs_tol=1e-9) for way in ways)
    return ways[0] if same else None


def as_svg(
    drawn: Graph,
    pixels: float,
    text: str,
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
    ).format(text, wide, tall, wide, tall, magnified * wide, arrows, states)
