"""A tiny robot, written from scratch: three places and a lamp, and somebody else's cat.

    python -m examples.robot  # writes robot.png

`tests/examples/test_robot.py` has the tests that your own world should have.
"""

from itertools import product
from pathlib import Path
from time import process_time

import numpy as np

from steel_verified import Conjunctions, SteppedWorld, learn
from steel_verified.plots import model_figure
from steel_verified.worlds import Dynamics

ACTIONS = ("left", "right", "press")
STATES = tuple(product(range(3), (0, 1)))  # three places; the lamp is off or on


def after(state: tuple[int, int], action: int) -> tuple[int, int]:
    """Where the robot is next, and whether the lamp is on. The switch is at place 0."""
    place, lamp = state
    if ACTIONS[action] == "press":
        return place, lamp ^ (place == 0)
    return min(max(place + (1 if ACTIONS[action] == "right" else -1), 0), 2), lamp


def seen(state: tuple[int, int], cat: int) -> list[bool]:
    """Six bits: the place (three bits), the lamp, and two that show where the cat is."""
    place, lamp = state
    return [place == 0, place == 1, place == 2, lamp == 1, cat == 0, cat == 1]


class Robot(SteppedWorld):
    actions = len(ACTIONS)

    def __init__(self, seed: int) -> None:
        self.state, self.cat, self.noise = (0, 0), 0, np.random.default_rng(seed)

    def step(self, action: int) -> list[bool]:
        self.state = after(self.state, action)
        self.cat ^= int(self.noise.integers(2))  # it stays with probability 1/2: t_mix(1/4) is 1
        return seen(self.state, self.cat)


TRUTH = Dynamics(tuple(tuple(STATES.index(after(s, a)) for a in range(3)) for s in STATES))
OBSERVATIONS = [[seen(state, 0), seen(state, 1)] for state in STATES]  # what each can show


def main(folder: Path = Path()) -> None:
    oracle = Conjunctions(6)  # a state is a place *and* a lamp that is on, or one that is off
    for method in ("located", "looped"):
        world = Robot(seed=1)
        begun = process_time()
        learned = learn(world, oracle, method, max_states=8, mixing_time=1)
        seconds = process_time() - begun
        label_of = learned.renaming(TRUTH, OBSERVATIONS)
        assert label_of is not None
        taken = f"{method.title()} STEEL took {learned.steps:,} steps"
        print(f"{taken} and {seconds:.1f} s, and is right.")

        # Go to place 2 with the lamp off, then light the lamp and come back.
        dark, lit = label_of[STATES.index((2, 0))], label_of[STATES.index((2, 1))]
        assert learned.follow(world, to=dark).arrived
        went = learned.follow(world, to=lit, start=dark)
        assert went.arrived
        assert world.state == (2, 1)
        print(f"To light the lamp and return: {', '.join(ACTIONS[s.action] for s in went.steps)}.")
        places = dict(zip(label_of, STATES, strict=True))  # the lamp is on above, and off below
        figure = model_figure(learned, places=places, actions=ACTIONS, way=went)
        figure.savefig(folder / "robot.png", dpi=150)


if __name__ == "__main__":
    main()
