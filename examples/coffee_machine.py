"""A coffee machine, as an automaton for AALpy, which then finds a shortest way to a coffee.

python -m examples.coffee_machine  # writes coffee_machine.png and coffee_machine.dot
"""

from pathlib import Path

import numpy as np
from aalpy.utils import load_automaton_from_file
from numpy.typing import NDArray

from steel_verified import learn
from steel_verified.plots import model_figure

BUTTONS = ("water", "pod", "button", "clean")


class Machine:
    """It brews if there are water and a pod; the cup stays until the machine is cleaned."""

    def __init__(self, seed: int) -> None:
        self.water = self.pod = self.cup = False
        self.random = np.random.default_rng(seed)

    def press(self, button: int) -> NDArray[np.bool_]:
        """What the display shows afterwards: three lamps, and two that blink as they like."""
        if button == 0:
            self.water = True
        elif button == 1:
            self.pod = True
        elif button == 2 and self.water and self.pod:
            self.water, self.pod, self.cup = False, False, True
        elif button == 3:
            self.water = self.pod = self.cup = False
        return np.array([self.water, self.pod, self.cup, *(self.random.random(2) < 0.4)])


def main(folder: Path = Path()) -> None:
    machine = Machine(seed=5)
    learned = learn(machine.press, actions=len(BUTTONS), seed=5).named(actions=BUTTONS)
    print(learned)
    empty, coffee = learned.encode(np.array([[0, 0, 0, 0, 0], [0, 0, 1, 0, 0]]))
    way = learned.plan(to=coffee, start=empty)
    print(f"From empty to a coffee: {learned.names.word(way)}.")
    went = learned.follow(machine.press, to=coffee)
    assert went.arrived
    assert machine.cup
    file = folder / "coffee_machine.dot"
    file.write_text(learned.to_automaton(), encoding="utf-8")
    automaton = load_automaton_from_file(str(file), automaton_type="moore")
    print(f"AALpy loads an automaton of {len(automaton.states)} states.")
    model_figure(learned).savefig(folder / "coffee_machine.png", dpi=150)


if __name__ == "__main__":
    main()
