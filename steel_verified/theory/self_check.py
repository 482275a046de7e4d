"""Which rows the self-check looks at, and the chance of a false alarm that it may take."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from steel_verified.errors import InvalidArgument

MOST_ROWS: Final = 1 << 14
"""So many rows are kept of all loops of CycleFind together, or a few more, and so many of a tour or
a validation."""
LEAST_ROWS: Final = 128
"""At least so many rows are kept of each loop."""
DENSE_ROWS: Final = 256
"""So many rows in a row are kept of each loop, to find causes with."""
MOST_ON_THE_WAY: Final = 1 << 12
"""So many single rows are kept, at most, to follow the model through the run once more."""
_BYTES_ON_THE_WAY: Final = 1 << 25
"""They take so many bytes, at most: 32 MB."""
LEAST_SAMPLES: Final = 64
"""With fewer samples hardly any bet can be won, so a model is reported as not checked."""
LEAST_FOR_ONE_STATE: Final = 1024
"""A model of one state is accepted only if it was checked with so many samples, unless N is 1. Any
run passes the other tests with it."""
STEPS_TO_EXPLAIN_LOOPED: Final = 2_000
STEPS_TO_EXPLAIN_LOCATED: Final = 600
"""So many random steps are taken after a run that was not accepted, to find the causes. A located
run has all its rows besides. Measured on `worlds/violated`: with 600 steps looped runs whose cause
is two states that look alike name it first in 81 %, with 2,000 in 93 %."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """How a model that was learned is checked before it is accepted.

    If all conditions hold and no verdict was wrong, the check finds fault with chance at most
    `level`. With `steps` it takes so many fresh steps after the run, at random from `seed`.

    If a model is not accepted, at most `steps_to_explain` random steps more are taken to find out
    why (None: as many as usual for the method). They decide on nothing else.
    """

    level: Fraction = Fraction(1, 1000)
    steps: int = 0
    seed: int = 0
    steps_to_explain: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise InvalidArgument("level", self.level, "more than 0 and less than 1")
        if self.steps < 0:
            raise InvalidArgument("steps", self.steps, "at least 0")
        if self.steps_to_explain is not None and self.steps_to_explain < 0:
            raise InvalidArgument("steps_to_explain", self.steps_to_explain, "at least 0")


DEFAULT_CHECK: Final = SelfCheck()


def rows_of_call(max_calls: int) -> int:
    """How many rows are kept of each of at most so many calls of CycleFind."""
    return max(LEAST_ROWS, MOST_ROWS // max_calls)


def rows_on_the_way(row_bytes: int) -> int:
    """How many single rows are kept; the class keeps about two packed rows of each."""
    return min(MOST_ON_THE_WAY, _BYTES_ON_THE_WAY // (2 * row_bytes))


def rounds(length: int, first: int, last: int, most: int) -> tuple[int, ...]:
    """Times from `first` to `last`, all of them or about `most`: whole rounds, spread evenly.

    A round of a loop is `length` steps. The first one is among them, or as much of it as fits.
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
    """Times in a loop at which each label is looked at, together with the row after: in order.

    `cycle[t % len(cycle)]` is the label after step t. For each label the times lie between `first`
    and `last` − 1. They are at least t̂_mix apart, and every other time one step more, so that no
    period hides between them. All labels together have at most `most` times, spread evenly.
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
    """The first time from `time` on at which the loop is at one of the places."""
    turns, place = divmod(time, length)
    at = bisect_left(places, place)
    return turns * length + (places[at] if at < len(places) else length + places[0])
