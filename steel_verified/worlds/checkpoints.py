"""Save the state of a run in a checkpoint file, and resume a run from such a file."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sized
from dataclasses import dataclass, fields
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from steel_verified.errors import InvalidArgument, Unsaved
from steel_verified.evidence.checkpoint import (
    LARGEST_SEEN,
    Checkpoint,
    KeptOracle,
    KeptWorld,
    Retraceable,
    WritesSummaries,
    checkpoint_as_bytes,
    compressed,
    look_as_bytes,
    read_checkpoint,
)
from steel_verified.evidence.files import require_outputs, write_atomically, write_or_rescue
from steel_verified.learning.model import Model
from steel_verified.learning.results import NotAccepted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from steel_verified.evidence.checkpoint import Identity, Passed
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.drive import AnyMethod, Learner, Note
    from steel_verified.learning.factored import Factored

Batch = TypeVar("Batch", bound=Sized)
Ended = TypeVar("Ended")
Ended_co = TypeVar("Ended_co", covariant=True)

_SHARE: Final = 20
"""Writing takes at most one part in this many of the running time."""


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The file to which a run is saved, and the file from which it resumes; they may be equal."""

    write: Path | None = None
    resume: Path | None = None
    seconds: float = 10.0
    """Seconds between two writes, unless a write takes so long that the interval must grow."""


NO_FILES: Final = Checkpoints()


@dataclass(frozen=True, slots=True)
class _Reached:
    """The state of a run between two plans."""

    steps: int
    plans: str
    looks: int
    model: Callable[[], Model]


@dataclass(frozen=True, slots=True)
class _Encoded:
    """The first datasets that were read, in encoded form."""

    looks: int
    seen: bytes


def identity(
    method: AnyMethod | Factored,
    oracle: Class[Batch],
    origin: Mapping[str, int | str],
) -> dict[str, int | str | None]:
    """What identifies a run. A checkpoint of another run is rejected.

    `origin` describes the world, as far as it is known.
    """
    found: dict[str, int | str | None] = {**origin, "first_action": method.first_action}
    declared = oracle.declared
    found["class"] = f"{declared.name} with {declared.width} {declared.entries}"
    found["method"] = method.name
    given = method if method.parameters is None else method.parameters
    for field in fields(given):
        value: object = getattr(given, field.name)
        if isinstance(value, int | str | float | Fraction):
            found[field.name] = value if isinstance(value, int | str) else str(value)
    return found


class Goes(Protocol[Ended_co]):
    """A run for any type of observations; it calls `note` after each plan."""

    def __call__(self, world: World[Batch], oracle: Class[Batch], note: Note, /) -> Ended_co: ...


def kept(
    go: Goes[Ended],
    world: World[Batch],
    oracle: Class[Batch],
    files: Checkpoints,
    run: Identity,
) -> Ended:
    """Execute a run, and save it if checkpoint files are given."""
    if files.write is None and files.resume is None:
        return go(world, oracle, lambda _: None)
    keeper = Keeper(world, oracle, files, run)
    try:
        result = go(keeper.world, keeper.oracle, keeper.note)
    except Exception:  # Save the run so far, whatever went wrong, and raise the error again.
        keeper.write(last=True)
        raise
    if not (isinstance(result, NotAccepted) and result.interrupted):
        keeper.world.end()
    keeper.write(last=True)
    return result


class Keeper(Generic[Batch]):
    """Wraps a world and an oracle: it records what is read, and writes checkpoints at intervals.

    If the run resumes from a file, raises `InvalidArgument` or `Unreadable` if the file cannot be
    read or belongs to another run. The file is not replaced until the run has reached its end.
    """

    def __init__(
        self,
        world: World[Batch],
        oracle: Class[Batch],
        files: Checkpoints,
        run: Identity,
    ) -> None:
        require_outputs(checkpoint=files.write)
        self._files = files
        self._functions: WritesSummaries | None = None
        self._not_resumable: str | None = None
        if not isinstance(world, Retraceable):
            self._not_resumable = f"a {type(world).__name__} cannot be set back to an earlier state"
        elif not isinstance(oracle, WritesSummaries):
            self._not_resumable = f"the state of {type(oracle).__name__} cannot be saved"
        else:
            self._functions = oracle
            run = {**run, "noise": hashlib.sha256(oracle.pack(world.sight())).hexdigest()}
        self._run = run
        passed = self._passed()
        self.world: KeptWorld[Batch] = KeptWorld(world, oracle, passed)
        self.oracle: KeptOracle[Batch] = KeptOracle(
            oracle, passed, remembers=self._functions is not None
        )
        self._encoded = _Encoded(0, b"")
        self._took = 0.0
        self._written = monotonic()
        self._reached: _Reached | None = None
        if passed is None:
            self._reached = _Reached(0, self.world.plans, 0, lambda: Model(world.actions))
            self.write()

    def note(self, state: Learner) -> None:
        """Record the state between two plans, and write a checkpoint if it is time.

        Nothing is recorded before the run has retraced the file from which it resumes.
        """
        if self.world.is_retracing:
            return
        looks = len(self.oracle.looks)
        self._reached = _Reached(state.ledger.steps, self.world.plans, looks, lambda: state.model)
        if monotonic() - self._written > max(self._files.seconds, _SHARE * self._took):
            self.write()

    def _passed(self) -> Passed | None:
        """The recorded part of the run that must be retraced."""
        if self._files.resume is None:
            return None
        found = read_checkpoint(self._files.resume)
        if self._functions is None:
            expected = f"no checkpoint, because this run cannot be resumed: {self._not_resumable}"
            raise InvalidArgument("resume", self._files.resume, expected)
        return found.passed(self._run, self._functions, str(self._files.resume))

    def write(self, *, last: bool = False) -> None:
        """Write the last recorded state. If that fails, print a warning; the run continues.

        If the last write fails, the state is written to the system's temporary folder.
        """
        reached, began = self._reached, monotonic()
        if self._files.write is None or reached is None:
            return
        seen = self._seen_until(reached.looks)
        if len(seen) > LARGEST_SEEN:
            self._functions, seen = None, b""
            self._not_resumable = f"the observations take more than {LARGEST_SEEN >> 20} MB"
        table, why = reached.model().table, self._not_resumable
        data = checkpoint_as_bytes(
            Checkpoint(
                self._run,
                reached.steps,
                table,
                why,
                reached.plans,
                reached.looks,
                *compressed(seen),
            )
        )
        try:
            (write_or_rescue if last else write_atomically)(self._files.write, data)
        except InvalidArgument as error:
            category = Unsaved if last else UserWarning
            warnings.warn(f"the checkpoint was not written: {error}", category, stacklevel=2)
        self._written = monotonic()
        self._took = self._written - began

    def _seen_until(self, looks: int) -> bytes:
        """The first `looks` datasets, encoded. Each is encoded once, even after an interruption."""
        functions, known = self._functions, self._encoded
        if functions is None:
            return b""
        new = (look_as_bytes(look, functions) for look in self.oracle.looks[known.looks : looks])
        self._encoded = _Encoded(looks, b"".join((known.seen, *new)))
        return self._encoded.seen
