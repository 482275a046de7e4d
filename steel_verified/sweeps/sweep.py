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
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor, Future

    from steel_verified.sweeps.study import Job, Row, Study

_MADE_WITH: Final = ("steel_verified", "numpy", "python-flint")
_FEW: Final = 8
"""With fewer jobs under way, the study is asked for more, so that no worker waits for a round."""


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
    """Do what a study asks for until it asks for nothing more.

    Each row is kept as soon as it is there: a sweep that was stopped goes on where it stopped. When
    a job fails, nothing more is begun; what is under way is kept, and then the failure is raised.
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
