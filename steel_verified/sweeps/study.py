"""A study: jobs that can run in any order and on any machine, requested in rounds.

A row depends only on its job and on the software versions.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.evidence.codec import Json, row_as_line, rows_as_bytes, rows_of
from steel_verified.evidence.files import open_to_append, write_atomically

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

Row: TypeAlias = Mapping[str, Json]
"""The result of a job as plain data: the same for the same job, whenever and wherever it runs."""


@dataclass(frozen=True, slots=True)
class Job:
    """One unit of work. Its key determines its row, so a job with a stored row is not repeated."""

    key: str
    run: Callable[[], Row]
    """It must be picklable: a module's function with plain arguments (`partial`)."""


Study: TypeAlias = Callable[[Mapping[str, Row]], Sequence[Job]]
"""A function from the finished rows, by key, to the next jobs; no jobs if the study is complete.

Later jobs may depend on the rows of earlier ones, as a test depends on a search."""


def at_once(jobs: Iterable[Job]) -> Study:
    """Return a study of one round with all of these jobs."""
    listed = tuple(jobs)
    return lambda done: [job for job in listed if job.key not in done]


def side_by_side(studies: Iterable[Study]) -> Study:
    """Return several studies as one; jobs that they share run once."""
    listed = tuple(studies)

    def still_to_do(done: Mapping[str, Row]) -> Sequence[Job]:
        asked = {job.key: job for study in listed for job in study(done)}
        return list(asked.values())

    return still_to_do


_MADE_WITH: Final = ("steel_verified", "numpy", "python-flint")
_FEW: Final = 8
"""If fewer jobs than this are running, the study is asked for more, so that no worker is idle."""


class Results(Protocol):
    """A store of rows. A row that was added is kept, whatever happens next."""

    def rows(self) -> Mapping[str, Row]: ...

    def add(self, key: str, row: Row) -> None: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the jobs requested so far are done; more may be requested later."""

    done: int
    asked: int


class JobFailed(SteelError):
    """A job raised an exception. The rows of other jobs are kept."""

    def __init__(self, key: str, why: BaseException) -> None:
        super().__init__(
            f"{key}: {type(why).__name__} {why}. What is finished is kept: run again to go on"
        )
        self.key = key


def versions() -> Mapping[str, str]:
    """Return the versions on which the numbers of a row may depend, besides its job."""
    return {"python": platform.python_version()} | {name: version(name) for name in _MADE_WITH}


def carry_out(job: Job) -> Row:
    """Run one job and add the software versions to its row."""
    return {**job.run(), "versions": versions()}


def sweep(
    study: Study,
    results: Results,
    workers: Executor,
    advance: Callable[[Progress], None] = lambda _: None,
) -> Mapping[str, Row]:
    """Run the jobs of a study until it requests no more; return all rows by key.

    Each row is stored as soon as it is finished. If a job fails, the rows of running jobs are
    stored before `JobFailed` is raised.
    """
    done, asked = 0, 0
    failed: JobFailed | None = None
    waiting: dict[Future[Row], str] = {}
    try:
        while True:
            if len(waiting) < _FEW and failed is None:
                begun = {*waiting.values(), *results.rows()}
                for job in study(results.rows()):
                    if job.key not in begun:
                        waiting[workers.submit(carry_out, job)] = job.key
                        asked += 1
                advance(Progress(done, asked))
            if not waiting:
                break
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                key = waiting.pop(future)
                if (error := future.exception()) is None:
                    results.add(key, future.result())
                    done += 1
                    advance(Progress(done, asked))
                else:
                    failed = failed or JobFailed(key, error)
    except BrokenExecutor as broken:
        raise JobFailed("the workers", broken) from broken
    finally:
        for future in waiting:
            future.cancel()
    if failed is not None:
        raise failed
    return results.rows()


# --- the rows on disk: JSON lines, appended one by one, safe if killed, sorted at the end ---------


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
