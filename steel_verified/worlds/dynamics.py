"""True latent dynamics: total, deterministic, and every state reaches every other."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Word
    from steel_verified.theory.progressions import Progression

Table = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Dynamics:
    """T: `table[s][a]` is the state after action a in state s."""

    table: Table

    def __post_init__(self) -> None:
        if not self.table or not self.table[0]:
            raise InvalidArgument("table", self.table, "at least one state and one action")
        for state, row in enumerate(self.table):
            if len(row) != self.actions:
                expected = f"{self.actions} entries, as in row 0: one for each action"
                raise InvalidArgument(f"table[{state}]", row, expected)
            for to in row:
                if not 0 <= to < self.states:
                    expected = f"states from 0 to {self.states - 1}"
                    raise InvalidArgument(f"table[{state}]", row, expected)
        if not is_connected(self.table):
            parts = _components(self.table)
            shown = ", ".join(str(part) for part in parts[:4]) + (" …" if len(parts) > 4 else "")
            raise InvalidArgument(
                "table", f"{len(parts)} components {shown}", "every state to reach every other"
            )

    @property
    def states(self) -> int:
        return len(self.table)

    @property
    def actions(self) -> int:
        return len(self.table[0])

    @cached_property
    def diameter(self) -> int:
        """D: the largest number of steps on a shortest path between two states."""
        return max(max(distances(self.table, start).values()) for start in range(self.states))


def is_connected(table: Sequence[Sequence[int]]) -> bool:
    """Whether state 0 reaches every state, and every state reaches state 0."""
    before: list[list[int]] = [[] for _ in table]
    for state, row in enumerate(table):
        for to in row:
            before[to].append(state)
    return len(distances(table, 0)) == len(distances(before, 0)) == len(table)


def distances(successors: Sequence[Sequence[int]], start: int) -> dict[int, int]:
    """The least number of steps from `start` to each state that can be reached from it."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for to in successors[here]:
            if to not in steps:
                steps[to] = steps[here] + 1
                queue.append(to)
    return steps


def _components(table: Table) -> list[list[int]]:
    """The strongly connected components, sorted."""
    import networkx as nx  # noqa: PLC0415 (0.1 s to import, and needed only for an error message)

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_edges_from((s, to) for s, row in enumerate(table) for to in row)
    return sorted(sorted(part) for part in nx.strongly_connected_components(graph))


@dataclass(frozen=True)
class Orbit:
    """The latent states of a looped word: a transient, and then a cycle that repeats forever.

    `states[t]` is the state at time t < transient + cycle; later times repeat the cycle.
    """

    states: NDArray[np.int64]
    transient: int

    @property
    def cycle(self) -> int:
        return len(self.states) - self.transient

    def at(self, time: int) -> int:
        """The state after `time` steps of the loop."""
        if time >= self.transient:
            time = self.transient + (time - self.transient) % self.cycle
        return int(self.states[time])

    def at_each(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """The states after these numbers of steps."""
        turned = self.transient + (times - self.transient) % self.cycle
        return self.states[np.where(times < self.transient, times, turned)]

    def within(self, times: Progression) -> frozenset[int]:
        """The set of states at the times of a progression; its length does not affect the cost."""
        if times.first < self.transient:
            return frozenset(self.at(time) for time in times)
        cycle = self.cycle
        offsets = {(times.first - self.transient) % cycle}
        for level in times.levels:
            # Multiples of the stride return to their start after cycle / gcd(cycle, stride) steps.
            count = min(level.count, cycle // gcd(cycle, level.stride))
            steps = [level.stride * i % cycle for i in range(count)]
            offsets = {(offset + step) % cycle for offset in offsets for step in steps}
        return frozenset(int(self.states[self.transient + offset]) for offset in offsets)


def orbit(dynamics: Dynamics, start: int, word: Word) -> Orbit:
    """Repeat a word until it starts in a state in which it started before."""
    seen: dict[int, int] = {}
    states: list[int] = []
    here = start
    while here not in seen:
        seen[here] = len(states)
        for action in word:
            states.append(here)
            here = dynamics.table[here][action]
    return Orbit(np.array(states, dtype=np.int64), seen[here])


def times_of(progressions: Iterable[Progression]) -> NDArray[np.int64]:
    """The times of all progressions as one array, in the order of the progressions."""
    parts = []
    for progression in progressions:
        times = np.array([progression.first], dtype=np.int64)
        for level in progression.levels:
            steps = np.arange(level.count, dtype=np.int64) * level.stride
            times = (times[:, None] + steps).ravel()
        parts.append(times)
    return np.concatenate(parts)
