"""Observations without noise: then each different one shows a state, and exploring finds them all.

A walk shows whether one action ever led from one observation to two. If not, untried actions are
taken, the nearest first, until every action was taken at every observation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np

from steel_verified.classes.features import Featured, OneOf
from steel_verified.classes.finite import Components
from steel_verified.learning.graph import shortest_words
from steel_verified.learning.model import Model
from steel_verified.worlds.preflights import rows_after

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.plans import World
    from steel_verified.worlds.preflights import Walk

MOST_OBSERVATIONS: Final = 1024
_MOST_NUMBERS: Final = 1_000_000
"""Of all observations together, so that the class can be saved."""
_MOST_STEPS: Final = 100_000


class _Noisy(Exception):
    """One action led from one observation to two, or there are too many observations."""


class _Seen:
    """The different observations, numbered as they came, and where actions lead from them."""

    def __init__(self, actions: int) -> None:
        self.numbers: dict[tuple[float, ...], int] = {}
        self.table: list[list[int | None]] = []
        self._actions = actions

    def number(self, row: Numbers) -> int:
        key = cast("tuple[float, ...]", tuple(np.ravel(row).tolist()))  # as `kind_of` requires
        number = self.numbers.setdefault(key, len(self.numbers))
        if number == len(self.table):
            if number >= MOST_OBSERVATIONS or number * len(key) >= _MOST_NUMBERS:
                raise _Noisy
            self.table.append([None] * self._actions)
        return number

    def follow(self, here: int, word: Iterable[int], rows: Iterable[Numbers]) -> int:
        """Add the rows that a word showed, and return the last one."""
        for action, row in zip(word, rows, strict=True):
            to = self.number(row)
            if self.table[here][action] not in (None, to):
                raise _Noisy
            self.table[here][action] = to
            here = to
        return here

    def untried(self, here: int) -> tuple[int, ...] | None:
        """Return a shortest word that ends with an action not taken before; None if all were."""
        if None in self.table[here]:
            return (self.table[here].index(None),)
        model = Model(self._actions, tuple(map(tuple, self.table)))
        for state, word in shortest_words(model, here).items():
            if None in self.table[state]:
                return (*word, self.table[state].index(None))
        return None


def all_observations(
    world: World[Numbers], walked: Walk[Numbers]
) -> Featured[Numbers, Numbers] | None:
    """Explore until each action was taken at each observation, and return the class of them all.

    Return None where observations have noise, or are too many, or where there is only one.
    """
    seen, before = _Seen(world.actions), world.steps
    try:
        here = 0
        for action, rows in enumerate(walked.repeated):
            here = seen.follow(seen.number(rows[0]), [action] * (len(rows) - 1), rows[1:])
        here = seen.follow(here, walked.word, walked.rows)
        while (word := seen.untried(here)) is not None:
            if world.steps + len(word) > before + _MOST_STEPS:
                return None
            here = seen.follow(here, word, rows_after(world, word))
    except _Noisy:
        return None
    listed = tuple(seen.numbers)
    if len(listed) == 1:
        return None
    known = OneOf(len(listed[0]), listed)
    return Featured(known, Components(known.size))
