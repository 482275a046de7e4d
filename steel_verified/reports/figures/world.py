"""Figures 3, 5 and 6: a world's latent graph, and an observed transition as boards of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path

from steel_verified.reports.figures.drawing import Look, draw_graph
from steel_verified.reports.figures.style import (
    INK,
    LARGEST_UNIT,
    PAGE,
    SMALL,
    TEXT,
    blank,
    name_actions,
    styled,
)
from steel_verified.reports.graphs import graph, hue
from steel_verified.worlds.instances import RunnableInstance
from steel_verified.worlds.pictures import PAPER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from steel_verified.worlds.instances import Instance
    from steel_verified.worlds.pictures import Colour


_SPACE: Final = 1 / 8
"""The width of the line between two cells, as a share of a cell."""


def hex_of(colour: Colour) -> str:
    """A colour of matplotlib."""
    red, green, blue = colour
    return to_hex((red / 255, green / 255, blue / 255))


def draw_board(axes: Axes, board: NDArray[np.uint8]) -> None:
    """Draw the cells of each colour as one path. The background shows between the cells."""
    rows, columns, _ = board.shape
    axes.add_patch(Rectangle((0, 0), columns, rows, color=hex_of(PAPER), lw=0, zorder=1))
    colours = np.unique(board.reshape(-1, 3), axis=0)
    for red, green, blue in colours.tolist():
        if (red, green, blue) != PAPER:
            cells = np.argwhere((board == (red, green, blue)).all(axis=2))
            path = _squares(cells)
            axes.add_patch(
                PathPatch(path, color=hex_of((red, green, blue)), lw=0, snap=False, zorder=2)
            )
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _squares(cells: NDArray[np.int64]) -> Path:
    """A square for each cell (row, column), smaller than the cell by the width of a line."""
    near, far = _SPACE / 2, 1 - _SPACE / 2
    corners = np.array([(near, near), (far, near), (far, far), (near, far), (near, near)])
    vertices = (cells[:, None, ::-1] + corners).reshape(-1, 2)
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(vertices, codes * len(cells))


_SHARE: Final = 0.56
_TALLEST: Final = 2.9
_LOWEST: Final = 1.8
_LINE: Final = 0.13
"""The height of a line of a legend, in inches."""


def world_figure(chosen: Instance, noise_seed: int) -> Figure:
    """The dynamics on the left; on the right what is seen before and after the first action.

    A table of one's own shows nothing, so it is drawn alone, on as much of a page as it needs.
    """
    drawn = graph(chosen.dynamics.table, chosen.layout)
    wide, tall = drawn.size
    room = (_SHARE * PAGE, _TALLEST) if isinstance(chosen, RunnableInstance) else (PAGE, PAGE)
    inches = min(room[0] / wide, room[1] / tall, LARGEST_UNIT / drawn.unit)
    after = chosen.dynamics.table[chosen.start][chosen.first_action]
    with styled():
        figure = blank(PAGE, max(_LOWEST, inches * tall + 0.5))
        if isinstance(chosen, RunnableInstance):
            axes = _observed(figure, chosen, noise_seed, (chosen.start, after))
        else:
            axes = figure.add_subplot()
        draw_graph(
            axes,
            drawn,
            72 * inches,
            arrow=lambda step: Look(hue(step.action), 0.9),
            rim=lambda _: INK,
            filled={chosen.start: INK},
            named=(chosen.start, after),
        )
        axes.set_title(f"latent dynamics of {chosen.name}", fontsize=TEXT, parse_math=False)
        actions = range(chosen.dynamics.actions)
        named = {action: f"action {chosen.action_name(action)}" for action in actions}
        start = Line2D([], [], ls="", marker="o", ms=5, color=INK)
        name_actions(axes, named, (start, "state at time 0"), columns=5)
    return figure


def _observed(
    figure: Figure, chosen: RunnableInstance, noise_seed: int, states: Sequence[int]
) -> Axes:
    """Draw what is observed in these states, one below the other; return the axes for the graph."""
    colours = chosen.simulation.drawn.colours
    legend = _LINE * (len(colours) + 0.5)
    board = (figure.get_figheight() - legend) / 2
    grid = figure.add_gridspec(
        3, 2, width_ratios=(_SHARE, 1 - _SHARE), height_ratios=(board, board, legend)
    )
    picture = chosen.simulation.pictures(noise_seed)
    for time, state in enumerate(states):
        seen = figure.add_subplot(grid[time, 1])
        draw_board(seen, picture(time, state))
        seen.set_title(f"observed at time {time}, in state {state}", fontsize=SMALL)
    _explain(figure.add_subplot(grid[2, 1]), colours)
    return figure.add_subplot(grid[:, 0])


def _explain(axes: Axes, colours: Sequence[tuple[Colour, str]]) -> None:
    """Add a legend for the colours of cells."""
    axes.set_axis_off()
    axes.legend(
        [Patch(facecolor=hex_of(colour), lw=0) for colour, _ in colours],
        [meaning for _, meaning in colours],
        loc="upper center",
        borderaxespad=0,
        handlelength=1,
        handleheight=1,
    )
