"""Episodic environments as one unbroken trajectory, and their true dynamics."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import EnumType
from random import Random
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.wrappers import TimeLimit

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.envs import EndlessEnv
from steel_verified.gymnasium.noise import WithNoise
from steel_verified.gymnasium.world import discrete_actions
from steel_verified.learning.names import names_of
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.theory.wording import counted
from steel_verified.worlds.dynamics import Dynamics

if TYPE_CHECKING:
    from steel_verified.classes.rows import Numbers

Observation = TypeVar("Observation")


class SomeActions(gymnasium.ActionWrapper[Observation, np.int64, np.int64], Generic[Observation]):
    """An environment with some of its actions only: action i is the i-th of the given actions."""

    def __init__(self, env: gymnasium.Env[Observation, np.int64], actions: Sequence[int]) -> None:
        super().__init__(env)
        space = discrete_actions(env)
        if (
            not actions
            or len(set(actions)) != len(actions)
            or not all(map(space.contains, actions))
        ):
            expected = f"different actions of {space}, at least one"
            raise InvalidArgument("actions", list(actions), expected)
        self._actions = tuple(actions)
        self.action_space = Discrete(len(self._actions))
        if names := action_names(env):
            first = int(space.start)
            kept = tuple(names[action - first] for action in self._actions)
            self.metadata = {**env.metadata, "action_names": kept}

    def action(self, action: np.int64) -> np.int64:
        return np.int64(self._actions[int(action)])


_TRIES: Final = 8
_TRY_STEPS: Final = 60
"""Before learning, this many random walks of this many steps are taken twice from the start."""


class Continuing(
    gymnasium.Wrapper[Observation, np.int64, Observation, np.int64], Generic[Observation]
):
    """An episodic environment that never ends.

    When an episode ends, its last observation is shown once. The end is a state like any other, and
    every action leads from it to the start. With `show_end=False`, the action that ends an episode
    leads directly to the start, and the last observation is not shown.

    - The start must be fixed. If it is random, `start_seed` chooses one: every reset uses that
      seed.
    - Resets must not replay the noise. The environment's generator `np_random` is replaced by one
      that continues through all episodes; `reset(seed=…)` seeds it. With a `start_seed`, the first
      observation of each episode would still show the same noise. So noise together with a
      `start_seed` is refused. Noise that the environment keeps in its own state would restart with
      each episode: add noise with `WithNoise(Continuing(env), …)` instead.
    - A `TimeLimit` is ignored, because it is a hidden clock. An environment that truncates by
      itself is refused at that step, unless `ignore_truncation` says that it can continue.

    The constructor takes some random walks from the start twice, with different generators. If
    they show different observations, the dynamics are random, and it raises `AssumptionViolated`.
    `noisy=True` skips these trials, for environments whose own observations are noisy.
    """

    def __init__(
        self,
        env: gymnasium.Env[Observation, np.int64],
        *,
        start_seed: int | None = None,
        show_end: bool = True,
        noisy: bool = False,
        ignore_truncation: bool = False,
    ) -> None:
        discrete_actions(env)
        if any(isinstance(layer, WithNoise) for layer in _layers(env)):
            expected = (
                "WithNoise around Continuing, not inside it: noise must go on when an episode ends"
            )
            raise InvalidArgument("env", env, expected)
        if noisy and start_seed is not None:
            expected = (
                "none for a noisy environment: a seed that fixes the start would replay the noise "
                "of the first observation; fix the start in the environment"
            )
            raise InvalidArgument("start_seed", start_seed, expected)
        super().__init__(env)
        self._start_seed = start_seed
        self._show_end = show_end
        self._ignore_truncation = ignore_truncation or any(
            isinstance(layer, TimeLimit) for layer in _layers(env)
        )
        self._generator = np.random.default_rng()
        self._ended = False
        if not noisy:
            self._require_fixed_start()
            self._require_determinism()

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, dict[str, object]]:
        """Go to the start. The seed chooses the environment's own noise, and nothing else."""
        if options:
            expected = "none: every episode must begin in the same way; give a start_seed"
            raise InvalidArgument("options", options, expected)
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        return self._restart()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, object]]:
        if self._ended:
            observation, info = self._restart()
            return observation, 0.0, False, False, info
        observation, reward, terminated, truncated, info = self.env.step(action)
        if truncated and not self._ignore_truncation:
            raise AssumptionViolated(
                "the environment truncated the episode by itself. If it only counts steps, and can "
                "be stepped on, say Continuing(env, ignore_truncation=True)",
                Condition.UNBROKEN,
            )
        if terminated and self._show_end:
            self._ended = True
        elif terminated:
            observation, info = self._restart()
        return observation, float(reward), False, False, info

    @property
    def at_end(self) -> bool:
        return self._ended

    def _restart(self) -> tuple[Observation, dict[str, object]]:
        self._ended = False
        if self._start_seed is None:
            self.env.unwrapped.np_random = self._generator
            return self.env.reset()
        found = self.env.reset(seed=self._start_seed)
        self.env.unwrapped.np_random = self._generator
        return found

    def _require_fixed_start(self) -> None:
        starts = {fingerprint(self.reset(seed=seed)[0]) for seed in range(_TRIES)}
        if len(starts) == 1:
            return
        if self._start_seed is None:
            raise InvalidArgument(
                "start_seed",
                None,
                f"a seed, such as 0: the environment starts in a random state ({len(starts)} "
                f"different ones were seen in {_TRIES} resets), and the end of an episode must "
                "lead to a fixed start",
            )
        raise InvalidArgument(
            "start_seed",
            self._start_seed,
            "none, and a fixed start: with this seed the first observation still differs between "
            "resets",
        )

    def _require_determinism(self) -> None:
        space = discrete_actions(self)
        ends: set[Hashable] = set()
        others: set[Hashable] = set()
        for number in range(_TRIES):
            random = Random(number)
            word = [
                np.int64(space.start + random.randrange(int(space.n))) for _ in range(_TRY_STEPS)
            ]
            one, other = (self._walk(word, 2 * number + turn, ends, others) for turn in (0, 1))
            for steps, (seen, again) in enumerate(zip(one, other, strict=True), start=1):
                if seen != again:
                    raise AssumptionViolated(_random(steps), Condition.DETERMINISTIC)
        if ends & others:
            expected = (
                "False: an observation was seen both at the end of an episode and within one, and "
                "no observation may belong to two states"
            )
            raise InvalidArgument("show_end", self._show_end, expected)

    def _walk(
        self, word: list[np.int64], seed: int, ends: set[Hashable], others: set[Hashable]
    ) -> list[Hashable]:
        """Return the observations of a walk from the start, and add each one to one of the sets."""
        first, _ = self.reset(seed=seed)
        others.add(fingerprint(first))
        seen = []
        for action in word:
            seen.append(fingerprint(self.step(action)[0]))
            (ends if self.at_end else others).add(seen[-1])
        return seen


