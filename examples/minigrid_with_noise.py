"""MiniGrid, fully observed, with noise bits: learn it, and let a policy act in it.

python -m examples.minigrid_with_noise  # writes minigrid_with_noise.png
"""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from time import process_time

import gymnasium
import minigrid  # noqa: F401 (registers its environments)
import numpy as np
from matplotlib.figure import Figure
from minigrid.wrappers import FullyObsWrapper
from numpy.typing import NDArray

from steel_verified import Components, Looped, Parameters, learn
from steel_verified.gymnasium import (
    Continuing,
    SomeActions,
    WithNoise,
    explored,
    flickering,
    from_gymnasium,
)
from steel_verified.worlds import ideal_run, speed_of

AGENT = 10  # the number by which MiniGrid's images show the agent


def cell_and_direction(seen: Mapping[str, NDArray[np.uint8]]) -> NDArray[np.bool_]:
    """The features that distinguish states: a bit for each cell and direction."""
    here = seen["image"][:, :, 0].ravel() == AGENT
    return np.outer(here, np.arange(4) == int(seen["direction"])).ravel()


def main(folder: Path = Path()) -> None:
    grid = gymnasium.make("MiniGrid-Empty-5x5-v0", render_mode="rgb_array", max_steps=10**9)
    whole = FullyObsWrapper(grid)  # type: ignore[no-untyped-call]  # minigrid is typed in part
    quiet = Continuing(SomeActions(whole, (0, 1, 2)))  # turn left, turn right, go forward
    noise = flickering(6, Fraction(1, 3))
    env = WithNoise(quiet, noise, cell_and_direction)
    oracle = Components(from_gymnasium(env).features)
    begun = process_time()
    learned = learn(env, oracle, max_states=40, mixing_time=noise.mixing_time, seed=7)
    print(f"Located STEEL took {learned.steps:,} steps and {process_time() - begun:.1f} s.")

    truth = explored(quiet)  # to compare with
    label_of = learned.renaming(truth.dynamics, truth.seen_in(env))
    assert label_of is not None
    print(f"Right up to the names of states: {learned.model.states} states and their encoder.")

    # An episode ends at the goal, looking right or down: two states. Go to the nearer one.
    ways = {label_of[s]: learned.plan(label_of[s], start=label_of[0]) for s in truth.ends}
    policy = learned.policy(min(ways, key=lambda end: len(ways[end])))
    observation, _ = env.reset(seed=8)  # a new trajectory, with new noise
    film = [env.render()]
    while (action := policy(observation)) is not None:
        observation, *_ = env.step(np.int64(action))
        film.append(env.render())
    assert quiet.at_end
    print(f"The policy went from the start to the goal in {len(film) - 1} steps.")

    world = from_gymnasium(env, seed=1)
    bounds = Parameters.of(world, oracle, max_states=40, mixing_time=noise.mixing_time)
    looped = ideal_run(truth.dynamics, 0, Looped(bounds)).ledger.steps
    seconds = looped / speed_of(world, steps=200)
    print(f"Looped STEEL would take {looped:,} steps: {seconds:.0f} s of MiniGrid alone.")

    figure = Figure(figsize=(1.1 * len(film), 1.3), layout="constrained")
    for number, (axes, picture) in enumerate(zip(figure.subplots(1, len(film)), film, strict=True)):
        axes.imshow(np.asarray(picture))
        axes.set_axis_off()
        axes.set_title(f"{number}", fontsize=8)
    figure.savefig(folder / "minigrid_with_noise.png", dpi=150)


if __name__ == "__main__":
    main()
