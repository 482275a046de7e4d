"""Recorded worlds: the actions that were taken, and the observation after each.

A learner chooses its actions, but a recording has fixed actions. So a run continues only as long as
both agree. Then it ends as not accepted; the result has what is known so far, and says where the
recording ended or took another action.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
import numpy as np

from steel_verified.errors import InvalidArgument, RecordEnds, Unreadable
from steel_verified.evidence.codec import Format, Json, opened, sealed
from steel_verified.evidence.files import read_bytes, write_atomically
from steel_verified.theory.wording import counted
from steel_verified.worlds.dynamics import times_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression

RECORDING: Final = Format("steel-recording", 1)
_REMEDY: Final = "Record it again, or restore a copy"
_KINDS: Final[dict[str, np.dtype[np.generic[object]]]] = {
    "bool": np.dtype("?"),
    "int64": np.dtype("<i8"),
    "float64": np.dtype("<f8"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """One unbroken trajectory: `seen[t]` was observed after action `taken[t]`.

    Observations are vectors of booleans, integers or floats, or single integers.
    """

    actions: int
    taken: tuple[int, ...]
    seen: Numbers

    def __post_init__(self) -> None:
        if self.actions < 1:
            raise InvalidArgument("actions", self.actions, "at least 1")
        for action in set(self.taken):
            if type(action) is not int or not 0 <= action < self.actions:
                raise InvalidArgument("taken", action, f"actions from 0 to {self.actions - 1}")
        shape, kind = self.seen.shape, self.seen.dtype.kind
        if len(shape) not in (1, 2) or shape[0] != len(self.taken) or kind not in "biuf":
            shown = f"{self.seen.dtype} of shape {shape}"
            expected = f"{len(self.taken)} rows of booleans, integers or floats"
            raise InvalidArgument("seen", shown, expected)


class RecordedWorld:
    """A recording as a world: it can run plans that take exactly the recorded actions."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._loop_start = 0
        self.steps: int = 0

    @property
    def actions(self) -> int:
        return self._recording.actions

    def run(self, plan: Plan) -> RecordedTrajectory:
        """Continue in the recording; raises `RecordEnds` if it ends or took another action."""
        taken = self._recording.taken
        for step in range(plan.steps):
            at, action = self.steps + step, plan.word[(plan.done + step) % len(plan.word)]
            if at == len(taken):
                raise RecordEnds(f"the recording ends after {counted(at, 'step')}")
            if taken[at] != action:
                raise RecordEnds(
                    f"in step {at + 1:,} the recording takes action {taken[at]}, but the learner "
                    f"requests action {action}"
                )
        if plan.done == 0:
            self._loop_start = self.steps
        self.steps += plan.steps
        return RecordedTrajectory(self._recording.seen, self._loop_start)

    def sight(self) -> Numbers:
        """All recorded observations."""
        return self._recording.seen

    def retrace(self, plan: Plan) -> RecordedTrajectory:
        """The same as `run`."""
        return self.run(plan)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedTrajectory:
    """One loop of a recorded world."""

    seen: Numbers
    start: int

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Numbers, ...]:
        return tuple(self.seen[self.start + times_of(pieces) - 1] for pieces in datasets)


# --- files ----------------------------------------------------------------------------------------


class RecordingJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recording in its file format; a width of 0 stands for single integers."""

    actions: int
    taken: tuple[int, ...]
    entries: Literal["bool", "int64", "float64"]
    width: Annotated[int, msgspec.Meta(ge=0)]
    rows: bytes


def write_recording(path: Path | str, recording: Recording) -> None:
    """Write a recording to a file, atomically."""
    write_atomically(Path(path), recording_as_bytes(recording))


def read_recording(path: Path | str) -> Recording:
    """Read a recording from a file; raises `Unreadable`."""
    return recording_of(read_bytes(Path(path)), str(path))


def recording_as_bytes(recording: Recording) -> bytes:
    """The recording as a document, with header and digest."""
    seen = recording.seen
    entries = {"b": "bool", "f": "float64"}.get(seen.dtype.kind, "int64")
    exact = seen.astype(_KINDS[entries])
    if not np.array_equal(exact, seen):
        raise InvalidArgument("seen", seen.dtype, f"numbers that {entries} has exactly")
    content: dict[str, Json] = {
        "actions": recording.actions,
        "taken": recording.taken,
        "entries": entries,
        "width": seen.shape[1] if seen.ndim == 2 else 0,
        "rows": b64encode(exact.tobytes()).decode("ascii"),
    }
    return sealed({**RECORDING.header, **content})


def recording_of(data: bytes, name: str) -> Recording:
    """The recording in a document; `name` is the file's name, for errors. Raises `Unreadable`."""
    try:
        found = msgspec.convert(opened(data, RECORDING, name), RecordingJson, strict=True)
        seen = _seen(found, len(found.taken))
        return Recording(found.actions, found.taken, seen)
    except (msgspec.ValidationError, ValueError) as error:
        raise Unreadable(name, "", f"is not a recording ({error})", _REMEDY) from None


def _seen(found: RecordingJson, rows: int) -> NDArray[np.generic[object]]:
    shape = (rows, found.width) if found.width else (rows,)
    seen = np.frombuffer(found.rows, dtype=_KINDS[found.entries])
    if found.entries == "bool" and not set(found.rows) <= {0, 1}:
        raise ValueError("booleans must be bytes 0 or 1")
    return seen.reshape(shape)
