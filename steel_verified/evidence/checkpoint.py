"""A checkpoint: an unfinished run as a file, from which the run can be continued.

A learner is a deterministic function of its method and of what the class read from each dataset (a
*look*). So a run is repeated (*retraced*) from the stored looks: the world follows the same plans
without producing rows, the oracle is asked the same questions, and the same ledger results. The
file has the parameters, a digest of the plans, and the looks; decisions are made again. Anyone who
can edit a checkpoint can forge a run, and the same holds for a certificate.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    Final,
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

import msgspec

from steel_verified.errors import InvalidArgument, NotThisRun, Unreadable
from steel_verified.evidence.codec import Format, opened, sealed
from steel_verified.evidence.entries import Whole  # noqa: TC001 (msgspec reads the annotations)
from steel_verified.evidence.files import read_bytes
from steel_verified.evidence.oracle import Class, Classifier, OfClass, Summary, separating_aside
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.theory.progressions import Progression

Batch = TypeVar("Batch", bound=Sized)
Batch_co = TypeVar("Batch_co", bound=Sized, covariant=True)
Identity: TypeAlias = Mapping[str, int | str | None]
"""What identifies a run: the world, its seeds, the method and all parameters."""

ROWS_READ_AGAIN: Final = 1000
"""About this many of the last rows are read from the world again, and must be the same."""
CHECKPOINT: Final = Format("steel-checkpoint", 1)
LARGEST_CHECKPOINT: Final = 1 << 30
LARGEST_SEEN: Final = LARGEST_CHECKPOINT // 2
"""Base64 makes a file a third larger than its data if the data cannot be compressed."""
_LOOK: Final = struct.Struct("<QII")
"""The header of each dataset: its rows, and the sizes in bytes of its summary and packed rows."""
_PIECE: Final = 1 << 16
"""So many bytes are unpacked at a time."""
_OTHER_SIZE: Final = "its data have another size than stated"
_REMEDY: Final = "Restore a copy, or start the run again without it"


@runtime_checkable
class Retraceable(Protocol[Batch_co]):
    """A world that shows the same rows again if the same plans are run in it from the beginning."""

    def retrace(self, plan: Plan) -> Trajectory[Batch_co]:
        """Follow a plan that was run before. It must be fast: rows may never be requested."""
        ...

    def sight(self) -> Batch_co:
        """Return some rows that differ between worlds with different noise, whatever was done."""
        ...


@runtime_checkable
class WritesSummaries(Protocol):
    """A class whose summaries can be written as bytes and read back."""

    def summary_as_bytes(self, summary: Summary) -> bytes: ...

    def summary_of_bytes(self, data: bytes) -> Summary:
        """Return the summary; raise `ValueError` for bytes that `summary_as_bytes` cannot write."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """What the class read from a dataset. It replaces the rows when a run is retraced."""

    rows: int
    summary: Summary
    packed: bytes = b""
    """The rows as the class packs them, if the ledger keeps rows."""

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True, slots=True)
class Passed:
    """The part of a run that is to be retraced: its steps, its plans, and its looks."""

    name: str
    """The name of the file, for error messages."""
    steps: int
    plans: str
    """A digest of the plans."""
    looks: Sequence[Look]


class KeptWorld(Generic[Batch]):
    """A world that records its plans: it retraces the stored part, then runs the real world."""

    def __init__(
        self, world: World[Batch], oracle: Class[Batch], passed: Passed | None = None
    ) -> None:
        self._world = world
        self._oracle = oracle
        self._passed = passed
        self._next_look = 0
        self._first_read_again = 0 if passed is None else _first_of_last_rows(passed.looks)
        self._plans = hashlib.sha256()
        if passed is not None and not isinstance(world, Retraceable):
            raise NotThisRun(passed.name, f"a {type(world).__name__} cannot be retraced")

    @property
    def actions(self) -> int:
        return self._world.actions

    @property
    def steps(self) -> int:
        return self._world.steps

    @property
    def plans(self) -> str:
        """A digest of all plans that were run."""
        return self._plans.hexdigest()

    @property
    def is_retracing(self) -> bool:
        """Whether the stored part is not finished yet."""
        return self._passed is not None

    def end(self) -> None:
        """Raise `NotThisRun` if the run ends before the stored part was retraced completely."""
        if self._passed is not None and self.steps < self._passed.steps:
            raise NotThisRun(
                self._passed.name,
                f"this run ends after {self.steps:,} of its {counted(self._passed.steps, 'step')}",
            )
        self._leave_passed()

    def run(self, plan: Plan) -> Trajectory[Batch | Look]:
        self._leave_passed()
        passed = self._passed
        self._plans.update(f"{plan.word}{plan.done},{plan.steps};".encode())
        if passed is None:
            return self._world.run(plan)
        if self.steps + plan.steps > passed.steps:
            raise NotThisRun(
                passed.name, f"no plan ends at step {passed.steps:,}, where it was left"
            )
        assert isinstance(self._world, Retraceable), "the constructor refuses other worlds"
        return _Retraced(self, self._world.retrace(plan))

    def _leave_passed(self) -> None:
        """At the end of the stored part, compare it with the run and switch to the real world."""
        passed = self._passed
        if passed is None or self.steps < passed.steps:
            return
        if self._next_look != len(passed.looks):
            left = len(passed.looks) - self._next_look
            raise NotThisRun(passed.name, f"it has {counted(left, 'dataset')} too many")
        if self.plans != passed.plans:
            raise NotThisRun(passed.name, "other plans were run in it")
        self._passed = None

    def looks_at(
        self, trajectory: Trajectory[Batch], datasets: Sequence[tuple[Progression, ...]]
    ) -> tuple[Look, ...]:
        """Return the next stored looks; some of the last ones are compared with the world."""
        passed, first = self._passed, self._next_look
        assert passed is not None, "rows are requested before another plan is run"
        looks = tuple(passed.looks[first : first + len(datasets)])
        if [look.rows for look in looks] != [sum(map(len, pieces)) for pieces in datasets]:
            raise NotThisRun(passed.name, f"other rows are asked for at step {self.steps:,}")
        self._next_look += len(datasets)
        again = max(0, self._first_read_again - first)
        for look, batch in zip(looks[again:], trajectory.rows(*datasets[again:]), strict=True):
            same = (
                self._oracle.pack(batch) == look.packed
                if look.packed
                else self._oracle.summarise(batch) == look.summary
            )
            if not same:
                found = f"the world shows something else before step {self.steps:,}"
                raise NotThisRun(passed.name, found)
        return looks


def _first_of_last_rows(looks: Sequence[Look]) -> int:
    first, rows = len(looks), 0
    while first and rows < ROWS_READ_AGAIN:
        first -= 1
        rows += looks[first].rows
    return first


@dataclass(frozen=True, slots=True)
class _Retraced(Generic[Batch]):
    """One loop of a run that is being retraced."""

    world: KeptWorld[Batch]
    trajectory: Trajectory[Batch]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Look, ...]:
        return self.world.looks_at(self.trajectory, datasets)


class KeptOracle(OfClass[Batch | Look, Batch]):
    """An oracle that stores what its class read, and accepts stored looks in place of rows."""

    def __init__(
        self, oracle: Class[Batch], passed: Passed | None = None, *, remembers: bool = True
    ) -> None:
        self.functions = oracle
        self.remembers = remembers
        self._last: Batch | None = None
        self.looks: list[Look] = [] if passed is None else list(passed.looks)

    def summarise(self, batch: Batch | Look) -> Summary:
        if isinstance(batch, Look):
            return batch.summary
        summary = self.functions.summarise(batch)
        if self.remembers:
            self.looks.append(Look(len(batch), summary))
            self._last = batch
        return summary

    def pack(self, batch: Batch | Look) -> bytes:
        """Return the packed rows; if they were summarised just before, both are stored together."""
        if isinstance(batch, Look):
            return batch.packed
        packed = self.functions.pack(batch)
        if self.remembers:
            was_summarised = batch is self._last
            summary = self.looks.pop().summary if was_summarised else self.functions.nothing()
            self.looks.append(Look(len(batch), summary, packed))
            self._last = None
        return packed

    def separating_aside(self, zeros: Summary, ones: Summary) -> Classifier | None:
        return separating_aside(self.functions, zeros, ones)

    def _features(self, batch: Batch | Look) -> Batch:
        if isinstance(batch, Look):
            raise InvalidArgument("batch", "a summary", "rows, on which classifiers have values")
        return batch


# --- files ----------------------------------------------------------------------------------------


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unfinished run; the fields are those of a file."""

    run: Identity
    steps: Whole
    table: tuple[tuple[Whole | None, ...], ...]
    """The partial model. Nothing about it is guaranteed."""
    not_resumable: str | None
    """The reason why the run cannot be continued, or None if it can."""
    plans: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    looks: Whole
    """The number of datasets in `seen`."""
    seen: bytes
    """Compressed; `size` is its size before. It is unpacked only for the run that it belongs to."""
    size: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEEN)] = 0

    def passed(self, run: Identity, functions: WritesSummaries, name: str) -> Passed:
        """Return what is to be retraced; raise if this is another run, or cannot be continued."""
        if self.not_resumable is not None:
            expected = f"a run that can be continued: {self.not_resumable}; "
            raise InvalidArgument("resume", name, f"{expected}the file has its partial model")
        for key in dict.fromkeys((*run, *self.run)):
            there, here = self.run.get(key), run.get(key)
            if there != here:
                expected = f"there {key} is {_shown(there)}, and here it is {_shown(here)}"
                raise InvalidArgument("resume", name, f"a checkpoint of this run: {expected}")
        try:
            looks = tuple(_looks(_Unpacking(self.seen, self.size), functions))
        except (ValueError, struct.error, zlib.error) as error:
            raise Unreadable(name, "seen", f"is damaged ({error})", _REMEDY) from None
        if len(looks) != self.looks:
            found = f"has {counted(len(looks), 'dataset')}, not {self.looks:,}"
            raise Unreadable(name, "seen", found, _REMEDY)
        return Passed(name, self.steps, self.plans, looks)


