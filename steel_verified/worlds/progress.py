"""What observers tell of a run: its progress and stages, and how its knowledge grows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from steel_verified.learning import located, looped
from steel_verified.learning.deciding import Decided, Open, Quotients, Refuted
from steel_verified.learning.drive import Fallback, Watch
from steel_verified.learning.listed import Checking, Listing, Tossing
from steel_verified.learning.located import Revisiting, Validating
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.learning.slipping import Impossible
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import largest_extent
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.drive import AnyMethod, LearnerState
    from steel_verified.learning.factored import Factored
    from steel_verified.learning.graph import Labels


_PAUSE: Final = 0.1
"""Seconds between two reports; a located run executes thousands of plans per second."""


EXPLORING: Final = "exploring"


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a run: `done` of `of` are done; `unit` says what is counted, in the singular.

    Exploring counts transitions: those that are known, of all that the states found so far have. It
    has no known end, since more states may be found, and labels of one state may be merged. A
    certain run is deciding while several models are left; nothing is counted then.
    """

    name: str
    unit: str = ""
    done: int = 0
    of: int = 0
    """0 if nothing is counted."""
    end_is_known: bool = True
    """Whether the run ends with this stage unless a check fails."""
    seconds_left: float | None = None
    """The remaining seconds of this stage at its speed so far; None if they are unknown."""

    def __str__(self) -> str:
        return f"{self.done:,} of {counted(self.of, self.unit)}" if self.of else ""


