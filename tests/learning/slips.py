"""Worlds whose steps an adversary lets slip, within the two bounds for which δ pays."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from steel_verified.learning.deciding import Decided
from tests.learning.certain.worlds import is_connected, is_right

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.knowledge import Bits
    from steel_verified.learning.slipping import Exploring, Slipping


@dataclass
class Slippery:
    """A world whose adversary sees all, and chooses noise and slips anew at each step.

    Classifier s shows state s; the next ones show the noise. A step slips only where at most k
    steps then have slipped, and no wrong next state is ahead by L: all else is allowed.
    """

    table: list[list[int]]
    noise: Callable[[Slippery], Bits]
    wish: Callable[[Slippery, int], int | None]
    """Where the adversary would like the step to go, if not as usual."""
    most: Callable[[int], int]
    lead: int
    state: int = 0
    states: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    slipped: list[int] = field(default_factory=list)
    """The numbers of the steps that slipped."""
    ahead: dict[tuple[int, int], int] = field(default_factory=dict)
    """For each state and action the visits that slipped, less the others."""

    def step(self, action: int) -> Bits:
        usual, wish = self.table[self.state][action], self.wish(self, action)
        pair, number = (self.state, action), len(self.states)
        slips = wish is not None and wish != usual and number > 0
        slips = slips and len(self.slipped) < self.most(number)
        slips = slips and self.ahead.get(pair, 0) + 1 < self.lead
        if number:
            self.ahead[pair] = self.ahead.get(pair, 0) + (1 if slips else -1)
        if slips:
            self.slipped.append(number)
        self.state = usual if wish is None or not slips else wish
        self.states.append(self.state)
        self.actions.append(action)
        return 1 << self.state | self.noise(self) << len(self.table)


def drawn(seed: int, method: Callable[[int, int], Slipping]) -> tuple[Slippery, Slipping]:
    """A small world, some kinds of noise, and an adversary with one of some strategies."""
    random = Random(seed)
    while True:
        size, actions = random.randint(2, 4), random.randint(1, 2)
        table = [[random.randrange(size) for _ in range(actions)] for _ in range(size)]
        if is_connected(table):
            break
    kinds = [random.choice(_KINDS) for _ in range(random.randint(1, 4))]
    numbers = [random.randrange(99) for _ in kinds]
    chance, aim = random.choice((0.05, 0.3, 1.0)), random.choice((None, 0, 1))
    wrong = [[random.randrange(size) for _ in range(actions)] for _ in range(size)]

    def noise(world: Slippery) -> Bits:
        shown = (kind(world, n, random) for kind, n in zip(kinds, numbers, strict=True))
        return sum(bit << i for i, bit in enumerate(shown))

    def wish(world: Slippery, action: int) -> int | None:
        if random.random() > chance:
            return None
        if aim == 0:
            return wrong[world.state][action]  # always to one wrong state
        if aim == 1 and world.ahead.get((world.state, action), 0) < 0:
            return None  # only where it can hope to be ahead
        return random.randrange(size)

    learner = method(size + len(kinds), actions)
    slips = learner.slips
    lead = slips.lead(learner.classifiers * learner.actions)
    return Slippery(table, noise, wish, slips.most, lead), learner


def _coin(_world: Slippery, _number: int, random: Random) -> bool:
    return random.random() < 0.5


def _almost(world: Slippery, number: int, random: Random) -> bool:
    """Nearly the classifier of a state: wrong on few rows."""
    return (world.state == number % len(world.table)) != (random.random() < 0.04)


def _clock(world: Slippery, number: int, _random: Random) -> bool:
    """Changes with the time, and stops at each slip."""
    return (len(world.states) - len(world.slipped)) % (2 + number % 3) == 0


def _meant(world: Slippery, number: int, _random: Random) -> bool:
    """Where the world would be if nothing had slipped."""
    state = world.states[0] if world.states else 0
    for action in world.actions[1:]:
        state = world.table[state][action]
    return state == number % len(world.table)


def _union(world: Slippery, number: int, _random: Random) -> bool:
    return world.state in (number % len(world.table), number // 3 % len(world.table))


_KINDS = (_coin, _almost, _clock, _meant, _union)


def explored(
    world: Slippery, method: Slipping, most: int, *, seed: int | None = None
) -> tuple[Exploring, list[Bits]]:
    """Run a method, or with a seed random actions, for this many steps or until it ends."""
    known, rows, random = method.nothing(), list[int](), Random(seed)
    while known.steps < most:
        word = method.next_word(known) if seed is None else (random.randrange(method.actions),)
        if word is None:
            break
        seen = [world.step(action) for action in word]
        known = method.with_rows(known, word, seen)
        rows += seen
    return known, rows


def fault(world: Slippery, known: Exploring, rows: list[Bits]) -> str:
    """What is wrong of what is known, if anything is: nothing may be, within the bounds."""
    out, visited = known.tallies.out, dict.fromkeys(world.states)
    if any(out >> state & 1 for state in visited):
        return "a true classifier was refuted"
    if isinstance(known.decision, Decided):
        right = is_right(known.decision, rows, world.states, world.table)
        if not right or len(known.decision.table) != len(world.table):
            return "a wrong model"
        if known.decision.slipped != len(world.slipped):
            return "other slips than those that were made"
        return ""
    return type(known.decision).__name__ if type(known.decision).__name__ == "Impossible" else ""
