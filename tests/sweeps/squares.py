"""Jobs that take a given time and write a line each time they run."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from steel_verified.sweeps.study import Job

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from steel_verified.sweeps.study import Row, Study


def square(number: int, seen: Path | None = None, wait: float = 0) -> Row:
    """Return the square of a number; append the number to the file `seen`. 13 raises an error."""
    time.sleep(wait)
    if seen is not None:
        with seen.open("a") as marks:
            marks.write(f"{number}\n")
    if number == 13:
        raise ValueError("unlucky")
    return {"square": number * number}


def squares(numbers: Sequence[int], seen: Path | None = None, wait: float = 0) -> Study:
    jobs = [Job(f"square {n:03d}", partial(square, n, seen, wait)) for n in numbers]
    return lambda done: [job for job in jobs if job.key not in done]