def stage_of(
    state: LearnerState,
) -> Stage:
    """The stage in which a learner is."""
    match state.stage:
        case Accepted():
            return Stage("self-check")
        case Contradicted() | NotAccepted() | Refuted() | Impossible():
            return Stage("finding the cause")
        case Validating(validation=validation, done=done):
            return Stage("validating", "walk", done, validation.passes + 1)
        case looped.Touring(_, cycle, passes):
            return Stage("sampling", "step", 0, passes * len(cycle))
        case Revisiting(_, walk, done, passes) if isinstance(state, located.State):
            labels = len(state.labels.rows)
            many = f" {labels:,} labels for N = {state.bound:,}" if labels > state.bound else ""
            name = f"revisiting{many}"
            return Stage(name, "step", done, passes * len(walk), end_is_known=False)
        case Decided() | Quotients() if state.known.decided_at:
            done = state.known.steps - state.known.decided_at
            return Stage("checking", "step", done, state.method.check_steps)
        case Listing(taken, of):
            return Stage(EXPLORING, "transition", taken, of, end_is_known=False)
        case Tossing(passed, needed):
            return Stage("tossing", "coin", passed, needed, end_is_known=False)
        case Checking(done):
            return Stage("checking", "step", done, state.method.check_steps)
        case Open((_, _, *_)) | Quotients():
            return Stage("deciding", end_is_known=False)
        case _:
            model = state.model
            known, needed = len(model.transitions()), model.states * model.actions
            return Stage(EXPLORING, "transition", known, needed, end_is_known=False)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The steps of a run, exactly or as a bound; None if there is no bound."""

    steps: int | None
    exact: bool = False

    def __str__(self) -> str:
        if self.steps is None:
            return "an unknown number of steps: there is no bound"
        return f"{'' if self.exact else 'at most '}{counted(self.steps, 'step')}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    steps: int
    estimate: Estimate
    """The number of steps known before the start."""
    transitions: int
    """The number of known transitions."""
    seconds: float
    """Seconds since the start."""
    stage: Stage
    """The present part of the run; it says how many seconds are left of it."""
    attempt: str = ""
    """Which attempt this is, if there are several."""

    @property
    def seconds_left(self) -> float | None:
        """The remaining seconds of the run at the speed so far, an upper bound unless `estimate` is
        exact; None if there is no bound: see `stage.seconds_left`."""
        if self.estimate.steps is None or not self.steps:
            return None
        return max(0.0, (self.estimate.steps - self.steps) * self.seconds / self.steps)


def most_steps(method: AnyMethod | Factored) -> Estimate:
    """The bound of Theorem 1, from the parameters alone; the other methods have none."""
    if isinstance(method, Looped):
        return Estimate(total_bound(method.parameters, largest_extent(method.parameters)))
    return Estimate(None)


def progress_observer(
    progress: Callable[[Progress], None] | None,
    method: AnyMethod | Factored,
    known: Estimate | None = None,
) -> Watch[LearnerState]:
    """Return an observer that reports the progress of a run to `progress`.

    `known` are its steps, if more is known of them than the bound of the method. The two runs of
    `Fallback` are reported as two attempts.
    """
    if not isinstance(method, Fallback):
        return Watch(reporting(progress, known or most_steps(method)))
    first = reporting(progress, Estimate(method.after), "located STEEL")
    then: Callable[[LearnerState], None] | None = None

    def note(state: LearnerState) -> None:
        nonlocal then
        if isinstance(state, located.State):
            first(state)
            return
        if then is None:
            then = reporting(progress, most_steps(method.then), "looped STEEL")
        then(state)

    return Watch(note)


def reporting(
    progress: Callable[[Progress], None] | None, estimate: Estimate, attempt: str = ""
) -> Callable[[LearnerState], None]:
    """A function that reports to `progress` at the start and at each new stage, and in between some
    ten times per second.
    """
    if progress is None:
        return lambda _: None
    began = last = monotonic()
    stage = Stage(EXPLORING, "transition", end_is_known=False)
    kind: type | None = None
    spent = {EXPLORING: 0.0}  # the seconds of each stage
    progress(Progress(0, estimate, transitions=0, seconds=0.0, stage=stage, attempt=attempt))

    def note(
        state: LearnerState,
    ) -> None:
        nonlocal last, stage, kind
        now = monotonic()
        if now - last < _PAUSE and type(state.stage) is kind:
            return
        spent[stage.name] += now - last
        last, kind, before, stage = now, type(state.stage), stage.name, stage_of(state)
        if stage.name not in (EXPLORING, before):  # Exploring goes on after other stages.
            spent[stage.name] = 0.0
        steps, seconds = state.ledger.steps, now - began
        left = _seconds_left(stage, spent[stage.name], seconds / steps)
        stage = replace(stage, seconds_left=left)
        known = len(state.model.transitions())
        progress(Progress(steps, estimate, known, seconds, stage, attempt))

    return note


def counting(
    progress: Callable[[Progress], None] | None, name: str, steps: int
) -> Callable[[int], None]:
    """A function that reports how many of these steps are done, some ten times per second."""
    began = last = monotonic()

    def note(done: int) -> None:
        nonlocal last
        now = monotonic()
        if progress is None or now - last < _PAUSE:
            return
        last, spent = now, now - began
        stage = Stage(name, "step", done, steps, end_is_known=False)
        stage = replace(stage, seconds_left=_seconds_left(stage, spent, 0.0))
        progress(Progress(done, Estimate(steps, exact=True), 0, spent, stage))

    return note


def _seconds_left(stage: Stage, spent: float, per_step: float) -> float | None:
    """The remaining seconds of a stage: at its own speed, or before it has one, at the run's."""
    left = stage.of - stage.done
    if stage.done:
        return left * spent / stage.done
    return left * per_step if left and stage.unit == "step" else None


@dataclass(frozen=True, slots=True)
class Growth:
    """What located STEEL knows after some steps."""

    steps: int
    made: int
    """Labels made so far."""
    labels: int
    """Labels that were not merged into another."""
    transitions: int
    """The known transitions of these labels."""

    @property
    def merged(self) -> int:
        return self.made - self.labels


def growing(growth: list[Growth]) -> Callable[[LearnerState], None]:
    """Return a function that records what is known after every step that changed it."""
    last: Labels | None = None

    def look(state: LearnerState) -> None:
        nonlocal last
        if not isinstance(state, located.State) or state.labels is last:
            return
        last = state.labels
        known = sum(to is not None for row in state.labels.rows.values() for to in row)
        made, labels = len(state.labels.parent), len(state.labels.rows)
        now = Growth(state.ledger.steps, made, labels, known)
        if not growth or replace(now, steps=growth[-1].steps) != growth[-1]:
            growth.append(now)

    return look
