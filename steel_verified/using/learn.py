"""Learn what you have in one call: a Gymnasium environment, a world, a function of an action."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypedDict, TypeVar, Unpack, cast, overload

from msgspec import structs

from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import MOST_STEPS, Certain
from steel_verified.learning.drive import drive
from steel_verified.learning.factored import Factored, Factors
from steel_verified.learning.results import NotAccepted, parameters_of
from steel_verified.theory.parameters import ONE_IN_20, LocatedParameters, require_oracle
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.using.attempt import NotLearned, attempt, exact, is_listed, learned_or_raise
from steel_verified.using.suggest import suggested
from steel_verified.using.unbroken import is_environment, unbroken
from steel_verified.worlds.doubling import FromHere, learn_with_doubling

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
    from steel_verified.using.factors import LearnedFactors
    from steel_verified.using.learned import Learned
    from steel_verified.using.suggest import Suggestion
    from steel_verified.using.unbroken import Steps
    from steel_verified.worlds.progress import Progress
    from steel_verified.worlds.stepped import Seen

Batch = TypeVar("Batch", bound=Sized)
Observation = TypeVar("Observation")


class Options(TypedDict, total=False):
    """The options of `learn` that `attempt` explains."""

    max_states: int | None
    mixing_time: int | None
    delta: Fraction | float | str | None
    slips: Fraction | float | str | None
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
    where: World[Batch]
    | gymnasium.Env[Observation, np.int64]
    | Steps[Observation]
    | Callable[[int], Observation],
    F: Class[Batch],  # noqa: N803
    method: Factored,
    *,
    actions: int | None = None,
    features: Callable[[Observation], Seen] | None = None,
    max_steps: int | None = None,
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
    where: Callable[[int], Observation],
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
    | Steps[Observation]
    | Callable[[int], Observation],
    F: Class[Batch] | None = None,  # noqa: N803
    method: AnyMethod | Factored | str | None = None,
    *,
    actions: int | None = None,
    features: Callable[[Observation], Seen] | None = None,
    max_states: int | None = None,
    mixing_time: int | None = None,
    delta: Fraction | float | str | None = None,
    slips: Fraction | float | str | None = None,
    epsilon: Fraction | float | str = ONE_IN_20,
    seed: int | None = None,
    first_action: int | None = None,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    max_steps: int | None = None,
    progress: Callable[[Progress], None] | Literal["auto"] | None = "auto",
    checkpoint: Path | str | None = None,
    resume: Path | str | None = None,
) -> Learned | LearnedFactors:
    """Learn what actions control, and return what was learned, ready for use.

    Without F, a class is chosen on a walk before the run, by `suggest_class`; what was learned says
    which one, and why. If it needs bounds and none are given, they are guessed and doubled until
    two attempts agree (see `learn_with_doubling`): then the guarantee supposes the last guesses.

    `where` is a world or any object with `actions` and `step(action)`, a Gymnasium environment as
    it is, or a function that takes an action and returns an observation; a function also needs the
    number of its `actions`. `features` computes a row of booleans or numbers from an observation.
    What was learned remembers it, and then reads observations. Without it, an environment's
    observations become rows as in `from_gymnasium`, and other observations are rows.

    An environment is learned with its episodes if F is finite and nothing asks for another method
    than certain; see `learn_episodes`. Otherwise, and if its episodes never end, it is one
    trajectory, which continues at the start when an episode ends; see `Continuing`.

    With the method `Factored`, F classifies values of parts of the state and not states, and the
    result is a product of small models. It has its own seed and δ, and takes no other option.

    All other arguments are those of `attempt`. `seed` is also that of the environment. Raises
    `NotLearned` if no model was accepted, and `KeyboardInterrupt` if the run was interrupted.
    """
    read = cast("Callable[[object], Seen] | None", features)  # it refuses what it cannot read
    start = 0 if seed is None else seed
    if isinstance(method, Factored):
        require_oracle(F)
        world, read = unbroken(where, actions=actions, features=read, seed=method.seed)
        # The class refuses rows that it cannot read.
        return _factors(world, cast("Class[Numbers]", F), method, read, max_steps)
    suggestion = None
    if F is None:
        if checkpoint or resume:
            expected = "a class: a run that is kept cannot begin with a walk"
            raise InvalidArgument("F", None, expected)
        suggestion = suggested(where, actions=actions, features=read, seed=start)
    # As above: the class refuses rows that it cannot read.
    functions = cast("Class[Numbers]", F) if suggestion is None else suggestion.F
    require_oracle(functions)
    bounds, given = (max_states, mixing_time), (max_states, mixing_time, delta, slips)
    certain = method in (None, "certain") or isinstance(method, Certain)
    if is_environment(where) and certain and is_listed(functions) and not any(given):
        # Imported here because Gymnasium is an extra.
        from steel_verified.gymnasium.continuing import never_ends  # noqa: PLC0415

        if not never_ends(where):
            if checkpoint or resume:
                expected = "None: episodes are not kept. Continuing(env) makes them one trajectory"
                raise InvalidArgument("checkpoint", checkpoint or resume, expected)
            learned = _episodes(where, functions, read, start, max_steps, self_check)
            return replace(learned, suggestion=suggestion)
    noisy = slips is not None  # its steps are random, which is no reason to refuse it
    world, read = unbroken(where, actions=actions, features=read, seed=start, noisy=noisy)
    if suggestion is not None and suggestion.needs_bounds and method is None and None in bounds:
        learned = _doubled(FromHere(world), suggestion, read, bounds, delta, epsilon, self_check)
        return replace(learned, suggestion=suggestion)
    result = attempt(
        world if suggestion is None else FromHere(world),
        functions,
        method,
        max_states=max_states,
        mixing_time=mixing_time,
        delta=delta,
        slips=slips,
        epsilon=epsilon,
        seed=seed,
        first_action=first_action,
        self_check=self_check,
        max_steps=max_steps,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    return replace(learned_or_raise(result, functions, read), suggestion=suggestion)


def _factors(
    world: World[Numbers],
    F: Class[Numbers],  # noqa: N803
    method: Factored,
    read: Callable[[object], object] | None,
    max_steps: int | None,
) -> LearnedFactors:
    """Run factored STEEL; return what it learned, or raise as `learn` does."""
    # Imported here because no other run needs it.
    from steel_verified.using.factors import LearnedFactors  # noqa: PLC0415

    result = drive(method, world, F, (), max_steps or method.most_steps)
    if isinstance(result, Factors):
        return LearnedFactors.of(result, F, read)
    if isinstance(result, NotAccepted) and result.interrupted:
        raise KeyboardInterrupt(result.because)
    raise NotLearned(result)


def _doubled(
    world: World[Numbers],
    suggestion: Suggestion,
    read: Callable[[object], Seen] | None,
    bounds: tuple[int | None, int | None],
    delta: Fraction | float | str | None,
    epsilon: Fraction | float | str,
    self_check: SelfCheck | None,
) -> Learned:
    """Learn with guessed bounds, and say in the guarantee that they are supposed."""
    max_states, mixing_time = bounds
    guesses = LocatedParameters.of(
        world,
        max_states=max_states or suggestion.max_states,
        mixing_time=mixing_time or suggestion.mixing_time,
        delta=ONE_IN_20 if delta is None else exact("delta", delta),
        epsilon=exact("epsilon", epsilon),
    )
    found = learn_with_doubling(
        world,
        suggestion.F,
        guesses,
        double_states=max_states is None,
        double_mixing=mixing_time is None,
        self_check=self_check,
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
    seed: int,
    max_steps: int | None,
    self_check: SelfCheck | None,
) -> Learned:
    from steel_verified.using.episodes import CHECK_STEPS, learn_episodes  # noqa: PLC0415 (extra)

    wanted = DEFAULT_CHECK if self_check is None else self_check
    checks = CHECK_STEPS if wanted.steps is None else wanted.steps
    return learn_episodes(
        env,
        functions,
        features=features,
        seed=seed,
        max_steps=MOST_STEPS if max_steps is None else max_steps,
        check_steps=0 if self_check is None else checks,
    )
