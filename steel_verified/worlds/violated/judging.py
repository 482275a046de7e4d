"""Runs a learner on a world in which a condition is broken, and judges how the run ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.results import Accepted, encode
from steel_verified.theory.recipe import located, paper
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.worlds.driver import learn_located, learn_looped
from steel_verified.worlds.truth import relabelling
from steel_verified.worlds.violated.twins import contrary_steps, true_world, twin

if TYPE_CHECKING:
    from steel_verified.learning.results import GivenUp, Result
    from steel_verified.theory.conditions import Condition
    from steel_verified.worlds.violated.building import ViolatedWorld
    from steel_verified.worlds.violated.process import ProcessWorld
    from steel_verified.worlds.violated.twins import TrueWorld

MOST_STEPS: Final = 1_200
"""A located run ends as not accepted after so many steps; on honest worlds it takes some 300, and
seldom more than 700."""


class Method(Enum):
    """Which algorithm learns."""

    LOOPED = "looped"
    LOCATED = "located"


class Check(Enum):
    """How a model is checked before it is accepted."""

    NONE = "unchecked"
    USUAL = "checked"
    FRESH = "fresh"
    """With fresh steps after the run."""


FRESH_STEPS: Final = 2_000
_CHECKS: Final = {
    Check.NONE: None,
    Check.USUAL: DEFAULT_CHECK,
    Check.FRESH: SelfCheck(steps=FRESH_STEPS),
}


class Outcome(Enum):
    """How a run ended, beside the truth."""

    RIGHT = "right"
    """Accepted, and what is promised is true."""
    TWIN = "right for a twin"
    """Accepted, and what is promised is true of another world, which satisfies all conditions and
    explains what was seen as well. So nothing could be noticed."""
    FIRST = "cause named first"
    """Not accepted; the broken condition is the first of the causes that are named."""
    NAMED = "cause named"
    """Not accepted; the broken condition is named, but not first."""
    OTHER = "another cause"
    """Not accepted; only other conditions are named."""
    NO_CAUSE = "no cause"
    """Not accepted; no condition is named."""
    SILENT = "silently wrong"
    """Accepted, and what is promised is not true."""


ACCEPTED: Final = (Outcome.RIGHT, Outcome.TWIN, Outcome.SILENT)
"""The outcomes of runs that were accepted; the others were noticed."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a run ended, and, if it is silently wrong, how many steps speak against the model."""

    outcome: Outcome
    contrary: int | None = None


def judgement(world: ViolatedWorld, method: Method, check: Check) -> Judgement:
    """Run a learner on a world, and judge how it ended."""
    return judged(world, *learned(world, method, check))


def judged(world: ViolatedWorld, result: Result[int], under_way: ProcessWorld) -> Judgement:
    """How a run ended, beside the truth."""
    if not isinstance(result, Accepted):
        return Judgement(_noticed(world, named_causes(result)))
    if is_kept(result, world, true_world(world, under_way)):
        return Judgement(Outcome.RIGHT)
    if is_kept(result, world, twin(world, under_way, result)):
        return Judgement(Outcome.TWIN)
    return Judgement(Outcome.SILENT, contrary_steps(world, under_way.path, result))


def learned(world: ViolatedWorld, method: Method, check: Check) -> tuple[Result[int], ProcessWorld]:
    """How a run on this world ends, and the world after it.

    Where the dynamics are to change, the run is made without the change first, to know when its
    middle is.
    """
    change_after = None
    if world.later is not None:
        unchanged = world.begin()
        _run(world, method, Check.NONE, unchanged)
        change_after = int(world.changes_at * unchanged.steps)
    under_way = world.begin(change_after=change_after)
    return _run(world, method, check, under_way), under_way


def _run(
    world: ViolatedWorld, method: Method, check: Check, under_way: ProcessWorld
) -> Result[int]:
    if method is Method.LOOPED:
        return learn_looped(
            under_way,
            world.oracle,
            paper(world.parameters),
            first_action=world.first_action,
            self_check=_CHECKS[check],
        )
    return learn_located(
        under_way,
        world.oracle,
        located(world.parameters),
        first_action=world.first_action,
        max_steps=MOST_STEPS,
        self_check=_CHECKS[check],
    )


def named_causes(result: GivenUp) -> tuple[Condition, ...]:
    """The conditions that a run named when it gave up, in its order."""
    return tuple(cause.condition for cause in result.causes)


def _noticed(world: ViolatedWorld, causes: tuple[Condition, ...]) -> Outcome:
    if not causes:
        return Outcome.NO_CAUSE
    if causes[0] is world.violation.condition:
        return Outcome.FIRST
    return Outcome.NAMED if world.violation.condition in causes else Outcome.OTHER


def is_kept(result: Accepted[int], world: ViolatedWorld, truth: TrueWorld | None) -> bool:
    """Whether the promise holds: the dynamics up to relabelling, and an error of at most ε.

    The error is that of the encoder in each latent state, under the stationary law of the noise. If
    there is no such true world, nothing is kept.
    """
    if truth is None:
        return False
    meaning = relabelling(result.model, result.current, truth.dynamics, truth.state)
    if meaning is None or result.classifiers is None:
        return False
    observations = len(world.oracle.columns)
    found = encode(world.oracle, result.classifiers, np.arange(observations)).tolist()
    return all(
        sum(p for p, called in zip(truth.shows[state], found, strict=True) if called != label)
        <= world.parameters.epsilon
        for label, state in enumerate(meaning)
    )
