"""Counts in a sentence: "1 state", "2 to 3 states"."""

from __future__ import annotations

from steel_verified.wording import counted

__all__ = ["counted", "counted_range"]


def counted_range(least: int, most: int, thing: str) -> str:
    """From the least to the most, or the one number if both are the same."""
    return counted(most, thing) if least == most else f"{least:,} to {counted(most, thing)}"
