"""The learning loop: ask the learner for a plan, run it in the world, return the observations."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import BrokenWorld, InvalidArgument, RecordEnds
from steel_verified.evidence.observed import run
from steel_verified.evidence.plans import Plan
from steel_verified.learning import located, looped
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, limit_reached
from steel_verified.learning.self_check.rows import SelfCheckRows
from steel_verified.learning.self_check.stage import self_checked, with_rows
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import (
    largest_extent,
    require_integer,
    require_oracle,
    require_parameters,
    require_world,
)
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.theory.wording import counted
from steel_verified.worlds.checkpoints import Checkpoints, identity, kept
from steel_verified.worlds.progress import Estimate, most_steps, reporting
from steel_verified.worlds.stages import model_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.located import State
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Result
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.progress import Note, Progress

Batch = TypeVar("Batch", bound=Sized)
Other = TypeVar("Other", bound=Sized)


def learn(
    world: World[Batch],
    oracle: Class[Batch],
    method: Looped | Located,
    *,
    first_action: int = 0,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    max_steps: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Path | str | None = None,
    resume: Path | str | None = None,
) -> Result:
    """Run STEEL on a new world until it has learned it, or an assumption is contradicted.

    The method is `Looped(parameters)` or `Located(parameters)`. The learned
    model is accepted only if the self-check finds no fault; None switches the self-check off.

    The run ends as not accepted in three cases: before it would take more than `max_steps` steps
    (by default no limit for the paper's algorithm, and `located.MOST_STEPS` for the other); where a
    recorded world cannot continue; and when it is interrupted (Ctrl-C, without raising
    `KeyboardInterrupt`).

    Before a run, `predict` estimates its steps and its time. `progress` is called with the progress
    of the run. `checkpoint` is a file to which the run is saved at intervals. `resume` is a file
    from which a run is continued, in a new world that equals the first one.

    Raises `BrokenWorld` or `BrokenOracle` if the world or the oracle violates its protocol, and
    `InvalidArgument`, `Unreadable` or `NotThisRun` if the run cannot be resumed from the file.
    """
    require_world(world)
    require_oracle(oracle)
    _require_method(method)
    require_integer("first_action", first_action, at_least=0)
    if max_steps is not None:
        require_integer("max_steps", max_steps, at_least=1)
    if not isinstance(self_check, SelfCheck | None):
        raise InvalidArgument("self_check", self_check, "SelfCheck(…), or None for no self-check")

    def go(world: World[Other], oracle: Class[Other], note: Note) -> Result:
        told = reporting(progress, most_steps(method))

        def both(state: looped.State | State) -> None:
            note(state.ledger.steps, lambda: model_of(state))
            told(state)

        if isinstance(method, Looped):
            return learn_looped(
                world,
                oracle,
                method,
                first_action=first_action,
                self_check=self_check,
                max_steps=max_steps,
                watch=both,
            )
        return learn_located(
            world,
            oracle,
            method,
            first_action=first_action,
            self_check=self_check,
            max_steps=located.MOST_STEPS if max_steps is None else max_steps,
            watch=both,
        )

    files = Checkpoints(_path(checkpoint), _path(resume))
    origin = {"self_check": str(self_check)}
    return kept(go, world, oracle, files, identity(method, oracle, first_action, origin))


def learn_looped(
    world: World[Batch],
    oracle: Class[Batch],
    method: Looped,
    *,
    first_action: int = 0,
    with_encoder: bool = True,
    max_steps: int | None = None,
    ledger: Ledger | None = None,
    self_check: SelfCheck | None = None,
    watch: Callable[[looped.State], None] = lambda _: None,
) -> Result:
    """Run the paper's algorithm. Without the encoder it ends when the dynamics are known.

    It ends as not accepted before it would take more than `max_steps` steps. `ledger` is the ledger
    of an earlier run that continues in this world. `watch` is called with every state of the
    learner, for progress or tests.
    """
    _require_actions(world, method)
    _require_class_size(oracle, method)
    method = replace(method, first_action=first_action, with_encoder=with_encoder)
    state: looped.State = method.begin(ledger)
    kept = SelfCheckRows(oracle, method)
    try:
        while isinstance(plan := method.next_plan(state), Plan):
            if max_steps is not None and state.ledger.steps + plan.steps > max_steps:
                limited = NotAccepted(method, state.model, state.ledger, limit_reached(max_steps))
                return with_rows(limited, kept)
            if self_check is not None:
                plan = replace(plan, keeps=plan.keeps + kept.rows(state, plan))
            loop = run(state.ledger, world, plan)
            before, state = state, method.absorb(state, loop, oracle)
            if self_check is not None:
                kept.observe(before, loop, state)
            watch(state)
        return self_checked(_ended(world, plan), kept, world, self_check, max_steps)
    except RecordEnds as ends:
        result = NotAccepted(method, state.model, state.ledger, str(ends))
    except KeyboardInterrupt:
        result = _interrupted(method, state.model, state.ledger)
    return with_rows(result, kept)


def learn_located(
    world: World[Batch],
    oracle: Class[Batch],
    method: Located,
    *,
    first_action: int = 0,
    max_steps: int = located.MOST_STEPS,
    self_check: SelfCheck | None = None,
    watch: Callable[[State], None] = lambda _: None,
) -> Result:
    """Run located STEEL; it ends as not accepted before it would take more than `max_steps` steps.

    `watch` is called with every state of the learner, for progress or tests.
    """
    _require_actions(world, method)
    method = Located(method.parameters, first_action)
    state: State = method.begin(max_steps)
    kept = SelfCheckRows(oracle, method)
    try:
        while isinstance(plan := method.next_plan(state), Plan):
            if self_check is not None:
                plan = replace(plan, keeps=plan.keeps + kept.rows(state, plan))
            loop = run(state.ledger, world, plan)
            before, state = state, method.absorb(state, loop, oracle)
            if self_check is not None:
                kept.observe(before, loop, state)
            watch(state)
        return self_checked(_ended(world, plan), kept, world, self_check, max_steps)
    except RecordEnds as ends:
        result = NotAccepted(method, state.labels.model_so_far(), state.ledger, str(ends))
    except KeyboardInterrupt:
        result = _interrupted(method, state.labels.model_so_far(), state.ledger)
    return with_rows(result, kept)


def steps_before_fallback(parameters: Parameters) -> int:
    """A tenth of the largest number of steps that the paper's algorithm needs with half of δ."""
    half = replace(parameters, delta=parameters.delta / 2)
    return total_bound(half, largest_extent(half)) // 10


def learn_with_fallback(
    world: World[Batch],
    oracle: Class[Batch],
    parameters: Parameters,
    *,
    first_action: int = 0,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    progress: Callable[[Progress], None] | None = None,
    watch_located: Callable[[State], None] = lambda _: None,
) -> Result:
    """Run located STEEL with half of δ; if it is not accepted in time, run the paper's algorithm.

    Located STEEL gets `steps_before_fallback` steps, and the paper's algorithm gets the other half
    of δ. So both together take at most 1.1 times the bound for that half, which needs |F| and D̂.
    `progress` is called with the progress of each of them.

    The self-check is that of `learn`. Each of the two runs gets half of its level, so both together
    raise a false alarm with chance at most `self_check.level`.
    """
    require_world(world)
    require_oracle(oracle)
    require_parameters(parameters, of_paper=True)
    half = replace(parameters, delta=parameters.delta / 2)
    check = None if self_check is None else replace(self_check, level=self_check.level / 2)
    method = Looped(half)
    _require_class_size(oracle, method)
    most = steps_before_fallback(parameters)
    told = reporting(progress, Estimate(most), "located STEEL")

    def both(state: State) -> None:
        watch_located(state)
        told(state)

    first = learn_located(
        world,
        oracle,
        Located(half),
        first_action=first_action,
        max_steps=most,
        # The second run begins where this one ends, so no extra steps are taken between them.
        self_check=None if check is None else replace(check, steps_to_explain=0),
        watch=both,
    )
    interrupted = isinstance(first, NotAccepted) and first.interrupted
    failed = isinstance(first, Contradicted) and first.self_check is not None
    if isinstance(first, Accepted) or interrupted or failed:
        return first
    return learn_looped(
        world,
        oracle,
        method,
        first_action=first_action,
        ledger=first.ledger,
        self_check=check,
        watch=reporting(progress, most_steps(method), "looped STEEL"),
    )


def _interrupted(method: Looped | Located, model: Model, ledger: Ledger) -> NotAccepted:
    """The result of an interrupted run: what is known after the last completed plan."""
    because = f"interrupted after {counted(ledger.steps, 'step')}"
    return NotAccepted(method, model, ledger, because, interrupted=True)


def _path(name: Path | str | None) -> Path | None:
    return None if name is None else Path(name)


def _require_method(method: object) -> None:
    if not isinstance(method, Looped | Located):
        expected = "a method: Located(parameters) or Looped(parameters)"
        raise InvalidArgument("method", type(method).__name__, expected)


def _require_actions(world: World[Batch], method: Looped | Located) -> None:
    if world.actions != method.parameters.actions:
        expected = f"{world.actions}, the number of actions of the world"
        raise InvalidArgument("actions", method.parameters.actions, expected)


def _require_class_size(oracle: Class[Batch], method: Looped) -> None:
    if oracle.class_size is None:
        expected = (
            "a class of known size: looped STEEL needs |F| to compute its number of samples; use "
            "Located(parameters), which does not need it"
        )
        raise InvalidArgument("oracle.class_size", None, expected)
    if oracle.class_size > method.parameters.class_size:
        expected = f"at least {oracle.class_size}, the size of the oracle's class"
        raise InvalidArgument("class_size", method.parameters.class_size, expected)


def _ended(world: World[Batch], result: Result) -> Result:
    """The result; raises `BrokenWorld` if something else has acted in the world."""
    if world.steps != result.ledger.steps:
        raise BrokenWorld(
            f"{type(world).__name__} reports {world.steps} steps at the end of a run of "
            f"{result.ledger.steps}: nothing else may act in it during a run"
        )
    return result