def look_as_bytes(look: Look, functions: WritesSummaries) -> bytes:
    summary = functions.summary_as_bytes(look.summary)
    return _LOOK.pack(look.rows, len(summary), len(look.packed)) + summary + look.packed


def _looks(seen: _Unpacking, functions: WritesSummaries) -> Iterator[Look]:
    while not seen.is_over:
        rows, summary, packed = _LOOK.unpack(seen.next(_LOOK.size))
        read = functions.summary_of_bytes(seen.next(summary))
        yield Look(rows, read, seen.next(packed))


class _Unpacking:
    """What is compressed in a file, a piece at a time: a false file is refused with little memory.

    Raises `ValueError` or `zlib.error` if the data are damaged or have another size than stated.
    """

    def __init__(self, data: bytes, size: int) -> None:
        self._stream, self._left = zlib.decompressobj(), size
        self._packed = (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
        self._held, self._at = b"", 0

    @property
    def is_over(self) -> bool:
        """Whether all of the stated size was read."""
        if self._left:
            return False
        more = self._at < len(self._held) or self._unpacked(1) or next(self._packed, b"")
        if more or not self._stream.eof:
            raise ValueError(_OTHER_SIZE)
        return True

    def next(self, size: int) -> bytes:
        """Return the next bytes."""
        if size > self._left:
            raise ValueError("it ends within a dataset")
        self._left -= size
        if (missing := self._at + size - len(self._held)) > 0:
            pieces = [self._held[self._at :]]
            while missing > 0:
                pieces.append(piece := self._unpacked(max(missing, _PIECE)))
                missing -= len(piece)
                if not piece:
                    raise ValueError(_OTHER_SIZE)
            self._held, self._at = b"".join(pieces), 0
        self._at += size
        return self._held[self._at - size : self._at]

    def _unpacked(self, most: int) -> bytes:
        """Return some more bytes, at most so many; none at the end."""
        found = b""
        while not found and not self._stream.eof:
            packed = self._stream.unconsumed_tail or next(self._packed, b"")
            found = self._stream.decompress(packed, most)
            if not packed and not found:
                break
        if self._stream.unused_data:
            raise ValueError(_OTHER_SIZE)
        return found


def checkpoint_as_bytes(checkpoint: Checkpoint) -> bytes:
    """Return a checkpoint as a document with header and digest."""
    return sealed({**CHECKPOINT.header, **msgspec.to_builtins(checkpoint)})


def read_checkpoint(path: Path) -> Checkpoint:
    return checkpoint_of(read_bytes(path, LARGEST_CHECKPOINT, "resume"), str(path))


def checkpoint_of(data: bytes, name: str) -> Checkpoint:
    content = opened(data, CHECKPOINT, name)
    try:
        return msgspec.convert(content, Checkpoint, strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(name, "", f"is not a checkpoint ({error})", _REMEDY) from None


def compressed(seen: bytes) -> tuple[bytes, int]:
    """Return the fields `seen` and `size` of a checkpoint."""
    return zlib.compress(seen, level=1), len(seen)


def _shown(value: int | str | None) -> str:
    text = "not stated" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:40]}… ({len(text):,} characters)"
