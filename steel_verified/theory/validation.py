"""How many samples validate a fixed model and encoder (located STEEL).

A check of a label takes a sample at a time at which the model predicts this label, and compares the
prediction with the encoder's answer. Checks of one label are j·t̂_mix apart. Suppose the encoder
errs on the label with chance ε or more. Then n checks all pass with chance at most b_n + η·a_n.
Here η = 2^(−j−1) bounds the total variation distance of the noise from its stationary distribution
after j·t̂_mix steps, a_0 = b_0 = 1, and

    a_{i+1} = min(a_i, η·a_i + b_i),    b_{i+1} = min(b_i, (1−ε)·b_i + ε·η·a_i).

Without the minima the recursion is linear, and n steps of it are the n-th power of a matrix:

- While b + ηa ≥ 1, a stays 1 and b moves towards η by the matrix ((1, 0), (εη, 1−ε)).
- From then on ηa ≤ b ≤ (1−η)a holds, and both minima are equal to their second arguments: the
  matrix is ((η, 1), (εη, 1−ε)). Both inequalities also hold after the next step, because η ≤ 1/4
  and ε ≤ 1/2.

A minimum is at most each of its arguments. So the result would still be an upper bound if the
matrices were exchanged at a wrong step.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ceil_div

if TYPE_CHECKING:
    from collections.abc import Callable

Vector = tuple[int, int]
"""(a, b), in units of 2^−precision."""
Matrix = tuple[Vector, Vector]

_LEAST_SHARE: Final = Fraction(1, 1 << 120)
LEAST_DELTA: Final = Fraction(1, 1 << 100)
"""With this δ the share of round k, δ/(k(k+1)), is at least 2^−120 for a thousand rounds."""
_SPARE_BITS: Final = 240
"""Bits of precision beyond those of 1/ε; the computed bounds are too large by less than 2^−200.

Every product is rounded up, by less than one unit. Both matrices map (4/3, 1) to a vector that is
no larger, so squaring a matrix doubles its error and adds a few units. The error after n steps is
then about n units, and n is below 2^9/ε for shares of at least 2^−120.
"""


def distance_after(mixing_times: int) -> Fraction:
    """Return η = 2^(−j−1), which bounds the distance from stationarity after j·t_mix or more steps.

    The total variation distance is at most 1/4 after t_mix steps, and twice the distance is
    submultiplicative. Claim S.T06.
    """
    if mixing_times < 1:
        raise InvalidArgument("mixing_times", mixing_times, "at least 1")
    return Fraction(1, 1 << mixing_times + 1)


@lru_cache(maxsize=256)
def validation_samples(epsilon: Fraction, mixing_times: int, share: Fraction) -> int:
    """Return the least n, up to rounding, for which b_n + η·a_n is at most `share`."""
    return _least(epsilon, distance_after(mixing_times), share)


def independent_samples(epsilon: Fraction, share: Fraction) -> int:
    """Return an n with (1−ε)^n ≤ share: the count for independent samples, which is η = 0."""
    return _least(epsilon, Fraction(0), share)


def round_share(delta: Fraction, number: int) -> Fraction:
    """Return δ/(k(k+1)), the share of round k = 1, 2, …; all shares together are less than δ."""
    if number < 1:
        raise InvalidArgument("number", number, "at least 1")
    return delta / (number * (number + 1))


def _least(epsilon: Fraction, far: Fraction, share: Fraction) -> int:
    if not 0 < epsilon < 1:
        raise InvalidArgument("epsilon", epsilon, "more than 0 and less than 1")
    if not _LEAST_SHARE <= share < 1:
        raise InvalidArgument("share", share, "at least 2^−120 and less than 1")
    error = min(epsilon, Fraction(1, 2))
    unit = 1 << _SPARE_BITS + ceil_div(error.denominator, error.numerator).bit_length()

    def whole(value: Fraction) -> int:
        return ceil_div(value.numerator * unit, value.denominator)

    def bound(state: Vector) -> Fraction:
        return (state[1] + far * state[0]) / unit

    last = (whole(error * far), whole(1 - error))
    held, state = _until(((unit, 0), last), (unit, unit), lambda v: bound(v) < 1, unit)
    more, _ = _until(((whole(far), unit), last), state, lambda v: bound(v) <= share, unit)
    return held + more


def _until(
    step: Matrix, state: Vector, enough: Callable[[Vector], bool], unit: int
) -> tuple[int, Vector]:
    """Return the first number of steps after which `enough` holds, and the state then, rounded up.

    This is a binary search over the powers of the matrix, the largest first.
    """
    if enough(state):
        return 0, state
    powers, first = [step], state
    while not enough(first := _moved(powers[-1], state, unit)):
        powers.append(_squared(powers[-1], unit))
    taken = 0
    for exponent in reversed(range(len(powers))):
        further = _moved(powers[exponent], state, unit)
        if enough(further):
            first = further
        else:
            state, taken = further, taken + (1 << exponent)
    return taken + 1, first


def _moved(matrix: Matrix, state: Vector, unit: int) -> Vector:
    (p, q), (r, s) = matrix
    a, b = state
    return ceil_div(p * a + q * b, unit), ceil_div(r * a + s * b, unit)


def _squared(matrix: Matrix, unit: int) -> Matrix:
    (p, q), (r, s) = matrix
    a, c = _moved(matrix, (p, r), unit)
    b, d = _moved(matrix, (q, s), unit)
    return (a, b), (c, d)
