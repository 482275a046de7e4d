"""Sets of bits of an observation, their values, and policies that read only these bits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_FACTORS: Final = 16
MOST_CONTROLLABLE: Final = 3
"""Some d^(2k) pairs of sets are examined: half a million for d = 16 and k = 3."""

Factors: TypeAlias = tuple[int, ...]
"""A set of factors, in increasing order. Its value has the i-th of them as bit i."""


def factor_sets(factors: int, most: int, within: Factors = ()) -> list[Factors]:
    """All sets of at most `most` factors that contain `within`, in the order of their size."""
    if not 1 <= factors <= MOST_FACTORS:
        raise InvalidArgument("factors", factors, f"1 to {MOST_FACTORS}")
    if not 0 <= most <= MOST_CONTROLLABLE:
        raise InvalidArgument("most", most, f"0 to {MOST_CONTROLLABLE}")
    return [
        chosen
        for size in range(len(within), most + 1)
        for chosen in combinations(range(factors), size)
        if set(within) <= set(chosen)
    ]


def values_of(observations: NDArray[np.int64], factors: Factors) -> NDArray[np.int64]:
    """The value of these factors in each observation."""
    found = np.zeros_like(observations)
    for place, factor in enumerate(factors):
        found |= (observations >> factor & 1) << place
    return found


def value_of(observation: int, factors: Factors) -> int:
    """The value of these factors in one observation."""
    return sum((observation >> factor & 1) << place for place, factor in enumerate(factors))


def restricted(value: int, factors: Factors, to: Factors) -> int:
    """The part of a value of `factors` that belongs to the factors `to`."""
    return sum((value >> factors.index(factor) & 1) << place for place, factor in enumerate(to))


@dataclass(frozen=True, slots=True)
class OneStep:
    """A policy for one step: an action for each value of the factors that it reads."""

    factors: Factors
    actions: tuple[int, ...]

    def action(self, observation: int) -> int:
        return self.actions[value_of(observation, self.factors)]


Policy: TypeAlias = tuple[OneStep, ...]
"""The policies of consecutive layers."""
