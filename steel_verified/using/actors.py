"""The actors of `learn_episodes`: each explores environments with episodes from what is known.

Actors work in rounds. Each of them gets what is known, explores for some steps on its own, and
returns its episodes; then all that they have seen is merged, in the order of the actors. What an
actor does depends only on what was known before the round, on its number and on the seed. So the
result does not depend on how fast an actor was, or where it ran. The environments of a vector
environment are actors that step together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import numpy as np
from gymnasium.vector import AutoresetMode

from steel_verified.gymnasium.recording import Began
from steel_verified.gymnasium.world import default_features, discrete_actions
from steel_verified.learning.certain import guesses_of, unexplored
from steel_verified.learning.deciding import Open, decide
from steel_verified.learning.knowledge import Trajectory
from steel_verified.learning.reading import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor

    import gymnasium
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Word
    from steel_verified.gymnasium.recording import VectorReader
    from steel_verified.learning.deciding import Decision
    from steel_verified.learning.knowledge import Bits, Knowledge
    from steel_verified.worlds.stepped import Seen

Observation = TypeVar("Observation")
Explore: TypeAlias = "Callable[[Knowledge, int, int], Iterable[tuple[Row, ...]]]"
"""From what is known, the steps of each actor and the number of the round to the rows of each."""


@dataclass(frozen=True, slots=True)
class Actors(Generic[Observation]):
    """Environments that are alike, and how their observations are read."""

    make: Callable[[], gymnasium.Env[Observation, np.int64]]
    """Makes an environment; it must be picklable for actors in other processes."""
    F: Class[NDArray[np.generic[object]]]
    features: Callable[[Observation], Seen] | None
    seed: int
    closes: bool
    """Whether an environment is closed after a round; one that the user gave is not."""

    def looked_at(self) -> tuple[int, Callable[[Observation], Seen]]:
        """Return the number of actions of an environment, and how its observations are read."""
        env = self.make()
        try:
            return int(discrete_actions(env).n), self.features or default_features(env)
        finally:
            if self.closes:
                env.close()

    def explore_all(
        self, actors: int, executor: Executor | None, known: Knowledge, steps: int, round_: int
    ) -> Iterator[tuple[Row, ...]]:
        """Return the rows that each actor sees in a round, in the order of the actors."""
        run_all = map if executor is None else executor.map
        return iter(run_all(partial(self.explore, known, steps, round_), range(actors)))

    def explore(self, known: Knowledge, steps: int, round_: int, number: int) -> tuple[Row, ...]:
        """Return the rows that an actor sees in a round; it begins with a reset."""
        env = self.make()
        try:
            return tuple(self._rows(env, known, steps, round_, number))
        finally:
            if self.closes:
                env.close()

    def _rows(
        self,
        env: gymnasium.Env[Observation, np.int64],
        known: Knowledge,
        steps: int,
        round_: int,
        number: int,
    ) -> Iterator[Row]:
        features = default_features(env) if self.features is None else self.features
        read, start = partial(_read, self.F, features), int(discrete_actions(env).start)
        actor = Actor.of(known, self.seed, round_, number)
        while steps > 0:
            first, _ = env.reset(seed=actor.random.randrange(1 << 31))
            actor, ended, terminated = actor.begun(read(first)), False, False
            while steps > 0 and not ended:
                actor = actor.chosen()
                if actor.wants_reset:
                    break
                action = actor.word[0]
                yield Row(actor.here, action)
                seen, _, end, truncated, _ = env.step(np.int64(start + action))
                terminated, ended, steps = bool(end), bool(end or truncated), steps - 1
                actor = actor.acted(read(seen), terminated=terminated)
            yield Row(actor.here, None, terminated=terminated)


def _read(
    F: Class[NDArray[np.generic[object]]],  # noqa: N803 (the name of the class in the paper)
    features: Callable[[Observation], Seen],
    observation: Observation,
) -> Bits:
    row = np.asarray(features(observation)).reshape(1, -1)
    return int.from_bytes(F.pack(row), "little")


@dataclass(frozen=True, slots=True)
class VectorActors(Generic[Observation]):
    """The environments of a vector environment, which step together: each of them is an actor."""

    reader: VectorReader[Observation]
    F: Class[NDArray[np.generic[object]]]
    features: Callable[[Observation], Seen]
    seed: int

    def explore(self, known: Knowledge, steps: int, round_: int) -> tuple[tuple[Row, ...], ...]:
        """Return the rows that each actor sees in a round; it begins with a reset of all.

        The vector environment gives the seeds s, s + 1, … to its environments, and they draw their
        later starts themselves. An actor that wants to reset in the middle of an episode can do so
        only with `AutoresetMode.DISABLED`; in other modes it acts at random until the episode ends.
        """
        env, start, mode = self.reader.env, self.reader.actions.start, self.reader.mode
        read = partial(_read, self.F, self.features)
        seen, _ = env.reset(seed=Random(f"{self.seed}/{round_}").randrange(1 << 31))
        actors = [
            Actor.of(known, self.seed, round_, number).begun(read(first))
            for number, first in enumerate(self.reader.each(seen))
        ]
        rows: list[list[Row]] = [[] for _ in actors]
        ended = np.zeros(len(actors), np.bool_)
        for _ in range(steps):
            actors = [one if ended[i] else one.chosen() for i, one in enumerate(actors)]
            if mode is AutoresetMode.DISABLED:
                mask = np.array([ended[i] or one.wants_reset for i, one in enumerate(actors)])
                if mask.any():
                    seen, _ = env.reset(options={"reset_mask": mask.copy()})
                    for i, first in enumerate(self.reader.each(seen)):
                        if mask[i]:
                            rows[i] += [] if ended[i] else [Row(actors[i].here, None)]
                            actors[i] = actors[i].begun(read(first)).chosen()
                    ended[:] = False
            actors = [one.going_on() for one in actors]
            actions = [one.word[0] for one in actors]
            stepped = env.step(np.array([start + action for action in actions], np.int64))
            for i, events in enumerate(self.reader.events(ended, stepped)):
                for event in events:
                    row = read(event.observation)
                    if isinstance(event, Began):
                        actors[i], ended[i] = actors[i].begun(row), False
                        continue
                    rows[i].append(Row(actors[i].here, actions[i]))
                    actors[i] = actors[i].acted(row, terminated=event.terminated)
                    ended[i] = event.ended
                    if event.ended:
                        rows[i].append(Row(row, None, terminated=event.terminated))
        last = (() if ended[i] else (Row(one.here, None),) for i, one in enumerate(actors))
        return tuple((*saw, *end) for saw, end in zip(rows, last, strict=True))


@dataclass(frozen=True, slots=True)
class Actor:
    """An actor in a round: what it knows, where it is, and the actions that it has chosen."""

    number: int
    random: Random
    known: Knowledge
    decision: Decision
    here: Bits = 0
    word: Word = ()
    has_acted: bool = False
    """Whether it has acted in this episode."""

    @staticmethod
    def of(known: Knowledge, seed: int, round_: int, number: int) -> Actor:
        """Return an actor before its first episode in a round."""
        return Actor(number, Random(f"{seed}/{round_}/{number}"), known, decide(known, None))

    @property
    def wants_reset(self) -> bool:
        """Whether nothing new can be reached from here; it holds after `chosen`."""
        return not self.word

    def begun(self, here: Bits) -> Actor:
        """Return it at the first row of an episode."""
        known = self.known.of(Trajectory((here,)))
        return replace(self, known=known, here=here, word=(), has_acted=False)

    def chosen(self) -> Actor:
        """Return it with the next actions; none if it wants to reset."""
        if self.word:
            return self
        before = self.decision.left if isinstance(self.decision, Open) else ()
        decision = decide(self.known, None, before)
        left = decision.left if isinstance(decision, Open) else ()
        guesses = guesses_of(self.known, self.here, left)
        word = unexplored(guesses, self.known.actions, self.random, number=self.number)
        one = replace(self, decision=decision, word=word or ())
        return one if self.has_acted else one.going_on()

    def going_on(self) -> Actor:
        """Return it with a next action, at random if it has chosen none."""
        return (
            self if self.word else replace(self, word=(self.random.randrange(self.known.actions),))
        )

    def acted(self, after: Bits, *, terminated: bool) -> Actor:
        """Return it after the first action that it has chosen."""
        path = Trajectory((self.here, after), self.word[:1], terminated=terminated)
        word = self.word[1:]
        return replace(self, known=self.known.of(path), here=after, word=word, has_acted=True)
