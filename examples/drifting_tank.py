"""A tank, seen by sensors whose numbers never repeat and drift: exact, given that N is true.

python -m examples.drifting_tank  # writes drifting_tank.png
"""

from pathlib import Path

import numpy as np

from steel_verified import Boxes, SteppedWorld, learn
from steel_verified.plots import model_figure

LEVELS = ("empty", "low", "high", "full")
ACTIONS = ("drain", "fill")


class Tank(SteppedWorld):
    """The gauge errs by less than half a level; the pressure drifts for ever."""

    actions = len(ACTIONS)

    def __init__(self, seed: int) -> None:
        self.level, self.pressure = 0, 0.0
        self.random = np.random.default_rng(seed)

    def step(self, action: int) -> list[float]:
        self.level = min(max(self.level + (-1, 1)[action], 0), len(LEVELS) - 1)
        self.pressure += self.random.normal()
        return [self.pressure, self.level + self.random.uniform(-0.45, 0.45)]


def main(folder: Path = Path()) -> None:
    tank = Tank(seed=2)
    # Each number is new, and a random walk never mixes: only N is needed, and no mixing time.
    learned = learn(tank, Boxes(2), max_states=5, seed=2)
    print(learned)
    print(f"The independent checker: {learned.check().verdict}.")

    full = learned.state_of(np.array([0.0, 3.0]))
    went = learned.follow(tank, to=full)
    assert went.arrived
    assert tank.level == LEVELS.index("full")
    names = {learned.state_of(np.array([0.0, i])): name for i, name in enumerate(LEVELS)}
    named = learned.named(actions=ACTIONS, states=[names[label] for label in sorted(names)])
    empty = next(label for label, name in names.items() if name == "empty")
    print(f"From empty to full: {named.names.word(named.plan(full, start=empty))}.")
    model_figure(named, way=went).savefig(folder / "drifting_tank.png", dpi=150)


if __name__ == "__main__":
    main()
