"""`SteppedWorld`: a world defined by one function that takes one step.

    class Switch(SteppedWorld):
        actions = 2
        on = False

        def step(self, action):
            self.on ^= action == 0
            return [self.on, not self.on]

The base class runs plans step by step, counts steps, and stores the rows that a plan may need: in
memory up to a limit, and on disk beyond it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import times_of
from steel_verified.worlds.row_kinds import RowKind, kind_of
from steel_verified.worlds.row_store import RowStore

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.row_kinds import Seen

Observation = TypeVar("Observation")
Batch = TypeVar("Batch")

MEMORY_LIMIT: Final = 1 << 28
"""The largest number of bytes of rows that are kept in memory."""


class StoredLoop(Generic[Batch]):
    """One recorded loop."""

    def __init__(
        self, store: RowStore, read: Callable[[RowStore, NDArray[np.int64]], Batch]
    ) -> None:
        self._store = store
        self._read = read

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Batch, ...]:
        return tuple(self._read(self._store, times_of(pieces)) for pieces in datasets)


class LoopRecorder(Generic[Observation, Batch]):
    """Takes the steps of plans, and stores the rows that may be requested."""

    def __init__(
        self,
        act: Callable[[int], Observation],
        pack: Callable[[Observation], NDArray[np.uint8]],
        read: Callable[[RowStore, NDArray[np.int64]], Batch],
        memory_limit: int = MEMORY_LIMIT,
    ) -> None:
        self._act = act
        self._pack = pack
        self._read = read
        self._limit = memory_limit
        self._store = RowStore(memory_limit)

    def run(self, plan: Plan) -> StoredLoop[Batch]:
        if plan.done == 0:
            self._store = RowStore(self._limit)
        kept = self._store.expect(plan.keeps)
        wanted = next(kept, None)
        for step in range(plan.done, plan.done + plan.steps):
            seen = self._act(plan.word[step % len(plan.word)])
            if step + 1 == wanted:
                self._store.append(self._pack(seen))
                wanted = next(kept, None)
        return StoredLoop(self._store, self._read)


class SteppedWorld(ABC):
    """The base class for your own world: define only `actions` and `step`.

    All observations must have the same shape and type: booleans, integers or floats. They are
    flattened. Use booleans with `Components` and `Conjunctions`, numbers with `Thresholds`,
    `Boxes` and `HalfSpaces`, and single integers with `tables`.
    """

    actions: int
    """|A|: actions are the numbers 0, …, |A| − 1."""
    steps: int = 0
    """The number of steps taken so far; the base class counts them."""

    @abstractmethod
    def step(self, action: int) -> Seen:
        """Take one action, and return the observation after it."""

    def run(self, plan: Plan) -> StoredLoop[Numbers]:
        """Take the steps of a plan."""
        if (largest := max(plan.word)) >= self.actions:
            expected = f"actions from 0 to {self.actions - 1}, the actions of the world"
            raise InvalidArgument("plan.word", largest, expected)
        return self._recorder.run(plan)

    @cached_property
    def _recorder(self) -> LoopRecorder[Seen, Numbers]:
        return LoopRecorder(self._act, self._pack, self._read)

    def _act(self, action: int) -> Seen:
        seen = self.step(action)
        self.steps += 1
        return seen

    _kind: RowKind | None = None

    def _pack(self, seen: Seen) -> NDArray[np.uint8]:
        self._kind = self._kind or kind_of(seen)
        return self._kind.pack(seen)

    def _read(self, store: RowStore, times: NDArray[np.int64]) -> Numbers:
        if self._kind is None:
            raise InvalidArgument("times", times.tolist(), "times that a plan keeps")
        return self._kind.arrays(store, times)
