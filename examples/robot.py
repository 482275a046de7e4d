"""A tiny robot, written from scratch: three places and a lamp, and somebody else's cat.

    python examples/robot.py FOLDER     # writes FOLDER/robot.png

`tests/examples/test_robot.py` has the tests that such a world of your own should have.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
from matplotlib.figure import Figure

from steel_verified import Conjunctions, Learned, Parameters, learn, located, paper
from steel_verified.worlds import Dynamics, SteppedWorld

ACTIONS = ("left", "right", "press")
STATES = tuple(product(range(3), (False, True)))  # three places; the lamp is off or on


def after(place: int, lamp: bool, action: int) -> tuple[int, bool]:  # noqa: FBT001 (a pair)
    """Where the robot is next, and whether the lamp is on. The switch is at place 0."""
    if ACTIONS[action] == "press":
        return place, lamp ^ (place == 0)
    return min(max(place + (1 if ACTIONS[action] == "right" else -1), 0), 2), lamp


class Robot(SteppedWorld):
    """Six bits are seen: the place (three bits), the lamp, and two that show where the cat is."""

    actions = len(ACTIONS)

    def __init__(self, seed: int) -> None:
        self.place, self.lamp = 0, False
        self.cat = 0
        self.noise = np.random.default_rng(seed)

    def step(self, action: int) -> list[bool]:
        self.place, self.lamp = after(self.place, self.lamp, action)
        # The cat stays with chance 1/2, whatever the robot does: t_mix(1/4) is 1.
        self.cat ^= int(self.noise.integers(2))
        return self.seen()

    def seen(self) -> list[bool]:
        return [*(self.place == n for n in range(3)), self.lamp, self.cat == 0, self.cat == 1]


def truth() -> Dynamics:
    moves = range(len(ACTIONS))
    return Dynamics(tuple(tuple(STATES.index(after(*s, a)) for a in moves) for s in STATES))


def observations_of(state: int) -> list[list[bool]]:
    """All that a state can show."""
    place, lamp = STATES[state]
    return [[*(place == n for n in range(3)), lamp, cat == 0, cat == 1] for cat in (0, 1)]


def main(folder: Path) -> None:
    oracle = Conjunctions(6)  # a state is a place *and* a lamp that is on, or one that is off
    bounds = Parameters(
        actions=len(ACTIONS),
        max_states=8,
        max_diameter=7,
        mixing_time=1,
        class_size=oracle.class_size,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 20),
    )
    for name, recipe in (("Located", located(bounds)), ("Looped", paper(bounds))):
        world = Robot(seed=1)
        begun = process_time()
        learned = Learned.of(learn(world, oracle, recipe), oracle)
        seconds = process_time() - begun
        label_of = learned.renaming(truth(), [observations_of(s) for s in range(len(STATES))])
        assert label_of is not None
        print(f"{name} STEEL took {learned.steps:,} steps and {seconds:.1f} s, and is right.")

        # Go to place 2 with the lamp off, then light the lamp and come back.
        dark, lit = label_of[STATES.index((2, False))], label_of[STATES.index((2, True))]
        assert learned.follow(world, to=dark).arrived
        went = learned.follow(world, to=lit, start=dark)
        assert went.arrived
        assert (world.place, world.lamp) == (2, True)
        print(f"To light the lamp and return: {', '.join(ACTIONS[s.action] for s in went.steps)}.")
        draw(learned, label_of).savefig(folder / "robot.png", dpi=150)


def draw(learned: Learned, label_of: tuple[int, ...]) -> Figure:
    """The learned model: places from left to right, the lamp on above and off below."""
    figure = Figure(figsize=(4.6, 2.2), layout="constrained")
    axes = figure.subplots()
    at = {label: STATES[state] for state, label in enumerate(label_of)}
    colours = ("tab:blue", "tab:green", "tab:red")
    for label, action, to in learned.model.transitions():
        if to != label:
            arrow = {"arrowstyle": "->", "color": colours[action], "shrinkA": 12, "shrinkB": 12}
            arrow["connectionstyle"] = "arc3,rad=0.2"  # there and back are two arrows
            axes.annotate("", at[to], at[label], arrowprops=arrow)
    for label, place in at.items():
        axes.text(*place, f"{label}", ha="center", va="center")
    for name, colour in zip(ACTIONS, colours, strict=True):
        axes.plot([], [], color=colour, label=name)
    axes.set(xlim=(-0.5, 2.5), ylim=(-0.5, 1.5), xticks=range(3), yticks=(0, 1))
    axes.set_xticklabels([f"place {n}" for n in range(3)])
    axes.set_yticklabels(["off", "on"])
    axes.legend(loc="upper center", ncols=3, fontsize=8, frameon=False)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]))
