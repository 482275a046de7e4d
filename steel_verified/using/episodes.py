"""Learn environments that have episodes, as they are, with one actor or many.

A reset begins a new trajectory, so the world need not be strongly connected: what is learned is all
that can be reached from the starts that occurred (Theorem 11). An actor resets if it is in a state
from which nothing new can be reached.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.learning.deciding import Decided, Refuted, decide
from steel_verified.learning.listed import MOST_STEPS
from steel_verified.learning.logs import result_of
from steel_verified.learning.reading import nothing_read
from steel_verified.learning.results import NotAccepted, limit_reached
from steel_verified.progress import progress_bar
from steel_verified.theory.parameters import require_integer, require_oracle
from steel_verified.using.attempt import learned_or_raise
from steel_verified.using.logs import require_listed, rows_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class
    from steel_verified.gymnasium.recording import Vector
    from steel_verified.learning.reading import Reading
    from steel_verified.learning.results import Result
    from steel_verified.using.actors import Explore
    from steel_verified.using.learned import Learned
    from steel_verified.worlds.log_files import Episode
    from steel_verified.worlds.stepped import Seen

Observation = TypeVar("Observation")

ROUND: Final = 30
"""Steps of each actor in the first round; twice as many after a round that told nothing new."""
CHECK_STEPS: Final = 200
"""Steps that are taken after the rows have decided, as in `Certain`."""


def learn_episodes(
    env: gymnasium.Env[Observation, np.int64]
    | Callable[[], gymnasium.Env[Observation, np.int64]]
    | Vector[Observation],
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
    work, in the threads, processes or machines of the executor. If it is a vector environment, its
    environments are the actors. `features` is that of `from_gymnasium`, of one observation. It goes
    on from a `log` if one is given, whose observations are such rows; what the log shows is not
    explored again. After the rows have decided, at least `check_steps` more steps are taken, and
    each row has to show the predicted state. Raises `NotLearned` with the reason otherwise.
    """
    # Imported here because Gymnasium is an extra; first the module that says so if it is missing.
    from steel_verified.gymnasium.recording import VectorReader  # noqa: PLC0415
    from steel_verified.gymnasium.world import features_of  # noqa: PLC0415

    require_oracle(F)
    require_listed(F)
    from gymnasium.vector import VectorEnv  # noqa: PLC0415

    from steel_verified.using.actors import Actors, VectorActors  # noqa: PLC0415

    for name, value, least in (
        ("actors", actors, 1),
        ("seed", seed, 0),
        ("max_steps", max_steps, 1),
    ):
        require_integer(name, value, at_least=least)
    require_integer("check_steps", check_steps, at_least=0)
    if not callable(env) and (actors > 1 or executor is not None):
        of_one = "1 and no executor for one environment; give a function that makes environments"
        of_many = "1 and no executor for a vector environment, whose environments are the actors"
        raise InvalidArgument("actors", actors, of_many if isinstance(env, VectorEnv) else of_one)
    if isinstance(env, VectorEnv):
        reader, actors = VectorReader.of(env), env.num_envs
        if features is None:
            features = features_of(env.single_observation_space)
        explore: Explore = VectorActors(reader, F, features, seed).explore
        actions = int(reader.actions.n)
    else:
        group = (
            Actors(env, F, features, seed, closes=True)
            if callable(env)
            else (Actors(lambda: env, F, features, seed, closes=False))
        )
        actions, features = group.looked_at()
        explore = partial(group.explore_all, actors, executor)
    reading = nothing_read(F.declared.width, actions)
    if log:
        reading = reading.of(rows_in(tuple(log), F, actions))
    return learned_or_raise(_attempt(explore, reading, actors, max_steps, check_steps), F, features)


def _attempt(
    explore: Explore, reading: Reading, actors: int, max_steps: int, check_steps: int
) -> Result:
    """Explore in rounds until the rows have decided and were checked, or the limit is reached."""
    steps, decided_at, round_, length = 0, None, 0, ROUND
    with progress_bar("learning", None) as tell:
        try:
            while True:
                left = max_steps - steps if decided_at is None else decided_at + check_steps - steps
                each, before = min(length, -(-left // actors)), reading.known
                if each <= 0 or steps + each * actors > max_steps:
                    break
                for rows in explore(reading.known, each, round_):
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
