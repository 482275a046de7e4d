"""True latent dynamics, with which what was learned is compared at the end.

A file has them as JSON (a list of rows) or CSV; row s lists T(s,0), T(s,1), …
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.evidence.files import read_bytes
from steel_verified.learning.graph import first_visits
from steel_verified.learning.model import Model, matching

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Word
    from steel_verified.learning.results import Accepted
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
    return len(distances(table, 0)) == len(distances(predecessors(table), 0)) == len(table)


def predecessors(table: Sequence[Sequence[int]]) -> list[list[int]]:
    """The states that lead to each state."""
    before: list[list[int]] = [[] for _ in table]
    for state, row in enumerate(table):
        for to in row:
            before[to].append(state)
    return before


def distances(successors: Sequence[Sequence[int]], start: int) -> dict[int, int]:
    """The least number of steps from `start` to each state that can be reached from it."""
    steps = {start: 0}
    for before, _, to in first_visits(successors, (start,)):
        steps.setdefault(to, steps[before] + 1)
    return steps


def _components(table: Table) -> list[list[int]]:
    """The strongly connected components, sorted: states that reach each other."""
    before = predecessors(table)
    parts: list[list[int]] = []
    for state in range(len(table)):
        if not any(state in part for part in parts):
            both = distances(table, state).keys() & distances(before, state).keys()
            parts.append(sorted(both))
    return parts


def least_walk(table: Table, start: int) -> int:
    """The fewest steps from a state in which every transition is taken, whatever the end.

    Such a walk, closed by a return from its end to its start, leaves each state as often as it
    enters it. So it is every transition once, and the cheapest repetitions that balance each state,
    where one return to the start is free: a flow of least cost.
    """
    try:
        import networkx as nx  # noqa: PLC0415 (0.1 s to import, and an extra)
    except ImportError as missing:
        raise missing_extra("graphs", missing) from missing

    end = len(table)
    entered = [sum(row.count(state) for row in table) for state in range(end)]
    graph: nx.DiGraph[int] = nx.DiGraph()
    for state, row in enumerate(table):
        graph.add_node(state, demand=len(row) - entered[state])
        graph.add_weighted_edges_from((state, to, 1) for to in row)
        graph.add_weighted_edges_from([(state, end, 0)])
    graph.add_edge(end, start, weight=0, capacity=1)
    return sum(entered) + nx.min_cost_flow_cost(graph)


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
        return int(self.states[self._place(time)])

    def _place(self, time: int) -> int:
        if time < self.transient:
            return time
        return self.transient + (time - self.transient) % self.cycle

    def at_each(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """The states after these numbers of steps."""
        if len(times) == 1:
            return self.states[[self._place(int(times[0]))]]
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
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def times_between(progressions: Iterable[Progression], first: int, end: int) -> NDArray[np.int64]:
    """`times_of(progressions)[first:end]`, without the other times."""
    parts = []
    for progression in progressions:
        size = len(progression)
        number = np.arange(max(first, 0), min(end, size), dtype=np.int64)
        times = np.full(len(number), progression.first)
        for level in reversed(progression.levels):
            number, index = np.divmod(number, level.count)
            times += index * level.stride
        parts.append(times)
        first, end = first - size, end - size
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


_LARGEST_TABLE: Final = 1 << 20
"""A table of 2,000 states and two actions has 30 kB; much larger tables are rejected anyway."""
# `int` alone accepts digits of all alphabets, signs and underscores; 99 digits are enough.
_STATE: Final = re.compile(r" *[0-9]{1,99} *")


def read_table(path: Path) -> Dynamics:
    """Read the dynamics from a .json or .csv file; raises `InvalidArgument` if it has none."""
    try:
        text = read_bytes(path, _LARGEST_TABLE).decode("utf-8")
    except InvalidArgument as refused:
        raise InvalidArgument("table", path, refused.expected) from None
    except UnicodeDecodeError as error:
        raise InvalidArgument("table", path, f"a text file in UTF-8 ({error})") from None
    match path.suffix.lower():
        case ".json":
            try:
                return Dynamics(msgspec.json.decode(text, type=Table))
            except (msgspec.DecodeError, RecursionError) as error:
                expected = f"a JSON list of rows of states, such as [[1, 0], [0, 1]] ({error})"
                raise InvalidArgument("table", path, expected) from None
        case ".csv":
            return Dynamics(_from_csv(path, text))
        case _:
            raise InvalidArgument("table", path, "a file whose name ends in .json or .csv")


def _from_csv(path: Path, text: str) -> Table:
    import csv  # noqa: PLC0415 (needed for files only)

    table = []
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise InvalidArgument("table", path, f"CSV ({error})") from None
    for number, row in enumerate(rows, start=1):
        if row:
            if not all(map(_STATE.fullmatch, row)):
                shown = ",".join(row)[:80]
                where = f"{path}, line {number}"
                raise InvalidArgument(where, shown, "state numbers separated by commas")
            table.append(tuple(map(int, row)))
    return tuple(table)


def relabelling(model: Model, current: int, truth: Dynamics, state: int) -> tuple[int, ...] | None:
    """The true state of each label, if the model is the truth up to the names of states; else None.

    `current` is the learner's present label, and `state` the true state. Both are followed in
    parallel from there, which determines the only possible relabelling.
    """
    return matching(model, current, Model(truth.actions, truth.table), state)


@dataclass(frozen=True)
class Truth:
    """The truth about a world. It is separate from the world, and no learner has access to it."""

    dynamics: Dynamics
    classifiers: tuple[int, ...]
    """The correct classifier for each true state."""
    mixing_time: int
    """t_mix, or a proven upper bound on it."""
    because: str
    """The reason why t_mix is not larger."""


@dataclass(frozen=True, slots=True)
class Findings:
    dynamics_right: bool
    encoder_right: bool | None
    """None if no encoder was requested."""

    @property
    def all_right(self) -> bool:
        return self.dynamics_right and self.encoder_right is not False


def compare(learned: Accepted, truth: Truth, state: int) -> Findings:
    """Compare a run that ended in the true state `state` with the truth, up to relabelling."""
    meaning = relabelling(learned.model, learned.current, truth.dynamics, state)
    right = None if meaning is None else tuple(truth.classifiers[s] for s in meaning)
    encoder_right = None if learned.classifiers is None else learned.classifiers == right
    return Findings(dynamics_right=meaning is not None, encoder_right=encoder_right)
