"""Logs that somebody else recorded: episodes in memory, and rows in files.

    .npz    arrays of one length: `observations` (a row, or an image, for each observation) and
            `actions` (whole numbers: the action taken there, −1 at the end of an episode), and
            perhaps `terminated` (whether the world ended the episode in this row) and `episode`
    .csv    a header and a line for each observation: a column `action` (empty at the end of an
            episode), perhaps `terminated` (0 or 1) and `episode`; all other columns are numbers,
            and together they are the observation

The action of a row leads to the next row of the same episode. An episode ends where no action is
given, or where the value of `episode` changes; in the latter case its last action says nothing.
Both kinds of files are read in parts, so they may be larger than memory.
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np
from numpy.lib import format as npy

from steel_verified.errors import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

NO_ACTION: Final = -1
"""Stands for the action of the last row of an episode."""
Batch = TypeVar("Batch", bound=Sized)

_AT_ONCE: Final = 4096
"""Rows that are read from a file at once."""
_SCHEMA: Final = "docs/use/logs.md has the format"


@dataclass(frozen=True, slots=True)
class Episode(Generic[Batch]):
    """Observations and the actions between them: action t leads from observation t to t + 1.

    There is one observation more than actions. If the last observation is missing, there are as
    many, and the last action says nothing.
    """

    observations: Batch
    actions: Sequence[int] | NDArray[np.int64]
    terminated: bool = False
    """Whether the world ended the episode; False for an end by a limit of time."""
    rewards: Sequence[float] | NDArray[np.float64] | None = None
    """The reward that followed each action, for `mean_rewards`; nothing is learned from them."""


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive rows of a log."""

    observations: Sized
    actions: NDArray[np.int64]
    """The action taken in each row; `NO_ACTION` at the end of an episode."""
    terminated: NDArray[np.bool_]
    """Where an episode ended because the world ended it."""
    place: str
    """Where it comes from, for messages."""
    first: int = 0
    """The number of its first row there."""


def parts_of_file(file: Path) -> Iterator[Part]:
    """Yield the parts of a log in a file; raise `Unreadable` with the line or row."""
    kinds = {".npz": _parts_of_npz, ".csv": _parts_of_csv}
    if file.suffix not in kinds:
        raise Unreadable(file.name, "", "is neither .npz nor .csv", _SCHEMA)
    if not file.is_file():
        where = f"It was looked for in {file.parent.resolve()}"
        raise Unreadable(file.name, "", "is not a file", where)
    return kinds[file.suffix](file)


@dataclass(frozen=True, slots=True)
class _Raw:
    """Rows as they are in a file; the fields have one entry for each row."""

    observations: NDArray[np.generic[object]]
    actions: NDArray[np.int64]
    terminated: NDArray[np.bool_]
    episode: NDArray[np.generic[object]]


def _parts(raw: Iterator[_Raw], name: str) -> Iterator[Part]:
    """Yield parts: the last row of an episode has no action."""
    first, held = 0, next(raw, None)
    while held is not None:
        after = next(raw, None)
        following = held.episode if after is None else after.episode
        changes = held.episode != np.concatenate([held.episode[1:], following[:1]])
        changes[-1] |= after is None
        actions = np.where(changes, NO_ACTION, held.actions)
        wrong = held.terminated & (actions != NO_ACTION)
        if wrong.any():
            row = first + int(np.argmax(wrong))
            found = "is terminated, but has an action"
            remedy = "It belongs to the last observation of an episode, where no action was taken"
            raise Unreadable(name, f"row {row}", found, remedy)
        if (actions < NO_ACTION).any():
            row = first + int(np.argmax(actions < NO_ACTION))
            remedy = "Number the actions from 0 on; −1 stands for no action"
            raise Unreadable(name, f"row {row}", f"has action {actions[row - first]}", remedy)
        yield Part(held.observations, actions, held.terminated, name, first)
        first, held = first + len(actions), after


# --- .npz -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Array:
    """An array in a file, read from its beginning."""

    stream: IO[bytes]
    rows: int
    shape: tuple[int, ...]
    kind: np.dtype[np.generic[object]]

    @staticmethod
    def of(stream: IO[bytes], name: str, file: str) -> _Array:
        version = npy.read_magic(stream)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, is_fortran, kind = read(stream)
        if is_fortran and len(shape) > 1:
            remedy = "Write it again with numpy.ascontiguousarray"
            raise Unreadable(file, name, "is in Fortran order, column by column", remedy)
        if not shape or kind.hasobject:
            raise Unreadable(file, name, f"is {kind} of shape {shape}", _SCHEMA)
        return _Array(stream, shape[0], shape[1:], kind)

    def some(self, rows: int) -> NDArray[np.generic[object]]:
        size = rows * self.kind.itemsize * int(np.prod(self.shape))
        data = self.stream.read(size)
        if len(data) < size:
            raise EOFError("an array ends too early")
        return np.frombuffer(data, self.kind).reshape(rows, *self.shape)


