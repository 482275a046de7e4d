"""Sets of timesteps as nested arithmetic progressions, and the gaps within and between them.

A schedule stores a million timesteps as a few integers. Properties of all timesteps, such as the
smallest gap, are computed from these integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ceil_div

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Level:
    """One index of a nested progression: it runs over 0, …, count−1, `stride` steps apart."""

    count: int
    stride: int


@dataclass(frozen=True, slots=True)
class Progression:
    """The timesteps `first + Σ strideₗ·iₗ`, outermost level first, in increasing order.

    Example: `Progression(5, (Level(2, 100), Level(3, 10)))` is 5, 15, 25, 105, 115, 125.

    The span of the inner levels must be less than the stride of the outer one, so that all times
    are different and increase with the indices. Otherwise making one raises `InvalidArgument`.
    """

    first: int
    levels: tuple[Level, ...] = ()

    def __post_init__(self) -> None:
        span = 0
        for level in reversed(self.levels):
            if level.count < 1:
                raise InvalidArgument("count", level.count, "at least 1")
            if level.stride <= span:
                expected = f"more than {span}, the span of the levels inside it"
                raise InvalidArgument("stride", level.stride, expected)
            span += (level.count - 1) * level.stride

    def __len__(self) -> int:
        return prod(level.count for level in self.levels)

    def __iter__(self) -> Iterator[int]:
        if not self.levels:
            yield self.first
            return
        for index in range(self.levels[0].count):
            yield from self.item(index)

    @property
    def span(self) -> int:
        """The distance from the first time to the last."""
        return sum((level.count - 1) * level.stride for level in self.levels)

    @property
    def last(self) -> int:
        return self.first + self.span

    @property
    def gap(self) -> int | None:
        """The smallest distance between two of the times; None for a single time.

        It is attained where an index increases by one and all indices inside it go from their last
        value to 0.
        """
        smallest = None
        span = 0
        for level in reversed(self.levels):
            if level.count > 1 and (smallest is None or level.stride - span < smallest):
                smallest = level.stride - span
            span += (level.count - 1) * level.stride
        return smallest

    @property
    def numbers(self) -> tuple[int, ...]:
        """(first, count, stride, count, stride, …), outermost level first, as in certificates."""
        levels = (part for level in self.levels for part in (level.count, level.stride))
        return (self.first, *levels)

    @staticmethod
    def of(numbers: Sequence[int]) -> Progression:
        """Return the progression with these `numbers`."""
        first, *levels = numbers
        pairs = zip(levels[::2], levels[1::2], strict=True)
        return Progression(first, tuple(Level(count, stride) for count, stride in pairs))

    @staticmethod
    def every(first: int, last: int) -> Progression:
        """Return all times from the first to the last."""
        return Progression(first, (Level(last - first + 1, 1),))

    def item(self, index: int) -> Progression:
        """Return the part in which the outermost index is `index`."""
        return Progression(self.first + index * self.levels[0].stride, self.levels[1:])

    def shifted(self, steps: int) -> Progression:
        """Return the same progression, `steps` later."""
        return Progression(self.first + steps, self.levels)


def gap_between(one: Progression, other: Progression) -> int:
    """Return the smallest distance between a time of one set and a time of the other.

    This takes a constant number of operations for two progressions that do not overlap or that have
    the same outermost level. Otherwise the shorter outermost level is split into its items.
    """
    if one.last < other.first:
        return other.first - one.last
    if other.last < one.first:
        return one.first - other.last
    if one.levels and other.levels and one.levels[0] == other.levels[0]:
        return _gap_in_step(one, other)
    if not one.levels and not other.levels:
        return 0
    if one.levels and (not other.levels or one.levels[0].count <= other.levels[0].count):
        one, other = other, one
    return min(gap_between(one, other.item(index)) for index in range(other.levels[0].count))


def _gap_in_step(one: Progression, other: Progression) -> int:
    """Return the gap between two progressions with the same outermost level.

    Only the difference of the two outer indices matters. For the smallest gap it is enough to try
    the differences at which the inner parts overlap or are next to each other.
    """
    farthest, stride = one.levels[0].count - 1, one.levels[0].stride
    moved, still = one.item(0), other.item(0)
    earliest = (still.first - moved.last) // stride
    latest = ceil_div(still.last - moved.first, stride)
    differences = {max(-farthest, min(n, farthest)) for n in range(earliest, latest + 1)}
    return min(gap_between(moved.shifted(n * stride), still) for n in differences)
