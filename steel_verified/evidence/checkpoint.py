"""A checkpoint: the state of an unfinished run as a file, from which the run can be continued.

It contains the parameters, a digest of the plans, and what the class read from each dataset (a
*look*). It does not contain decisions: they are made again from what was read. Anyone who can edit
a checkpoint can forge a run, and the same holds for a certificate.
"""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import msgspec

from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Format, opened, sealed
from steel_verified.evidence.files import read_bytes
from steel_verified.evidence.retracing import Look, Passed
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.retracing import WritesSummaries


CHECKPOINT: Final = Format("steel-checkpoint", 1)
LARGEST_CHECKPOINT: Final = 1 << 30
LARGEST_SEEN: Final = LARGEST_CHECKPOINT // 2
"""Base64 makes a file a third larger than its data if the data cannot be compressed."""
_LOOK: Final = struct.Struct("<QII")
"""The header of each dataset: its rows, and the sizes in bytes of its summary and packed rows."""
_REMEDY: Final = "Restore a copy, or start the run again without it"

Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Identity: TypeAlias = "Mapping[str, int | str | None]"
"""What identifies a run: the world, its seeds, the method and all parameters."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An unfinished run that was read from a file."""

    name: str
    """The file name, for error messages."""
    run: Identity
    steps: int
    table: tuple[tuple[int | None, ...], ...]
    """The partial model. Nothing about it is guaranteed."""
    not_resumable: str | None
    """The reason why the run cannot be continued, or None if it can."""
    plans: str
    looks: int
    seen: bytes

    def require_run(self, run: Identity) -> None:
        """Raise `InvalidArgument` if this is a checkpoint of another run or cannot be continued."""
        if self.not_resumable is not None:
            raise InvalidArgument(
                "resume",
                self.name,
                f"a run that can be continued: {self.not_resumable}; "
                "the file has its partial model",
            )
        for key in dict.fromkeys((*run, *self.run)):
            if self.run.get(key) != run.get(key):
                raise InvalidArgument(
                    "resume",
                    self.name,
                    f"a checkpoint of this run: there {key} is {_shown(self.run.get(key))}, and "
                    f"here it is {_shown(run.get(key))}",
                )

    def passed(self, functions: WritesSummaries) -> Passed:
        """Return what is to be retraced; raise `Unreadable` if the class cannot read it."""
        try:
            looks = tuple(_looks(self.seen, functions))
        except (ValueError, struct.error) as error:
            raise Unreadable(self.name, "seen", f"is damaged ({error})", _REMEDY) from None
        if len(looks) != self.looks:
            found = f"has {counted(len(looks), 'dataset')}, not {self.looks:,}"
            raise Unreadable(self.name, "seen", found, _REMEDY)
        return Passed(self.name, self.steps, self.plans, looks)


class CheckpointJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint as it is stored in a file."""

    run: dict[str, int | str | None]
    steps: Whole
    table: tuple[tuple[Whole | None, ...], ...]
    not_resumable: str | None
    plans: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    looks: Whole
    size: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEEN)]
    """The number of bytes of `seen` after decompression."""
    seen: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9+/]*={0,2}$")]


def look_as_bytes(look: Look, functions: WritesSummaries) -> bytes:
    """Return a dataset as it is stored in a file."""
    summary = functions.summary_as_bytes(look.summary)
    return _LOOK.pack(look.rows, len(summary), len(look.packed)) + summary + look.packed


def checkpoint_as_bytes(
    *,
    run: Identity,
    steps: int,
    table: Sequence[Sequence[int | None]],
    not_resumable: str | None,
    plans: str,
    looks: int,
    seen: bytes,
) -> bytes:
    """Return a checkpoint as a document with header and digest; `seen` has `looks` datasets."""
    content: dict[str, Json] = {
        "run": run,
        "steps": steps,
        "table": table,
        "not_resumable": not_resumable,
        "plans": plans,
        "looks": looks,
        "size": len(seen),
        "seen": base64.b64encode(zlib.compress(seen, level=1)).decode("ascii"),
    }
    return sealed({**CHECKPOINT.header, **content})


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises `InvalidArgument` if the file does not exist or is too large, and `Unreadable` if it is
    not a checkpoint.
    """
    return checkpoint_of(read_bytes(path, LARGEST_CHECKPOINT, "resume"), str(path))


def checkpoint_of(data: bytes, name: str) -> Checkpoint:
    """Return the checkpoint in a document; `name` is the file name for errors."""
    content = opened(data, CHECKPOINT, name)
    try:
        found = msgspec.convert(content, CheckpointJson, strict=True)
        seen = _decompressed(base64.b64decode(found.seen, validate=True), found.size)
    except (msgspec.ValidationError, binascii.Error, zlib.error, ValueError) as error:
        raise Unreadable(name, "", f"is not a checkpoint ({error})", _REMEDY) from None
    return Checkpoint(
        name=name,
        run=found.run,
        steps=found.steps,
        table=found.table,
        not_resumable=found.not_resumable,
        plans=found.plans,
        looks=found.looks,
        seen=seen,
    )


def _decompressed(data: bytes, size: int) -> bytes:
    stream = zlib.decompressobj()
    seen = stream.decompress(data, size + 1)
    if len(seen) != size or not stream.eof or stream.unused_data:
        raise ValueError("its data have another size than stated")
    return seen


def _looks(seen: bytes, functions: WritesSummaries) -> Iterator[Look]:
    at = 0
    while at < len(seen):
        rows, summary, packed = _LOOK.unpack_from(seen, at)
        middle = at + _LOOK.size + summary
        end = middle + packed
        if end > len(seen):
            raise ValueError("it ends within a dataset")
        read = functions.summary_of_bytes(seen[at + _LOOK.size : middle])
        yield Look(rows, read, seen[middle:end])
        at = end


def _shown(value: int | str | None) -> str:
    text = "not stated" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:40]}… ({len(text):,} characters)"
