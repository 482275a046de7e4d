"""Any Gymnasium environment with discrete actions as a world to learn (extra `gymnasium`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.worlds.stepped import MEMORY_LIMIT, LoopRecorder, kind_of

try:
    from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple
except ImportError as _missing:
    raise missing_extra("gymnasium", _missing) from _missing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import gymnasium
    from gymnasium import Space
    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.worlds.stepped import RowKind, Seen, StoredLoop


Observation = TypeVar("Observation")

_TOO_MANY_BITS: Final = 1 << 16


class GymnasiumWorld(Generic[Observation]):
    """A running environment. It is reset once, at the start, and never again."""

    def __init__(
        self,
        env: gymnasium.Env[Observation, np.int64],
        features: Callable[[Observation], Seen],
        kind: RowKind,
        memory_limit: int,
    ) -> None:
        self._env = env
        self._space = discrete_actions(env)
        self._kind = kind
        self._recorder = LoopRecorder(self._act, features, kind, memory_limit)
        self.steps: int = 0

    @property
    def actions(self) -> int:
        return int(self._space.n)

    @property
    def features(self) -> int:
        """The number of features of a row: the n of `Components(n)`, `Boxes(n)` and so on."""
        return self._kind.width

    def run(self, plan: Plan) -> StoredLoop:
        return self._recorder.run(plan)

    def _act(self, action: int) -> Observation:
        chosen = np.int64(self._space.start + action)
        observation, _, terminated, truncated, _ = self._env.step(chosen)
        self.steps += 1
        if terminated or truncated:
            raise AssumptionViolated(self._ended(terminated=terminated), Condition.UNBROKEN)
        return observation

    def _ended(self, *, terminated: bool) -> str:
        ended = "terminated" if terminated else "was truncated"
        return (
            f"the episode {ended} at step {self.steps}, but STEEL learns from one unbroken "
            "trajectory without resets: wrap the environment in "
            "steel_verified.gymnasium.Continuing, which removes a time limit and turns the end "
            "of an episode into a transition to its start"
        )


def from_gymnasium(
    env: gymnasium.Env[Observation, np.int64],
    features: Callable[[Observation], Seen] | None = None,
    *,
    seed: int | None = None,
    memory_limit: int = MEMORY_LIMIT,
) -> GymnasiumWorld[Observation]:
    """An environment as a world to learn; it is reset once, with `seed`.

    `features` maps an observation to an array of booleans (for `Components`, `Conjunctions`) or of
    numbers (for `Thresholds`, `Boxes`, `HalfSpaces`; single integers for `tables`). Without it a
    Discrete observation becomes one bit for each value, MultiBinary becomes bits, MultiDiscrete and
    Box become numbers, and dictionaries and tuples become the features of their parts. Rows beyond
    `memory_limit` bytes are kept on disk.
    """
    discrete_actions(env)
    chosen = default_features(env) if features is None else features
    observation, _ = env.reset(seed=seed)
    try:
        kind = kind_of(chosen(observation))
    except InvalidArgument as error:
        raise InvalidArgument("features", error.value, error.expected) from None
    return GymnasiumWorld(env, chosen, kind, memory_limit)


def discrete_actions(env: gymnasium.Env[Observation, np.int64]) -> Discrete:
    if not hasattr(env, "action_space"):
        expected = "a Gymnasium environment, as gymnasium.make returns it"
        raise InvalidArgument("env", repr(env), expected)
    space = env.action_space
    if not isinstance(space, Discrete):
        expected = "gymnasium.spaces.Discrete: STEEL chooses from finitely many actions"
        raise InvalidArgument("env.action_space", space, expected)
    return space


def default_features(
    env: gymnasium.Env[Observation, np.int64],
) -> Callable[[Observation], Seen]:
    return features_of(env.observation_space)


def features_of(space: Space[Observation], key: str = "") -> Callable[[Observation], Seen]:
    """The features of the observations of a space; raises if they are not bits or numbers.

    `key` is the place of the space in that of the environment, such as "['image']".
    """
    if isinstance(space, Discrete) and space.n <= _TOO_MANY_BITS:
        values = np.arange(space.start, space.start + space.n)
        return partial(_equal_bits, values)
    if isinstance(space, MultiBinary):
        return _bits
    if isinstance(space, (Box, MultiDiscrete)):
        return np.asarray
    if isinstance(space, Dict):
        return partial(
            _joined, tuple((at, features_of(part, f"{key}[{at!r}]")) for at, part in space.items())
        )
    if isinstance(space, Tuple):
        return partial(
            _joined, tuple((i, features_of(part, f"{key}[{i}]")) for i, part in enumerate(space))
        )
    expected = (
        "a function from an observation to an array of booleans or numbers, such as "
        "lambda seen: seen['image'] for a dictionary with images, because "
        f"observation{key or 's'} {'is' if key else 'are'} of {space}"
    )
    raise InvalidArgument("features", None, expected)


# Functions with a name: what was learned with them can be pickled.


def _equal_bits(values: NDArray[np.int64], observation: object) -> NDArray[np.bool_]:
    return np.asarray(np.equal(values, np.asarray(observation)), np.bool_)


def _bits(observation: object) -> NDArray[np.bool_]:
    return np.asarray(np.asarray(observation) != 0, np.bool_)


def _joined(
    parts: tuple[tuple[str | int, Callable[[object], Seen]], ...],
    observation: Mapping[str | int, object],
) -> NDArray[np.generic[object]]:
    """The features of all parts of a dictionary or a tuple, one after the other."""
    return np.concatenate([np.ravel(np.asarray(read(observation[key]))) for key, read in parts])
