"""Run a learner on a world in which a condition is violated, and judge how the run ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.drive import Watch, checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, encode
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.worlds.dynamics import relabelling
from tests.studies.violations.twins import FAINT, decades, true_world, twin

if TYPE_CHECKING:
    from steel_verified.learning.results import GivenUp, Result
    from steel_verified.theory.conditions import Condition
    from tests.studies.violations.drawing import ViolatedWorld
    from tests.studies.violations.process import ProcessWorld
    from tests.studies.violations.twins import TrueWorld

MOST_STEPS: Final = 1_200
"""A located run ends as not accepted after this many steps. On honest worlds it takes some 300
steps, and rarely more than 700."""


class Method(Enum):
    """The algorithm that learns."""

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
    """How a run ended, compared with the truth."""

    RIGHT = "right"
    """Accepted, and the guaranteed statement is true."""
    TWIN = "right for a twin"
    """Accepted, and the guaranteed statement is true in another world that satisfies all conditions
    and in which the observations are at least as likely. So nothing could be noticed."""
    FAINT = "too little to see"
    """Accepted, and the guaranteed statement is true in another world that satisfies all conditions
    and in which the observations are less likely, by a factor of at most 100. No check can notice
    many such runs."""
    FIRST = "cause named first"
    """Not accepted; the violated condition is named as the first cause."""
    NAMED = "cause named"
    """Not accepted; the violated condition is named, but not first."""
    OTHER = "another cause"
    """Not accepted; only other conditions are named."""
    NO_CAUSE = "no cause"
    """Not accepted; no condition is named."""
    SILENT = "silently wrong"
    """Accepted, and the guaranteed statement is false."""


ACCEPTED: Final = (Outcome.RIGHT, Outcome.TWIN, Outcome.FAINT, Outcome.SILENT)
"""The outcomes of accepted runs; in all other runs the violation was noticed."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a run before and after the self-check, and the world after the self-check.

    Steps that were taken later, to find causes, are taken back: the run is judged without them.
    """

    learned: Result
    result: Result
    under_way: ProcessWorld


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a run ended."""

    outcome: Outcome
    unchecked: Outcome | None
    """The outcome without the self-check; None if the run was not accepted even without it."""
    decades: int | None = None
    """For a wrong model: log10 of how much likelier the truth is, rounded down."""


def judgement(world: ViolatedWorld, method: Method, check: Check) -> Judgement:
    """Run a learner on a world, and judge how it ended."""
    return judged(world, ending(world, method, check))


def judged(world: ViolatedWorld, ended: Ending) -> Judgement:
    """How a run ended, compared with the truth."""
    learned, result = ended.learned, ended.result
    unchecked = accepted_as(world, learned, ended.under_way)
    amount = None
    if unchecked is Outcome.SILENT and isinstance(learned, Accepted):
        amount = decades(world, ended.under_way.path, learned)
    if isinstance(result, Accepted):
        assert unchecked is not None, "an accepted model was learned"
        return Judgement(unchecked, unchecked, amount)
    return Judgement(_noticed(world, named_causes(result)), unchecked, amount)


def accepted_as(world: ViolatedWorld, learned: Result, under_way: ProcessWorld) -> Outcome | None:
    """The outcome if the learned model is accepted; None if nothing was learned."""
    if not isinstance(learned, Accepted):
        return None
    if is_kept(learned, world, true_world(world, under_way)):
        return Outcome.RIGHT
    for outcome, least in ((Outcome.TWIN, Fraction(1)), (Outcome.FAINT, FAINT)):
        if is_kept(learned, world, twin(world, under_way, learned, least)):
            return outcome
    return Outcome.SILENT


def ending(world: ViolatedWorld, method: Method, check: Check) -> Ending:
    """How a run on this world ends.

    If the dynamics change during the run, the run is first made without the change, to find its
    middle.
    """
    change_after = None
    if world.later is not None:
        unchanged = world.begin()
        _run(world, method, Check.NONE, unchanged)
        change_after = int(world.changes_at * unchanged.steps)
    under_way = world.begin(change_after=change_after)
    return _run(world, method, check, under_way)


def learned(world: ViolatedWorld, method: Method, check: Check) -> tuple[Result, ProcessWorld]:
    """The result of a run on this world, and the world at its end."""
    ended = ending(world, method, check)
    return ended.result, ended.under_way


def _run(world: ViolatedWorld, method: Method, check: Check, under_way: ProcessWorld) -> Ending:
    stages: list[object] = []
    if method is Method.LOOPED:
        result = checked_run(
            under_way,
            world.oracle,
            Looped(world.parameters, first_action=world.first_action),
            self_check=_CHECKS[check],
            observers=[Watch(lambda state: stages.append(state.stage))],
        )
    else:
        honest = world.violation.condition is None
        result = checked_run(
            under_way,
            world.oracle,
            Located(world.parameters, first_action=world.first_action),
            self_check=_CHECKS[check],
            max_steps=MOST_STEPS * (world.parameters.mixing_time if honest else 1),
            observers=[Watch(lambda state: stages.append(state.stage))],
        )
    if not isinstance(result, Accepted):
        under_way.take_back(result.steps_to_explain)
    last = stages[-1] if stages else result
    return Ending(last if isinstance(last, Accepted) else result, result, under_way)


def named_causes(result: GivenUp) -> tuple[Condition, ...]:
    """The conditions that a run named when it gave up, in their order."""
    return tuple(cause.condition for cause in result.causes)


def _noticed(world: ViolatedWorld, causes: tuple[Condition, ...]) -> Outcome:
    if not causes:
        return Outcome.NO_CAUSE
    if causes[0] is world.violation.condition:
        return Outcome.FIRST
    return Outcome.NAMED if world.violation.condition in causes else Outcome.OTHER


def is_kept(result: Accepted, world: ViolatedWorld, truth: TrueWorld | None) -> bool:
    """Whether the guarantee holds: exact dynamics up to relabelling, and an error of at most ε.

    The error is that of the encoder in each latent state, under the stationary distribution of the
    noise. Returns False if there is no true world.
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
