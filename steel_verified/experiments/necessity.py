"""The worlds that show in the paper that two conditions are necessary (l. 1649–1692).

Slow noise: M_1 has no noise. M_2(γ) and M_3(γ) have two noise states, which change with
probability γ. In the first noise state, all three show the same observations. In the second one,
M_3 shows the states in another order than M_2, so no encoder is good in both.

Falling: in one state an action leads to states from which that state cannot be reached again. M'
is M with the two actions exchanged in that state.

`tests/studies/necessity.py` runs STEEL on them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import Chain, least
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import (
    ExBmdp,
    HiddenModel,
    certain,
    law,
)

if TYPE_CHECKING:
    from collections.abc import Callable


_HALF: Final = Fraction(1, 2)


def unchanged_world(states: int) -> ExBmdp:
    """M_1: state s shows observation s. Only N of the 2N observations occur (l. 1674)."""
    return ExBmdp(
        dynamics=_ring(states),
        noise=Chain(((Fraction(1),),)),
        initial_noise=(Fraction(1),),
        emission=tuple((_only(s, states),) for s in range(states)),
        start=0,
    )


def slow_world(states: int, gamma: Fraction) -> ExBmdp:
    """M_2(γ): in the second noise state, state s shows observation N + s (l. 1676)."""
    return _with_slow_noise(states, gamma, lambda s: states + s)


def permuted_world(states: int, gamma: Fraction) -> ExBmdp:
    """M_3(γ): in the second noise state, state s shows what the next state shows in M_2 (l. 1678).

    States are numbered from 0, as the erratum of claim I07 requires.
    """
    return _with_slow_noise(states, gamma, lambda s: states + (s + 1) % states)


def chance_unchanged(gamma: Fraction, steps: int) -> Fraction:
    """The probability that all observations of `steps` steps come from one noise state (claim I11).

    The start is uniform, and so is every later distribution. Between the first and the last of n
    observations, the noise has n − 1 opportunities to change.
    """
    return (1 - gamma) ** (steps - 1)


def slow_enough(steps: int, at_least: Fraction) -> Fraction:
    """γ = 1/m with the least m ≥ 2 for which `chance_unchanged` is at least `at_least`."""
    if not 0 < at_least < 1:
        raise InvalidArgument("at_least", at_least, "a number strictly between 0 and 1")
    m = least(lambda m: m > 1 and chance_unchanged(Fraction(1, m), steps) >= at_least)
    return Fraction(1, m)


def falling_world(falls_with: int) -> HiddenModel:
    """M: in state 0 one of two actions leads to states 1 and 2, and never back (l. 1655).

    The other action stays in state 0. With the other value of `falls_with` it is M' (l. 1659).
    State s shows observation 2s or 2s + 1, with equal probability.
    """
    if falls_with not in (0, 1):
        raise InvalidArgument("falls_with", falls_with, "0 or 1, one of the two actions")
    table = [[0, 0], [2, 1], [1, 2]]
    table[0][falls_with] = 1
    return HiddenModel(
        start=certain(0),
        moves=tuple(tuple(certain(to) for to in row) for row in table),
        shows=tuple(law({2 * s: _HALF, 2 * s + 1: _HALF}) for s in range(3)),
    )


def _with_slow_noise(states: int, gamma: Fraction, shown: Callable[[int], int]) -> ExBmdp:
    return ExBmdp(
        dynamics=_ring(states),
        noise=Chain(((1 - gamma, gamma), (gamma, 1 - gamma))),
        initial_noise=(_HALF, _HALF),
        emission=tuple((_only(s, states), _only(shown(s), states)) for s in range(states)),
        start=0,
    )


def _ring(states: int) -> Dynamics:
    """Action 0 leads to the next state, action 1 stays."""
    if states < 2:
        raise InvalidArgument("states", states, "at least 2: see the erratum of claim I08")
    return Dynamics(tuple(((s + 1) % states, s) for s in range(states)))


def _only(observation: int, states: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(x == observation) for x in range(2 * states))
