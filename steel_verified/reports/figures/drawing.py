"""Draws a transition graph with matplotlib."""

from __future__ import annotations

from math import copysign
from typing import TYPE_CHECKING, Final, NamedTuple

from matplotlib.collections import PatchCollection, PathCollection, PolyCollection
from matplotlib.patches import Circle
from matplotlib.path import Path

from steel_verified.reports.figures.style import PAPER, SMALL, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from steel_verified.learning.model import Transition
    from steel_verified.reports.graphs import Graph, Point


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
    `named` states have their numbers beside them. The axes are fitted to the graph.
    """
    thin = min(2.0, max(0.5, points * drawn.unit / 26))
    arrows = sorted(drawn.arrows, key=lambda one: arrow(one.transition).above)
    looks = [arrow(one.transition) for one in arrows]
    colours, widths = [look.colour for look in looks], [thin * look.width for look in looks]
    curves = [Path([_xy(point) for point in one.curve], _CURVE) for one in arrows]
    axes.add_collection(
        PathCollection(curves, facecolors="none", edgecolors=colours, linewidths=widths, zorder=2)
    )
    heads = [[_xy(point) for point in one.head] for one in arrows]
    edges = [width / 3 for width in widths]
    axes.add_collection(
        PolyCollection(
            heads,
            facecolors=colours,
            edgecolors=colours,
            linewidths=edges,
            joinstyle="miter",
            zorder=2,
        )
    )
    axes.add_collection(
        PatchCollection(
            [Circle(_xy(disc.centre), disc.radius) for disc in drawn.states],
            facecolors=[filled.get(state, PAPER) for state in range(len(drawn.states))],
            edgecolors=[filled.get(state, rim(state)) for state in range(len(drawn.states))],
            linewidths=0.8 * thin,
            zorder=3,
        )
    )
    for state, disc in enumerate(drawn.states):
        letters = min(TEXT * max(1.0, thin), 1.1 * disc.radius * points)
        if letters >= SMALL:
            _number(axes, state, disc.centre, letters, PAPER if state in filled else rim(state))
        elif state in named:
            _name_beside(axes, drawn, state, filled.get(state, rim(state)))
    low, high = drawn.corners
    axes.set_xlim(low.real, high.real)
    axes.set_ylim(low.imag, high.imag)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _name_beside(axes: Axes, drawn: Graph, state: int, colour: str) -> None:
    """Write the number of a state outside of its circle, away from the middle of the graph.

    It is diagonal to the circle, where a grid has no arrows.
    """
    low, high = drawn.corners
    place = drawn.states[state].centre
    away = place - (low + high) / 2
    aside = complex(copysign(1, away.real), copysign(1, away.imag)) * 0.4 * drawn.unit
    text = _number(axes, state, place + aside, SMALL, colour)
    # A halo. Path effects would make it easier, but they turn text in SVG into curves.
    text.set_bbox({"boxstyle": "round,pad=0.1", "fc": PAPER, "ec": "none", "alpha": 0.8})


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


def _xy(point: Point) -> tuple[float, float]:
    return point.real, point.imag
