"""Pictures of what is observed, as boards of coloured cells, and positions for drawing states.

A board is an array [row, column, colour] with one entry per cell; a colour is red, green and blue.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.worlds.dynamics import Table, distances, predecessors

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
    turns = (2 * pi * i / count for i in range(count))
    return [(sin(turn), cos(turn)) for turn in turns]


def enlarged(board: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An image of a board: each cell is a square of pixels, with a thin line between cells."""
    cell = max(_CELL, -(-_SMALLEST_IMAGE // max(board.shape[:2])))
    large = board.repeat(cell, axis=0).repeat(cell, axis=1)
    large[cell - 1 :: cell] = PAPER
    large[:, cell - 1 :: cell] = PAPER
    return large


FEW_STATES: Final = 8
"""Up to this many states are drawn on a circle, which looks best for few states."""
MANY_STATES: Final = 300
"""More states than this are drawn on a circle: their arrows are unreadable in any layout."""
_MOST_ROUNDS: Final = 300
_SMALL: Final = 1e-3
_NUDGE: Final = 0.05
"""In steps: so far states are moved around a circle, so that no two start at the same place."""
_LEAST_APART: Final = 0.6
"""No two states are nearer than this share of the median distance to a nearest state."""


def spread_out(table: Table) -> list[tuple[float, float]]:
    """A position for each state; distances are close to the numbers of steps between states.

    Places are found by classical scaling, then by stress majorization (Gansner, Koren and North,
    2004); states that are still too near to each other are moved apart.
    """
    states = len(table)
    if not FEW_STATES < states <= MANY_STATES:
        return on_a_circle(states)
    both_ways = [(*row, *from_) for row, from_ in zip(table, predecessors(table), strict=True)]
    apart = np.array(
        [
            [found[s] for s in range(states)]
            for found in (distances(both_ways, s) for s in range(states))
        ],
        dtype=np.float64,
    )
    circle = np.array(on_a_circle(states))
    places = _majorized(_scaled(apart) + _NUDGE * circle, apart)
    return [(float(x), float(y)) for x, y in _moved_apart(places)]


def _scaled(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Classical scaling: the plane in which the distances are represented best."""
    squares = apart**2
    means = squares.mean(axis=0)
    values, vectors = np.linalg.eigh((means + means[:, None] - squares - means.mean()) / 2)
    places: NDArray[np.float64] = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 0))
    # An eigenvector may have either sign: the entry that is furthest from 0 shall be positive.
    furthest = np.abs(places).argmax(axis=0)
    return places * np.where(places[furthest, [0, 1]] < 0, -1, 1)


def _majorized(places: NDArray[np.float64], apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move all states until the stress Σ (distance / steps − 1)² hardly decreases."""
    weights = 1 / np.where(apart > 0, apart, np.inf) ** 2
    laplacian = np.diag(weights.sum(axis=1)) - weights
    # Positions are determined up to a common shift, so state 0 stays where it is.
    solve = np.linalg.inv(laplacian[1:, 1:])
    before = np.inf
    for _ in range(_MOST_ROUNDS):
        _, lengths = _between(places)
        stress = float((weights * (lengths - apart) ** 2).sum())
        if stress > before * (1 - _SMALL):
            break
        before = stress
        pull = np.divide(weights * apart, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        wanted = (pull.sum(axis=1)[:, None] * places - pull @ places)[1:]
        places = np.concatenate([np.zeros((1, 2)), solve @ wanted])
    return places


def _moved_apart(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Push states away from each other that are so near that their circles would be tiny."""
    _, lengths = _between(places)
    np.fill_diagonal(lengths, np.inf)
    least = _LEAST_APART * float(np.median(lengths.min(axis=1)))
    for _ in range(_MOST_ROUNDS):
        differences, lengths = _between(places)
        np.fill_diagonal(lengths, np.inf)
        if lengths.min() >= least * (1 - _SMALL):
            break
        # Half of what is missing for each of the two, along the line through both.
        missing = np.maximum(least / np.maximum(lengths, _SMALL * least) - 1, 0) / 2
        places = places + (missing[..., None] * differences).sum(axis=1)
    return places


def _between(places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The way to each state from each other one, and how long it is."""
    differences = places[:, None] - places[None]
    return differences, np.hypot(differences[..., 0], differences[..., 1])