class Endless(Continuing[Observation]):
    """An environment whose first observation differs from reset to reset, and which never ends.

    Its start is random, or what it shows is noisy. That makes no difference until an episode ends,
    and then it raises `AssumptionViolated`.
    """

    def __init__(self, env: gymnasium.Env[Observation, np.int64]) -> None:
        super().__init__(env, noisy=True, ignore_truncation=True)

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, object]]:
        if self.at_end:
            raise AssumptionViolated(_UNLIKE, Condition.UNBROKEN)
        return super().step(action)


_UNLIKE: Final = (
    "an episode ended, and the first observation differs from reset to reset. If only the "
    "observations are noisy, learn Continuing(env, noisy=True), of steel_verified.gymnasium; if "
    "the start is random, fix it (Continuing(env, start_seed=0)), or give a finite class, such as "
    "Components(n), with features if it needs them: then episodes are learned as they are"
)


def _random(steps: int) -> str:
    return (
        f"the same {counted(steps, 'action')} from the start led to different observations: the "
        "dynamics are random, and STEEL learns deterministic ones only. Look for an option that "
        "makes them so (as is_slippery=False does for FrozenLake); if only the observations are "
        "noisy, say Continuing(env, noisy=True)"
    )


def _layers(env: gymnasium.Env[Observation, np.int64]) -> Iterator[object]:
    yield env
    if isinstance(env, gymnasium.Wrapper):
        yield from _layers(env.env)


