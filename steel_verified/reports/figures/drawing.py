"""A transition graph on paper."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from matplotlib.collections import PatchCollection, PathCollection, PolyCollection
from matplotlib.patches import Circle
from matplotlib.path import Path

from steel_verified.reports.figures.style import PAPER, SMALL, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes

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
) -> None:
    """Draw arrows, then states; `points` are the points of paper to a unit of space.

    States are numbered where letters of a readable size fit into them.
    """
    size = points * drawn.unit
    thin = min(2.0, max(0.5, size / 26))
    looks = sorted(((arrow(one.transition), one) for one in drawn.arrows), key=_order)
    for look, group in groupby(looks, key=lambda pair: pair[0]):
        arrows = [one for _, one in group]
        curves = [Path([_xy(point) for point in one.curve], _CURVE) for one in arrows]
        width = thin * look.width
        layer = 2 + look.above / 10
        axes.add_collection(
            PathCollection(
                curves, facecolors="none", edgecolors=look.colour, linewidths=width, zorder=layer
            )
        )
        heads = [[_xy(point) for point in one.head] for one in arrows]
        axes.add_collection(
            PolyCollection(
                heads,
                facecolors=look.colour,
                edgecolors=look.colour,
                linewidths=width / 2,
                joinstyle="miter",
                zorder=layer,
            )
        )
    states = range(len(drawn.places))
    axes.add_collection(
        PatchCollection(
            [Circle(_xy(place), drawn.radius) for place in drawn.places],
            facecolors=[filled.get(state, PAPER) for state in states],
            edgecolors=[filled.get(state, rim(state)) for state in states],
            linewidths=0.8 * thin,
            zorder=3,
        )
    )
    letters = min(TEXT * max(1.0, thin), 1.1 * drawn.radius * points)
    if letters >= SMALL:
        for state, place in enumerate(drawn.places):
            axes.text(
                *_xy(place),
                str(state),
                ha="center",
                va="center_baseline",
                fontsize=letters,
                color=PAPER if state in filled else rim(state),
                zorder=4,
            )


def show_all(axes: Axes, drawn: Graph) -> None:
    """No frame and no ticks, just the graph, as high as it is."""
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
