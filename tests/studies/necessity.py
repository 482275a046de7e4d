"""Two of the worlds that show conditions to be necessary (l. 1649–1692), for tests.

The other ones stand beside the small cases of the claims.
"""

from __future__ import annotations

from fractions import Fraction

from proofs_checks.small_cases.slow_noise import only, ring
from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.tabular import ExBmdp, HiddenModel, certain, law


def unchanged_world(states: int) -> ExBmdp:
    """M_1, without noise: only N of the 2N observations of M_2 and M_3 occur (l. 1674)."""
    emission = tuple((only(s, states),) for s in range(states))
    return ExBmdp(ring(states), Chain(((Fraction(1),),)), (Fraction(1),), emission, start=0)


def falling_world(falls_with: int) -> HiddenModel:
    """M: in state 0 one of two actions leads to states 1 and 2, and never back (l. 1655).

    The other action stays in state 0. With the other value of `falls_with` it is M' (l. 1659).
    State s shows observation 2s or 2s + 1, with equal probability.
    """
    if falls_with not in (0, 1):
        raise InvalidArgument("falls_with", falls_with, "0 or 1, one of the two actions")
    table = [[0, 0], [2, 1], [1, 2]]
    table[0][falls_with] = 1
    half = Fraction(1, 2)
    return HiddenModel(
        start=certain(0),
        moves=tuple(tuple(certain(to) for to in row) for row in table),
        shows=tuple(law({2 * s: half, 2 * s + 1: half}) for s in range(3)),
    )