def never_ends(env: gymnasium.Env[Observation, np.int64]) -> bool:
    return any(isinstance(layer, Continuing | EndlessEnv) for layer in _layers(env))


def action_names(env: gymnasium.Env[Observation, np.int64]) -> tuple[str, ...]:
    """Return how an environment names its actions; nothing if it gives no name to each of them.

    The names are in its metadata ("action_names"), or where Atari (`get_action_meanings`) and
    MiniGrid (`actions`, an enumeration) have them, unless a wrapper changes the actions.
    """
    named: object = env.metadata.get("action_names")
    if named is None and not any(isinstance(one, gymnasium.ActionWrapper) for one in _layers(env)):
        meanings: object = getattr(env.unwrapped, "get_action_meanings", None)
        listed: object = getattr(env.unwrapped, "actions", None)
        if callable(meanings):
            named = meanings()
        elif isinstance(listed, EnumType):
            named = list(listed.__members__)
    try:
        count = int(discrete_actions(env).n)
        return names_of(tuple(cast("Sequence[str]", named)), (), how_many=(count, 0)).actions
    except (InvalidArgument, TypeError):
        return ()


_MOST_STATES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Explored(Generic[Observation]):
    """True dynamics. State 0 is the start, and `observations[s]` is the observation of state s."""

    dynamics: Dynamics
    observations: tuple[Observation, ...]
    ends: tuple[int, ...]
    """The states in which an episode ends."""

    def seen_in(self, env: WithNoise[Observation], *, each: int = 20) -> list[list[Numbers]]:
        """Return `each` observations of each state, with the noise of an environment.

        They are the input of `Learned.renaming`. Each observation advances the noise by one step.
        """
        return [[env.observation(one) for _ in range(each)] for one in self.observations]


def explored(
    env: Continuing[Observation], *, most_states: int = _MOST_STATES
) -> Explored[Observation]:
    """Return the dynamics of all states that can be reached from the start (breadth-first search).

    States are identified by their observations, so these must not be noisy. To reach a state, the
    environment is reset and the shortest sequence of actions is repeated. Raises `InvalidArgument`
    if there are more than `most_states` states, or if `env` is not a `Continuing` environment.
    """
    space = discrete_actions(env)
    if not hasattr(env, "at_end"):
        raise InvalidArgument("env", repr(env), "Continuing(env), without noise")
    first, _ = env.reset()
    paths: list[tuple[int, ...]] = [()]
    observations = [first]
    ends: list[int] = []
    number: dict[Hashable, int] = {fingerprint(first): 0}
    table: list[tuple[int, ...]] = []
    while len(table) < len(paths):
        path, row = paths[len(table)], []
        for action in range(space.n):
            seen = _after(env, (*path, action), int(space.start))
            to = number.setdefault(fingerprint(seen), len(number))
            if to == len(paths):
                paths.append((*path, action))
                observations.append(seen)
                if env.at_end:
                    ends.append(to)
            row.append(to)
        table.append(tuple(row))
        if len(paths) > most_states:
            expected = f"at most {most_states:,}: more were found; is there noise in what is seen?"
            raise InvalidArgument("states", len(paths), expected)
    return Explored(Dynamics(tuple(table)), tuple(observations), tuple(ends))


def _after(env: Continuing[Observation], word: tuple[int, ...], first_action: int) -> Observation:
    seen, _ = env.reset()
    for action in word:
        seen, *_ = env.step(np.int64(first_action + action))
    return seen


def fingerprint(observation: object) -> Hashable:
    """Return a value that is equal for equal observations and different for different ones."""
    if isinstance(observation, Mapping):
        return tuple((key, fingerprint(observation[key])) for key in sorted(observation))
    if isinstance(observation, (tuple, list)):
        return tuple(fingerprint(part) for part in observation)
    if isinstance(observation, (np.ndarray, np.generic)):
        array = np.asarray(observation)
        return array.dtype.str, array.shape, array.tobytes()
    return type(observation).__name__, repr(observation)
