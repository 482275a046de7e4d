"""A board of coloured cells, each drawn as a separate square, exact at any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from steel_verified.worlds.pictures import PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from steel_verified.worlds.pictures import Colour

_LINE: Final = 1 / 8
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
    near, far = _LINE / 2, 1 - _LINE / 2
    corners = np.array([(near, near), (far, near), (far, far), (near, far), (near, near)])
    vertices = (cells[:, None, ::-1] + corners).reshape(-1, 2)
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(vertices, codes * len(cells))
