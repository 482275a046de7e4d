"""Learn what you have in one call: a Gymnasium environment, a world, a function of an action."""

from __future__ import annotations

from collections.abc import Sized
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, Unpack, cast, overload

from msgspec import structs

from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import Certain
from steel_verified.learning.drive import Watch, drive
from steel_verified.learning.factored import Factored, Factors
from steel_verified.learning.listed import MOST_STEPS
from steel_verified.learning.results import parameters_of
from steel_verified.theory.parameters import ONE_IN_20, LocatedParameters, require_oracle
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.using.attempt import (
    Options,
    RunOptions,
    attempt,
    exact,
    is_listed,
    learned_or_raise,
    not_learned,
    require_options,
    shown,
    watched,
)
from steel_verified.using.suggest import suggested
from steel_verified.using.unbroken import is_environment, unbroken
from steel_verified.worlds.doubling import FromHere, learn_with_doubling

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.drive import AnyMethod, LearnerState
    from steel_verified.learning.results import GivenUp
    from steel_verified.using.factors import LearnedFactors
    from steel_verified.using.learned import Learned
    from steel_verified.using.suggest import Suggestion
    from steel_verified.using.unbroken import Stepping, Steps
    from steel_verified.worlds.stepped import Seen

Batch = TypeVar("Batch", bound=Sized)
Observation = TypeVar("Observation")


@overload
def learn(
    where: World[Batch]
    | gymnasium.Env[Observation, np.int64]
    | Stepping[Observation]
    | Callable[[int], Observation],
    F: Class[Batch],  # noqa: N803
    method: Factored,
    *,
    actions: int | None = None,
    features: Callable[[Observation], Seen] | None = None,
    **options: Unpack[RunOptions],
) -> LearnedFactors: ...
@overload
def learn(
    where: World[Batch],
    F: Class[Batch],  # noqa: N803 (the name of the class in the paper)
    method: AnyMethod | str | None = None,
    **options: Unpack[Options],
) -> Learned: ...
@overload
def learn(
    where: World[Numbers] | gymnasium.Env[Observation, np.int64] | Steps[Observation],
    F: Class[NDArray[np.generic[object]]] | None = None,  # noqa: N803
    method: AnyMethod | str | None = None,
    *,
    features: Callable[[Observation], Seen] | None = None,
    **options: Unpack[Options],
) -> Learned: ...
@overload
def learn(
    where: Callable[[int], Observation] | Stepping[Observation],
    F: Class[NDArray[np.generic[object]]] | None = None,  # noqa: N803
    method: AnyMethod | str | None = None,
    *,
    actions: int,
    features: Callable[[Observation], Seen] | None = None,
    **options: Unpack[Options],
) -> Learned: ...
def learn(
    where: World[Batch]
    | gymnasium.Env[Observation, np.int64]
    | Stepping[Observation]
    | Callable[[int], Observation],
    F: Class[Batch] | None = None,  # noqa: N803
    method: AnyMethod | Factored | str | None = None,
    *,
    actions: int | None = None,
    features: Callable[[Observation], Seen] | None = None,
    **options: Unpack[Options],
) -> Learned | LearnedFactors:
    """Learn what actions control, and return what was learned, ready for use.

    Without F, a class is chosen on a walk before the run, by `suggest_class`; what was learned says
    which one, and why. If it needs bounds and none are given, they are guessed and doubled until
    two attempts agree (see `learn_with_doubling`): then the guarantee supposes the last guesses.

    `where` is a world or any object with `actions` and `step(action)`, a Gymnasium environment as
    it is, or a function that takes an action and returns an observation; a function, or an object
    that does not say it, also needs the number of its `actions`. `features` computes a row of
    booleans or numbers from an observation. What was learned remembers it, and then reads
    observations. Without it, an environment's observations become rows as in `from_gymnasium`, and
    other observations are rows.

    An environment is learned with its episodes if F is finite and nothing asks for another method
    than certain; see `learn_episodes`. Otherwise, and if its episodes never end, it is one
    trajectory, which continues at the start when an episode ends; see `Continuing`.

    With the method `Factored`, F classifies values of parts of the state and not states, and the
    result is a product of small models. It has its own seed and δ, and takes no other options than
    `max_steps`, `progress`, `checkpoint` and `resume`.

    An environment that names its actions (`metadata["action_names"]`, `get_action_meanings()`, or
    `actions`, an enumeration) gives these names to what was learned.

    All other arguments are those of `attempt`. `seed` is also that of the environment. Raises
    `NotLearned` if no model was accepted, and `KeyboardInterrupt` if the run was interrupted.
    """
    read = cast("Callable[[object], Seen] | None", features)  # it refuses what it cannot read
    require_options(options)
    functions = cast("Class[Numbers] | None", F)  # as above: it refuses rows that it cannot read
    if isinstance(method, Factored):
        require_oracle(functions)
        assert functions is not None, "None is no class"
        world, read = unbroken(where, actions=actions, features=read, seed=method.seed)
        return _factors(world, functions, method, read, options)
    learned = _learned(where, functions, method, actions, read, options)
    if not is_environment(where):
        return learned
    # Imported here because Gymnasium is an extra.
    from steel_verified.gymnasium.continuing import action_names  # noqa: PLC0415

    return learned.named(actions=action_names(where))


