"""Pictures of what is observed, as boards of coloured cells, and places to draw states on a circle.

A board is an array [row, column, colour] with one entry per cell; a colour is red, green and blue.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

Colour: TypeAlias = tuple[int, int, int]

INK: Final = (38, 50, 56)
PAPER: Final = (250, 250, 248)
QUIET: Final = (176, 190, 197)
OURS: Final = (211, 47, 47)

_CELL: Final = 8
_SMALLEST_IMAGE: Final = 96
"""In pixels: cells of small boards are enlarged until the longer side is at least this long."""


def of_bits(bits: NDArray[np.bool_], marked: Iterable[int]) -> NDArray[np.uint8]:
    """A board of squares, two to three times as wide as high; `marked` squares are red if 1."""
    columns = max(1, round((2 * len(bits)) ** 0.5))
    board = np.full((-(-len(bits) // columns) * columns, 3), PAPER, dtype=np.uint8)
    board[np.flatnonzero(bits)] = INK
    board[[i for i in marked if bits[i]]] = OURS
    return board.reshape(-1, columns, 3)


def of_mazes(mazes: NDArray[np.bool_], walls: NDArray[np.bool_], ours: int) -> NDArray[np.uint8]:
    """Mazes on a board of width three; the agent in maze `ours` is red, the walkers are grey."""
    side = len(walls) + 1
    columns = min(3, len(mazes))
    rows = -(-len(mazes) // columns)
    board = np.full((rows * side, columns * side, 3), PAPER, dtype=np.uint8)
    for number, maze in enumerate(mazes):
        top, left = number // columns * side, number % columns * side
        part = board[top : top + side - 1, left : left + side - 1]
        part[walls] = INK
        part[maze & ~walls] = OURS if number == ours else QUIET
    return board


def of_places(place: int, rows: int, columns: int) -> NDArray[np.uint8]:
    """A board of cells, one of which is occupied."""
    board = np.full((rows * columns, 3), QUIET, dtype=np.uint8)
    board[place] = OURS
    return board.reshape(rows, columns, 3)


def on_a_circle(count: int) -> list[tuple[float, float]]:
    """Positions on a circle, clockwise from the top."""
    turns = (2 * pi * i / count for i in range(count))
    return [(sin(turn), cos(turn)) for turn in turns]


def enlarged(board: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An image of a board: each cell is a square of pixels, with a thin line between cells."""
    cell = max(_CELL, -(-_SMALLEST_IMAGE // max(board.shape[:2])))
    large = board.repeat(cell, axis=0).repeat(cell, axis=1)
    large[cell - 1 :: cell] = PAPER
    large[:, cell - 1 :: cell] = PAPER
    return large
