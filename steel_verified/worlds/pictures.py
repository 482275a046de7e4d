"""Images of observations, as RGB arrays, and positions for drawing states."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

INK: Final = (38, 50, 56)
PAPER: Final = (250, 250, 248)
QUIET: Final = (176, 190, 197)
OURS: Final = (211, 47, 47)

_CELL: Final = 8


def of_bits(bits: NDArray[np.bool_], marked: Iterable[int]) -> NDArray[np.uint8]:
    """A board of squares, two to three times as wide as high; `marked` squares are red if 1."""
    columns = max(1, round((2 * len(bits)) ** 0.5))
    board = np.full((-(-len(bits) // columns) * columns, 3), PAPER, dtype=np.uint8)
    board[np.flatnonzero(bits)] = INK
    board[[i for i in marked if bits[i]]] = OURS
    return _enlarged(board.reshape(-1, columns, 3))


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
    return _enlarged(board)


def of_places(place: int, rows: int, columns: int) -> NDArray[np.uint8]:
    """A board of cells, one of which is occupied."""
    board = np.full((rows * columns, 3), QUIET, dtype=np.uint8)
    board[place] = OURS
    return _enlarged(board.reshape(rows, columns, 3), cell=4 * _CELL)


def on_a_circle(count: int) -> list[tuple[float, float]]:
    """Positions on a circle, clockwise from the top."""
    turns = (2 * pi * i / count for i in range(count))
    return [(sin(turn), cos(turn)) for turn in turns]


def _enlarged(board: NDArray[np.uint8], cell: int = _CELL) -> NDArray[np.uint8]:
    """Each square as a block of pixels, separated by a thin line in the background colour."""
    large = board.repeat(cell, axis=0).repeat(cell, axis=1)
    large[cell - 1 :: cell] = PAPER
    large[:, cell - 1 :: cell] = PAPER
    return large
