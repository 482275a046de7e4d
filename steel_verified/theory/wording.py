"""Counts in a sentence: "1 state", "2 states", "1,000 steps"."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """A number and what is counted, in the plural unless it is one: the word that takes the s."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def counted_range(least: int, most: int, thing: str) -> str:
    """From the least to the most, or the one number if both are the same."""
    return counted(most, thing) if least == most else f"{least:,} to {counted(most, thing)}"
