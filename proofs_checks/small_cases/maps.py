"""Maps of a few states to themselves: what a word does to the states."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Map = tuple[int, ...]


def maps(most: int) -> Iterator[Map]:
    """Every map of {0, …, n−1} to itself, for all n ≤ `most`."""
    for states in range(1, most + 1):
        yield from product(range(states), repeat=states)


def tail_and_cycle(step: Map, start: int = 0) -> tuple[int, int]:
    """After how many steps the cycle is entered, and how long it is."""
    seen: dict[int, int] = {}
    here = start
    while here not in seen:
        seen[here] = len(seen)
        here = step[here]
    return seen[here], len(seen) - seen[here]
