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

import weakref
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from math import prod
from typing import IO, TYPE_CHECKING, Final, Generic, Literal, TypeAlias, TypeVar, cast

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import times_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression

Observation = TypeVar("Observation")
Seen: TypeAlias = "NDArray[np.generic[object]] | Sequence[float] | np.generic[object] | float"
"""An observation: an array of any shape, a sequence of numbers or booleans, or one number."""

MEMORY_LIMIT: Final = 1 << 28
"""The largest number of bytes of rows that are kept in memory."""
_ENTRIES: Final[dict[str, Literal["bool", "int64", "float64"]]] = {
    "b": "bool",
    "i": "int64",
    "u": "int64",
    "f": "float64",
}
_READABLE: Final = (
    "an array or a sequence of booleans, or of numbers that fit int64 or float64; give `features`, "
    "a function that computes it, if observations are anything else"
)


@dataclass(frozen=True, slots=True)
class RowKind:
    """Rows of booleans, integers or floats, all of one shape, and how they are packed."""

    entries: Literal["bool", "int64", "float64"]
    shape: tuple[int, ...]

    @property
    def width(self) -> int:
        """How many features a row has."""
        return prod(self.shape)

    @property
    def packed_bytes(self) -> int:
        return -(-self.width // 8) if self.entries == "bool" else 8 * self.width

    def pack(self, seen: Seen) -> NDArray[np.uint8]:
        """An observation as bytes, eight booleans per byte; raises for another type or shape."""
        if (kind := kind_of(seen)) != self:
            expected = f"{self.entries} of shape {self.shape}, like the first observation"
            raise InvalidArgument("observation", f"{kind.entries} of shape {kind.shape}", expected)
        row = np.ravel(np.asarray(seen))
        if self.entries == "bool":
            return np.packbits(row.astype(np.bool_), bitorder="little")
        return np.frombuffer(row.astype(self.entries).tobytes(), dtype=np.uint8)

    def unpack(self, held: NDArray[np.uint8]) -> Numbers:
        """Packed rows as an array; rows with one number are returned as numbers."""
        if self.entries == "bool":
            bits = np.unpackbits(held, axis=1, count=self.width, bitorder="little")
            return bits.astype(np.bool_)
        numbers: Numbers = held.view(np.dtype(self.entries))
        return numbers.ravel() if self.width == 1 else numbers


def kind_of(seen: Seen) -> RowKind:
    """The kind of an observation; raises unless it consists of booleans, integers or floats."""
    try:
        row = np.asarray(seen)
    except ValueError:
        raise InvalidArgument("observation", "rows of several lengths", _READABLE) from None
    fits = row.dtype.itemsize <= 8 and row.dtype != np.uint64
    if row.dtype.kind not in _ENTRIES or not fits or not row.size:
        is_array = isinstance(seen, np.ndarray | list | tuple)
        shown = f"{row.dtype} of shape {row.shape}" if is_array else f"a {type(seen).__name__}"
        raise InvalidArgument("observation", shown, _READABLE)
    return RowKind(_ENTRIES[row.dtype.kind], row.shape)


class StoredLoop:
    """The rows of one loop at the times that may be requested.

    Beyond `memory_limit` bytes they are in a temporary file, which is deleted with the loop.
    """

    def __init__(self, memory_limit: int = MEMORY_LIMIT, kind: RowKind | None = None) -> None:
        self.kind = kind
        self._limit = memory_limit
        self._times = np.empty(0, dtype=np.int64)
        self._held: IO[bytes] = BytesIO()

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Numbers, ...]:
        return tuple(self.at(times_of(pieces)) for pieces in datasets)

    def expect(self, keeps: Sequence[Progression]) -> Iterator[int]:
        """Announce the times of a plan. Yields them in order; call `append` after each."""
        new = np.unique(times_of(keeps)) if keeps else np.empty(0, dtype=np.int64)
        self._times = np.append(self._times, new)
        return iter(new.tolist())

    def append(self, seen: Seen) -> None:
        """Store the row of the next expected time."""
        self.kind = self.kind or kind_of(seen)
        self._held.write(self.kind.pack(seen).tobytes())
        if isinstance(self._held, BytesIO) and self._held.tell() > self._limit:
            import tempfile  # noqa: PLC0415 (most runs fit into memory)

            # The file must live as long as the loop, so `with` is not used here.
            on_disk = tempfile.TemporaryFile(prefix="steel-rows-")  # noqa: SIM115
            weakref.finalize(self, on_disk.close)
            on_disk.write(self._held.getbuffer())
            self._held = on_disk

    def at(self, times: NDArray[np.int64]) -> Numbers:
        """The rows at these times, which must have been expected and appended."""
        if self.kind is None:
            raise InvalidArgument("times", times.tolist(), "times that a plan keeps")
        held: NDArray[np.uint8]
        if isinstance(self._held, BytesIO):
            held = np.frombuffer(self._held.getbuffer(), dtype=np.uint8)
        else:
            self._held.flush()
            held = np.memmap(self._held, dtype=np.uint8, mode="r")
        rows = held.reshape(-1, self.kind.packed_bytes)
        found = np.asarray(rows[np.searchsorted(self._times, times)])
        found.setflags(write=False)
        return self.kind.unpack(found)


class LoopRecorder(Generic[Observation]):
    """Takes the steps of plans, and stores the features of the rows that may be requested."""

    def __init__(
        self,
        act: Callable[[int], Observation],
        features: Callable[[Observation], Seen],
        kind: RowKind | None = None,
        memory_limit: int = MEMORY_LIMIT,
    ) -> None:
        self._act = act
        self._features = features
        self._limit = memory_limit
        self._loop = StoredLoop(memory_limit, kind)

    def run(self, plan: Plan) -> StoredLoop:
        if plan.done == 0:
            self._loop = StoredLoop(self._limit, self._loop.kind)
        kept = self._loop.expect(plan.keeps)
        wanted = next(kept, None)
        for step in range(plan.done, plan.done + plan.steps):
            seen = self._act(plan.word[step % len(plan.word)])
            if step + 1 == wanted:
                self._loop.append(self._features(seen))
                wanted = next(kept, None)
        return self._loop


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

    def run(self, plan: Plan) -> StoredLoop:
        if (largest := max(plan.word)) >= self.actions:
            expected = f"actions from 0 to {self.actions - 1}, the actions of the world"
            raise InvalidArgument("plan.word", largest, expected)
        return self._recorder.run(plan)

    @cached_property
    def _recorder(self) -> LoopRecorder[Seen]:
        return LoopRecorder(self.act, lambda seen: seen)

    def act(self, action: int) -> Seen:
        """Take one action, count it, and return the observation after it."""
        seen = self.step(action)
        self.steps += 1
        return seen


class SteppedBy(SteppedWorld):
    def __init__(
        self,
        step: Callable[[int], object],
        actions: int,
        features: Callable[[object], Seen] | None,
    ) -> None:
        self.actions = actions
        self._step, self._features = step, features or _as_seen

    def step(self, action: int) -> Seen:
        return self._features(self._step(action))


def _as_seen(observation: object) -> Seen:
    """Return an observation as it is; `kind_of` says what is wrong if it is no row."""
    return cast("Seen", observation)
