"""A study: jobs that can run in any order and on any machine, requested in rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from steel_verified.evidence.codec import Json

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
