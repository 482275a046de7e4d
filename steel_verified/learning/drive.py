"""One loop for all methods: ask for a plan, run it in the world, return the rows.

A method never holds the world. Everything else that watches a run is an observer: progress,
checkpoints, rows for the self-check, growth. The self-check itself is a stage after the run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass, replace
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Final,
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
    assert_never,
)

from steel_verified.errors import BrokenWorld, RecordEnds
from steel_verified.evidence.observed import run
from steel_verified.evidence.plans import Plan, World
from steel_verified.learning import certain, factored, located, looped, slipping
from steel_verified.learning.certain import Certain
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import (
    Accepted,
    NotAccepted,
    Unfinished,
    interrupted,
    limit_reached,
)
from steel_verified.learning.self_check.rows import SelfCheckRows
from steel_verified.learning.self_check.stage import (
    certainly_checked,
    given_up,
    self_checked,
    with_rows,
)
from steel_verified.learning.slipping import Slipping
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import largest_extent, require_parameters

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.sealed import Loop
    from steel_verified.learning.factored import Factored
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import GivenUp, Result
    from steel_verified.theory.parameters import LocatedParameters, Parameters
    from steel_verified.theory.progressions import Progression
    from steel_verified.theory.self_check import SelfCheck

Batch = TypeVar("Batch", bound=Sized)
Seen_contra = TypeVar("Seen_contra", bound=Sized, contravariant=True)


class Learner(Protocol):
    """What the state of every method tells."""

    @property
    def method(self) -> Looped | Located | Certain | Factored | Slipping: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def model(self) -> Model:
        """What is known of the dynamics so far."""
        ...


class HasLedger(Protocol):
    """What a run with a method ends with if it learns something."""

    @property
    def ledger(self) -> Ledger: ...


LearnedResult = TypeVar("LearnedResult", bound=HasLedger)
Learned_co = TypeVar("Learned_co", bound=HasLedger, covariant=True)

Note: TypeAlias = "Callable[[Learner], None]"
"""A function that is called with the state after each plan."""
State = TypeVar("State", bound=Learner)
State_contra = TypeVar("State_contra", bound=Learner, contravariant=True)


class Method(Protocol[State, Learned_co]):
    """A way to learn, as a frozen value. Its states are values too."""

    @property
    def parameters(self) -> Parameters | LocatedParameters | None: ...
    def require(self, actions: int, class_size: int | None, /) -> None:
        """Raise `InvalidArgument` unless the method fits the world and the class."""
        ...

    def begin(self) -> State: ...
    def next_plan(self, state: State, /) -> Plan | Learned_co | GivenUp: ...
    def absorb(self, state: State, loop: Loop[Batch], oracle: Class[Batch], /) -> State: ...
    def unfinished(self, state: State, /) -> Unfinished:
        """Return what is open, and what may not hold, if the run is stopped in this state."""
        ...


class Observer(Protocol[State_contra, Seen_contra]):
    """Something that watches a run; the learner does not know of it."""

    def rows(self, state: State_contra, plan: Plan, /) -> tuple[Progression, ...]:
        """Return the rows of the next plan that it will read, besides those that the plan keeps."""
        ...

    def observe(
        self, before: State_contra, loop: Loop[Seen_contra], after: State_contra, /
    ) -> None:
        """Look at what the plan gave, and at the states of the learner before and after it."""
        ...


@dataclass(frozen=True, slots=True)
class Watch(Generic[State_contra]):
    """An observer that calls a function with the state after each plan."""

    callback: Callable[[State_contra], None]

    def rows(self, _state: State_contra, _plan: Plan, /) -> tuple[Progression, ...]:
        return ()

    def observe(self, _before: State_contra, _loop: Loop[Batch], after: State_contra, /) -> None:
        self.callback(after)


def drive(
    method: Method[State, LearnedResult],
    world: World[Batch],
    oracle: Class[Batch],
    observers: Sequence[Observer[State, Batch]] = (),
    max_steps: int | None = None,
) -> LearnedResult | GivenUp:
    """Run a method until it has a result.

    The run ends as not accepted before it would take more than `max_steps` steps, where a recorded
    world cannot continue, and when it is interrupted (Ctrl-C). Raises `BrokenWorld` if something
    else has acted in the world.
    """
    method.require(world.actions, oracle.class_size)
    state = method.begin()
    try:
        while isinstance(plan := method.next_plan(state), Plan):
            if max_steps is not None and state.ledger.steps + plan.steps > max_steps:
                text = f"{limit_reached(max_steps)}, and the next plan takes {plan.steps:,}"
                if least := too_few_steps(method, max_steps):
                    ended = _stopped(state, f"{text}; {least}", Unfinished())
                    return replace(ended, limit_too_small=True)
                return _stopped(state, text, method.unfinished(state))
            more = tuple(row for each in observers for row in each.rows(state, plan))
            loop = run(
                state.ledger, world, replace(plan, keeps=plan.keeps + more) if more else plan
            )
            before, state = state, method.absorb(state, loop, oracle)
            for each in observers:
                each.observe(before, loop, state)
    except RecordEnds as ends:
        return _stopped(state, str(ends), replace(method.unfinished(state), causes=()))
    except KeyboardInterrupt:
        left = replace(method.unfinished(state), causes=())
        return replace(_stopped(state, interrupted(state.ledger), left), interrupted=True)
    if world.steps != plan.ledger.steps:
        raise BrokenWorld(
            f"{type(world).__name__} reports {world.steps} steps at the end of a run of "
            f"{plan.ledger.steps}: nothing else may act in it during a run"
        )
    return plan


def too_few_steps(method: object, max_steps: int | None) -> str:
    """Return why no run of this method can be accepted within a limit of steps, or nothing."""
    if max_steps is None or not isinstance(method, Located | Looped):
        return ""
    if (least := method.least_steps) <= max_steps:
        return ""
    part = "a validation" if isinstance(method, Located) else "a tour"
    return (
        f"max_steps = {max_steps:,} is too small for any {method.name} run with t̂_mix = "
        f"{method.parameters.mixing_time:,} and N = {method.parameters.max_states:,}: it takes "
        f"{least:,} steps or more, as many as the first loop and {part}; allow more steps, or give "
        "smaller bounds"
    )


def _stopped(state: Learner, because: str, unfinished: Unfinished) -> NotAccepted:
    """Return the result of a run that was stopped: what is known after the last plan."""
    text = "; ".join(filter(None, (because, unfinished.left)))
    known = (state.method, state.model, state.ledger)
    return NotAccepted(*known, text, unfinished.causes, models=unfinished.models)


LearnerState: TypeAlias = (
    looped.State | located.State | certain.State | slipping.State | factored.State
)
FallbackState: TypeAlias = looped.State | located.State


@dataclass(frozen=True, slots=True)
class Fallback:
    """Located with half of δ; if it is not accepted in time, looped with the other half.

    Located gets a tenth of the steps that looped needs at most. So both together take at most 1.1
    times the bound of looped with half of δ, which needs |F| and D̂. The result is that of one of
    the two; looped continues the ledger, and uses none of the rows before.
    """

    name: ClassVar[str] = "located, then looped"
    needs: ClassVar[str] = Looped.needs
    most_steps: ClassVar[None] = None

    parameters: Parameters
    first_action: int = 0

    def __post_init__(self) -> None:
        require_parameters(self.parameters, of_paper=True)

    @property
    def first(self) -> Located:
        return Located(self._half, self.first_action)

    @property
    def then(self) -> Looped:
        return Looped(self._half, self.first_action)

    @property
    def after(self) -> int:
        """The number of steps that located may take."""
        return total_bound(self._half, largest_extent(self._half)) // 10

    @property
    def _half(self) -> Parameters:
        return replace(self.parameters, delta=self.parameters.delta / 2)

    def require(self, actions: int, class_size: int | None) -> None:
        self.then.require(actions, class_size)

    def begin(self) -> FallbackState:
        return self._or_then(self.first.begin())

    def next_plan(self, state: FallbackState) -> Plan | Result:
        if isinstance(state, located.State):
            return state.method.next_plan(state)
        return state.method.next_plan(state)

    def absorb(
        self, state: FallbackState, loop: Loop[Batch], oracle: Class[Batch]
    ) -> FallbackState:
        if isinstance(state, located.State):
            return self._or_then(state.method.absorb(state, loop, oracle))
        return state.method.absorb(state, loop, oracle)

    def unfinished(self, state: FallbackState) -> Unfinished:
        if isinstance(state, located.State):
            return state.method.unfinished(state)
        return state.method.unfinished(state)

    def _or_then(self, state: located.State) -> FallbackState:
        """Return the state, or the first one of looped if located gave up or takes too long."""
        plan = state.method.next_plan(state)
        steps = state.ledger.steps + (plan.steps if isinstance(plan, Plan) else 0)
        if isinstance(plan, NotAccepted) or steps > self.after:
            return self.then.begin(state.ledger)
        return state


AnyMethod: TypeAlias = Certain | Slipping | Located | Looped | Fallback
METHODS: Final = ("certain", "slipping", "located", "looped", "fallback")
"""The names of the methods, the strongest first."""


def checked_run(
    world: World[Batch],
    oracle: Class[Batch],
    method: AnyMethod,
    *,
    self_check: SelfCheck | None = None,
    max_steps: int | None = None,
    observers: Sequence[Observer[LearnerState, Batch]] = (),
) -> Result:
    """Run a method, and check what it has learned with the rows that were kept for this.

    None switches the self-check off. Certain and slipping also check within the run. Fresh steps
    check all but slipping, which takes the steps of the self-check in addition to its own. With
    `Fallback`, either of two results may be checked, so each gets half of the level.
    """
    kept = SelfCheckRows(oracle)
    if isinstance(method, Certain):
        result = drive(method.checked_by(self_check), world, oracle, observers, max_steps)
        try:
            if isinstance(result, Accepted) and self_check is not None:
                checked = (world, oracle, self_check, max_steps)
                result = certainly_checked(result, method, *checked)
        except RecordEnds as ends:
            result = NotAccepted(method, result.model, result.ledger, str(ends))
        except KeyboardInterrupt:
            because = interrupted(result.ledger)
            result = NotAccepted(method, result.model, result.ledger, because, interrupted=True)
        if isinstance(result, Accepted):
            return result
        if isinstance(result, NotAccepted) and result.interrupted:
            return with_rows(result, kept)
        return given_up(result, kept, world, self_check, max_steps)
    if isinstance(method, Slipping):
        result = drive(method.checked_by(self_check), world, oracle, observers, max_steps)
        return result if isinstance(result, Accepted) else with_rows(result, kept)
    watching: tuple[Observer[FallbackState, Batch], ...] = tuple(observers)
    if self_check is not None:
        watching = (kept, *watching)
    match method:
        case Looped():
            result = drive(method, world, oracle, watching, max_steps)
        case Located():
            result = drive(method, world, oracle, watching, max_steps)
        case Fallback():
            result = drive(method, world, oracle, watching, max_steps)
            if self_check is not None:
                self_check = replace(self_check, level=self_check.level / 2)
        case _:
            assert_never(method)
    if isinstance(result, NotAccepted) and (result.interrupted or result.limit_too_small):
        return with_rows(result, kept)
    try:
        return self_checked(result, kept, world, self_check, max_steps)
    except RecordEnds as ends:
        ended = NotAccepted(result.method, result.model, result.ledger, str(ends))
    except KeyboardInterrupt:
        because = interrupted(result.ledger)
        ended = NotAccepted(result.method, result.model, result.ledger, because, interrupted=True)
    return with_rows(ended, kept)
