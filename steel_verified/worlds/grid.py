"""The grid of Figure 1: two rows of three cells, with the moves up, down, left and right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.classes.finite import Tables, tables
from steel_verified.worlds import pictures
from steel_verified.worlds.dynamics import Dynamics, Truth
from steel_verified.worlds.simulated import LAST_TIME, SimulatedWorld, one_at_a_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

from steel_verified.worlds.simulated import Observe

ROWS: Final = 2
COLUMNS: Final = 3

MOVES: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Actions: up, down, left, right."""


@dataclass(frozen=True, slots=True)
class Grid:
    """One instance: the start state and the first action."""

    start: int
    first_action: int

    def dynamics(self) -> Dynamics:
        return Dynamics(
            tuple(
                tuple(_moved(row, column, down, right) for down, right in MOVES)
                for row in range(ROWS)
                for column in range(COLUMNS)
            )
        )

    def oracle(self) -> Tables:
        """F: one classifier for each cell."""
        cells = range(ROWS * COLUMNS)
        return tables([[x == cell for x in cells] for cell in cells])

    def world(self, noise_seed: int) -> SimulatedWorld[NDArray[np.int64]]:
        return SimulatedWorld(self.dynamics(), self.start, self.observe(noise_seed))

    def observe(self, noise_seed: int) -> Observe[NDArray[np.int64]]:
        del noise_seed
        return lambda asked: [each.states for each in asked]

    def see(self, noise_seed: int) -> Callable[[int, int], np.int64]:
        return one_at_a_time(self.observe(noise_seed))

    def picture(self, seen: np.int64) -> NDArray[np.uint8]:
        """An image of the cells; the agent's cell is red."""
        return pictures.of_places(int(seen), ROWS, COLUMNS)

    @property
    def colours(self) -> Sequence[tuple[pictures.Colour, str]]:
        return ((pictures.OURS, "the observed cell, which is the latent state"),)

    def layout(self) -> list[tuple[float, float]]:
        return [(column, -row) for row in range(ROWS) for column in range(COLUMNS)]

    @property
    def longest_run(self) -> int:
        return LAST_TIME

    def truth(self) -> Truth:
        return Truth(
            dynamics=self.dynamics(),
            classifiers=tuple(range(ROWS * COLUMNS)),
            mixing_time=1,
            because="there is no noise",
        )


def grid(env_seed: int) -> Grid:
    """Draw the start state and the first action."""
    draw = np.random.default_rng(env_seed)
    start = int(draw.integers(ROWS * COLUMNS))
    return Grid(start, first_action=int(draw.integers(len(MOVES))))


def _moved(row: int, column: int, down: int, right: int) -> int:
    row = min(max(row + down, 0), ROWS - 1)
    column = min(max(column + right, 0), COLUMNS - 1)
    return COLUMNS * row + column
