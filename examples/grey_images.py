"""A maze of four rooms, seen as noisy grey images: the brightness of a pixel shows the state.

python -m examples.grey_images  # writes grey_images.png
"""

from pathlib import Path
from time import process_time

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from steel_verified import Looped, Parameters, SteppedWorld, Thresholds, learn
from steel_verified.classes import Integers
from steel_verified.worlds import Dynamics, ideal_run, speed_of

FLOOR = np.zeros((11, 11), dtype=np.bool_)
FLOOR[1:10, 1:10] = True
FLOOR[5, :] = FLOOR[:, 5] = False  # the walls between four rooms
FLOOR[(2, 8, 5, 5), (5, 5, 2, 8)] = True  # and their four doors
CELLS = [(row, column) for row, column in np.argwhere(FLOOR).tolist()]
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left
MAZE = Dynamics(
    tuple(
        tuple(CELLS.index(to) if FLOOR[to] else here for to in ((r + y, c + x) for y, x in MOVES))
        for here, (r, c) in enumerate(CELLS)
    )
)


class Maze(SteppedWorld):
    """The maze from above. The noise is independent in every step, so t_mix = 1."""

    actions = len(MOVES)

    def __init__(self, seed: int) -> None:
        self.state, self.noise = 0, np.random.default_rng(seed)

    def step(self, action: int) -> NDArray[np.int64]:
        self.state = MAZE.table[self.state][action]
        return self.image(self.state)

    def image(self, state: int) -> NDArray[np.int64]:
        """The agent's cell is bright (145 to 215), walls are grey, and floor is dark (up to 75)."""
        picture = np.where(FLOOR, 40, 90) + self.noise.integers(-35, 36, size=FLOOR.shape)
        picture[CELLS[state]] += 140
        return picture


def main(folder: Path = Path()) -> None:
    world = Maze(seed=3)
    oracle = Thresholds(FLOOR.size, Integers(0, 255))  # is one pixel above, or below, a threshold?
    begun = process_time()
    learned = learn(world, oracle, max_states=80, mixing_time=1)
    print(f"Located STEEL took {learned.steps:,} steps and {process_time() - begun:.1f} s.")

    fresh = Maze(seed=4)  # images that were not used for learning
    images = [[fresh.image(state) for _ in range(20)] for state in range(len(CELLS))]
    label_of = learned.renaming(MAZE, images)
    assert label_of is not None
    print(f"Right up to the names of states: {learned.model.states} states and their encoder.")

    # Walk from corner to corner with new noise. An image of the goal defines the target.
    policy, film = learned.policy(fresh.image(len(CELLS) - 1)), [fresh.image(0)]
    while (action := policy(film[-1])) is not None:
        film.append(fresh.step(action))
    assert fresh.state == len(CELLS) - 1
    print(f"From corner to corner, led by images: {len(film) - 1} steps.")

    bounds = Parameters.of(world, oracle, max_states=80, mixing_time=1)
    looped, speed = ideal_run(MAZE, 0, Looped(bounds)).ledger.steps, speed_of(Maze(seed=5))
    print(f"Looped STEEL would take {looped:,} steps: {looped / speed:.0f} s of the maze alone.")

    figure = Figure(figsize=(6.6, 4.2), layout="constrained")
    for axes, number in zip(
        figure.subplots(2, 3).flat, np.linspace(0, len(film) - 1, 6), strict=True
    ):
        image = film[int(number)]
        axes.imshow(image, cmap="gray", vmin=0, vmax=215)
        axes.set_title(f"after {int(number)} steps: state {learned.state_of(image)}", fontsize=8)
        axes.set_axis_off()
    figure.savefig(folder / "grey_images.png", dpi=150)


if __name__ == "__main__":
    main()
