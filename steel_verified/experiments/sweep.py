"""Carries out the jobs of a study, in any order and on any number of workers, and loses none.

The rows are the same bytes whoever did the work, as a row depends on its job and on versions alone.
"""

from __future__ import annotations

import platform
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Protocol

from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor, Future

    from steel_verified.experiments.study import Job, Row, Study

_MADE_WITH: Final = ("steel_verified", "numpy", "python-flint")


class Results(Protocol):
    """Where rows are kept. What was added stays, whatever happens next."""

    def rows(self) -> Mapping[str, Row]:
        """Every row so far, by key."""
        ...

    def add(self, key: str, row: Row) -> None: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep has come in what was asked for until now; more may be asked for later."""

    done: int
    asked: int


class JobFailed(SteelError):
    """A job could not be done. Rows of other jobs are kept."""

    def __init__(self, key: str, why: BaseException) -> None:
        super().__init__(
            f"{key}: {type(why).__name__} {why}. What is finished is kept: run again to go on"
        )
        self.key = key


def versions() -> Mapping[str, str]:
    """What the numbers of a row may depend on, besides its job."""
    return {"python": platform.python_version()} | {name: version(name) for name in _MADE_WITH}


def carry_out(job: Job) -> Row:
    """Do one job, wherever this runs, and say with which versions it was done."""
    return {**job.run(), "versions": versions()}


def sweep(
    study: Study,
    results: Results,
    workers: Executor,
    told: Callable[[Progress], None] = lambda _: None,
) -> Mapping[str, Row]:
    """Do what a study asks for, round by round, until it asks for nothing more.

    Each row is kept as soon as it is there: a sweep that was stopped goes on where it stopped.
    """
    done = 0
    while jobs := study(results.rows()):
        asked = done + len(jobs)
        told(Progress(done, asked))
        for key, row in _as_they_finish(jobs, workers):
            results.add(key, row)
            done += 1
            told(Progress(done, asked))
    return results.rows()


def _as_they_finish(jobs: Sequence[Job], workers: Executor) -> Iterator[tuple[str, Row]]:
    """The rows of all jobs; of the failures, the first is raised when the rest is safe."""
    waiting: dict[Future[Row], str] = {}
    failed: JobFailed | None = None
    try:
        for job in jobs:
            waiting[workers.submit(carry_out, job)] = job.key
        while waiting:
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                key = waiting.pop(future)
                if (error := future.exception()) is None:
                    yield key, future.result()
                else:
                    failed = failed or JobFailed(key, error)
    except BrokenExecutor as broken:
        raise JobFailed("the workers", broken) from broken
    finally:
        for future in waiting:
            future.cancel()
    if failed is not None:
        raise failed
