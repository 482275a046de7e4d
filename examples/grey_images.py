"""A maze that is seen as noisy grey images, learned with a threshold on one pixel for each state.

python examples/grey_images.py FOLDER     # writes FOLDER/grey_images.png
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from steel_verified import Learned, Parameters, Thresholds, learn, located, paper
from steel_verified.classes import Integers
from steel_verified.worlds import Dynamics, SteppedWorld, ideal_run, speed_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAP = (
    "#######",
    "#..#..#",
    "#.....#",
    "##.#.##",
    "#.....#",
    "#..#..#",
    "#######",
)
CELLS = tuple((r, c) for r, row in enumerate(MAP) for c, sign in enumerate(row) if sign == ".")
WALLS = np.array([[sign == "#" for sign in row] for row in MAP])
MOVES = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def maze() -> Dynamics:
    """State s is cell s. A step towards a wall stays where it is."""
    number = {cell: state for state, cell in enumerate(CELLS)}
    return Dynamics(
        tuple(
            tuple(number.get((r + down, c + right), number[r, c]) for down, right in MOVES.values())
            for r, c in CELLS
        )
    )


class Camera:
    """Walls are grey, floor is dark, we are bright, and every pixel has noise of its own."""

    def __init__(self, seed: int) -> None:
        self._noise = np.random.default_rng(seed)

    def image(self, state: int) -> NDArray[np.int64]:
        picture = np.where(WALLS, 90, 40) + self._noise.integers(-35, 36, size=WALLS.shape)
        picture[CELLS[state]] += 140  # 145 to 215 in our cell; without us it is at most 75
        return picture


class Maze(SteppedWorld):
    """The maze from above. Noise is drawn in every step, so t_mix = 1."""

    actions = len(MOVES)

    def __init__(self, seed: int) -> None:
        self.dynamics, self.state, self.camera = maze(), 0, Camera(seed)

    def step(self, action: int) -> NDArray[np.int64]:
        self.state = self.dynamics.table[self.state][action]
        return self.camera.image(self.state)


def main(folder: Path) -> None:
    world = Maze(seed=3)
    oracle = Thresholds(WALLS.size, Integers(0, 255))  # is one pixel so bright, or so dark?
    bounds = Parameters(
        actions=world.actions,
        max_states=25,
        max_diameter=24,
        mixing_time=1,
        class_size=oracle.class_size,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 10),
    )
    begun = process_time()
    learned = Learned.of(learn(world, oracle, located(bounds)), oracle)
    seconds = process_time() - begun

    fresh = Camera(seed=4)  # images that were not learned from
    images = [np.array([fresh.image(s) for _ in range(20)]) for s in range(len(CELLS))]
    label_of = learned.renaming(maze(), images)
    assert label_of is not None
    print(f"Right up to the names of states: {learned.model.states} states and their encoder.")

    # From the upper left corner to the lower right one. An image of the goal says where to go.
    start, goal = label_of[0], learned.state_of(fresh.image(len(CELLS) - 1))
    assert learned.follow(world, to=start).arrived
    policy, seen = learned.policy(goal), fresh.image(0)
    film = [seen]
    while (action := policy(seen)) is not None:
        seen = world.step(action)
        film.append(seen)
    assert world.state == len(CELLS) - 1
    print(f"From corner to corner, led by images: {len(film) - 1} steps.")
    print(f"Located STEEL took {learned.steps:,} steps and {seconds:.1f} s.")

    looped, speed = ideal_run(maze(), 0, paper(bounds)).ledger.steps, speed_of(Maze(seed=5))
    print(f"Looped STEEL would take {looped:,} steps: {looped / speed:.0f} s of the maze alone.")
    draw(film, learned).savefig(folder / "grey_images.png", dpi=150)


def draw(film: list[NDArray[np.int64]], learned: Learned) -> Figure:
    """What the camera showed on the way, with the label that the encoder reads in each image."""
    figure = Figure(figsize=(6.6, 2.4), layout="constrained")
    for axes in figure.subplots(2, -(-len(film) // 2)).flat:
        axes.set_axis_off()
    for axes, image in zip(figure.axes, film, strict=False):
        axes.imshow(image, cmap="gray", vmin=0, vmax=215)
        axes.set_title(f"state {learned.state_of(image)}", fontsize=8)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]))
