"""Rows of experiments as JSON lines: added one by one, safe from a kill, in order when complete."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.evidence.codec import canonical
from steel_verified.reports.files import write_atomically
from steel_verified.sweeps.sweep import versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from io import FileIO
    from pathlib import Path

    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row


class Damaged(SteelError):
    """A line of results that none of our sweeps wrote."""


def written(rows: Mapping[str, Row]) -> bytes:
    """All rows as a file: one line each, by key. The same rows are the same bytes."""
    return b"".join(_line(key, rows[key]) for key in sorted(rows))


def read(data: bytes, name: str) -> dict[str, Row]:
    """The rows of a file; raises `Damaged` and names the line if there is anything else in it."""
    rows: dict[str, Row] = {}
    for number, line in enumerate(data.splitlines(keepends=True), start=1):
        try:
            found: Json = json.loads(line)
        except ValueError as error:
            raise Damaged(_damage(name, number, f"is not JSON ({error})")) from None
        if not isinstance(found, dict) or not isinstance(key := found.get("key"), str):
            raise Damaged(_damage(name, number, "has no key"))
        row = {field: value for field, value in found.items() if field != "key"}
        if line != _line(key, row):
            raise Damaged(_damage(name, number, "was changed, or is cut short"))
        if rows.setdefault(key, row) is not row:
            raise Damaged(_damage(name, number, f"has {key} a second time"))
    return rows


def _line(key: str, row: Row) -> bytes:
    return canonical({**row, "key": key}) + b"\n"


def _damage(name: str, number: int, what: str) -> str:
    return f"{name}: line {number} {what}. Mend or remove that line; the others are kept"


class ResultsFile:
    """The rows of a sweep on disk. A row that was added has reached the disk."""

    def __init__(self, file: FileIO, rows: dict[str, Row]) -> None:
        self._file = file
        self._rows = rows

    def rows(self) -> Mapping[str, Row]:
        return self._rows

    def add(self, key: str, row: Row) -> None:
        self._file.write(_line(key, row))
        os.fsync(self._file.fileno())
        # What is read back later is what was written: the same kinds of list, the same numbers.
        self._rows.update(read(_line(key, row), "a new row"))


@contextmanager
def results_file(path: Path) -> Iterator[ResultsFile]:
    """Go on with a file of results, or begin one; nobody else can write to it meanwhile.

    A last line that was cut short by a kill is dropped: its job was not finished. When all goes
    well, the lines are put in order at the end.
    """
    if not path.parent.is_dir():
        raise InvalidArgument("results", path, "a file in a folder that exists")
    try:
        file = path.open("a+b", buffering=0)
    except OSError as error:
        raise InvalidArgument("results", path, f"a file that can be written ({error})") from None
    with file:
        _lock(file, path)
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        rows = read(whole, str(path))
        _require_same_versions(rows, path)
        file.truncate(len(whole))
        yield ResultsFile(file, rows)
        if whole != written(rows):
            write_atomically(path, written(rows))


def _lock(file: FileIO, path: Path) -> None:
    """Held until the file is closed, or its process has died."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 (not everywhere)

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidArgument(
                "results", path, "a file that no other sweep is writing to at the moment"
            ) from None


def _require_same_versions(rows: Mapping[str, Row], path: Path) -> None:
    """Numbers of different versions do not go into one file unnoticed."""
    here = versions()
    for key, row in rows.items():
        if row.get("versions") != here:
            raise InvalidArgument(
                "results",
                path,
                f"rows made with {_listed(here)}; {key} was made with "
                f"{_listed(row.get('versions'))}. Give another file, or take this one away",
            )


def _listed(made_with: Json) -> str:
    if not isinstance(made_with, dict):
        return "unknown versions"
    return ", ".join(f"{name} {number}" for name, number in made_with.items())
