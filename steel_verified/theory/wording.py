"""Counts in a sentence: "1 state", "2 states", "1,000 steps"."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Return the number and the noun, with an s unless the number is one."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def counted_range(least: int, most: int, thing: str) -> str:
    """Return "2 to 5 states", or "5 states" if both numbers are equal."""
    return counted(most, thing) if least == most else f"{least:,} to {counted(most, thing)}"
