"""Wrappers that record the episodes of Gymnasium environments, for `learn_from`.

    env = RecordEpisodes(gymnasium.make("FrozenLake-v1", is_slippery=False))
    …                                    # any agent acts in it
    learned = learn_from(env.log, Components(env.features), actions=4)

`episodes_of` reads the episodes of a Minari dataset, which follows the same conventions.

A reset begins an episode. An episode is terminated if the environment says `terminated`; an end by
`truncated` is only an end. In vector environments every environment has episodes of its own, and
the step in which one of them resets itself is no transition (Gymnasium's `AutoresetMode`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import iterate

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.world import default_features, discrete_actions, features_of
from steel_verified.worlds.log_files import Episode
from steel_verified.worlds.stepped import Seen, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray


Rows: TypeAlias = "NDArray[np.generic[object]]"
Observation = TypeVar("Observation")


class RecordedEpisode(Protocol):
    """An episode of a Minari dataset: one observation more than actions."""

    observations: Sequence[object]
    actions: Sequence[int]
    rewards: Sequence[float]
    terminations: Sequence[bool]


class Dataset(Protocol):
    """A Minari dataset (`minari.load_dataset`, or `create_dataset` of a `DataCollector`)."""

    @property
    def observation_space(self) -> gymnasium.Space[Rows]: ...
    @property
    def action_space(self) -> gymnasium.Space[np.int64]: ...
    def iterate_episodes(self) -> Iterator[RecordedEpisode]: ...


def episodes_of(
    dataset: Dataset, features: Callable[[Rows], Seen] | None = None
) -> Iterator[Episode[Rows]]:
    """Yield the episodes of a Minari dataset, for `learn_from(…, actions=…)`.

    `features` maps an observation to a row, as in `from_gymnasium`. An episode that was truncated
    is not terminated.
    """
    space = dataset.action_space
    if not isinstance(space, Discrete):
        raise InvalidArgument("dataset.action_space", space, "gymnasium.spaces.Discrete")
    read = features_of(dataset.observation_space) if features is None else features
    for episode in dataset.iterate_episodes():
        seen = np.stack([np.asarray(read(np.asarray(each))) for each in episode.observations])
        actions = [int(action) - int(space.start) for action in episode.actions]
        ends = len(episode.terminations) > 0 and bool(episode.terminations[-1])
        yield Episode(seen, actions, terminated=ends, rewards=[*map(float, episode.rewards)])


class _Episode:
    """An episode that is being recorded. Rows are copied: an environment may write over its own."""

    def __init__(self, first: object) -> None:
        self.seen = [np.array(first)]
        self.actions: list[int] = []
        self.rewards: list[float] = []
        self.terminated = False

    def add(self, action: int, reward: float, observation: object, *, terminated: bool) -> None:
        self.actions.append(action)
        self.rewards.append(reward)
        self.seen.append(np.array(observation))
        self.terminated = terminated

    def recorded(self) -> Episode[Rows]:
        actions, rewards = tuple(self.actions), tuple(self.rewards)
        return Episode(np.stack(self.seen), actions, self.terminated, rewards)


class RecordEpisodes(
    gymnasium.Wrapper[Observation, np.int64, Observation, np.int64], Generic[Observation]
):
    """An environment with discrete actions that records its episodes, and changes nothing.

    `features` maps an observation to what is recorded, as in `from_gymnasium`.
    """

    def __init__(
        self,
        env: gymnasium.Env[Observation, np.int64],
        features: Callable[[Observation], Seen] | None = None,
    ) -> None:
        super().__init__(env)
        self._start = int(discrete_actions(env).start)
        self._features = default_features(env) if features is None else features
        self._episodes: list[_Episode] = []
        self._ended = True

    @property
    def log(self) -> list[Episode[Rows]]:
        """The episodes so far; the last one may still go on."""
        return [episode.recorded() for episode in self._episodes]

    @property
    def features(self) -> int:
        """The number of features of a row: the n of `Components(n)`."""
        if not self._episodes:
            raise InvalidArgument("log", "no episode", "an episode: call reset first")
        return kind_of(self._episodes[0].seen[0]).width

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, dict[str, object]]:
        """Reset the environment, and begin an episode."""
        observation, info = super().reset(seed=seed, options=options)
        self._episodes.append(_Episode(self._features(observation)))
        self._ended = False
        return observation, info

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, object]]:
        """Take a step, and record it. Raises `InvalidArgument` before the first reset."""
        if self._ended:
            raise InvalidArgument("step", int(action), "a reset first: the episode has ended")
        observation, reward, terminated, truncated, info = super().step(action)
        seen = self._features(observation)
        taken, gained = int(action) - self._start, float(reward)
        self._episodes[-1].add(taken, gained, seen, terminated=bool(terminated))
        self._ended = bool(terminated or truncated)
        return observation, gained, terminated, truncated, info


@dataclass(frozen=True, slots=True)
class Began(Generic[Observation]):
    """An environment was reset: the first observation of an episode."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Acted(Generic[Observation]):
    """An environment has acted: the observation after the action."""

    observation: Observation
    terminated: bool
    """Whether the world ended the episode here; a limit of time does not."""
    ended: bool
    """Whether the episode ended here, for any reason."""


