"""MiniGrid's DoorKey, with its episodes: fetch the key, open the door, and reach the goal.

python -m examples.door_key  # writes door_key.png
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import gymnasium
import numpy as np
from minigrid.wrappers import FullyObsWrapper
from numpy.typing import NDArray

from steel_verified import Components, learn
from steel_verified.gymnasium import SomeActions
from steel_verified.plots import model_figure

MOVES = ("left", "right", "forward", "pick up", "drop", "toggle")
DOOR, KEY, GOAL, AGENT = 4, 5, 8, 10  # how MiniGrid's images show them
CELLS = 25
Seen: TypeAlias = Mapping[str, NDArray[np.uint8]]


class SameLayout(gymnasium.Wrapper[Seen, np.int64, Seen, np.int64]):
    """Every episode has the layout of seed 3: otherwise the walls would be a part of the state."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Seen, dict[str, object]]:
        del seed
        return self.env.reset(seed=3, options=options)


def state_bits(seen: Seen) -> NDArray[np.bool_]:
    """A bit for each place and direction of the agent, place of the key, and state of the door."""
    kind, _, state = seen["image"].reshape(CELLS, 3).T
    agent = 4 * int(np.argmax(kind == AGENT)) + int(seen["direction"])
    key = int(np.argmax(kind == KEY)) if (kind == KEY).any() else 0  # 0, a wall: it is carried
    door = int(state[kind == DOOR].max(initial=0))  # open, closed or locked
    at = np.ravel_multi_index((agent, key, door), (4 * CELLS, CELLS, 3))
    bits: NDArray[np.bool_] = np.arange(4 * CELLS * CELLS * 3) == at
    return bits


def main(folder: Path = Path()) -> None:
    grid = gymnasium.make("MiniGrid-DoorKey-5x5-v0")
    whole = FullyObsWrapper(grid)  # type: ignore[no-untyped-call]  # minigrid is typed in part
    env = SomeActions(SameLayout(whole), range(len(MOVES)))
    learned = learn(env, Components(4 * CELLS * CELLS * 3), features=state_bits, seed=1)
    learned = learned.named(actions=MOVES)
    print(learned)
    start, _ = env.reset()
    goals = [s for s, row in enumerate(learned.model.table) if set(row) == {s}]  # episodes end
    goal = min(goals, key=lambda one: len(learned.plan(to=one, start=start)))
    went = learned.follow(env, to=goal, start=start)
    assert went.arrived
    print(f"To the goal: {learned.names.word(learned.plan(to=goal, start=start))}.")
    model_figure(learned, way=went).savefig(folder / "door_key.png", dpi=150)


if __name__ == "__main__":
    main()
