"""Two states and a coin: a world so small that many runs take almost no time."""

from fractions import Fraction

from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import ExBmdp

COIN = Parameters(
    actions=2,
    max_states=2,
    max_diameter=1,
    mixing_time=1,
    class_size=16,
    delta=Fraction(1, 20),
    epsilon=Fraction(1, 2),
)


def slow_coin(stay: Fraction) -> ExBmdp:
    """Return two states that one action swaps, and a coin that keeps its side with chance `stay`.

    The coin is visible in each state: the observation is 2s + e.
    """
    half = Fraction(1, 2)
    one, zero = Fraction(1), Fraction(0)
    certain = [tuple(one if x == y else zero for x in range(4)) for y in range(4)]
    return ExBmdp(
        dynamics=Dynamics(((1, 0), (0, 1))),
        noise=Chain(((stay, 1 - stay), (1 - stay, stay))),
        initial_noise=(half, half),
        emission=((certain[0], certain[1]), (certain[2], certain[3])),
        start=0,
    )
