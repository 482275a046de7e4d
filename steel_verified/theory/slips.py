"""How many steps may have slipped, and how far a leader must be ahead: T5, in exact numbers.

A step *slips* if it leads to another state than T says. Suppose that each step slips with chance at
most p < 1/2, given all that happened up to and with its action. Then the number of slips among n
steps is at most as large as a binomial number, in law: couple them step by step. The steps are
divided into epochs j = 1, 2, …, which end at step 2^(j+5). Let k_j be the least k with

    P(Bin(2^(j+5), p) > k) ≤ δ / (2j(j+1)).

As Σ 1/(j(j+1)) = 1, with probability 1 − δ/2 at most k_j steps slip up to the end of epoch j, for
all j: claims S.S05 and S.S03. This event is called E.

In a state, let an action have been taken some times. Let M be the number of times after which the
next state was not that of T, minus the others. Each time M goes up with chance at most p, else it
goes down. So r^M is a supermartingale for r = (1−p)/p, and M ever reaches L with chance at most
r^−L: claim S.S02. A wrong next state that was seen c of v times leads by 2c − v ≤ M. So
with probability 1 − δ/2 no wrong one ever leads by L if |F||A| r^−L ≤ δ/2, since |S| ≤ |F|.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import least_power
from steel_verified.theory.parameters import require_probability

FIRST_EPOCH: Final = 64
"""The steps of the first epoch. A choice: runs that are shorter gain from a smaller number."""
MOST_DENOMINATOR: Final = 10**9
"""Of the rate of slips: exact powers of finer rates are long."""
_BITS: Final = 128


@dataclass(frozen=True, slots=True)
class Slips:
    """An upper bound on the chance that a step slips, and δ, the chance of a wrong answer."""

    rate: Fraction
    """p: each step slips with at most this chance, whatever happened before."""
    delta: Fraction

    def __post_init__(self) -> None:
        require_probability("slips", self.rate)
        require_probability("delta", self.delta)
        if self.rate >= Fraction(1, 2) or self.rate.denominator > MOST_DENOMINATOR:
            expected = (
                "more than 0 and less than 1/2, with at most 9 decimals: with 1/2, two next "
                "states may be equally likely, and nothing says which of them is the usual one"
            )
            raise InvalidArgument("slips", self.rate, expected)

    def most(self, steps: int) -> int:
        """Return k, how many of the first steps can have slipped: that of their epoch."""
        return most_in_epoch(epoch(steps), self.rate, self.delta / 2)

    def lead(self, pairs: int) -> int:
        """Return the least L with pairs · (p/(1−p))^L ≤ δ/2, for so many pairs of F and A."""
        odds, wanted = self.rate / (1 - self.rate), self.delta / (2 * pairs)
        return max(1, least_power(odds, wanted))


def epoch(steps: int) -> int:
    """Return j, the number of the epoch that has this step."""
    return max(0, (steps - 1) // FIRST_EPOCH).bit_length() + 1


def last_step(number: int) -> int:
    """Return the last step of epoch j."""
    return FIRST_EPOCH << (number - 1)


@lru_cache(maxsize=256)
def most_in_epoch(number: int, rate: Fraction, share: Fraction) -> int:
    """Return k_j, where `share` is δ/2."""
    return most_of_binomial(last_step(number), rate, share / (number * (number + 1)))


def most_of_binomial(steps: int, rate: Fraction, share: Fraction) -> int:
    """Return a k with P(Bin(steps, rate) > k) ≤ share: the least one, up to rounding.

    P(Bin ≤ k) is summed from below: each term is m·2^e with a whole m of `_BITS` bits, and every
    rounding makes it smaller. So k is never too small.
    """
    up, down = rate.numerator, rate.denominator - rate.numerator
    term, below, most = power_below(down, rate.denominator, steps), 0, 0
    wanted = (share.denominator - share.numerator << 2 * _BITS) // share.denominator + 1
    while True:
        m, e = term
        below += m << e + 2 * _BITS if e >= -2 * _BITS else m >> -e - 2 * _BITS
        if below >= wanted or most == steps:
            return most
        m = (m * (steps - most) * up << _BITS) // ((most + 1) * down)
        term, most = cut(m, e - _BITS), most + 1


def power_below(numerator: int, denominator: int, power: int) -> tuple[int, int]:
    """Return m and e with m·2^e ≤ (numerator/denominator)^power, and nearly equal."""
    found, square = (1, 0), cut((numerator << _BITS) // denominator, -_BITS)
    while power:
        if power & 1:
            found = cut(found[0] * square[0], found[1] + square[1])
        square, power = cut(square[0] ** 2, 2 * square[1]), power >> 1
    return found


def cut(m: int, e: int) -> tuple[int, int]:
    """Return m·2^e with at most `_BITS` bits of m, rounded down."""
    over = max(0, m.bit_length() - _BITS)
    return m >> over, e + over
