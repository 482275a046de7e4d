"""Six locks of ten values: a million joint states, learned as six small models.

    python -m examples.many_locks [FOLDER]

The observation has 512 bits, most of which are noise. F is the single bits: it shows the values of
each lock, and no joint state.
"""

import sys
from pathlib import Path

from steel_verified import Factored, learn
from steel_verified.plots import factors_figure
from steel_verified.worlds import Locks


def main(folder: Path) -> None:
    """Learn the locks, plan to open three of them, and do it."""
    world = Locks(6, 10)
    functions = world.functions()
    learned = learn(world, functions, Factored(functions.class_size, world.actions))
    print(learned)

    went = learned.follow(world, {0: 9, 2: 9, 5: 9})
    print(f"Factors 0, 2 and 5 to label 9: {len(went.steps)} actions, arrived: {went.arrived}.")
    print(f"The certificate is {learned.check().verdict}.")

    factors_figure(learned).savefig(folder / "many_locks.png", dpi=150)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
