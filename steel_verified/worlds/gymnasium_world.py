"""Any Gymnasium environment with discrete actions as a world to learn (extra `gymnasium`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.worlds.dynamics import times_of
from steel_verified.worlds.row_store import RowStore

try:
    from gymnasium.spaces import Discrete
except ImportError as _missing:
    raise missing_extra("gymnasium", _missing) from _missing

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium
    from numpy.typing import NDArray

    from steel_verified.classes.bits import BitRows
    from steel_verified.classes.numbers import Rows
    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression

Observation = TypeVar("Observation")
Features = TypeVar("Features", "NDArray[np.bool_]", "Rows")
Batch = TypeVar("Batch")

_MEMORY_LIMIT: Final = 1 << 28
_LOOK: Final = 1 << 14


class StoredBits:
    """Recorded rows of bits, read block by block."""

    def __init__(self, store: RowStore, times: NDArray[np.int64], width: int) -> None:
        self._store = store
        self._times = times
        self.width = width

    def __len__(self) -> int:
        return len(self._times)

    def reduced(self) -> tuple[int, int]:
        every, some = (1 << self.width) - 1, 0
        for start in range(0, len(self), _LOOK):
            rows = self._store.at(self._times[start : start + _LOOK])
            every &= int.from_bytes(np.bitwise_and.reduce(rows, axis=0).tobytes(), "little")
            some |= int.from_bytes(np.bitwise_or.reduce(rows, axis=0).tobytes(), "little")
        return every, some

    def packed(self) -> NDArray[np.uint8]:
        return self._store.at(self._times)


class GymnasiumTrajectory(Generic[Batch]):
    """One loop, as it was recorded."""

    def __init__(
        self, store: RowStore, read: Callable[[RowStore, NDArray[np.int64]], Batch]
    ) -> None:
        self._store = store
        self._read = read

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Batch, ...]:
        return tuple(self._read(self._store, times_of(pieces)) for pieces in datasets)


class GymnasiumWorld(Generic[Observation, Batch]):
    """An environment under way. It is reset once, at the start, and never again."""

    def __init__(
        self,
        env: gymnasium.Env[Observation, np.int64],
        row_bytes: int,
        encode: Callable[[Observation], NDArray[np.uint8]],
        read: Callable[[RowStore, NDArray[np.int64]], Batch],
        memory_limit: int,
    ) -> None:
        self._env = env
        self._space = _discrete(env)
        self._row_bytes = row_bytes
        self._encode = encode
        self._read = read
        self._limit = memory_limit
        self.steps: int = 0
        self._store = RowStore(row_bytes, memory_limit)

    @property
    def actions(self) -> int:
        return int(self._space.n)

    def run(self, plan: Plan) -> GymnasiumTrajectory[Batch]:
        if plan.done == 0:
            self._store = RowStore(self._row_bytes, self._limit)
        kept = self._store.expect(plan.keeps)
        wanted = next(kept, None)
        for step in range(plan.done, plan.done + plan.steps):
            action = self._space.start + plan.word[step % len(plan.word)]
            observation, _, terminated, truncated, _ = self._env.step(np.int64(action))
            self.steps += 1
            if terminated or truncated:
                self._complain(terminated=terminated)
            if step + 1 == wanted:
                self._store.append(self._encode(observation))
                wanted = next(kept, None)
        return GymnasiumTrajectory(self._store, self._read)

    def _complain(self, *, terminated: bool) -> None:
        ended = "terminated" if terminated else "was truncated"
        raise AssumptionViolated(
            f"the episode {ended} at step {self.steps}, but STEEL learns from one unbroken "
            "trajectory without resets: make the environment go on (no TimeLimit wrapper: "
            "gymnasium.make(…, max_episode_steps=-1); no terminal states)",
            Condition.UNBROKEN,
        )


def from_gymnasium(
    env: gymnasium.Env[Observation, np.int64],
    features: Callable[[Observation], NDArray[np.bool_]],
    *,
    seed: int | None = None,
    memory_limit: int = _MEMORY_LIMIT,
) -> GymnasiumWorld[Observation, BitRows]:
    """Learn an environment through bits: `features` maps an observation to a vector of them.

    The oracle that goes with it is `Components(number of bits)`. Only what a plan may need is
    recorded, packed; beyond `memory_limit` bytes it is kept on disk.
    """
    first = _require_vector(features(_reset(env, seed)), "b", "booleans")
    width = len(first)

    def encode(observation: Observation) -> NDArray[np.uint8]:
        return np.packbits(_like(first, features(observation)), bitorder="little")

    def read(store: RowStore, times: NDArray[np.int64]) -> BitRows:
        return StoredBits(store, times, width)

    return GymnasiumWorld(env, -(-width // 8), encode, read, memory_limit)


def from_gymnasium_numbers(
    env: gymnasium.Env[Observation, np.int64],
    features: Callable[[Observation], Rows],
    *,
    seed: int | None = None,
    memory_limit: int = _MEMORY_LIMIT,
) -> GymnasiumWorld[Observation, Rows]:
    """Learn an environment through numbers: for `Boxes`, `HalfSpaces`, `tables` and the like.

    `features` gives vectors of integers or of floats, kept as int64 or float64. If they have one
    number, rows are numbers.
    """
    first = _require_vector(features(_reset(env, seed)), "iuf", "integers or floats")
    width = len(first)
    are_floats = first.dtype.kind == "f"

    def encode(observation: Observation) -> NDArray[np.uint8]:
        row = _like(first, features(observation))
        numbers = row.astype(np.float64) if are_floats else row.astype(np.int64)
        return np.frombuffer(numbers.tobytes(), dtype=np.uint8)

    def read(store: RowStore, times: NDArray[np.int64]) -> Rows:
        held = store.at(times)
        numbers: Rows = held.view(np.float64) if are_floats else held.view(np.int64)
        return numbers.ravel() if width == 1 else numbers

    return GymnasiumWorld(env, 8 * width, encode, read, memory_limit)


def _discrete(env: gymnasium.Env[Observation, np.int64]) -> Discrete:
    space = env.action_space
    if not isinstance(space, Discrete):
        raise InvalidArgument("env.action_space", space, "gymnasium.spaces.Discrete")
    return space


def _reset(env: gymnasium.Env[Observation, np.int64], seed: int | None) -> Observation:
    _discrete(env)
    observation, _ = env.reset(seed=seed)
    return observation


def _require_vector(row: Features, kinds: str, wanted: str) -> Features:
    """Refuse features that are not a vector of the wanted kind."""
    if np.ndim(row) != 1 or np.asarray(row).dtype.kind not in kinds:
        shown = f"{np.asarray(row).dtype} of shape {np.shape(row)}"
        raise InvalidArgument("features", shown, f"a one-dimensional array of {wanted}")
    return row


def _like(first: Features, row: Features) -> Features:
    """Refuse features that are not of the same shape and type as the first ones."""
    if row.shape != first.shape or row.dtype != first.dtype:
        shown = f"{row.dtype} of shape {row.shape}"
        raise InvalidArgument("features", shown, f"{first.dtype} of shape {first.shape}, always")
    return row
