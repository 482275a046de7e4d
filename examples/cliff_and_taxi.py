"""CliffWalking, and Taxi with a fixed start: one program learns both.

python examples/cliff_and_taxi.py FOLDER     # writes FOLDER/cliff_and_taxi.png
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


def main(folder: Path) -> None:
    cliff = Continuing(gymnasium.make("CliffWalking-v1"))
    # Taxi draws its passenger and its destination. A seed for the start draws the same ones always.
    taxi = Continuing(gymnasium.make("Taxi-v4"), start_seed=0)
    ways = [learn_and_go(name, env) for name, env in (("CliffWalking", cliff), ("Taxi", taxi))]
    on_cliff = [divmod(seen, 12) for seen in ways[0]]
    in_town = [divmod(seen // 20, 5) for seen in ways[1]]  # row and column of the taxi
    draw(on_cliff, in_town).savefig(folder / "cliff_and_taxi.png", dpi=150)


def learn_and_go(name: str, env: Continuing[np.int64]) -> list[int]:
    """Learn an environment, and return what is seen on the way from its start to its end."""
    truth = explored(env)
    states = truth.dynamics.states
    noise = flickering(6, Fraction(1, 3))
    noisy = WithNoise(env, noise)
    speed = speed_of(from_gymnasium(noisy, seed=1))
    world = from_gymnasium(noisy, seed=7)
    oracle = Components(world.features)
    bounds = Parameters(
        actions=world.actions,
        max_states=states + 5,
        max_diameter=states + 4,
        mixing_time=noise.mixing_time,
        class_size=oracle.class_size,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 20),
    )
    begun = process_time()
    learned = Learned.of(learn(world, oracle, located(bounds)), oracle)
    seconds = process_time() - begun

    seen = [[noisy.observation(one) for _ in range(20)] for one in truth.observations]
    label_of = learned.renaming(truth.dynamics, seen)
    assert label_of is not None
    print(f"{name}: {states} states and their encoder are right up to the names of states.")

    # An episode ends in the one state from which every action leads to the start.
    (end,) = (s for s, row in enumerate(truth.dynamics.table) if s and set(row) == {0})
    assert learned.follow(world, to=label_of[0]).arrived
    went = learned.follow(world, to=label_of[end], start=label_of[0])
    assert went.arrived
    assert not went.mismatches
    print(f"From its start to its end: {len(went.steps)} steps.")
    print(f"Located STEEL took {learned.steps:,} steps and {seconds:.1f} s.")

    # Steps of looped STEEL do not depend on the noise, so they are known before it runs.
    looped = ideal_run(truth.dynamics, 0, paper(bounds)).ledger.steps
    print(f"Looped STEEL would take {looped:,} steps: {looped / speed:.0f} s of {name} alone.")
    true_state = {label: int(one) for label, one in zip(label_of, truth.observations, strict=True)}
    return [true_state[label] for label in (label_of[0], *(step.expected for step in went.steps))]


def draw(on_cliff: list[tuple[int, int]], in_town: list[tuple[int, int]]) -> Figure:
    """Both ways, seen from above. The cliff is dark."""
    figure = Figure(figsize=(6.4, 2.4), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(12, 5))
    ground = np.full((4, 12), 0.95)
    ground[3, 1:11] = 0.55
    for axes, title, floor, way in (
        (left, "CliffWalking", ground, on_cliff),
        (right, "Taxi (walls not drawn)", np.full((5, 5), 0.95), in_town),
    ):
        axes.imshow(floor, cmap="gray", vmin=0, vmax=1)
        axes.plot([column for _, column in way], [row for row, _ in way], "o-", color="tab:blue")
        axes.plot(way[-1][1], way[-1][0], "s", color="tab:red", markersize=9)
        axes.set_axis_off()
        axes.set_title(title, fontsize=9)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]))
