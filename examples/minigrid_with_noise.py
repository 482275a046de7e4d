"""MiniGrid, fully observed, with noise bits: learn it, and let a policy act in it.

python examples/minigrid_with_noise.py FOLDER     # writes FOLDER/minigrid_with_noise.png
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import gymnasium
import minigrid  # noqa: F401 (registers its environments)
import numpy as np
from matplotlib.figure import Figure
from minigrid.wrappers import FullyObsWrapper

from steel_verified import Components, Learned, Parameters, learn, located, paper
from steel_verified.gymnasium import (
    Continuing,
    SomeActions,
    WithNoise,
    explored,
    flickering,
    from_gymnasium,
)
from steel_verified.worlds import ideal_run, speed_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

AGENT = 10  # the number by which MiniGrid's images show the agent


def cell_and_direction(seen: Mapping[str, NDArray[np.uint8]]) -> NDArray[np.bool_]:
    """The features by which states are told apart: a bit for each cell and direction."""
    here = seen["image"][:, :, 0].ravel() == AGENT
    return np.outer(here, np.arange(4) == int(seen["direction"])).ravel()


def main(folder: Path) -> None:
    grid = gymnasium.make("MiniGrid-Empty-5x5-v0", render_mode="rgb_array", max_steps=10**9)
    whole = FullyObsWrapper(grid)  # type: ignore[no-untyped-call]  # minigrid is typed in part
    quiet = Continuing(SomeActions(whole, (0, 1, 2)))  # turn left, turn right, go forward
    truth = explored(quiet)
    noise = flickering(6, Fraction(1, 3))
    env = WithNoise(quiet, noise, cell_and_direction)
    speed = speed_of(from_gymnasium(env, seed=1), steps=200)

    world = from_gymnasium(env, seed=7)
    oracle = Components(world.features)
    bounds = Parameters(
        actions=world.actions,
        max_states=40,
        max_diameter=39,
        mixing_time=noise.mixing_time,
        class_size=oracle.class_size,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 10),
    )
    begun = process_time()
    learned = Learned.of(learn(world, oracle, located(bounds)), oracle)
    seconds = process_time() - begun

    seen = [[env.observation(one) for _ in range(20)] for one in truth.observations]
    label_of = learned.renaming(truth.dynamics, seen)
    assert label_of is not None
    print(f"Right up to the names of states: {learned.model.states} states and their encoder.")

    # An episode ends at the goal, looking right or down: two states that lead to the start.
    ends = [s for s, row in enumerate(truth.dynamics.table) if s and set(row) == {0}]
    ways = {label_of[s]: learned.plan(label_of[s], start=label_of[0]) for s in ends}
    goal = min(ways, key=lambda end: len(ways[end]))
    policy = learned.policy(goal)
    observation, _ = env.reset(seed=8)  # a new trajectory, with noise that was never seen
    film = [env.render()]
    while (action := policy(observation)) is not None:
        observation, *_ = env.step(np.int64(action))
        film.append(env.render())
    assert learned.state_of(observation) == goal
    print(f"The policy went from the start to the goal in {len(film) - 1} steps.")
    print(f"Located STEEL took {learned.steps:,} steps and {seconds:.1f} s.")

    looped = ideal_run(truth.dynamics, 0, paper(bounds)).ledger.steps
    print(f"Looped STEEL would take {looped:,} steps: {looped / speed:.0f} s of MiniGrid alone.")
    draw(film).savefig(folder / "minigrid_with_noise.png", dpi=150)


def draw(film: Sequence[object]) -> Figure:
    """The way to the goal, picture by picture."""
    figure = Figure(figsize=(1.1 * len(film), 1.3), layout="constrained")
    for number, (axes, picture) in enumerate(zip(figure.subplots(1, len(film)), film, strict=True)):
        axes.imshow(np.asarray(picture))
        axes.set_axis_off()
        axes.set_title(f"{number}", fontsize=8)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]))
