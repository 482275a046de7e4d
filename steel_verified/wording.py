"""Numbers of things in messages: "1 state", "2 states", "1,000 steps"."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """A number and what is counted, in the plural unless it is one: the word that takes the s."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
