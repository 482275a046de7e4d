"""What located and certain STEEL take with each class of classifiers: python -m bench.classes.

Prints the tables of docs/results/classes.md. First each class learns the small world that its test
has, then both methods learn the same worlds: with thresholds and boxes of floats, with conjunctions
of many noisy bits, and MiniGrid's DoorKey. Words choose some of the worlds: python -m bench.classes
elevator. All seconds are CPU time.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Final

import gymnasium
import numpy as np
from minigrid.wrappers import FullyObsWrapper

from examples.door_key import SameLayout
from examples.elevator import Elevator
from steel_verified import SteppedWorld, attempt
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.gymnasium import SomeActions
from steel_verified.learning.results import Accepted
from steel_verified.using.unbroken import unbroken
from tests.classes.worlds import EXAMPLES, Learned, codes, rooms, sensors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from steel_verified.classes.columns import Growing
    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.plans import World

RUNS: Final = 5
MOST_CERTAIN: Final = 1_000
MOST_LOCATED: Final = 1_000_000
"""Of the steps of a run."""


class Moving(SteppedWorld):
    """Four states, shown as two bits among others, or as a number among others."""

    actions = 2
    table: Final = ((2, 1), (3, 3), (2, 0), (0, 0))

    def __init__(self, width: int, seed: int, *, as_bits: bool) -> None:
        super().__init__()
        self.state, self.width, self.as_bits, self.random = 0, width, as_bits, Random(seed)

    def step(self, action: int) -> list[bool] | list[float]:
        self.state = self.table[self.state][action]
        drawn = [self.random.random() for _ in range(self.width)]
        if self.as_bits:
            shown = [each < 0.5 for each in drawn]
            shown[3], shown[7] = self.state % 2 > 0, self.state > 1
            return shown
        return [self.state + 0.8 * drawn[0], *drawn[1:]]


class Floors(SteppedWorld):
    """The elevator of the examples without its door, as the means of the blocks of its image."""

    actions = 2

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.elevator = Elevator(seed)

    def step(self, action: int) -> NDArray[np.float64]:
        image = self.elevator.step(action)
        means: NDArray[np.float64] = image.reshape(6, 2, 6, 2).mean(axis=(1, 3)).ravel()
        return means


def door_key(seed: int) -> World[Numbers]:
    """DoorKey-5x5 as one trajectory, with a bit for each place of the agent and of the key, for
    each direction, and for each state of the door.
    """

    def bits(seen: object) -> NDArray[np.bool_]:
        assert isinstance(seen, dict)
        kind, _, state = seen["image"].reshape(25, 3).T
        agent = np.repeat(kind == 10, 4) & (np.arange(100) % 4 == int(seen["direction"]))
        door = np.arange(3) == int(state[kind == 4].max(initial=0))
        found: NDArray[np.bool_] = np.concatenate([agent, kind == 5, [(kind != 5).all()], door])
        return found

    whole = FullyObsWrapper(gymnasium.make("MiniGrid-DoorKey-5x5-v0"))  # type: ignore[no-untyped-call]  # minigrid is typed in part
    world, _ = unbroken(
        SomeActions(SameLayout(whole), range(6)), actions=None, features=bits, seed=seed
    )
    return world


@dataclass(frozen=True)
class Case:
    """A world, its class, N for certain if it needs it, and N and t̂_mix for located."""

    name: str
    world: Callable[[int], World[Numbers]]
    functions: Growing
    states: int
    certain: int | None
    located: tuple[int, int]
    runs: int = RUNS


def _floats(width: int) -> Case:
    def world(seed: int) -> Moving:
        return Moving(width, seed, as_bits=False)

    return Case(f"four states, {width} floats", world, Boxes(width), 4, 5, (5, 1))


def _bits(width: int, most: int) -> Case:
    def world(seed: int) -> Moving:
        return Moving(width, seed, as_bits=True)

    return Case(f"four states, {width} bits", world, Conjunctions(width), 4, most, (most, 1))


CASES: Final = (
    Case("four sensors", sensors().world, Thresholds(6), 4, None, (5, 2)),
    Case("elevator, 36 block means", Floors, Thresholds(36), 5, None, (6, 1)),
    Case("six rooms, 3 floats", rooms().world, Boxes(3), 6, 7, (7, 2)),
    _floats(2),
    _floats(5),
    _bits(12, 6),
    _bits(40, 6),
    _bits(100, 6),
    _bits(300, 5),
    Case("ring of eight, 12 bits", codes().world, Conjunctions(12), 8, 9, (9, 2)),
    Case("DoorKey-5x5, 129 bits", door_key, Conjunctions(129), 270, None, (271, 1), runs=1),
)


def compared(case: Case) -> Iterator[str]:
    """Yield a row for each method."""
    most, mixing = case.located
    methods = (("certain", case.certain, None), ("located", most, mixing))
    for method, max_states, mixing_time in methods:
        steps, why, began = list[int](), "", process_time()
        for seed in range(case.runs):
            result = attempt(
                case.world(seed),
                case.functions,
                method,
                seed=seed,
                max_states=max_states,
                mixing_time=mixing_time,
                self_check=None,
                max_steps=MOST_CERTAIN if method == "certain" else MOST_LOCATED,
            )
            if isinstance(result, Accepted) and result.model.states == case.states:
                steps.append(result.ledger.steps)
            elif isinstance(result, Accepted):
                why = f"a model of {result.model.states} states"
            else:
                why = result.because
        seconds = (process_time() - began) / case.runs
        bounds = (("N", max_states), ("t̂_mix", mixing_time))
        given = ", ".join(f"{name} = {bound}" for name, bound in bounds if bound) or "nothing"
        mean_steps = f"{mean(steps):,.0f}" if steps else "–"
        right = f"{len(steps)}/{case.runs}"
        cells = (case.name, method, given, right, mean_steps, f"{seconds:,.2f}", why)
        yield f"| {' | '.join(cells)} |"


def main(words: list[str]) -> None:
    if not words:
        print("| class | features | states | right | steps | largest error | seconds |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for example in EXAMPLES:
            began = process_time()
            found = [example.learned(seed) for seed in range(RUNS)]
            seconds = (process_time() - began) / RUNS
            right = [run for run in found if isinstance(run, Learned)]
            print(
                f"| {example.name} | {example.truth.features} | {example.truth.dynamics.states} "
                f"| {len(right)}/{RUNS} | {mean(run.steps for run in right):,.0f} "
                f"| {max(run.worst_error for run in right):.2%} | {seconds:.2f} |",
                flush=True,
            )
        print()
    print("| world | method | given | right | steps | seconds | otherwise |")
    print("|---|---|---|---:|---:|---:|---|")
    for case in CASES:
        if not words or any(word in case.name for word in words):
            for row in compared(case):
                print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
