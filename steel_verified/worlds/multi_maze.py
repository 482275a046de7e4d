"""Nine copies of a four-room maze; we move in one of them, chance in the others (l. 273)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import Dynamics

SIDE: Final = 11
_DOORS: Final = frozenset({(2, 5), (8, 5), (5, 2), (5, 8)})

CELLS: Final = tuple(
    (row, column)
    for row in range(1, SIDE - 1)
    for column in range(1, SIDE - 1)
    if (row != SIDE // 2 and column != SIDE // 2) or (row, column) in _DOORS
)
"""The open cells, row by row: the latent states 0, 1, …"""

MOVES: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Actions: up, right, down, left."""


@dataclass(frozen=True, slots=True)
class MultiMaze:
    """One instance: how many mazes there are, which one is ours, and where we start."""

    mazes: int
    ours: int
    start: int
    first_action: int

    def dynamics(self) -> Dynamics:
        """A step towards a wall stays where it is."""
        number = {cell: state for state, cell in enumerate(CELLS)}
        return Dynamics(
            tuple(
                tuple(number.get((row + down, column + right), state) for down, right in MOVES)
                for state, (row, column) in enumerate(CELLS)
            )
        )


def multi_maze(env_seed: int, *, mazes: int = 9) -> MultiMaze:
    """Draw an instance; the order of the draws makes seed 0 the instance of the published runs."""
    if mazes < 1:
        raise InvalidArgument("mazes", mazes, "at least 1")
    draw = np.random.default_rng(env_seed)
    ours = int(draw.integers(mazes))
    while (cell := (int(draw.integers(SIDE)), int(draw.integers(SIDE)))) not in CELLS:
        pass
    return MultiMaze(mazes, ours, CELLS.index(cell), first_action=int(draw.integers(len(MOVES))))
