"""An elevator, seen through a noisy camera: no class and no bounds are given.

python -m examples.elevator  # writes elevator.png
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steel_verified import SteppedWorld, learn
from steel_verified.plots import model_figure

FLOORS = 5
ACTIONS = ("up", "down", "door")


class Elevator(SteppedWorld):
    """It moves while its door is closed. The camera also sees lamps that somebody else switches."""

    actions = len(ACTIONS)

    def __init__(self, seed: int) -> None:
        self.floor, self.is_open = 0, False
        self.random = np.random.default_rng(seed)

    def step(self, action: int) -> NDArray[np.float64]:
        if action == 2:
            self.is_open = not self.is_open
        elif not self.is_open:
            self.floor = min(max(self.floor + (1, -1)[action], 0), FLOORS - 1)
        return self.seen(self.floor, is_open=self.is_open)

    def seen(self, floor: int, *, is_open: bool) -> NDArray[np.float64]:
        """A grey image of 12 by 12 pixels."""
        image = np.full((12, 12), 0.2)
        top = 10 - 2 * floor
        image[top : top + 2, 4:8] = 0.8  # the cabin
        if is_open:
            image[top : top + 2, 5:7] = 0.2
        image[0, ::2] = np.where(self.random.random(6) < 0.5, 0.9, 0.1)  # the lamps
        return image + self.random.normal(0, 0.05, image.shape)


def main(folder: Path = Path()) -> None:
    elevator = Elevator(seed=3)
    learned = learn(elevator, seed=3)
    print(learned)
    top = learned.state_of(elevator.seen(FLOORS - 1, is_open=True))
    went = learned.follow(elevator, to=top)
    assert went.arrived
    assert (elevator.floor, elevator.is_open) == (FLOORS - 1, True)
    names = dict[int, str]()
    for floor in range(FLOORS):
        for is_open in (False, True):
            label = learned.state_of(elevator.seen(floor, is_open=is_open))
            names[label] = f"{floor} {'open' if is_open else 'closed'}"
    named = learned.named(actions=ACTIONS, states=[names[label] for label in sorted(names)])
    ground = learned.state_of(elevator.seen(0, is_open=False))
    print(
        f"From {names[ground]} to {names[top]}: {named.names.word(named.plan(top, start=ground))}."
    )
    places = {label: (float(name[2:] == "open"), float(name[0])) for label, name in names.items()}
    model_figure(named, places=places).savefig(folder / "elevator.png", dpi=150)


if __name__ == "__main__":
    main()
