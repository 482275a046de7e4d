"""Worlds of several factors, whose noise an adversary chooses."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import strategies as st

from steel_verified.learning.knowledge import Trajectory
from tests.learning.certain.worlds import KINDS, is_connected, scripted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.learning.factored import Exploring, Factored
    from steel_verified.learning.factors import Factor
    from steel_verified.learning.knowledge import Bits

Table: TypeAlias = "Sequence[Sequence[int]]"
Bit: TypeAlias = "Callable[[Parts], bool]"


@dataclass
class Parts:
    """Bits of any kind, and then factors side by side, with a classifier for each value of each."""

    tables: list[list[list[int]]]
    others: list[Bit] = field(default_factory=list)
    states: list[tuple[int, ...]] = field(default_factory=list)
    """The value of each factor, after each step."""
    taken: list[int] = field(default_factory=list)

    @property
    def actions(self) -> int:
        return len(self.tables[0][0])

    @property
    def first(self) -> list[int]:
        """The classifier of value 0 of each factor, and then |F|."""
        return [*accumulate(map(len, self.tables), initial=len(self.others))]

    @property
    def size(self) -> int:
        return self.first[-1]

    def step(self, action: int) -> Bits:
        before = self.states[-1] if self.states else (0,) * len(self.tables)
        after = (t[value][action] for t, value in zip(self.tables, before, strict=True))
        self.states.append(tuple(after))
        self.taken.append(action)
        values = zip(self.first, self.states[-1], strict=False)
        row = sum(1 << first + value for first, value in values)
        bits = (1 << n for n, bit in enumerate(self.others) if bit(self))
        return row | sum(bits)

    def history(self, factor: int) -> list[tuple[int, int | None]]:
        values = (each[factor] for each in self.states)
        return list(zip(values, self.taken, strict=True))


def bit_of(kind: str, number: int, factor: int) -> Bit:
    """A bit that is a function of the history of one factor.

    "until" shows a value of it like the true classifier, and nothing after some steps.
    """
    if kind == "until":
        copy = bit_of("copy", number, factor)
        return lambda world: len(world.states) <= 6 * (number + 1) and copy(world)

    def shown(world: Parts) -> bool:
        of = factor % len(world.tables)
        return scripted(kind, number, len(world.tables[of]))(world.history(of))

    return shown


def part(seed: int, actions: int) -> list[list[int]]:
    """A table of 2 or 3 values, each reached from each; some actions may leave all values alone."""
    random = Random(seed)
    while True:
        values = range(random.randrange(2, 4))
        acts = [random.random() < 0.7 for _ in range(actions)]
        table = [[random.choice(values) if a else value for a in acts] for value in values]
        if is_connected(table):
            return table


@st.composite
def parts(draw: st.DrawFn, most: int) -> list[list[list[int]]]:
    """Tables of up to so many factors."""
    actions = draw(st.integers(1, 3))
    seeds = draw(st.lists(st.integers(0, 999), min_size=1, max_size=most))
    return [part(seed, actions) for seed in seeds]


@st.composite
def factored_worlds(draw: st.DrawFn, most: int = 3, others: int = 4) -> Parts:
    """Up to so many small factors, and noise that tries to look like one."""
    kind = st.sampled_from((*KINDS, "until"))
    kinds = st.builds(bit_of, kind, st.integers(0, 11), st.integers(0, 2))
    return Parts(draw(parts(most)), draw(st.lists(kinds, max_size=others)))


def ran(world: Parts, method: Factored, most: int) -> tuple[Exploring, Trajectory, bool]:
    """Run for at most so many steps; return what is known, all rows, and whether it ended."""
    known, rows = method.nothing(), list[int]()
    while known.steps < most and (action := method.next_action(known)) is not None:
        rows.append(world.step(action))
        known = method.with_row(known, action, rows[-1])
    path = Trajectory(tuple(rows), tuple(world.taken[1:]))
    return known, path, method.next_action(known) is None


def is_factor(found: Factor, world: Parts, factor: int) -> bool:
    """Whether a listed factor is this one: labels are values on each row, with its table."""
    table, values = world.tables[factor], [each[factor] for each in world.states]
    first = world.first[factor]
    named = [[f - first for f in fits if 0 <= f - first < len(table)] for fits in found.classifiers]
    if any(len(each) != 1 for each in named):
        return False
    meaning = [value for (value,) in named]
    moves = all(
        meaning[to] == table[value][action]
        for value, line in zip(meaning, found.table, strict=True)
        for action, to in enumerate(line)
    )
    return (
        moves and sorted(meaning) == [*range(len(table))] and meaning[found.current] == values[-1]
    )
