"""FrozenLake without slipping: learn it despite noise, check the result, walk to the goal.

python -m examples.frozen_lake  # writes frozen_lake.png
"""

from fractions import Fraction
from pathlib import Path
from time import process_time

import gymnasium
import numpy as np

from steel_verified import Components, Looped, Parameters, learn
from steel_verified.gymnasium import Continuing, WithNoise, explored, flickering, from_gymnasium
from steel_verified.plots import model_figure
from steel_verified.worlds import ideal_run, speed_of

MOVES = ("left", "down", "right", "up")
GOAL = np.int64(15)


def main(folder: Path = Path()) -> None:
    # An episode ends in a hole or at the goal. `Continuing` then continues from the start.
    lake = Continuing(gymnasium.make("FrozenLake-v1", is_slippery=False))
    noise = flickering(6, Fraction(1, 3))  # six extra bits, which no action changes
    env = WithNoise(lake, noise)
    oracle = Components(16 + 6)  # a classifier reads one bit
    begun = process_time()
    learned = learn(env, oracle, max_states=20, mixing_time=noise.mixing_time, seed=7)
    print(f"Located STEEL took {learned.steps:,} steps and {process_time() - begun:.1f} s.")

    # The truth, to compare with: every action is tried in every cell of the lake without noise.
    truth = explored(lake)
    label_of = learned.renaming(truth.dynamics, truth.seen_in(env))
    assert label_of is not None
    print(f"Right up to the names of states: {learned.model.states} states and their encoder.")

    first, _ = env.reset(seed=8)  # a new trajectory, with new noise
    went = learned.follow(env, to=env.observation(GOAL), start=first)
    assert went.arrived
    print(f"To the goal: {', '.join(MOVES[step.action] for step in went.steps)}.")

    # Steps of looped STEEL do not depend on the noise, so they are known before it runs.
    world = from_gymnasium(env, seed=1)
    bounds = Parameters.of(world, oracle, max_states=20, mixing_time=noise.mixing_time)
    looped = ideal_run(truth.dynamics, 0, Looped(bounds)).ledger.steps
    seconds = looped / speed_of(world)
    print(f"Looped STEEL would take {looped:,} steps: {seconds:.0f} s of FrozenLake alone.")

    cells = dict(zip(label_of, truth.observations, strict=True))
    places = {label: (float(cell % 4), -float(cell // 4)) for label, cell in cells.items()}
    figure = model_figure(learned, places=places, actions=MOVES, way=went)
    figure.savefig(folder / "frozen_lake.png", dpi=150)


if __name__ == "__main__":
    main()
