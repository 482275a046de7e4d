"""Rows of experiments as JSON lines: appended one by one, safe if killed, sorted at the end."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.codec import row_as_line, rows_as_bytes, rows_of
from steel_verified.evidence.files import open_to_append, write_atomically
from steel_verified.sweeps.study import versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from io import FileIO
    from pathlib import Path

    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row


class ResultsFile:
    """The rows of a sweep on disk. When `add` returns, the row is on the disk."""

    def __init__(self, file: FileIO, rows: dict[str, Row]) -> None:
        self._file = file
        self._rows = rows

    def rows(self) -> Mapping[str, Row]:
        return self._rows

    def add(self, key: str, row: Row) -> None:
        line = row_as_line(key, row)
        # A row that could not be read back is rejected before it is written. The row kept in
        # memory is the one parsed from the line: the same types of list, the same numbers.
        again = rows_of(line, f"the row {key}")
        self._file.write(line)
        os.fsync(self._file.fileno())
        self._rows.update(again)


@contextmanager
def results_file(path: Path) -> Iterator[ResultsFile]:
    """Open a file of results, or create one, and lock it against other writers.

    A last line that is incomplete, because the process was killed, is dropped: its job was not
    finished. If the block ends without an exception, the lines are sorted at the end. Raises
    `InvalidArgument` if another sweep has the file open or other versions wrote its rows.
    """
    with open_to_append("results", path) as file:
        _lock(file, path)
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        rows: dict[str, Row] = {**rows_of(whole, str(path))}
        _require_same_versions(rows, path)
        file.truncate(len(whole))
        yield ResultsFile(file, rows)
        if whole != rows_as_bytes(rows):
            write_atomically(path, rows_as_bytes(rows))


def _lock(file: FileIO, path: Path) -> None:
    """Lock the file until it is closed or the process ends."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 (not everywhere)

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidArgument(
                "results", path, "a file that no other sweep is writing to"
            ) from None


def _require_same_versions(rows: Mapping[str, Row], path: Path) -> None:
    """Raise `InvalidArgument` if other versions of the packages wrote rows of this file."""
    here = versions()
    for key, row in rows.items():
        if row.get("versions") != here:
            raise InvalidArgument(
                "results",
                path,
                f"rows made with {_listed(here)}; {key} was made with "
                f"{_listed(row.get('versions'))}. Choose another file, or move this one away",
            )


def _listed(made_with: Json) -> str:
    if not isinstance(made_with, dict):
        return "unknown versions"
    return ", ".join(f"{name} {number}" for name, number in made_with.items())
