"""Steps, time and memory of certain STEEL: larger classes, slower noise, more states and actions.

In each world one bit is 1 exactly in each state, and the other bits flicker.
"""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.certain import Certain
from steel_verified.learning.deciding import Decided
from steel_verified.learning.knowledge import nothing_known
from steel_verified.learning.model import Model, matching
from steel_verified.sweeps.study import Job
from steel_verified.worlds.dynamics import least_walk

if TYPE_CHECKING:
    from steel_verified.learning.knowledge import Bits
    from steel_verified.sweeps.study import Row
    from steel_verified.worlds.dynamics import Table

MOST_STEPS: Final = 600_000


@dataclass(frozen=True, slots=True)
class Size:
    """A kind of world, and how many of them are learned."""

    states: int = 20
    actions: int = 2
    classifiers: int = 512
    slower: int = 1
    """How many times slower the bits flicker; each flips with chance 0.1 to 0.9, divided by it."""
    lock: bool = True
    """Whether one action leads on and the other ones back to state 0; else a random table."""
    worlds: int = 5

    @property
    def key(self) -> str:
        kind = "lock" if self.lock else "random"
        return (
            f"certain {kind} states={self.states} actions={self.actions} "
            f"classifiers={self.classifiers} slower={self.slower}"
        )


CLASSES: Final = (
    *(Size(classifiers=size) for size in (32, 128, 512, 2048, 8192, 65536)),
    Size(classifiers=100_000, worlds=2),
)
SLOW: Final = tuple(Size(slower=times) for times in (1, 10, 100, 300))
STATES: Final = (
    Size(),
    *(Size(states=states, worlds=3) for states in (50, 100, 200)),
    Size(states=400, classifiers=1024, worlds=1),
    Size(states=1000, classifiers=2048, worlds=1),
)
RANDOM: Final = tuple(
    Size(states=states, actions=actions, lock=False)
    for states in (10, 20, 50)
    for actions in (2, 4, 8)
)
SIZES: Final = tuple(dict.fromkeys((*CLASSES, *SLOW, *STATES, *RANDOM)))


def drawn_table(size: Size, random: Random) -> Table:
    """A lock, or a random table in which some actions visit all states in turn."""
    turn = list(range(size.states))
    if not size.lock:
        random.shuffle(turn)
    onward = dict(zip(turn, [*turn[1:], turn[0]], strict=True))
    rows: list[tuple[int, ...]] = []
    for state in range(size.states):
        row = [0 if size.lock else random.randrange(size.states) for _ in range(size.actions)]
        row[random.randrange(size.actions)] = onward[state]
        rows.append(tuple(row))
    return tuple(rows)


class Flickering:
    """A running world with a table and flickering bits; the start is drawn."""

    def __init__(self, size: Size, seed: int) -> None:
        random = Random(seed)
        self.table = drawn_table(size, random)
        self.state = random.randrange(size.states)
        self._draw = np.random.default_rng(seed)
        self._chances = self._draw.uniform(0.1, 0.9, size.classifiers - size.states) / size.slower
        self._lit = random.getrandbits(size.classifiers - size.states)

    def step(self, action: int) -> Bits:
        """Take an action, and return the row after it."""
        self.state = self.table[self.state][action]
        flips = np.packbits(self._draw.random(len(self._chances)) < self._chances)
        self._lit ^= int.from_bytes(flips.tobytes(), "little") & ((1 << len(self._chances)) - 1)
        return 1 << self.state | self._lit << len(self.table)


def learned(size: Size, seed: int) -> tuple[Row, float]:
    """The steps of one run until the rows decide, and the seconds of the learner."""
    world = Flickering(size, seed)
    least = 1 + least_walk(world.table, world.table[world.state][0])
    method = Certain(size.classifiers, size.actions, seed=seed, check_steps=0)
    known, seconds = method.nothing(), 0.0
    while known.steps < MOST_STEPS:
        began = time.process_time()
        word = method.next_word(known)
        seconds += time.process_time() - began
        if word is None:
            break
        rows = [world.step(action) for action in word]
        began = time.process_time()
        known = method.with_rows(known, word, rows)
        seconds += time.process_time() - began
    found, right = known.decision, False
    if isinstance(found, Decided) and found.current is not None:
        model = Model(size.actions, found.table)
        right = (
            matching(model, found.current, Model(size.actions, world.table), world.state)
            is not None
        )
    return {"steps": known.steps, "least": least, "right": right}, seconds


def learned_row(size: Size) -> Row:
    """The runs on all worlds of a size. Only the milliseconds depend on the machine."""
    runs = [learned(size, seed) for seed in range(size.worlds)]
    return {
        "steps": [row["steps"] for row, _ in runs],
        "least": [row["least"] for row, _ in runs],
        "right": sum(bool(row["right"]) for row, _ in runs),
        "milliseconds": [round(1e3 * seconds) for _, seconds in runs],
    }


LONG: Final = "certain rows of a lock with 20 states and 512 classifiers"
PARTS: Final = ((100, 200), (10_000, 20_000), (100_000, 200_000))
"""Rows whose mean cost is measured."""


def long_row() -> Row:
    """Time and memory of a row in a long run. Times depend on the machine.

    Nine of ten actions lead on, so that all states are visited again and again.
    """
    world, random = Flickering(Size(), 1), Random(1)
    known, before, spent, sizes = nothing_known(512, 2), world.step(0), list[float](), list[int]()
    for number in range(PARTS[-1][1]):
        onward = int(world.table[world.state][0] == 0)
        action = onward if random.random() < 0.9 else 1 - onward
        row = world.step(action)
        began = time.process_time()
        known = known.with_transition((before, action, row))
        spent.append(time.process_time() - began)
        before = row
        if number + 1 in {end for _, end in PARTS}:
            sizes.append(len(pickle.dumps(known)))
    means = [sum(spent[a:b]) / (b - a) for a, b in PARTS]
    return {"nanoseconds": [round(1e9 * mean) for mean in means], "bytes": [*sizes]}


def size_jobs() -> list[Job]:
    """All runs of this part of the study."""
    return [*(Job(size.key, partial(learned_row, size)) for size in SIZES), Job(LONG, long_row)]
