"""Worlds whose noise an adversary chooses, and what the definitions say about their rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import strategies as st

from steel_verified.learning.certain import Certain
from steel_verified.learning.deciding import decide
from steel_verified.learning.knowledge import Trajectory, nothing_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.learning.certain import Exploring
    from steel_verified.learning.deciding import Decided, Decision
    from steel_verified.learning.knowledge import Bits, Knowledge

History: TypeAlias = "Sequence[tuple[int, int | None]]"
"""The states, each with the action that led to it."""
Bit: TypeAlias = "Callable[[History], bool]"

NOISE = 4
"""A hostile world has this many values of noise; an extra classifier reads state and noise."""


@dataclass
class Hostile:
    """A world with the noise of a script. Classifier s shows state s; the others are arbitrary."""

    table: list[list[int]]
    others: list[int]
    script: list[int]
    state: int = 0
    time: int = 0
    visited: list[int] = field(default_factory=list)

    @property
    def actions(self) -> int:
        return len(self.table[0])

    @property
    def size(self) -> int:
        return len(self.table) + len(self.others)

    def look(self) -> Bits:
        case = self.state * NOISE + self.script[self.time % len(self.script)]
        others = sum((truth >> case & 1) << i for i, truth in enumerate(self.others))
        return 1 << self.state | others << len(self.table)

    def step(self, action: int) -> Bits:
        self.state, self.time = self.table[self.state][action], self.time + 1
        self.visited.append(self.state)
        return self.look()

    def record(self, start: int, actions: Sequence[int]) -> Trajectory:
        self.state = start
        self.visited.append(start)
        rows = (self.look(), *(self.step(action) for action in actions))
        return Trajectory(rows, tuple(actions))


@st.composite
def tables(
    draw: st.DrawFn, least: int = 2, most: int = 4, actions: int = 2, *, connected: bool = False
) -> list[list[int]]:
    """Tables of a few states, strongly connected if wanted."""
    states, number = draw(st.integers(least, most)), draw(st.integers(1, actions))
    line = st.lists(st.integers(0, states - 1), min_size=number, max_size=number)
    table = st.lists(line, min_size=states, max_size=states)
    return draw(table.filter(is_connected) if connected else table)


def is_connected(table: Sequence[Sequence[int]]) -> bool:
    """Whether every state reaches every state."""
    for start in range(len(table)):
        reached = [start]
        for state in reached:
            reached += [to for to in dict.fromkeys(table[state]) if to not in reached]
        if len(reached) < len(table):
            return False
    return True


@st.composite
def hostile_worlds(draw: st.DrawFn, least: int = 2, *, connected: bool = False) -> Hostile:
    """Worlds of at most 4 states, with classifiers and a script that are arbitrary."""
    table = draw(tables(least, connected=connected))
    others = draw(st.lists(st.integers(0, (1 << len(table) * NOISE) - 1), max_size=4))
    script = draw(st.lists(st.integers(0, NOISE - 1), min_size=1, max_size=60))
    return Hostile(table, others, script)


@st.composite
def logs(draw: st.DrawFn) -> tuple[Hostile, list[Trajectory]]:
    """Some episodes in a hostile world, by any policy, from any starts."""
    world = draw(hostile_worlds(least=1))
    words = st.lists(st.integers(0, world.actions - 1), max_size=12)
    starts = st.integers(0, len(world.table) - 1)
    episodes = draw(st.lists(st.tuples(starts, words), min_size=1, max_size=6))
    return world, [world.record(start, word) for start, word in episodes]


def known_of(episodes: Sequence[Trajectory], classifiers: int, actions: int) -> Knowledge:
    known = nothing_known(classifiers, actions)
    for episode in episodes:
        known = known.of(episode)
    return known


def judge(
    episodes: Sequence[Trajectory], classifiers: int, actions: int, *, connected: bool = False
) -> Decision:
    """What rows decide, of a log, or of one trajectory of a connected world."""
    here = episodes[-1].rows[-1] if connected else None
    return decide(known_of(episodes, classifiers, actions), here)


def is_right(
    decided: Decided, rows: Sequence[Bits], states: Sequence[int], table: Sequence[Sequence[int]]
) -> bool:
    """Whether labels are states on each row, and the table is that of the visited states."""
    labels = [[row >> fits[0] & 1 for fits in decided.labels].index(1) for row in rows]
    meaning = dict(zip(labels, states, strict=True))
    one_to_one = len(set(zip(labels, states, strict=True))) == len(set(states)) == len(meaning)
    moves = all(
        meaning[to] == table[meaning[label]][action]
        for label, line in enumerate(decided.table)
        for action, to in enumerate(line)
    )
    return one_to_one and len(meaning) == len(decided.table) and moves


Column = frozenset[int]


@dataclass(frozen=True)
class Definition:
    """The covers of a log, by trying every set of columns: slow, and as it is defined."""

    rows: tuple[Bits, ...]
    taken: tuple[int | None, ...]
    """The action after each row; None at the end of a trajectory."""
    classifiers: int
    actions: int
    connected: bool

    @staticmethod
    def of(
        episodes: Sequence[Trajectory], classifiers: int, actions: int, *, connected: bool
    ) -> Definition:
        rows = tuple(row for episode in episodes for row in episode.rows)
        taken = tuple(a for episode in episodes for a in (*episode.actions, None))
        return Definition(rows, taken, classifiers, actions, connected)

    def column(self, classifier: int) -> Column:
        return frozenset(t for t, row in enumerate(self.rows) if row >> classifier & 1)

    def after(self, column: Column, action: int) -> Column:
        return frozenset(t + 1 for t in column if self.taken[t] == action)

    def explains(self, cover: frozenset[Column]) -> bool:
        """Whether each row has one member, and equal actions have equal effects."""
        once = sum(map(len, cover)) == len(self.rows) == len(frozenset().union(*cover))
        ways = [self.after(column, a) for column in cover for a in range(self.actions)]
        return once and all(any(way <= to for to in cover) for way in ways)

    def is_possible(self, cover: frozenset[Column]) -> bool:
        """Whether a world with two states that fits the rows has this cover (Lemma 3)."""
        if not self.connected:
            return len(cover) >= 2
        reached = [column for column in cover if len(self.rows) - 1 in column]
        is_open = False
        for column in reached:
            for action in range(self.actions):
                way = self.after(column, action)
                is_open |= not way
                reached += [to for to in cover if way and way <= to and to not in reached]
        spare = any(not self.column(f) for f in range(self.classifiers))
        if is_open:
            return len(cover) >= 2 or spare
        return len(reached) == len(cover) >= 2

    def covers(self) -> list[frozenset[Column]]:
        columns = {self.column(f) for f in range(self.classifiers)} - {frozenset()}
        some = (
            frozenset(chosen)
            for size in range(1, len(columns) + 1)
            for chosen in combinations(sorted(columns, key=sorted), size)
        )
        return [cover for cover in some if self.explains(cover) and self.is_possible(cover)]

    def is_decided(self) -> bool:
        found = self.covers()
        return len(found) == 1 and all(
            self.after(column, a) for column in found[0] for a in range(self.actions)
        )


@dataclass
class Adversary:
    """A world in which each bit besides the states' own is chosen anew on each row.

    `choose` gets the history of (state, action before it) and returns these bits.
    """

    table: list[list[int]]
    extra: int
    choose: Callable[[History], int]
    state: int = 0
    history: list[tuple[int, int | None]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.table) + self.extra

    @property
    def actions(self) -> int:
        return len(self.table[0])

    def step(self, action: int) -> Bits:
        self.state = self.table[self.state][action]
        self.history.append((self.state, action))
        return 1 << self.state | self.choose(self.history) << len(self.table)

    @property
    def states(self) -> list[int]:
        return [state for state, _ in self.history]


def scripts(number: int, states: int) -> dict[str, Bit]:
    """Bits as functions of the history: what an adversary may show, by kind."""
    period, lag, chosen = 2 + number % 3, 1 + number % 4, number % states

    def old(history: History) -> tuple[int, int | None]:
        return history[-1 - lag] if len(history) > lag else (0, None)

    def walked(history: History, seed: int) -> int:
        """Where another automaton is, which obeys the same actions."""
        here = 0
        for _, action in history:
            here = (here * 2 + (action or 0) + seed) % states
        return here

    return {
        "clock": lambda history: len(history) % period == 0,
        "slow_clock": lambda history: len(history) // period % 2 == 0,
        "frozen": lambda _: bool(number % 2),
        "lagged": lambda history: old(history)[0] == chosen,
        "action": lambda history: history[-1][1] == number % 2,
        "walker": lambda history: walked(history, number) == chosen,
        "union": lambda history: history[-1][0] in (chosen, number // 2 % states),
        "not": lambda history: history[-1][0] != chosen,
        "product": lambda history: history[-1][0] == chosen and len(history) % period != 0,
        "copy": lambda history: history[-1][0] == chosen,
    }


KINDS = tuple(scripts(0, 1))


def scripted(kind: str, number: int, states: int) -> Bit:
    return scripts(number, states)[kind]


def explored(
    world: Hostile | Adversary, *, most: int, seed: int = 0, check_steps: int = 200
) -> tuple[Exploring, Trajectory]:
    """Explore for at most about `most` steps; return what is known at the end, and all rows."""
    method = Certain(world.size, world.actions, seed=seed, check_steps=check_steps)
    known = method.nothing()
    rows, actions = list[int](), list[int]()
    while known.steps < most and (word := method.next_word(known)) is not None:
        seen = [world.step(action) for action in word]
        known = method.with_rows(known, word, seen)
        rows += seen
        actions += word
    return known, Trajectory(tuple(rows), tuple(actions[1:]))
