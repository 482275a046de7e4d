"""Learn a world: run a method with its self-check, report progress, and keep checkpoints."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.learning.drive import Fallback, Watch, checked_run
from steel_verified.learning.located import MOST_STEPS, Located
from steel_verified.learning.looped import Looped
from steel_verified.theory.parameters import require_integer, require_oracle, require_world
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.worlds.checkpoints import Checkpoints, identity, kept
from steel_verified.worlds.progress import progress_observer

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.drive import Note
    from steel_verified.learning.results import Result
    from steel_verified.worlds.progress import Progress

Batch = TypeVar("Batch", bound=Sized)
Other = TypeVar("Other", bound=Sized)


def learn(
    world: World[Batch],
    oracle: Class[Batch],
    method: Looped | Located | Fallback,
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
    require_integer("first_action", first_action, at_least=0)
    if max_steps is not None:
        require_integer("max_steps", max_steps, at_least=1)
    if not isinstance(self_check, SelfCheck | None):
        raise InvalidArgument("self_check", self_check, "SelfCheck(…), or None for no self-check")
    _require_method(method)
    method = replace(method, first_action=first_action)
    if max_steps is None and isinstance(method, Located):
        max_steps = MOST_STEPS

    def go(world: World[Other], oracle: Class[Other], note: Note) -> Result:
        return checked_run(
            world,
            oracle,
            method,
            self_check=self_check,
            max_steps=max_steps,
            observers=(Watch(note), progress_observer(progress, method)),
        )

    files = Checkpoints(_path(checkpoint), _path(resume))
    origin = {"self_check": str(self_check)}
    return kept(go, world, oracle, files, identity(method, oracle, origin))


def _require_method(method: object) -> None:
    if not isinstance(method, Looped | Located | Fallback):
        expected = "a method: Located(parameters) or Looped(parameters)"
        raise InvalidArgument("method", type(method).__name__, expected)


def _path(name: Path | str | None) -> Path | None:
    return None if name is None else Path(name)
