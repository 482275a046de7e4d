"""Draws a transition graph with matplotlib."""

from __future__ import annotations

from cmath import rect
from itertools import groupby
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from matplotlib.collections import PatchCollection, PathCollection, PolyCollection
from matplotlib.patches import Circle
from matplotlib.path import Path

from steel_verified.reports.figures.style import PAPER, SMALL, TEXT
from steel_verified.reports.graphs import USUAL_SCALE, along

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from matplotlib.axes import Axes
    from matplotlib.text import Text
    from numpy.typing import NDArray

    from steel_verified.learning.model import Transition
    from steel_verified.reports.graphs import Arrow, Graph, Point


_CURVE: Final = (Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4)


class Look(NamedTuple):
    """The colour and the width in points of an arrow, and which others it is drawn above."""

    colour: str
    width: float
    above: int = 0


def draw_graph(
    axes: Axes,
    drawn: Graph,
    points: float,
    *,
    arrow: Callable[[Transition], Look],
    rim: Callable[[int], str],
    filled: Mapping[int, str],
    named: Collection[int] = (),
) -> None:
    """Draw arrows, then states; `points` are the points of paper to a unit of space.

    States are numbered where letters of a readable size fit into them. Where they do not, the
    `named` states have their numbers beside them.
    """
    thin = min(2.0, max(0.5, points * drawn.unit / 26))
    _draw_arrows(axes, drawn, thin, arrow)
    axes.add_collection(
        PatchCollection(
            [Circle(_xy(disc.centre), disc.radius) for disc in drawn.states],
            facecolors=[filled.get(state, PAPER) for state in range(len(drawn.states))],
            edgecolors=[filled.get(state, rim(state)) for state in range(len(drawn.states))],
            linewidths=0.8 * thin,
            zorder=3,
        )
    )
    fits = []
    for state, disc in enumerate(drawn.states):
        letters = min(TEXT * max(1.0, thin), 1.1 * disc.radius * points)
        if letters >= SMALL:
            fits.append(state)
            _number(axes, state, disc.centre, letters, PAPER if state in filled else rim(state))
    beside = [state for state in named if state not in fits]
    for state, place in places_beside(drawn, beside, SMALL / points).items():
        text = _number(axes, state, place, SMALL, filled.get(state, rim(state)))
        # A halo. Path effects would make it easier, but they turn text in SVG into curves.
        text.set_bbox({"boxstyle": "round,pad=0.1", "fc": PAPER, "ec": "none", "alpha": 0.8})


def _draw_arrows(
    axes: Axes, drawn: Graph, thin: float, arrow: Callable[[Transition], Look]
) -> None:
    looks = sorted(((arrow(one.transition), one) for one in drawn.arrows), key=_order)
    for look, group in groupby(looks, key=lambda pair: pair[0]):
        arrows = [one for _, one in group]
        curves = [Path([_xy(point) for point in one.curve], _CURVE) for one in arrows]
        width = thin * look.width
        # A line must not be wider than its head.
        widths = [width * min(1.0, one.scale / USUAL_SCALE) for one in arrows]
        layer = 2 + look.above / 10
        axes.add_collection(
            PathCollection(
                curves, facecolors="none", edgecolors=look.colour, linewidths=widths, zorder=layer
            )
        )
        heads = [[_xy(point) for point in one.head] for one in arrows]
        axes.add_collection(
            PolyCollection(
                heads,
                facecolors=look.colour,
                edgecolors=look.colour,
                linewidths=[width / 3 * one.scale for one in arrows],
                joinstyle="miter",
                zorder=layer,
            )
        )


def _number(axes: Axes, state: int, place: Point, letters: float, colour: str) -> Text:
    return axes.text(
        *_xy(place),
        str(state),
        ha="center",
        va="center_baseline",
        fontsize=letters,
        color=colour,
        zorder=4,
    )


def show_all(axes: Axes, drawn: Graph) -> None:
    """Remove frame and ticks, and fit the axes to the graph."""
    low, high = drawn.corners
    axes.set_xlim(low.real, high.real)
    axes.set_ylim(low.imag, high.imag)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _order(pair: tuple[Look, Arrow]) -> tuple[int, str, float]:
    look, _ = pair
    return look.above, look.colour, look.width


def _xy(point: Point) -> tuple[float, float]:
    return point.real, point.imag


_DIRECTIONS: Final = 16
_DISTANCES: Final = (0.1, 0.5, 0.9)
"""How far from the circle a number may be, as a share of the height of letters."""

_OUTSIDE: Final = 0.1
"""A number outside of the graph's corners must be nearer to its own state by this factor."""


def places_beside(drawn: Graph, states: Iterable[int], letters: float) -> dict[int, Point]:
    """The middle of the number of each of these states, beside its circle.

    A number is where it covers least of the graph and of other numbers; of several such places,
    where its own state is nearest compared with the others, if possible within the graph's corners.
    `letters` is the height of letters in the graph's own unit.
    """
    taken = np.array(
        [
            *(along(arrow.curve, n / 24) for arrow in drawn.arrows for n in range(25)),
            *(point for arrow in drawn.arrows for point in arrow.head),
            *(disc.rim(pi * n / 6) for disc in drawn.states for n in range(12)),
        ]
    )
    found: dict[int, Point] = {}
    for state in states:
        if state not in found:
            half = half_size(state, letters)
            found[state] = _best(drawn, state, half, taken)
            corners = np.linspace(-1, 1, 5)
            box = corners[:, None] * half.real + 1j * corners * half.imag
            taken = np.concatenate([taken, found[state] + box.ravel()])
    return found


def half_size(state: int, letters: float) -> Point:
    """Half the width and half the height of a number."""
    return complex(0.35 * len(str(state)), 0.5) * letters


def _best(drawn: Graph, state: int, half: Point, taken: NDArray[np.complex128]) -> Point:
    own = drawn.states[state]
    low, high = drawn.corners
    others = np.array([disc.centre for n, disc in enumerate(drawn.states) if n != state])

    def cost(place: Point) -> tuple[int, float]:
        away = taken - place
        covered = (np.abs(away.real) < half.real) & (np.abs(away.imag) < half.imag)
        lowest, highest = place - half, place + half
        outside = lowest.real < low.real or highest.real > high.real
        outside |= lowest.imag < low.imag or highest.imag > high.imag
        nearest = float(np.abs(others - place).min(initial=np.inf))
        ratio = round(abs(own.centre - place) / nearest, 9)
        return int(covered.sum()), ratio + _OUTSIDE * outside

    turns = [pi / 4 + 2 * pi * n / _DIRECTIONS for n in range(_DIRECTIONS)]
    return min(
        (
            own.rim(turn, abs(cos(turn)) * half.real + abs(sin(turn)) * half.imag)
            + rect(distance * 2 * half.imag, turn)
            for distance in _DISTANCES
            for turn in turns
        ),
        key=cost,
    )
