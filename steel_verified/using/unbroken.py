"""Whatever the user has, as one unbroken trajectory: a world, an environment, a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeGuard, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import require_integer, require_object, require_world
from steel_verified.worlds.stepped import SteppedBy, SteppedWorld

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium
    import numpy as np

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.plans import World
    from steel_verified.worlds.stepped import Seen

Observation_co = TypeVar("Observation_co", covariant=True)


def is_environment(where: object) -> TypeGuard[gymnasium.Env[object, np.int64]]:
    """Return whether this is an environment of Gymnasium."""
    return hasattr(where, "action_space")


def is_world(where: object) -> TypeGuard[World[Numbers]]:
    """Return whether this is a world; that its batches are arrays is not looked at."""
    return hasattr(where, "run") and hasattr(where, "actions")


class Stepping(Protocol[Observation_co]):
    """An object that takes steps; the number of its actions is given besides."""

    def step(self, action: int, /) -> Observation_co: ...


class Steps(Stepping[Observation_co], Protocol[Observation_co]):
    """What a `SteppedWorld` is, without being derived from it."""

    @property
    def actions(self) -> int: ...


def is_stepping(where: object) -> TypeGuard[Stepping[object]]:
    """Return whether this is an object that takes steps."""
    return hasattr(where, "step")


def is_steps(where: object) -> TypeGuard[Steps[object]]:
    """Return whether this is an object that takes steps, and says how many actions it has."""
    return is_stepping(where) and hasattr(where, "actions")


def unbroken(
    where: object,
    *,
    actions: int | None,
    features: Callable[[object], Seen] | None,
    seed: int | None,
    noisy: bool = False,
) -> tuple[World[Numbers], Callable[[object], Seen] | None]:
    """Return a world to learn, and the features that compute its rows; None if it shows rows.

    A Gymnasium environment continues at its start when an episode ends, unless it is known that its
    episodes never end. `noisy` skips the trials which find out that its dynamics are random: for a
    walk that promises nothing, and where steps may slip.
    """
    require_object("where", where)
    if features is not None and not callable(features):
        raise InvalidArgument("features", features, "a function of one observation")
    if is_environment(where):
        # Imported here because Gymnasium is an extra.
        from steel_verified.gymnasium.continuing import Continuing, Endless, never_ends  # noqa: PLC0415
        from steel_verified.gymnasium.world import default_features, from_gymnasium  # noqa: PLC0415

        _require_no_actions(actions, "an environment says how many actions it has")
        read = default_features(where) if features is None else features
        if never_ends(where):
            return from_gymnasium(where, read, seed=seed), read
        try:
            env = Continuing(where, noisy=noisy, ignore_truncation=True)
        except InvalidArgument as error:
            if error.argument == "start_seed":
                # The start is random, or what is seen is noisy: no end may come.
                return from_gymnasium(Endless(where), read, seed=seed), read
            if error.argument != "show_end":
                raise
            # An end looks like a state within an episode, so it is not shown.
            env = Continuing(where, show_end=False, ignore_truncation=True)
        return from_gymnasium(env, read, seed=seed), read
    if is_world(where):
        require_world(where)
        _require_no_actions(actions, "a world says how many actions it has")
        if features is None:
            return where, None
        if not isinstance(where, SteppedWorld):
            expected = "None: only a SteppedWorld, an environment or a function takes features"
            raise InvalidArgument("features", features, expected)
        return SteppedBy(where.act, where.actions, features), features
    if is_steps(where):
        require_integer("actions", where.actions, at_least=1)
        _require_no_actions(actions, "the object says how many actions it has")
        return SteppedBy(where.step, where.actions, features), features
    step = where.step if is_stepping(where) else where
    if not callable(step):
        expected = "an object with `actions` and `step`, an environment, or a function of an action"
        raise InvalidArgument("where", type(where).__name__, expected)
    if actions is None:
        expected = f"the number of actions of the {'function' if step is where else 'object'}"
        raise InvalidArgument("actions", None, expected)
    require_integer("actions", actions, at_least=1)
    return SteppedBy(step, actions, features), features


def _require_no_actions(actions: int | None, because: str) -> None:
    if actions is not None:
        raise InvalidArgument("actions", actions, f"None: {because}")