Vector: TypeAlias = "VectorEnv[Observation, NDArray[np.int64], Rows]"
"""A vector environment with discrete actions. Batches of observations have their type."""
Event: TypeAlias = Began[Observation] | Acted[Observation]


@dataclass(frozen=True, slots=True)
class VectorReader(Generic[Observation]):
    """How to read what a vector environment returns, whenever it resets its environments."""

    env: Vector[Observation]
    actions: Discrete
    mode: AutoresetMode

    @staticmethod
    def of(env: Vector[Observation]) -> VectorReader[Observation]:
        """Return the reader of an environment; raise if its actions are not discrete."""
        space = env.single_action_space
        if not isinstance(space, Discrete):
            raise InvalidArgument("env.single_action_space", space, "gymnasium.spaces.Discrete")
        mode = env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        try:
            return VectorReader(env, space, AutoresetMode(mode))
        except ValueError:
            expected = f"one of {', '.join(map(str, AutoresetMode))}"
            raise InvalidArgument('env.metadata["autoreset_mode"]', mode, expected) from None

    def each(self, seen: Observation) -> tuple[Observation, ...]:
        """Return the observation of each environment."""
        return tuple(iterate(self.env.observation_space, seen))

    def events(
        self,
        ended: Sequence[bool] | NDArray[np.bool_],
        stepped: tuple[Observation, Rows, Rows, Rows, Mapping[str, object]],
    ) -> tuple[tuple[Event[Observation], ...], ...]:
        """Return what happened in each environment, given whether its episode had ended before.

        With `NEXT_STEP` the step after an end only resets: its action is not taken. With
        `SAME_STEP` the step that ends an episode also begins the next one, and `final_obs` has the
        last observation. With `DISABLED` an environment has to be reset before it acts again.
        """
        batch, _, terminated, truncated, info = stepped

        def happened(i: int, seen: Observation) -> Iterator[Event[Observation]]:
            ends = bool(terminated[i] or truncated[i])
            if ended[i]:
                if self.mode is not AutoresetMode.NEXT_STEP:
                    expected = "a reset first: its episode has ended"
                    raise InvalidArgument(f"environment {i}", "a step", expected)
                yield Began(seen)
            elif ends and self.mode is AutoresetMode.SAME_STEP:
                last = info.get("final_obs")
                if not isinstance(last, np.ndarray) or last[i] is None:
                    expected = f"the last observation of environment {i}, which has reset itself"
                    raise InvalidArgument('info["final_obs"]', last, expected)
                yield Acted(last[i], terminated=bool(terminated[i]), ended=True)
                yield Began(seen)
            else:
                yield Acted(seen, terminated=bool(terminated[i]), ended=ends)

        return tuple(tuple(happened(i, seen)) for i, seen in enumerate(self.each(batch)))


class RecordVectorEpisodes:
    """Resets and steps a vector environment, and records the episodes of each environment."""

    def __init__(self, env: Vector[Rows], features: Callable[[Rows], Seen] | None = None) -> None:
        self.env = env
        self._reader = VectorReader.of(env)
        self._features = features or features_of(env.single_observation_space)
        self._episodes: list[list[_Episode]] = [[] for _ in range(env.num_envs)]
        self._ended = np.ones(env.num_envs, np.bool_)

    @property
    def log(self) -> list[Episode[Rows]]:
        """The episodes so far, those of the first environment first."""
        return [episode.recorded() for episodes in self._episodes for episode in episodes]

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, object] | None = None,
    ) -> tuple[Rows, dict[str, object]]:
        """Reset the environments (with `reset_mask` some of them), and begin an episode in each."""
        mask = (options or {}).get("reset_mask")  # before the environment takes it out
        seen, info = self.env.reset(seed=seed, options=options)
        for i, first in enumerate(self._reader.each(seen)):
            if not isinstance(mask, np.ndarray) or mask[i]:
                self._hear(i, Began(first))
        return seen, info

    def step(self, actions: NDArray[np.int64]) -> tuple[Rows, Rows, Rows, Rows, dict[str, object]]:
        """Take a step in each environment, and record it."""
        seen, reward, terminated, truncated, info = self.env.step(actions)
        stepped = seen, reward, terminated, truncated, info
        for i, events in enumerate(self._reader.events(self._ended, stepped)):
            for event in events:
                taken = int(actions[i] - self._reader.actions.start)
                self._hear(i, event, taken, float(np.asarray(reward)[i]))
        return stepped

    def _hear(self, i: int, event: Event[Rows], action: int = 0, reward: float = 0) -> None:
        seen = self._features(event.observation)
        match event:
            case Began():
                self._episodes[i].append(_Episode(seen))
                self._ended[i] = False
            case Acted(_, terminated, ended):
                self._episodes[i][-1].add(action, reward, seen, terminated=terminated)
                self._ended[i] = ended
