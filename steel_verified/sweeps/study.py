"""What an experiment is: jobs that can be done in any order and anywhere, asked for in rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from steel_verified.evidence.codec import Json

Row: TypeAlias = Mapping[str, Json]
"""What a job found, as plain data: the same for the same job, whenever and wherever it runs."""


@dataclass(frozen=True, slots=True)
class Job:
    """One unit of work. The key says all that the row depends on, so it is done once for ever."""

    key: str
    run: Callable[[], Row]
    """Can be sent to another process: a module's function with plain arguments (`partial`)."""


Study: TypeAlias = Callable[[Mapping[str, Row]], Sequence[Job]]
"""Given what is done, by key: the jobs to do next; none when the study is complete.

Later jobs may depend on the rows of earlier ones, as a test depends on a search."""


def at_once(jobs: Iterable[Job]) -> Study:
    """A study of one round: all of these jobs."""
    listed = tuple(jobs)
    return lambda done: [job for job in listed if job.key not in done]


def side_by_side(studies: Iterable[Study]) -> Study:
    """Several studies as one; what they have in common is done once."""
    listed = tuple(studies)

    def still_to_do(done: Mapping[str, Row]) -> Sequence[Job]:
        asked = {job.key: job for study in listed for job in study(done)}
        return list(asked.values())

    return still_to_do
