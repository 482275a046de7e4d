"""Runs the jobs of a study, in any order and on any number of workers, and loses no row.

A row depends only on its job and on the software versions, so the bytes are the same for any
workers.
"""

from __future__ import annotations

import platform
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Protocol

from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor, Future

    from steel_verified.sweeps.study import Job, Row, Study

_MADE_WITH: Final = ("steel_verified", "numpy", "python-flint")
_FEW: Final = 8
"""If fewer jobs than this are running, the study is asked for more, so that no worker is idle."""


class Results(Protocol):
    """A store of rows. A row that was added is kept, whatever happens next."""

    def rows(self) -> Mapping[str, Row]:
        """Return every row so far, by key."""
        ...

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
    told: Callable[[Progress], None] = lambda _: None,
) -> Mapping[str, Row]:
    """Run the jobs of a study until it requests no more; return all rows by key.

    Each row is stored as soon as it is finished, so a sweep that was stopped continues where it
    stopped. If a job fails, no more jobs are started, the rows of running jobs are stored, and then
    `JobFailed` is raised.
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
                told(Progress(done, asked))
            if not waiting:
                break
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                key = waiting.pop(future)
                if (error := future.exception()) is None:
                    results.add(key, future.result())
                    done += 1
                    told(Progress(done, asked))
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
