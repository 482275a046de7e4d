"""FrozenLake without slipping: learn it through noise, check what was learned, walk to the goal.

python examples/frozen_lake.py FOLDER     # writes FOLDER/frozen_lake.png
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from time import process_time

import gymnasium
import numpy as np
from matplotlib.figure import Figure

from steel_verified import Components, Learned, Parameters, learn, located, paper
from steel_verified.gymnasium import Continuing, WithNoise, explored, flickering, from_gymnasium
from steel_verified.worlds import ideal_run, speed_of

MAP = ("SFFF", "FHFH", "FFFH", "HFFG")  # start, frozen, hole, goal: the map that Gymnasium takes
MOVES = ("left", "down", "right", "up")


def main(folder: Path) -> None:
    # An episode ends in a hole or at the goal. `Continuing` then goes on from the start.
    lake = Continuing(gymnasium.make("FrozenLake-v1", is_slippery=False))
    truth = explored(lake)  # every action is tried in every state: known here, never given to STEEL
    noise = flickering(6, Fraction(1, 3))  # six bits beside what is seen, which no action changes
    env = WithNoise(lake, noise)
    speed = speed_of(from_gymnasium(env, seed=1))

    world = from_gymnasium(env, seed=7)
    oracle = Components(world.features)  # a classifier is one of 16 + 6 bits
    bounds = Parameters(
        actions=world.actions,
        max_states=20,  # N: there are 16 states, and we say that there are at most 20
        max_diameter=19,
        mixing_time=noise.mixing_time,
        class_size=oracle.class_size,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 20),
    )
    begun = process_time()
    learned = Learned.of(learn(world, oracle, located(bounds)), oracle)
    seconds = process_time() - begun

    # Twenty noisy observations of each true state. All must get the same label, and the labels
    # must follow each other as the states do.
    seen = [[env.observation(one) for _ in range(20)] for one in truth.observations]
    label_of = learned.renaming(truth.dynamics, seen)
    assert label_of is not None
    print(f"Right up to the names of states: {learned.model.states} states and their encoder.")

    # The run ended somewhere on the lake. Go to the start, and from there to the goal.
    goal = learned.state_of(env.observation(np.int64(15)))
    assert learned.follow(world, to=label_of[0]).arrived
    went = learned.follow(world, to=goal, start=label_of[0])
    assert went.arrived
    assert not went.mismatches
    print(f"To the goal: {', '.join(MOVES[step.action] for step in went.steps)}.")

    print(f"Located STEEL took {learned.steps:,} steps and {seconds:.1f} s.")

    # Steps of looped STEEL do not depend on the noise, so they are known before it runs.
    looped = ideal_run(truth.dynamics, 0, paper(bounds)).ledger.steps
    print(f"Looped STEEL would take {looped:,} steps: {looped / speed:.0f} s of FrozenLake alone.")

    cell_of = {label: int(one) for label, one in zip(label_of, truth.observations, strict=True)}
    way = [label_of[0], *(step.expected for step in went.steps)]
    draw([cell_of[label] for label in way], cell_of).savefig(folder / "frozen_lake.png", dpi=150)


def draw(way: list[int], cell_of: dict[int, int]) -> Figure:
    """The lake with the learned label of each cell, and the way to the goal."""
    figure = Figure(figsize=(3.2, 3.4), layout="constrained")
    axes = figure.subplots()
    shades = {"S": 0.8, "F": 0.95, "H": 0.55, "G": 0.75}
    axes.imshow([[shades[cell] for cell in row] for row in MAP], cmap="gray", vmin=0, vmax=1)
    for label, cell in cell_of.items():
        axes.text(cell % 4 - 0.4, cell // 4 - 0.3, f"{label}", fontsize=8)
    axes.plot([cell % 4 for cell in way], [cell // 4 for cell in way], "o-", color="tab:blue")
    axes.set_axis_off()
    axes.set_title("The learned labels, and the way to the goal\n(holes are dark)", fontsize=9)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]))
