"""The number of episodes that the publication of ExoRL requires, up to its unknown constant."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from steel_verified.theory.exact import ball, ceiling

if TYPE_CHECKING:
    from fractions import Fraction

UNKNOWN_CONSTANT = "times a constant C that is not given"
"""The remark that is printed beside every number of `episodes_by_constant`."""


def episodes_by_constant(
    *, actions: int, values: int, most: int, factors: int, horizon: int, eta: Fraction,
    delta: Fraction,
) -> int:  # fmt: skip
    """⌈N / C⌉ for N = C·A·S^(4k)·H²·k³·ln(dSAH/δ)/ε², the episodes of one step of OSSR.

    S is the number of values of a factor, and ε = η/2. η is the smallest probability with which the
    best policy for a state reaches it, over all states that can be reached. Read literally, N
    episodes are taken for each pair of layers t < h.
    """
    leading = actions * values ** (4 * most) * horizon**2 * most**3 / (eta / 2) ** 2
    within = factors * values * actions * horizon / delta
    return ceiling(lambda: ball(leading) * ball(within).log())


def sets_of_factors(factors: int, most: int) -> int:
    """The number of sets of at most k of d factors; policies are compared for each set."""
    return sum(comb(factors, size) for size in range(most + 1))
