"""Learn what you have in one call: a Gymnasium environment, a world, a function of an action."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Literal, TypedDict, TypeVar, Unpack, cast, overload

from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import MOST_STEPS, Certain
from steel_verified.theory.parameters import ONE_IN_20, require_oracle
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.using.attempt import attempt, is_listed, learned_or_raise
from steel_verified.using.unbroken import is_environment, unbroken

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from pathlib import Path

    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.drive import AnyMethod
    from steel_verified.using.learned import Learned
    from steel_verified.worlds.progress import Progress
    from steel_verified.worlds.stepped import Seen

Batch = TypeVar("Batch", bound=Sized)
Observation = TypeVar("Observation")


class Options(TypedDict, total=False):
    """The options of `learn` that `attempt` explains."""

    max_states: int | None
    mixing_time: int | None
    delta: Fraction | float | str | None
    epsilon: Fraction | float | str
    seed: int | None
    first_action: int | None
    self_check: SelfCheck | None
    max_steps: int | None
    progress: Callable[[Progress], None] | Literal["auto"] | None
    checkpoint: Path | str | None
    resume: Path | str | None


@overload
def learn(
    where: World[Batch],
    F: Class[Batch],  # noqa: N803 (the name of the class in the paper)
    method: AnyMethod | str | None = None,
    **options: Unpack[Options],
) -> Learned: ...
@overload
def learn(
    where: World[Numbers] | gymnasium.Env[Observation, np.int64],
    F: Class[NDArray[np.generic[object]]],  # noqa: N803
    method: AnyMethod | str | None = None,
    *,
    features: Callable[[Observation], Seen] | None = None,
    **options: Unpack[Options],
) -> Learned: ...
@overload
def learn(
    where: Callable[[int], Observation],
    F: Class[NDArray[np.generic[object]]],  # noqa: N803
    method: AnyMethod | str | None = None,
    *,
    actions: int,
    features: Callable[[Observation], Seen] | None = None,
    **options: Unpack[Options],
) -> Learned: ...
def learn(
    where: World[Batch] | gymnasium.Env[Observation, np.int64] | Callable[[int], Observation],
    F: Class[Batch],  # noqa: N803
    method: AnyMethod | str | None = None,
    *,
    actions: int | None = None,
    features: Callable[[Observation], Seen] | None = None,
    max_states: int | None = None,
    mixing_time: int | None = None,
    delta: Fraction | float | str | None = None,
    epsilon: Fraction | float | str = ONE_IN_20,
    seed: int | None = None,
    first_action: int | None = None,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    max_steps: int | None = None,
    progress: Callable[[Progress], None] | Literal["auto"] | None = "auto",
    checkpoint: Path | str | None = None,
    resume: Path | str | None = None,
) -> Learned:
    """Learn what actions control, and return what was learned, ready for use.

    `where` is a world, a Gymnasium environment as it is, or a function that takes an action and
    returns an observation; a function also needs the number of its `actions`. `features` computes a
    row of booleans or numbers from an observation. What was learned remembers it, and then reads
    observations. Without it, an environment's observations become rows as in `from_gymnasium`, and
    other observations are rows.

    An environment is learned with its episodes if F is finite and nothing asks for another method
    than certain; see `learn_episodes`. Otherwise, and if its episodes never end, it is one
    trajectory, which continues at the start when an episode ends; see `Continuing`.

    All other arguments are those of `attempt`. `seed` is also that of the environment. Raises
    `NotLearned` if no model was accepted, and `KeyboardInterrupt` if the run was interrupted.
    """
    require_oracle(F)
    read = cast("Callable[[object], Seen] | None", features)  # it refuses what it cannot read
    bounds, files = (max_states, mixing_time), (checkpoint, resume)
    certain = method in (None, "certain") or isinstance(method, Certain)
    if is_environment(where) and certain and is_listed(F) and not any((*bounds, delta)):
        # Imported here because Gymnasium is an extra.
        from steel_verified.gymnasium.continuing import never_ends  # noqa: PLC0415

        if not never_ends(where):
            if any(files):
                expected = "None: episodes are not kept. Continuing(env) makes them one trajectory"
                raise InvalidArgument("checkpoint", checkpoint or resume, expected)
            return _episodes(where, F, read, seed, max_steps, self_check)
    world, read = unbroken(where, actions=actions, features=read, seed=0 if seed is None else seed)
    functions = cast("Class[Numbers]", F)  # the class refuses rows that it cannot read
    result = attempt(
        world,
        functions,
        method,
        max_states=max_states,
        mixing_time=mixing_time,
        delta=delta,
        epsilon=epsilon,
        seed=seed,
        first_action=first_action,
        self_check=self_check,
        max_steps=max_steps,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    return learned_or_raise(result, functions, read)


def _episodes(
    env: gymnasium.Env[Observation, np.int64],
    F: Class[Batch],  # noqa: N803
    features: Callable[[Observation], Seen] | None,
    seed: int | None,
    max_steps: int | None,
    self_check: SelfCheck | None,
) -> Learned:
    from steel_verified.using.episodes import CHECK_STEPS, learn_episodes  # noqa: PLC0415 (extra)

    return learn_episodes(
        env,
        cast("Class[NDArray[np.generic[object]]]", F),  # it refuses rows that it cannot read
        features=features,
        seed=0 if seed is None else seed,
        max_steps=MOST_STEPS if max_steps is None else max_steps,
        check_steps=0 if self_check is None else CHECK_STEPS + self_check.steps,
    )
