"""CliffWalking, and Taxi with a fixed start: one program learns both.

python -m examples.cliff_and_taxi  # writes Cliff.png and Taxi.png
"""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import process_time

import gymnasium
import numpy as np

from steel_verified import Components, Looped, Parameters, learn
from steel_verified.gymnasium import Continuing, WithNoise, explored, flickering, from_gymnasium
from steel_verified.plots import model_figure
from steel_verified.worlds import ideal_run, speed_of


def main(folder: Path = Path()) -> None:
    cliff = Continuing(gymnasium.make("CliffWalking-v1"))
    learn_and_go("Cliff", cliff, ("up", "right", "down", "left"), on_cliff, folder)
    # Taxi draws its passenger and its destination at random. With a fixed seed they are the same.
    taxi = Continuing(gymnasium.make("Taxi-v4"), start_seed=0)
    moves = ("south", "north", "east", "west", "pick up", "drop off")
    learn_and_go("Taxi", taxi, moves, in_town, folder)


def on_cliff(seen: np.int64) -> tuple[float, float]:
    """Where a state is drawn: CliffWalking has 4 rows of 12 cells."""
    return float(seen % 12), -float(seen // 12)


def in_town(seen: np.int64) -> tuple[float, float]:
    """Taxi's town has 5 rows of 5 cells. It is drawn once for each place of the passenger."""
    row, column, passenger = seen // 100, seen // 20 % 5, seen // 4 % 5
    return float(column + 6 * (passenger % 3)), -float(row + 6 * (passenger // 3))


def learn_and_go(
    name: str,
    quiet: Continuing[np.int64],
    actions: tuple[str, ...],
    place: Callable[[np.int64], tuple[float, float]],
    folder: Path,
) -> None:
    truth = explored(quiet)  # to compare with
    states = truth.dynamics.states
    noise = flickering(6, Fraction(1, 3))
    env = WithNoise(quiet, noise)
    oracle = Components(from_gymnasium(env).features)
    most, mixing_time = states + 5, noise.mixing_time
    begun = process_time()
    learned = learn(env, oracle, max_states=most, mixing_time=mixing_time, seed=7)
    print(f"{name}: located STEEL took {learned.steps:,} steps and {process_time() - begun:.1f} s.")

    label_of = learned.renaming(truth.dynamics, truth.seen_in(env))
    assert label_of is not None
    print(f"{name}: {states} states and their encoder are right up to the names of states.")

    first, _ = env.reset(seed=8)
    (end,) = truth.ends  # there is one state in which an episode ends
    went = learned.follow(env, to=label_of[end], start=first)
    assert went.arrived
    print(f"{name}: {len(went.steps)} steps from its start to its end.")

    world = from_gymnasium(env, seed=1)
    bounds = Parameters.of(world, oracle, max_states=most, mixing_time=mixing_time)
    looped = ideal_run(truth.dynamics, 0, Looped(bounds)).ledger.steps
    seconds = looped / speed_of(world)
    print(f"{name}: looped STEEL would take {looped:,} steps: {seconds:.0f} s of {name} alone.")

    places = {label_of[state]: place(seen) for state, seen in enumerate(truth.observations)}
    figure = model_figure(learned, places=places, actions=actions, way=went)
    figure.savefig(folder / f"{name}.png", dpi=150)


if __name__ == "__main__":
    main()
