"""Runs of located STEEL on random worlds, compared with the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from steel_verified.classes.finite import Components
from steel_verified.classes.half_spaces import HalfSpace
from steel_verified.evidence.oracle import of_kind
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located, rounds
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.worlds.dynamics import relabelling

from .bit_worlds import parameters_for, random_world
from .half_space_worlds import random_half_spaces

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.learning.results import Result
    from steel_verified.theory.parameters import LocatedParameters
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.simulated import SimulatedWorld

Batch = TypeVar("Batch", bound=Sized)

DELTA = Fraction(1, 10**7)
"""All worlds of a test together are wrong with chance at most 10⁻⁴."""
MOST_FEATURES = 20


@dataclass(frozen=True)
class RandomRun:
    """The result of a run on a random world, and its steps."""

    seed: int
    dynamics: Dynamics
    start: int
    first_action: int
    parameters: LocatedParameters
    class_size: int
    features: int
    """The dimension of the points; 0 for worlds of bits."""
    ended: str
    steps: int
    validating: int


def bits_run(seed: int, max_states: int, max_steps: int) -> RandomRun:
    """Run located STEEL on a random world of bits."""
    rng = np.random.default_rng(seed)
    truth = random_world(rng, max_states)
    parameters = parameters_for(rng, truth, DELTA)
    return _run(
        seed,
        truth.dynamics,
        truth.world(seed),
        Components(len(truth.bits)),
        parameters,
        first_action=int(rng.integers(parameters.actions)),
        max_steps=max_steps,
        error=lambda found, label, state: truth.error(of_kind(int, *found), label, state),
    )


def half_spaces_run(
    seed: int, max_states: int, max_steps: int, features: int | None = None
) -> RandomRun:
    """Run located STEEL on a random world of points in 2 to 20 dimensions."""
    rng = np.random.default_rng(seed)
    if features is None:
        features = int(rng.integers(2, MOST_FEATURES + 1))
    truth = random_half_spaces(rng, max_states, features)
    return _run(
        seed,
        truth.dynamics,
        truth.world(seed),
        truth.oracle(),
        parameters_for(rng, truth, DELTA),
        first_action=int(rng.integers(truth.dynamics.actions)),
        max_steps=max_steps,
        error=lambda found, label, state: truth.error(of_kind(HalfSpace, *found), label, state),
        features=features,
    )


def _run(
    seed: int,
    truth: Dynamics,
    world: SimulatedWorld[Batch],
    oracle: Class[Batch],
    parameters: LocatedParameters,
    *,
    first_action: int,
    max_steps: int,
    error: Callable[[Sequence[Classifier], int, int], Fraction],
    features: int = 0,
) -> RandomRun:
    start = world.state
    result = checked_run(
        world, oracle, Located(parameters, first_action=first_action), max_steps=max_steps
    )
    assert world.steps <= max_steps
    assert oracle.class_size is not None
    return RandomRun(
        seed=seed,
        dynamics=truth,
        start=start,
        first_action=first_action,
        parameters=parameters,
        class_size=oracle.class_size,
        features=features,
        ended=_ended(result, truth, world.state, parameters.epsilon, error),
        steps=world.steps,
        validating=sum(validation.steps for validation in rounds(result.ledger)),
    )


def _ended(
    result: Result,
    truth: Dynamics,
    state: int,
    epsilon: Fraction,
    error: Callable[[Sequence[Classifier], int, int], Fraction],
) -> str:
    match result:
        case NotAccepted():
            return "not accepted"
        case Accepted(model=model, current=current, classifiers=classifiers):
            meaning = relabelling(model, current, truth, state)
            if meaning is None or classifiers is None:
                return "wrong dynamics"
            errors = [error(classifiers, label, shown) for label, shown in enumerate(meaning)]
            return "right" if max(errors) <= epsilon else "wrong encoder"
        case _:
            return "contradicted"
