"""Run a method on a world in which a condition is violated, and judge how the run ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.certain import Certain
from steel_verified.learning.certain import State as CertainState
from steel_verified.learning.drive import Watch, checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, encode
from steel_verified.theory.conditions import Condition, supported
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.worlds.dynamics import relabelling
from tests.studies.violations.twins import has_twin, true_world

if TYPE_CHECKING:
    from steel_verified.learning.deciding import Decided
    from steel_verified.learning.drive import AnyMethod, LearnerState
    from steel_verified.learning.results import GivenUp, Result
    from tests.studies.violations.breaking import Violation
    from tests.studies.violations.drawing import ViolatedWorld
    from tests.studies.violations.process import ProcessWorld
    from tests.studies.violations.twins import TrueWorld

MOST_STEPS: Final = 2_000
"""A certain or located run ends as not accepted after this many steps (times t̂_mix if the world is
honest). On honest worlds it takes some 300 steps, and rarely more than 700."""


class Method(Enum):
    """The algorithm that learns."""

    CERTAIN = "certain"
    LOCATED = "located"
    LOOPED = "looped"

    def is_told(self, violation: Violation) -> bool:
        """Whether the method is given the bound that the violation breaks, if it breaks one."""
        match self:
            case Method.CERTAIN:
                return violation.condition not in (Condition.MAX_STATES, Condition.MAX_DIAMETER)
            case Method.LOCATED:
                return violation.condition is not Condition.MAX_DIAMETER
            case Method.LOOPED:
                return True

    def breaks(self, violation: Violation) -> bool:
        """Whether the violation breaks what this method assumes; certain assumes no noise."""
        of_noise = violation.condition in (Condition.EXOGENOUS, Condition.MIXING)
        return not (violation.is_honest or (self is Method.CERTAIN and of_noise))


class Outcome(Enum):
    """How a run ended, compared with the truth; its value is the letter that is recorded."""

    RIGHT = "R"
    """Accepted, and what is promised is true."""
    TWIN = "T"
    """Accepted, and what is promised is false; but it is true in a world that violates no condition
    and in which everything that the run saw is at least as likely. So nothing could be noticed."""
    WRONG = "W"
    """Accepted, and what is promised is false; no such world is known."""
    FIRST = "1"
    """Not accepted; the data speak for the true cause, first of all."""
    NAMED = "2"
    """Not accepted; the data speak for the true cause, but after another one."""
    UNTOLD = "3"
    """Not accepted; it is said that the data do not tell the cause, and the true one is listed.
    A world of one state has none: its run says that it may be one."""
    OTHER = "4"
    """Not accepted; the data speak for other causes."""
    OPEN = "O"
    """Not accepted, without a cause: more rows might decide."""

    @property
    def noticed(self) -> bool:
        return self in (Outcome.FIRST, Outcome.NAMED, Outcome.UNTOLD, Outcome.OTHER)


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a run, the world at its end, and the last state of the learner."""

    result: Result
    under_way: ProcessWorld
    last: LearnerState | None


def judgement(world: ViolatedWorld, method: Method) -> Outcome:
    """Run a method on a world, and judge how it ended."""
    return judged(world, ending(world, method))


def judged(world: ViolatedWorld, ended: Ending) -> Outcome:
    """How a run ended, compared with the truth."""
    result, under_way, last = ended.result, ended.under_way, ended.last
    if not isinstance(result, Accepted):
        return _given_up(world, result)
    if is_kept(result, world, true_world(world, under_way)):
        return Outcome.RIGHT
    known = last.known if isinstance(last, CertainState) else None
    is_twin = has_twin(world, under_way, result, known, lambda truth: is_kept(result, world, truth))
    return Outcome.TWIN if is_twin else Outcome.WRONG


def ending(world: ViolatedWorld, method: Method, check: SelfCheck | None = DEFAULT_CHECK) -> Ending:
    """How a run on this world ends.

    If the dynamics change during the run, the run is first made without the change and without the
    steps of a check, to find its length.
    """
    change_after = None
    if world.later is not None:
        unchanged = world.begin()
        _run(world, method, None, unchanged)
        change_after = int(world.changes_at * unchanged.steps)
    return _run(world, method, check, world.begin(change_after=change_after))


def _run(
    world: ViolatedWorld, method: Method, check: SelfCheck | None, under_way: ProcessWorld
) -> Ending:
    p, first = world.parameters, world.first_action
    states: list[LearnerState] = []
    watch = Watch(states.append)
    if method is Method.LOOPED:
        chosen: AnyMethod = Looped(p, first)
    elif method is Method.LOCATED:
        chosen = Located(p, first)
    else:
        chosen = Certain(world.oracle.class_size, p.actions, first, seed=world.seed)
    most = MOST_STEPS * (p.mixing_time if world.violation.is_honest else 1)
    result = checked_run(
        under_way,
        world.oracle,
        chosen,
        self_check=check,
        max_steps=None if method is Method.LOOPED else most,
        observers=[watch],
    )
    return Ending(result, under_way, states[-1] if states else None)


def _given_up(world: ViolatedWorld, result: GivenUp) -> Outcome:
    if not result.causes:
        return Outcome.OPEN
    likely = [cause.condition for cause in supported(result.causes)]
    listed = [cause.condition for cause in result.causes]
    if not likely and not world.violation.is_honest and world.violation.condition is None:
        return Outcome.UNTOLD
    if world.violation.condition in (likely or listed):
        if not likely:
            return Outcome.UNTOLD
        return Outcome.FIRST if likely[0] is world.violation.condition else Outcome.NAMED
    return Outcome.OTHER


def is_kept(result: Accepted, world: ViolatedWorld, truth: TrueWorld | None) -> bool:
    """Whether what is promised is true: the dynamics up to relabelling, and of the encoder what is.

    The encoder of a located or looped run errs with chance at most ε in each latent state, under
    the stationary distribution of the noise. That of a certain run is exact where only one
    classifier is left for a label. Returns False if there is no true world.
    """
    if truth is None:
        return False
    meaning = relabelling(result.model, result.current, truth.dynamics, truth.state)
    if meaning is None or result.classifiers is None:
        return False
    if result.decided is not None:
        return _is_exact(result.decided, world, truth, meaning)
    observations = len(world.oracle.columns)
    found = encode(world.oracle, result.classifiers, np.arange(observations)).tolist()
    return all(
        sum(p for p, called in zip(truth.shows[state], found, strict=True) if called != label)
        <= world.parameters.epsilon
        for label, state in enumerate(meaning)
    )


def _is_exact(
    found: Decided, world: ViolatedWorld, truth: TrueWorld, meaning: tuple[int, ...]
) -> bool:
    """Whether each classifier that is the only one left for its label is 1 just on its state."""
    return all(
        world.oracle.columns[x] >> fits[0] & 1 == (state == meaning[label])
        for label, fits in enumerate(found.labels)
        if len(fits) == 1
        for state, law in enumerate(truth.shows)
        for x, weight in enumerate(law)
        if weight
    )
