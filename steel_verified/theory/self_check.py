"""Which observations the self-check uses, and its allowed chance of a false alarm."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import require_integer, require_probability

MOST_ROWS: Final = 1 << 14
"""About this many observations (rows) are kept from all loops of CycleFind together, and at most
this many from a tour or a validation."""
LEAST_ROWS: Final = 128
"""At least this many rows are kept from each loop."""
DENSE_ROWS: Final = 256
"""This many consecutive rows are kept from each loop, to look for the cause of a failure."""
MOST_ON_THE_WAY: Final = 1 << 12
"""At most this many single rows are kept, to replay the whole run in the model."""
_MOST_BYTES: Final = 1 << 25
"""Of wide rows fewer are kept: at most this many bytes, 32 MB, of each of these kinds of rows."""
MOST_FRESH_STEPS: Final = 10**7
"""Fresh steps are one walk that is held in memory: some 20 bytes for each step, and 3 µs."""
LEAST_SAMPLES: Final = 64
"""With fewer samples hardly any bet can succeed, so the model is reported as not checked."""
LEAST_FOR_ONE_STATE: Final = 1024
"""Unless N is 1, a model with one state is accepted only if it was checked with at least this many
samples, because every run passes the other tests of such a model."""
STEPS_TO_EXPLAIN_LOOPED: Final = 2_000
STEPS_TO_EXPLAIN_LOCATED: Final = 600
"""After a run that was not accepted, this many random steps are taken to find the causes. A located
run also has all its rows. Measured on `tests/studies/violations`, for looped runs whose cause is
two states that look alike: this cause is named first in 81 % of runs with 600 steps, in 93 % with
2,000."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """How a learned model is checked before it is accepted.

    If all conditions hold and no verdict was wrong, the check rejects the model with chance at most
    `level`. After the run it takes `steps` more steps, with random actions from `seed`.

    If a model is not accepted, at most `steps_to_explain` random steps are then taken to find the
    causes (None: the usual number for the method). They decide nothing else.
    """

    level: Fraction = Fraction(1, 1000)
    steps: int = 0
    seed: int = 0
    steps_to_explain: int | None = None

    def __post_init__(self) -> None:
        require_probability("level", self.level)
        require_integer("steps", self.steps, at_least=0)
        if self.steps > MOST_FRESH_STEPS:
            raise InvalidArgument("steps", self.steps, f"0 to {MOST_FRESH_STEPS:,}")
        if self.steps_to_explain is not None:
            require_integer("steps_to_explain", self.steps_to_explain, at_least=0)


DEFAULT_CHECK: Final = SelfCheck()


def rows_of_call(max_calls: int, row_bytes: int = 1) -> int:
    """Return how many rows are kept from each of at most `max_calls` calls of CycleFind."""
    return max(LEAST_ROWS, rows_of_walk(row_bytes) // max_calls)


def rows_of_walk(row_bytes: int) -> int:
    """Return how many rows of a tour or a validation are kept as samples, at most."""
    return min(MOST_ROWS, _MOST_BYTES // row_bytes)


def rows_on_the_way(row_bytes: int) -> int:
    """Return how many single rows are kept; the class stores about two packed rows for each."""
    return min(MOST_ON_THE_WAY, _MOST_BYTES // (2 * row_bytes))


def rounds(length: int, first: int, last: int, most: int) -> tuple[int, ...]:
    """Return times from `first` to `last`: all of them, or about `most`, in whole rounds.

    A round of a loop has `length` steps. The rounds are spread evenly, and the first one is among
    them, as far as it fits.
    """
    if last - first < most or length > most:
        return tuple(range(first, min(last, first + most - 1) + 1))
    stride = length * -(-(last - first + 1) // most)
    return tuple(
        time
        for begin in range(first, last + 1, stride)
        for time in range(begin, begin + length)
        if time <= last
    )


@lru_cache(maxsize=16)
def windows(
    cycle: tuple[int, ...], first: int, last: int, mixing_time: int, most: int
) -> tuple[int, ...]:
    """Return the times in a loop at which labels are checked, each with the row after it, in order.

    `cycle[t % len(cycle)]` is the label after step t. The times of each label lie between `first`
    and `last` − 1. They are at least t̂_mix apart, and every second gap is one step longer, so that
    a periodic pattern cannot fall between them. All labels together have at most `most` times (or
    one each), spread evenly.
    """
    labels = sorted(set(cycle))
    each = max(1, most // len(labels))
    apart = max(mixing_time, (last - first) // each)
    found: list[int] = []
    for label in labels:
        places = [place for place, at in enumerate(cycle) if at == label]
        time, taken = _next(places, len(cycle), first), 0
        while time < last and taken < each:
            found.append(time)
            taken += 1
            time = _next(places, len(cycle), time + apart + taken % 2)
    return tuple(sorted(found))


def _next(places: list[int], length: int, time: int) -> int:
    """Return the first time, at or after `time`, at which the loop is at one of the places."""
    turns, place = divmod(time, length)
    at = bisect_left(places, place)
    return turns * length + (places[at] if at < len(places) else length + places[0])
