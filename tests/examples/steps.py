"""The tables of steps and seconds in docs/use/examples.md.

`python -m tests.examples.steps` measures all of them and writes them into the page; the tests
repeat the steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Final, TypeVar

import gymnasium
from minigrid.wrappers import FullyObsWrapper, ImgObsWrapper

from examples import coffee_machine, door_key, elevator, grey_images, robot
from examples.minigrid_with_noise import cell_and_direction
from steel_verified import (
    Components,
    Conjunctions,
    Learned,
    Located,
    LocatedParameters,
    Looped,
    NotLearned,
    Parameters,
    Thresholds,
    learn,
)
from steel_verified.classes import Class, Integers
from steel_verified.gymnasium import (
    Continuing,
    SomeActions,
    WithNoise,
    explored,
    flickering,
    from_gymnasium,
)
from steel_verified.worlds import Dynamics, World, ideal_run, speed_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from steel_verified.classes.rows import Numbers
    from steel_verified.worlds.stepped import Seen

Observation = TypeVar("Observation")

PAGE: Final = Path(__file__).parents[2] / "docs" / "use" / "examples.md"
NOISE: Final = flickering(6, Fraction(1, 3))
ENOUGH: Final = 2_000
"""Steps after which a run of certain STEEL is called open."""


@dataclass(frozen=True)
class Case:
    """A world, made anew for each run, and what the methods are given."""

    world: Callable[[], World[Numbers]]
    functions: Class[Numbers]
    classifiers: str
    most: int
    """N."""
    mixing: int
    truth: Callable[[], Dynamics]

    def certain(self) -> str:
        """The steps of certain STEEL, or that it stays open."""
        try:
            found = learn(self.world(), self.functions, "certain", seed=7, max_steps=ENOUGH)
        except NotLearned:
            return "open"
        assert found.model.states == self.truth().states
        return f"{found.steps:,}"

    def located(self) -> str:
        """The steps of located STEEL."""
        world, most, mixing = self.world(), self.most, self.mixing
        bounds = LocatedParameters.of(world, max_states=most, mixing_time=mixing)
        found = learn(world, self.functions, Located(bounds))
        assert found.model.states == self.truth().states
        return f"{found.steps:,}"

    def looped(self) -> str:
        """The steps of looped STEEL, which depend on the dynamics only."""
        world, most, mixing = self.world(), self.most, self.mixing
        bounds = Parameters.of(world, self.functions, max_states=most, mixing_time=mixing)
        return f"{ideal_run(self.truth(), 0, Looped(bounds)).ledger.steps:,}"


def with_noise(
    make: Callable[[], Continuing[Observation]],
    most: int,
    read: Callable[[Observation], Seen] | None = None,
) -> Case:
    """An environment, with six bits of noise beside its features: each is a classifier."""
    size = from_gymnasium(WithNoise(make(), NOISE, read)).features
    return Case(
        lambda: from_gymnasium(WithNoise(make(), NOISE, read), seed=7),
        Components(size),
        f"{size} bits",
        most,
        NOISE.mixing_time,
        lambda: explored(make()).dynamics,
    )


def lake() -> gymnasium.Env[np.int64, np.int64]:
    return gymnasium.make("FrozenLake-v1", is_slippery=False)


def taxi() -> Continuing[np.int64]:
    return Continuing(gymnasium.make("Taxi-v4"), start_seed=0)


def empty_room() -> Continuing[door_key.Seen]:
    grid = gymnasium.make("MiniGrid-Empty-5x5-v0", max_steps=10**9)
    whole = FullyObsWrapper(grid)  # type: ignore[no-untyped-call]  # minigrid is typed in part
    return Continuing(SomeActions(whole, (0, 1, 2)))


def seen_from_above() -> gymnasium.Env[object, np.int64]:
    grid = gymnasium.make("MiniGrid-DoorKey-5x5-v0")
    whole = FullyObsWrapper(grid)  # type: ignore[no-untyped-call]  # minigrid is typed in part
    return ImgObsWrapper(door_key.SameLayout(whole))  # type: ignore[no-untyped-call]  # as above


CASES: Final[dict[str, Callable[[], Case]]] = {
    "FrozenLake, not slippery": lambda: with_noise(lambda: Continuing(lake()), 20),
    "CliffWalking": lambda: with_noise(lambda: Continuing(gymnasium.make("CliffWalking-v1")), 43),
    "Taxi, with a fixed start": lambda: with_noise(taxi, 106),
    "MiniGrid-Empty-5x5, fully observed": lambda: with_noise(empty_room, 40, cell_and_direction),
    "the paper's maze, as grey images": lambda: Case(
        lambda: grey_images.Maze(seed=3),
        Thresholds(grey_images.FLOOR.size, Integers(0, 255)),
        "thresholds on 121 pixels",
        80,
        1,
        lambda: grey_images.MAZE,
    ),
    "the robot": lambda: Case(
        lambda: robot.Robot(seed=1),
        Conjunctions(6),
        "conjunctions of 6 bits",
        8,
        1,
        lambda: robot.TRUTH,
    ),
}
SLOW: Final = ("Taxi, with a fixed start", "the paper's maze, as grey images")

WITHOUT_A_CLASS: Final[dict[str, Callable[[], Learned]]] = {
    "FrozenLake": lambda: learn(lake(), seed=7),
    "CliffWalking alone": lambda: learn(gymnasium.make("CliffWalking-v1"), seed=7),
    "DoorKey-5x5, as an image": lambda: learn(seen_from_above(), seed=7),
    "the elevator": lambda: learn(elevator.Elevator(seed=3), seed=3),
    "the coffee machine": lambda: learn(coffee_machine.Machine(seed=5).press, actions=4, seed=5),
}


def row_of(name: str) -> Iterator[str]:
    """The cells of a world in the first table; seconds are CPU time."""
    case = CASES[name]()
    yield from (name, str(case.truth().states), case.classifiers, str(case.most))
    for steps in (case.certain, case.located):
        begun = process_time()
        yield steps()
        yield f"{process_time() - begun:.1f}"
    looped = case.looped()
    yield looped
    world, begun = case.world(), process_time()
    speed_of(world, steps=400)
    yield f"{int(looped.replace(',', '')) * (process_time() - begun) / 400:,.0f}"


def row_without_a_class(name: str) -> Iterator[str]:
    """The cells of a world in the second table."""
    begun = process_time()
    found = WITHOUT_A_CLASS[name]()
    seconds = process_time() - begun
    assert found.suggestion is not None
    assert found.guarantee is not None
    best = found.suggestion.best
    assert best is not None
    walk, how = f"{found.suggestion.steps:,}", found.guarantee.method
    given = " with guessed bounds" if found.guarantee.given else ""
    method = "certain, with episodes" if how == "log" else f"{how}{given}"
    yield from (name, str(found.model.states), best.name, walk, method)
    yield from (f"{found.steps:,}", f"{seconds:.1f}")


def row_on_page(name: str, page: str) -> list[str]:
    """The cells of the row that begins with a name."""
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for names, cells_of in ((CASES, row_of), (WITHOUT_A_CLASS, row_without_a_class)):
        for name in names:
            (old,) = (line for line in page.splitlines() if line.startswith(f"| {name} |"))
            page = page.replace(old, f"| {' | '.join(cells_of(name))} |")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
