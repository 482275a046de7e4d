"""Counts and durations in a sentence: "1 state", "1,000 steps", "3 to 5 minutes"."""

from __future__ import annotations

from typing import Final

_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))


def counted(number: int, thing: str) -> str:
    """Return the number and the noun, with an s unless the number is one."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def counted_range(least: int, most: int, thing: str) -> str:
    """Return "2 to 5 states", or "5 states" if both numbers are equal."""
    return counted(most, thing) if least == most else f"{least:,} to {counted(most, thing)}"


def duration(seconds: float) -> str:
    """Return a duration in the largest unit that gives at least 2, such as "5 minutes"."""
    for size, name in _UNITS:
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {name}"
    return f"{seconds:.2g} seconds"


def duration_range(least: float, most: float) -> str:
    """Return "2 to 5 minutes", or one duration if both look the same."""
    first, last = duration(least), duration(most)
    if first == last:
        return last
    (number, unit), other = first.split(), last.split()[1]
    return f"{number} to {last}" if unit == other else f"{first} to {last}"
