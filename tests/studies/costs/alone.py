"""Runs a function in a process of its own, with limits, and measures this process."""

from __future__ import annotations

import os
import resource
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.evidence.codec import row_as_line, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.sweeps.study import Row

MOST_BYTES = 3 << 30
"""The address space of a run; some 1.5 GB are taken by libraries and threads from the beginning."""
MOST_SECONDS = 240
_KEY = "row"


@dataclass(frozen=True, slots=True)
class Crashed(Exception):
    """The process ended without a row."""

    status: int


def alone(work: Callable[[], Row]) -> Row:
    """Return the row, with the CPU milliseconds of the process and its largest memory in MB.

    Raises `Crashed` if the process fails or needs more memory or time than it may have.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
            with os.fdopen(writing, "wb") as file:
                file.write(row_as_line(_KEY, work()))
        except BaseException:  # whatever it is, the process ends here
            traceback.print_exc(file=sys.stderr)
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        line = file.read()
    _, status, used = os.wait4(child, 0)
    if status:
        raise Crashed(status)
    spent = {
        "milliseconds": round(1000 * (used.ru_utime + used.ru_stime)),
        "megabytes": used.ru_maxrss >> 10,
    }
    return {**spent, **{name: v for name, v in rows_of(line, _KEY)[_KEY].items() if name != "key"}}
