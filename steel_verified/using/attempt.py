"""Run a method on a world: `attempt` returns the result, accepted or not."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sized
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypedDict, TypeVar, Unpack

from steel_verified.classes.columns import growing
from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import Certain
from steel_verified.learning.drive import (
    METHODS,
    AnyMethod,
    Fallback,
    Watch,
    checked_run,
    too_few_steps,
)
from steel_verified.learning.listed import MOST_CLASSIFIERS
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.learning.slipping import Slipping
from steel_verified.learning.template import Bounded
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.theory.exact import exactly
from steel_verified.theory.parameters import (
    ONE_IN_20,
    LocatedParameters,
    Parameters,
    require_integer,
    require_oracle,
    require_world,
)
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.worlds.progress import progress_observer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.drive import LearnerState, Note
    from steel_verified.learning.factored import Factored
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import GivenUp, Result
    from steel_verified.theory.conditions import Cause
    from steel_verified.using.learned import Learned
    from steel_verified.worlds.progress import Progress

Batch = TypeVar("Batch", bound=Sized)
Other = TypeVar("Other", bound=Sized)
Observation = TypeVar("Observation")
Ended = TypeVar("Ended")
Ended_co = TypeVar("Ended_co", covariant=True)

MOST_LOOPED_STEPS: Final = 10**8
"""By default, a looped run ends as not accepted before it takes more steps than this."""
_NO_BOUNDS: Final = "certain needs no bounds"
_OWN_PARAMETERS: Final = "the method has its own parameters"


class NotLearned(AssumptionViolated):
    """The run ended without an accepted model; `result` says why."""

    def __init__(self, result: GivenUp) -> None:
        super().__init__(result.because, *(cause.condition for cause in result.causes))
        self.add_note("`print(error.result)` says what may not hold, and what to try.")
        self.result = result

    @property
    def model(self) -> Model:
        """What is known of the dynamics; nothing is guaranteed of it."""
        return self.result.model

    @property
    def causes(self) -> tuple[Cause, ...]:
        """What may not hold, the most likely one first."""
        return self.result.causes


def learned_or_raise(
    result: Result,
    F: Class[Batch],  # noqa: N803
    features: Callable[[Observation], object] | None = None,
) -> Learned:
    """Return what was learned; raise `NotLearned`, or `KeyboardInterrupt` after Ctrl-C."""
    # Imported here because only an accepted model needs it.
    from steel_verified.using.learned import Learned  # noqa: PLC0415

    if isinstance(result, Accepted):
        return Learned.of(result, F, features)
    raise not_learned(result)


def not_learned(result: GivenUp) -> NotLearned | KeyboardInterrupt:
    """Return the error to raise for a run that was given up."""
    if isinstance(result, NotAccepted) and result.interrupted:
        return KeyboardInterrupt(result.because)
    return NotLearned(result)


class RunOptions(TypedDict, total=False):
    """The options of every run; `attempt` says what they mean."""

    max_steps: int | None
    progress: Callable[[Progress], None] | Literal["auto"] | None
    """"auto" by default."""
    checkpoint: Path | str | None
    resume: Path | str | None


class Options(RunOptions, total=False):
    """The options of `attempt` and of `learn`; `attempt` says what they mean."""

    max_states: int | None
    mixing_time: int | None
    delta: Fraction | float | str | None
    slips: Fraction | float | str | None
    epsilon: Fraction | float | str
    """1/20 by default."""
    seed: int | None
    first_action: int | None
    self_check: SelfCheck | None
    """`SelfCheck()` by default."""


def require_options(options: Options) -> None:
    """Raise `TypeError` for an option that does not exist, as Python does for other arguments."""
    for name in options.keys() - Options.__annotations__.keys():
        raise TypeError(f"{name} is no option; there are {', '.join(Options.__annotations__)}")


def attempt(
    world: World[Batch],
    F: Class[Batch],  # noqa: N803
    method: AnyMethod | str | None = None,
    **options: Unpack[Options],
) -> Result:
    """Run a method on a new world, and return its result: accepted, contradicted or not accepted.

    The method is a value, such as `Looped(parameters)`, or a name: "certain", "slipping",
    "located", "looped" or "fallback". By default it is slipping if `slips` is given, certain if no
    bounds are given and F can be listed, and otherwise located. Finite classes are listed
    beforehand, and thresholds, boxes and conjunctions as rows arrive; docs/theory/certain.md says
    which method takes which class, and why. Certain and slipping need no bounds. The others need
    the bounds N (`max_states`) and t̂_mix (`mixing_time`); numbers with a decimal point are read as
    the decimals that they print as. ε (`epsilon`) is 1/20 by default, and δ (`delta`) is 1/20 for
    all but certain. A certain run accepts only what is certain, unless a δ is given: then private
    coins may decide what rows cannot, right with probability 1 − δ if the noise ignores actions.
    `slips` is a number p < 1/2: given all that happened before, a step leads elsewhere than usual
    with chance p at most. F is finite then, and what is learned is right with probability 1 − δ.

    The learned model is accepted only if the self-check (`self_check`, a `SelfCheck`) finds no
    fault; None switches it off. That takes fresh steps after the run, which are counted apart from
    it; certain and slipping also take 200 of their own. `seed` is that of the steps of the
    self-check, and of the random actions and the coins of certain and slipping. `first_action` is
    the action with which the run begins.

    The run ends as not accepted before it would take more than `max_steps` steps (by default 10⁵
    for certain and slipping, 10⁷ for located, 10⁸ for the others), where a recorded world cannot
    continue, and when it is interrupted (Ctrl-C). `progress` is called with the progress of the
    run; by default a terminal shows a bar, and otherwise the stages are logged. `checkpoint` is a
    file to which the run is saved at intervals, `resume` one from which it is continued, in a new
    world that equals the first one.

    Raises `BrokenWorld` or `BrokenOracle` if the world or the class violates its protocol, and
    `InvalidArgument`, `Unreadable` or `NotThisRun` if the run cannot be resumed from the file.
    """
    require_world(world)
    require_oracle(F)
    require_options(options)
    self_check, seed = options.get("self_check", DEFAULT_CHECK), options.get("seed")
    if not isinstance(self_check, SelfCheck | None):
        raise InvalidArgument("self_check", self_check, "SelfCheck(…), or None for no self-check")
    if self_check is not None and seed is not None:
        require_integer("seed", seed, at_least=0)
        self_check = replace(self_check, seed=seed)
    max_steps = options.get("max_steps")
    if max_steps is not None:
        require_integer("max_steps", max_steps, at_least=1)
    chosen = _chosen(world, F, method, options)
    if max_steps is None:
        max_steps = chosen.most_steps or MOST_LOOPED_STEPS
    if too_few := too_few_steps(chosen, max_steps):
        logging.getLogger("steel_verified").warning("This run cannot be accepted: %s.", too_few)

    def go(
        world: World[Other],
        F: Class[Other],  # noqa: N803
        observers: tuple[Watch[LearnerState], ...],
    ) -> Result:
        return checked_run(
            world, F, chosen, self_check=self_check, max_steps=max_steps, observers=observers
        )

    return watched(go, world, F, chosen, options, {"self_check": str(self_check)})


class Runs(Protocol[Ended_co]):
    """A run for any type of observations, with observers."""

    def __call__(
        self,
        world: World[Other],
        F: Class[Other],  # noqa: N803
        observers: tuple[Watch[LearnerState], ...],
        /,
    ) -> Ended_co: ...


def watched(
    go: Runs[Ended],
    world: World[Batch],
    F: Class[Batch],  # noqa: N803
    method: AnyMethod | Factored,
    options: RunOptions,
    origin: Mapping[str, str],
) -> Ended:
    """Return the result of a run with its progress shown and its checkpoints, if they are wanted.

    `origin` is what else identifies the run.
    """
    progress = options.get("progress", "auto")
    checkpoint, resume = options.get("checkpoint"), options.get("resume")
    with ExitStack() as stack:
        callback = shown(stack) if progress == "auto" else progress

        def noted(world: World[Other], F: Class[Other], note: Note) -> Ended:  # noqa: N803
            return go(world, F, (Watch(note), progress_observer(callback, method)))

        if checkpoint is None and resume is None:
            return noted(world, F, lambda _: None)
        # Imported here because only a run with files needs it.
        from steel_verified.worlds.checkpoints import (  # noqa: PLC0415
            Checkpoints,
            identity,
            kept,
        )

        files = Checkpoints(_path(checkpoint), _path(resume))
        return kept(noted, world, F, files, identity(method, F, origin))


def _chosen(
    world: World[Batch],
    F: Class[Batch],  # noqa: N803
    method: AnyMethod | str | None,
    options: Options,
) -> AnyMethod:
    """Return the method that these options choose, with its seed, its δ and its first action."""
    slips, first = options.get("slips"), options.get("first_action")
    bounds = {
        "max_states": options.get("max_states"),
        "mixing_time": options.get("mixing_time"),
    }
    given, seed = options.get("delta"), options.get("seed")
    delta = None if given is None else exact("delta", given)
    epsilon = exact("epsilon", options.get("epsilon", ONE_IN_20))
    chances = ONE_IN_20 if delta is None else delta, epsilon
    if slips is not None and method in (None, "slipping"):
        chosen: AnyMethod = _slipping(world, F, exact("slips", slips), chances[0], bounds)
    elif slips is not None or method == "slipping":
        expected = "a bound p < 1/2 with the method slipping, and None with any other"
        raise InvalidArgument("slips", slips, expected)
    else:
        chosen = _of_bounds(world, F, method, bounds, *chances)
    if first is not None:
        chosen = replace(chosen, first_action=first)
    if isinstance(chosen, Certain) and delta is not None:
        chosen = replace(chosen, delta=delta)
    if isinstance(chosen, Certain | Slipping) and seed is not None:
        chosen = replace(chosen, seed=seed)
    return chosen


def _of_bounds(
    world: World[Batch],
    F: Class[Batch],  # noqa: N803
    method: object,
    bounds: dict[str, int | None],
    delta: Fraction,
    epsilon: Fraction,
) -> AnyMethod:
    """Return the method: as it was given, or made from its name, or the strongest that fits."""
    given = [name for name, value in bounds.items() if value is not None]
    listed, grown = is_listed(F), growing(F)
    if method in (None, "certain") and given == ["max_states"] and isinstance(grown, Bounded):
        most = bounds["max_states"]
        return Certain(F.declared.width, world.actions, functions=grown, max_states=most)
    if given and (method == "certain" or isinstance(method, AnyMethod)):
        expected = "None: " + (_NO_BOUNDS if method == "certain" else _OWN_PARAMETERS)
        raise InvalidArgument(given[0], bounds[given[0]], expected)
    if isinstance(method, AnyMethod):
        return method
    if method == "certain" or (method is None and (listed or grown) and not given):
        if not listed and grown is None:
            expected = (
                "located: certain needs a finite class of at most 131,072 classifiers, or "
                "thresholds, boxes or conjunctions"
            )
            raise InvalidArgument("method", method, expected)
        return Certain(F.declared.width, world.actions, functions=grown)
    if method is not None and method not in METHODS:
        expected = f"a method such as Located(parameters), or one of {', '.join(METHODS)}"
        shown = method if isinstance(method, str) else type(method).__name__
        raise InvalidArgument("method", shown, expected)
    max_states, mixing_time = _bounds(bounds)
    if method in (None, "located"):
        return Located(
            LocatedParameters.of(
                world,
                max_states=max_states,
                mixing_time=mixing_time,
                delta=delta,
                epsilon=epsilon,
            )
        )
    parameters = Parameters.of(
        world, F, max_states=max_states, mixing_time=mixing_time, delta=delta, epsilon=epsilon
    )
    return Looped(parameters) if method == "looped" else Fallback(parameters)


def _slipping(
    world: World[Batch],
    F: Class[Batch],  # noqa: N803
    rate: Fraction,
    delta: Fraction,
    bounds: dict[str, int | None],
) -> Slipping:
    """Return the method for steps that may slip."""
    for name, value in bounds.items():
        if value is not None:
            raise InvalidArgument(name, value, "None: slipping needs no bounds")
    if F.declared.name != "finite":
        expected = "a finite class: where steps may slip, all classifiers are listed"
        raise InvalidArgument("F", F.declared.name, expected)
    return Slipping(rate, F.declared.width, world.actions, delta)


def is_listed(F: Class[Batch]) -> bool:  # noqa: N803
    """Return whether the class is finite, and small enough for certain."""
    return F.declared.name == "finite" and F.declared.width <= MOST_CLASSIFIERS


def _bounds(bounds: dict[str, int | None]) -> Iterator[int]:
    meant = {
        "max_states": "N, a number that is not below the number of states",
        "mixing_time": "t̂_mix, a number of steps after which the noise has mixed: 1 if it is "
        "drawn anew at each step; `preflight` estimates it",
    }
    for name, value in bounds.items():
        if value is None:
            raise InvalidArgument(name, None, meant[name])
        yield value


def _path(name: Path | str | None) -> Path | None:
    return None if name is None else Path(name)


def exact(argument: str, value: Fraction | float | str) -> Fraction:
    """Return a fraction; a float is read as the decimal that it prints as."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InvalidArgument(argument, repr(value), "a number between 0 and 1, such as 0.05")
    try:
        return exactly(str(value))
    except InvalidArgument as error:
        raise InvalidArgument(argument, value, error.expected) from None


def shown(stack: ExitStack) -> Callable[[Progress], None]:
    """Return what shows the progress by default: a bar on a terminal, a log elsewhere."""
    if sys.stderr.isatty():
        # Imported here because only a terminal shows a bar.
        from steel_verified.progress import shown_progress  # noqa: PLC0415

        return stack.enter_context(shown_progress())
    log, last = logging.getLogger("steel_verified"), ""

    def log_stage(now: Progress) -> None:
        nonlocal last
        stage = f"{now.attempt} {now.stage.name}".strip()
        if stage != last:
            last = stage
            log.info("%s, after %d steps", stage, now.steps)

    return log_stage