def _learned(
    where: object,
    F: Class[Numbers] | None,  # noqa: N803
    method: AnyMethod | str | None,
    actions: int | None,
    read: Callable[[object], Seen] | None,
    options: Options,
) -> Learned:
    """Do what `learn` says, with a method for all of the state."""
    start = options.get("seed") or 0
    kept = options.get("checkpoint") or options.get("resume")
    suggestion = None
    if F is None:
        if kept:
            expected = "a class: a run that is kept cannot begin with a walk"
            raise InvalidArgument("F", None, expected)
        suggestion = suggested(where, actions=actions, features=read, seed=start)
        F = suggestion.F  # noqa: N806 (as above)
    require_oracle(F)
    certain = method in (None, "certain") or isinstance(method, Certain)
    if is_environment(where) and certain and is_listed(F) and not _for_others(options):
        # Imported here because Gymnasium is an extra.
        from steel_verified.gymnasium.continuing import never_ends  # noqa: PLC0415

        if not never_ends(where):
            if kept:
                expected = "None: episodes are not kept. Continuing(env) makes them one trajectory"
                raise InvalidArgument("checkpoint", kept, expected)
            learned = _episodes(where, F, read, options)
            return replace(learned, suggestion=suggestion)
    noisy = options.get("slips") is not None  # random steps are no reason to refuse it
    world, read = unbroken(where, actions=actions, features=read, seed=start, noisy=noisy)
    if suggestion is None:
        return learned_or_raise(attempt(world, F, method, **options), F, read)
    world = FromHere(world)  # the walk was taken in it
    bounds = options.get("max_states"), options.get("mixing_time")
    if suggestion.needs_bounds and method is None and None in bounds and not noisy:
        learned = _doubled(world, suggestion, read, options)
    else:
        learned = learned_or_raise(attempt(world, F, method, **options), F, read)
    return replace(learned, suggestion=suggestion)


def _for_others(options: Options) -> bool:
    """Return whether an option asks for another method than certain."""
    given = (options.get(name) for name in ("max_states", "mixing_time", "delta", "slips"))
    return any(given)


def _factors(
    world: World[Numbers],
    F: Class[Numbers],  # noqa: N803
    method: Factored,
    read: Callable[[object], object] | None,
    options: Options,
) -> LearnedFactors:
    """Run factored STEEL; return what it learned, or raise as `learn` does."""
    # Imported here because no other run needs it.
    from steel_verified.using.factors import LearnedFactors  # noqa: PLC0415

    for name, value in options.items():
        if name not in RunOptions.__annotations__ and value is not None:
            raise InvalidArgument(name, value, "None: the method has its own parameters")

    def go(
        world: World[Batch],
        F: Class[Batch],  # noqa: N803
        observers: tuple[Watch[LearnerState], ...],
    ) -> Factors | GivenUp:
        return drive(method, world, F, observers, options.get("max_steps") or method.most_steps)

    result = watched(go, world, F, method, options, {})
    if isinstance(result, Factors):
        return LearnedFactors.of(result, F, read)
    raise not_learned(result)


def _doubled(
    world: World[Numbers],
    suggestion: Suggestion,
    read: Callable[[object], Seen] | None,
    options: Options,
) -> Learned:
    """Learn with guessed bounds, and say in the guarantee that they are supposed."""
    if (first := options.get("first_action")) is not None:
        expected = "None: where bounds are guessed, there are several runs"
        raise InvalidArgument("first_action", first, expected)
    max_states, mixing_time = options.get("max_states"), options.get("mixing_time")
    delta, epsilon = options.get("delta"), options.get("epsilon", ONE_IN_20)
    guesses = LocatedParameters.of(
        world,
        max_states=max_states or suggestion.max_states,
        mixing_time=mixing_time or suggestion.mixing_time,
        delta=ONE_IN_20 if delta is None else exact("delta", delta),
        epsilon=exact("epsilon", epsilon),
    )
    self_check, seed = options.get("self_check", DEFAULT_CHECK), options.get("seed")
    if self_check is not None and seed is not None:
        self_check = replace(self_check, seed=seed)
    progress = options.get("progress", "auto")
    with ExitStack() as stack:
        found = learn_with_doubling(
            world,
            suggestion.F,
            guesses,
            double_states=max_states is None,
            double_mixing=mixing_time is None,
            max_steps=options.get("max_steps"),
            self_check=self_check,
            progress=shown(stack) if progress == "auto" else progress,
        )
    learned = learned_or_raise(found.result, suggestion.F, read)
    assert learned.guarantee is not None, "a run has one"
    used = parameters_of(found.result)
    supposed = f"N = {used.max_states} and t̂_mix = {used.mixing_time}, which were guessed, hold"
    promise = structs.replace(learned.guarantee, delta=guesses.delta, given=supposed)
    return replace(learned, guarantee=promise)


def _episodes(
    env: gymnasium.Env[Observation, np.int64],
    functions: Class[Numbers],
    features: Callable[[Observation], Seen] | None,
    options: Options,
) -> Learned:
    from steel_verified.using.episodes import CHECK_STEPS, learn_episodes  # noqa: PLC0415 (seldom used)

    check, max_steps = options.get("self_check", DEFAULT_CHECK), options.get("max_steps")
    steps = CHECK_STEPS if check is None or check.steps is None else check.steps
    return learn_episodes(
        env,
        functions,
        features=features,
        seed=options.get("seed") or 0,
        max_steps=MOST_STEPS if max_steps is None else max_steps,
        check_steps=0 if check is None else steps,
    )