def _parts_of_npz(file: Path) -> Iterator[Part]:
    try:
        with zipfile.ZipFile(file) as archive, ExitStack() as stack:
            names = {each.removesuffix(".npy"): each for each in archive.namelist()}
            known = {"observations", "actions", "terminated", "episode"}
            if not {"observations", "actions"} <= names.keys() <= known:
                found = f"has the arrays {', '.join(sorted(names)) or 'none'}"
                remedy = "Expected observations and actions, and perhaps terminated and episode"
                raise Unreadable(file.name, "", found, remedy)
            arrays = {
                name: _Array.of(stack.enter_context(archive.open(inside)), name, file.name)
                for name, inside in names.items()
            }
            yield from _parts(_raw_of_arrays(arrays, file.name), file.name)
    except (zipfile.BadZipFile, EOFError, ValueError, OSError) as error:
        raise Unreadable(file.name, "", f"cannot be read ({error})", "Write it again") from None


def _raw_of_arrays(arrays: Mapping[str, _Array], file: str) -> Iterator[_Raw]:
    rows = arrays["observations"].rows
    for name, array in arrays.items():
        if array.rows != rows or (name != "observations" and array.shape):
            found = f"has shape {(array.rows, *array.shape)}, for {rows} observations"
            expected = "Expected one entry for each observation; −1 is the action after an episode"
            raise Unreadable(file, name, found, expected)
    if arrays["actions"].kind.kind not in "iu":
        found = f"is {arrays['actions'].kind}"
        raise Unreadable(file, "actions", found, "Expected whole numbers, −1 for no action")
    for first in range(0, rows, _AT_ONCE):
        count = min(_AT_ONCE, rows - first)
        some = {name: array.some(count) for name, array in arrays.items()}
        nothing = np.zeros(count, np.bool_)
        yield _Raw(
            some["observations"],
            some["actions"].astype(np.int64),
            some.get("terminated", nothing).astype(np.bool_),
            some.get("episode", nothing),
        )


# --- .csv -----------------------------------------------------------------------------------------

_TRUTH: Final = {"": False, "0": False, "false": False, "1": True, "true": True}


def _parts_of_csv(file: Path) -> Iterator[Part]:
    try:
        with file.open(newline="", encoding="utf-8") as stream:
            lines = csv.reader(stream, strict=True)
            header = [name.strip() for name in next(lines, [])]
            if header.count("action") != 1 or len(set(header)) < len(header):
                found = f"has the columns {', '.join(header) or 'none'}"
                remedy = "Expected a header with one column `action`, and other names once"
                raise Unreadable(file.name, "", found, remedy)
            yield from _parts(_raw_of_lines(lines, header, file.name), file.name)
    except (csv.Error, UnicodeDecodeError, OSError) as error:
        raise Unreadable(file.name, "", f"cannot be read ({error})", "Write it again") from None


def _raw_of_lines(lines: Iterator[list[str]], header: Sequence[str], file: str) -> Iterator[_Raw]:
    columns = [
        i for i, name in enumerate(header) if name not in ("action", "terminated", "episode")
    ]
    if not columns:
        raise Unreadable(file, "", "has no column of observations", _SCHEMA)
    first = 2  # the number of the first line after the header, as editors count
    while some := list(islice(lines, _AT_ONCE)):
        for number, line in enumerate(some, first):
            if len(line) != len(header):
                found = f"has {len(line)} values for {len(header)} columns"
                raise Unreadable(file, f"line {number}", found, _SCHEMA)
        fields = dict(zip(header, zip(*some, strict=True), strict=True))
        blank = ("",) * len(some)
        yield _Raw(
            np.array(
                [[_number(line[i], n, file) for i in columns] for n, line in enumerate(some, first)]
            ),
            np.array(
                [_action(text, n, file) for n, text in enumerate(fields["action"], first)], np.int64
            ),
            np.array(
                [
                    _truth(text, n, file)
                    for n, text in enumerate(fields.get("terminated", blank), first)
                ]
            ),
            np.array(fields.get("episode", blank)),
        )
        first += len(some)


def _number(text: str, line: int, file: str) -> float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise Unreadable(file, f"line {line}", f"has {text!r} for a number", _SCHEMA) from None


def _action(text: str, line: int, file: str) -> int:
    try:
        return int(text) if text.strip() else NO_ACTION
    except ValueError:
        remedy = "Number the actions from 0 on; leave it empty at the end of an episode"
        raise Unreadable(file, f"line {line}", f"has the action {text!r}", remedy) from None


def _truth(text: str, line: int, file: str) -> bool:
    found = _TRUTH.get(text.strip().lower())
    if found is None:
        raise Unreadable(file, f"line {line}", f"has {text!r} for terminated", "Write 0 or 1")
    return found
