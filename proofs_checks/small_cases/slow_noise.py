"""Two worlds that look alike while their slow noise stays as it is (l. 1649–1692).

M_2(γ) and M_3(γ) have two noise states, which change with probability γ. In the first noise state
both show the same observations. In the second one, M_3 shows the states in another order than M_2,
so no encoder is good in both.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import ExBmdp

if TYPE_CHECKING:
    from collections.abc import Callable


def slow_world(states: int, gamma: Fraction) -> ExBmdp:
    """M_2(γ): in the second noise state, state s shows observation N + s (l. 1676)."""
    return _with_slow_noise(states, gamma, lambda s: states + s)


def permuted_world(states: int, gamma: Fraction) -> ExBmdp:
    """M_3(γ): in the second noise state, state s shows what the next state shows in M_2 (l. 1678).

    States are numbered from 0, as the erratum of claim I07 requires.
    """
    return _with_slow_noise(states, gamma, lambda s: states + (s + 1) % states)


def _with_slow_noise(states: int, gamma: Fraction, shown: Callable[[int], int]) -> ExBmdp:
    emission = tuple((only(s, states), only(shown(s), states)) for s in range(states))
    return ExBmdp(
        ring(states), two_states(gamma), (Fraction(1, 2), Fraction(1, 2)), emission, start=0
    )


def ring(states: int) -> Dynamics:
    """Action 0 leads to the next state, action 1 stays."""
    if states < 2:
        raise InvalidArgument("states", states, "at least 2: see the erratum of claim I08")
    return Dynamics(tuple(((s + 1) % states, s) for s in range(states)))


def only(observation: int, states: int) -> tuple[Fraction, ...]:
    """The law of one certain observation, of two for each state."""
    return tuple(Fraction(x == observation) for x in range(2 * states))


def chance_unchanged(gamma: Fraction, steps: int) -> Fraction:
    """The probability that all observations of `steps` steps come from one noise state (claim I11).

    The start is uniform, and so is every later distribution. Between the first and the last of n
    observations, the noise has n − 1 opportunities to change.
    """
    return (1 - gamma) ** (steps - 1)


def two_states(gamma: Fraction) -> Chain:
    """The noise: it changes with probability γ."""
    return Chain(((1 - gamma, gamma), (gamma, 1 - gamma)))
