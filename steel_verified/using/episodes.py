"""Learn environments that have episodes, as they are, with one actor or many.

A reset begins a new trajectory, so the world need not be strongly connected: what is learned is all
that can be reached from the starts that occurred (Theorem 11). An actor resets if it is in a state
from which nothing new can be reached.

Actors work in rounds. Each of them gets what is known, explores for some steps on its own, and
returns its episodes; then all that they have seen is merged, in the order of the actors. What an
actor does depends only on what was known before the round, on its number and on the seed. So the
result does not depend on how fast an actor was, or where it ran.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.world import default_features, discrete_actions
from steel_verified.learning.certain import MOST_STEPS
from steel_verified.learning.covers import nearest_first
from steel_verified.learning.deciding import Decided, Open, Refuted, decide
from steel_verified.learning.knowledge import Trajectory, the_one
from steel_verified.learning.logs import Row, nothing_read, result_of
from steel_verified.learning.results import NotAccepted, limit_reached
from steel_verified.progress import progress_bar
from steel_verified.theory.parameters import require_integer, require_oracle
from steel_verified.using.learn import learned_or_raise
from steel_verified.using.logs import require_listed, rows_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

    import gymnasium
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.deciding import Decision
    from steel_verified.learning.knowledge import Bits, Knowledge
    from steel_verified.learning.logs import Reading
    from steel_verified.learning.results import Result
    from steel_verified.using.learned import Learned
    from steel_verified.worlds.log_files import Episode
    from steel_verified.worlds.stepped import Seen

Observation = TypeVar("Observation")

ROUND: Final = 30
"""Steps of each actor in the first round; twice as many after a round that told nothing new."""
CHECK_STEPS: Final = 200
"""Steps that are taken after the rows have decided, as in `Certain`."""
_GUESS: Final = 0.9
"""The chance to follow a guess instead of a random action, while several models are left."""


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
        random, space = Random(f"{self.seed}/{round_}/{number}"), discrete_actions(env)
        features = default_features(env) if self.features is None else self.features

        def read(observation: Observation) -> Bits:
            row = np.asarray(features(observation)).reshape(1, -1)
            return int.from_bytes(self.F.pack(row), "little")

        decision: Decision = decide(known, None)
        while steps > 0:
            here = read(env.reset(seed=random.randrange(1 << 31))[0])
            path, ended, word = Trajectory((here,)), False, list[int]()
            known = known.of(path)
            while steps > 0 and not ended:
                if not word:
                    before = decision.left if isinstance(decision, Open) else ()
                    decision = decide(known, None, before)
                    word = [*next_word(known, decision, here, random, number)]
                    if not word and path.actions:
                        break
                action = word.pop(0) if word else random.randrange(known.actions)
                seen, _, terminated, truncated, _ = env.step(np.int64(space.start + action))
                ended, after = terminated or truncated, read(seen)
                yield Row(here, action)
                path = Trajectory((here, after), (action,), terminated=bool(terminated))
                known, here, steps = known.of(path), after, steps - 1
            yield Row(here, None, terminated=path.terminated)


def next_word(
    known: Knowledge, decision: Decision, here: Bits, random: Random, number: int
) -> Word:
    """Return the next actions of an actor; none if nothing new can be reached without a reset.

    Actor k goes to the k-th nearest transition that was never taken, so that actors with the same
    knowledge share them out. While several models are left, only one action is chosen at a time.
    """
    several = isinstance(decision, Open) and len(decision.left) != 1
    if (
        not isinstance(decision, Open)
        or not decision.left
        or (several and random.random() > _GUESS)
    ):
        return (random.randrange(known.actions),)
    table = known.table(decision.left[0])
    shown = here & decision.left[0]
    if not shown:
        return (random.randrange(known.actions),)
    ways = [
        (*word, action)
        for label, word in nearest_first(table, the_one(shown)).items()
        for action, to in enumerate(table[label])
        if to is None
    ]
    if not ways:
        return (random.randrange(known.actions),) if several else ()
    chosen = ways[number % len(ways)]
    return chosen[:1] if several else chosen


def learn_episodes(
    env: gymnasium.Env[Observation, np.int64] | Callable[[], gymnasium.Env[Observation, np.int64]],
    F: Class[NDArray[np.generic[object]]],  # noqa: N803 (the name of the class in the paper)
    *,
    features: Callable[[Observation], Seen] | None = None,
    log: Sequence[Episode[NDArray[np.generic[object]]]] = (),
    actors: int = 1,
    executor: Executor | None = None,
    seed: int = 0,
    max_steps: int = MOST_STEPS,
    check_steps: int = CHECK_STEPS,
) -> Learned:
    """Learn an environment with episodes as it is, and return what was learned, ready for use.

    `env` is a Gymnasium environment, or a function that makes one: then several `actors` share the
    work, in the threads, processes or machines of the executor. `features` is that of
    `from_gymnasium`. It goes on from a `log` if one is given, whose observations are such rows;
    what the log shows is not explored again. After the rows have decided, at least `check_steps`
    more steps are taken, and each row has to show the predicted state. Raises `NotLearned` with the
    reason otherwise.
    """
    require_oracle(F)
    require_listed(F)
    for name, value, least in (
        ("actors", actors, 1),
        ("seed", seed, 0),
        ("max_steps", max_steps, 1),
    ):
        require_integer(name, value, at_least=least)
    require_integer("check_steps", check_steps, at_least=0)
    if callable(env):
        group = Actors(env, F, features, seed, closes=True)
    elif actors > 1 or executor is not None:
        expected = "1 and no executor for one environment; give a function that makes environments"
        raise InvalidArgument("actors", actors, expected)
    else:
        group = Actors(lambda: env, F, features, seed, closes=False)
    first = group.make()
    reading = nothing_read(F.declared.width, int(discrete_actions(first).n))
    if group.closes:
        first.close()
    if log:
        reading = reading.of(rows_in(tuple(log), F, reading.known.actions))
    return learned_or_raise(_attempt(group, reading, actors, executor, max_steps, check_steps), F)


def _attempt(
    group: Actors[Observation],
    reading: Reading,
    actors: int,
    executor: Executor | None,
    max_steps: int,
    check_steps: int,
) -> Result:
    """Explore in rounds until the rows have decided and were checked, or the limit is reached."""
    run_all = map if executor is None else executor.map
    steps, decided_at, round_, length = 0, None, 0, ROUND
    with progress_bar("learning", None) as tell:
        try:
            while True:
                left = max_steps - steps if decided_at is None else decided_at + check_steps - steps
                each, before = min(length, -(-left // actors)), reading.known
                if each <= 0 or steps + each * actors > max_steps:
                    break
                explore = partial(group.explore, reading.known, each, round_)
                for rows in run_all(explore, range(actors)):
                    reading = reading.of(rows)
                    steps += sum(row.action is not None for row in rows)
                round_ += 1
                tell(steps, None)
                if reading.known == before:
                    length *= 2
                decision = decide(reading.known, None)
                if isinstance(decision, Refuted):
                    break
                if decided_at is None and isinstance(decision, Decided):
                    decided_at = steps
        except KeyboardInterrupt:
            return result_of(reading, interrupted=True)
    result = result_of(reading)
    if isinstance(result, NotAccepted):
        return replace(result, because=f"{limit_reached(max_steps)}; {result.because}")
    return result
