"""How likely n samples of mixing noise show a classifier's 1 at least k times: two upper bounds.

The samples are taken at times fixed beforehand. The noise is within η of its stationary law π at
the first sample, whatever happened before, and at each later sample, whatever the noise was at the
sample before. p is the chance of a 1 under π. What is seen may be random, given the noise.

**Sandwich.** Given all earlier samples, the next is 1 with a chance of at most p + η. So the number
of ones is stochastically at most Binomial(n, p + η): claim S.T01.

**Weights.** Let s > 0 and z = 1 + s. Let u_i be the mean of z^(ones among i samples, the first one
now), as a function of the noise. Let b_i ≥ π(u_i) and d_i ≥ sup u_i − inf u_i. One gap before, the
mean of u_i is within η·d_i of π(u_i), from every noise state. So one can take b_0 = 1, d_0 = 0 and

    b_{i+1} = (1 + s·p)·b_i + s·q·η·d_i,    where q = min(p, 1 − p),
    d_{i+1} = s·b_i + (1 + s)·η·d_i + min(b_i, η·d_i),

and P(at least k ones) ≤ (b_n + η·d_n) / z^k, for every s > 0: claims S.T02, S.T03. As d_i is of the
order of s, this bound is concentrated around p, and the sandwich around p + η. At p = 1/2
the variance that it allows for is attained: by two noise states, each kept with chance 1/2 + η.

Both are computed in integers, rounded up, and are never below 2^−256 unless they are 0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.theory.exact import ceil_div

if TYPE_CHECKING:
    from collections.abc import Callable

Matrix = tuple[int, int, int, int]
"""((b from b, b from d), (d from b, d from d)), row by row, in some unit."""

_FINEST: Final = 256
"""Bounds are multiples of 2^−256."""
_BITS: Final = 128
"""Numbers are kept to so many bits: n steps make a bound too large by a share of some n·2^−120."""
_NEGLIGIBLE: Final = 64
"""A sum of the terms of a binomial law stops at a term that is so many bits below the sum."""

_WEIGHTS: Final = tuple(
    Fraction(quarters, 4) * Fraction(2) ** exponent
    for exponent in range(-15, 25)
    for quarters in (4, 5, 6, 7)
)
"""The values of s that are tried: neighbours differ by a quarter at most."""
MIDDLE: Final = 60
"""The place of s = 1 among them."""


def binomial_tail(samples: int, ones: int, chance: Fraction) -> Fraction:
    """Return an upper bound on P(Binomial(samples, chance) ≥ ones), exact to some 2^−60 of itself.

    It is 1 where `ones` is not above the mean. Otherwise it is T/(T + L): T sums the chances from
    `ones` up and L those below, both in units of the chance of `ones` itself, so that no binomial
    coefficient is needed. T is rounded up, L down.
    """
    if ones > samples:
        return Fraction(0)
    if ones <= samples * chance:
        return Fraction(1)
    if chance == 0:
        return Fraction(0)
    success, failure = chance.numerator, chance.denominator - chance.numerator
    above, below = _terms_above(samples, ones, success, failure), 0
    term, count = 1 << _BITS, ones
    while count and below >> _NEGLIGIBLE < term and below >> _FINEST < above:
        term = term * count * failure // ((samples - count + 1) * success)
        below += term
        count -= 1
    return _whole(above, above + below, 0)


def _terms_above(samples: int, ones: int, success: int, failure: int) -> int:
    """Sum the chances of `ones` and more, in units of 2^−128 of that of `ones`, rounded up.

    Above the mean each term is a smaller part of the last, so a geometric series bounds the rest.
    """
    total = term = 1 << _BITS
    for count in range(ones, samples):
        up, down = (samples - count) * success, (count + 1) * failure
        if term < total >> _NEGLIGIBLE:
            return total + ceil_div(term * up, down - up)
        term = ceil_div(term * up, down)
        total += term
    return total


def weighted_tail(
    samples: int, ones: int, chance: Fraction, far: Fraction, place: int = MIDDLE
) -> tuple[Fraction, int]:
    """Return the smallest bound by weights that a search finds, and the place of its s.

    The search starts at a place and goes to better neighbours, first far ones and then near ones.
    The bound holds for every s, so it does not matter for its truth where the search ends.
    """
    if ones > samples:
        return Fraction(0), place
    if ones <= samples * chance:
        return Fraction(1), place
    known: dict[int, Fraction] = {}

    def bound(at: int) -> Fraction:
        if at not in known:
            known[at] = weighted_bound(samples, ones, chance, far, _WEIGHTS[at])
        return known[at]

    for stride in (16, 4, 1):
        place = _descended(bound, place, stride)
    return bound(place), place


def _descended(bound: Callable[[int], Fraction], place: int, stride: int) -> int:
    """Go on in steps of the stride while that lowers the bound.

    Where s is too large the bound is 1, whatever s; from there the search goes to smaller ones.
    """
    while place >= stride and bound(place - stride) <= bound(place):
        place -= stride
    while place + stride < len(_WEIGHTS) and bound(place + stride) < bound(place):
        place += stride
    return place


def weighted_bound(
    samples: int, ones: int, chance: Fraction, far: Fraction, weight: Fraction
) -> Fraction:
    """Return (b_n + η·d_n)/z^k for one s, with b and d of one of two linear recursions.

    A minimum is at most each of its arguments, so either gives upper bounds. While η·d ≤ b, that is
    the first one's minimum; if it is so after a step from η·d = b, it is so always. Else η·d grows
    beyond b, and the second recursion has the minimum from then on.
    """
    s, p, q = weight, chance, min(chance, 1 - chance)
    stays_small = 2 * far * (1 + s) <= 1 + s * (p + q)
    from_mean, from_spread = (s, (2 + s) * far) if stays_small else (1 + s, (1 + s) * far)
    mean = (_rounded_up(1 + s * p), _rounded_up(s * q * far))
    spread = (_rounded_up(from_mean), _rounded_up(from_spread))
    b, d, exponent = _after((*mean, *spread), samples)
    top = b + ceil_div(far.numerator * d, far.denominator)
    bottom, bits = _power(1 + s, ones)
    return _whole(top, bottom, exponent - bits)


def _rounded_up(value: Fraction) -> int:
    return ceil_div(value.numerator << _BITS, value.denominator)


def _after(matrix: Matrix, steps: int) -> tuple[int, int, int]:
    """(b, d, e): both numbers after so many steps from (1, 0), as b·2^e and d·2^e, rounded up."""
    scale, b, d, exponent = -_BITS, 1, 0, 0
    while steps:
        p, q, r, s = matrix
        if steps % 2:
            b, d = p * b + q * d, r * b + s * d
            spare = max(b.bit_length() - _BITS, 0)
            b, d, exponent = -(-b >> spare), -(-d >> spare), exponent + scale + spare
        mixed = q * r
        p, q, r, s = p * p + mixed, q * (p + s), r * (p + s), mixed + s * s
        spare = max(p, q, r, s).bit_length() - _BITS
        matrix = -(-p >> spare), -(-q >> spare), -(-r >> spare), -(-s >> spare)
        scale, steps = 2 * scale + spare, steps // 2
    return b, d, exponent


def _power(base: Fraction, exponent: int) -> tuple[int, int]:
    """(m, e) with m·2^e ≤ base^exponent, both nearly equal, for a base with a power of 2 below."""
    square, scale = base.numerator, 1 - base.denominator.bit_length()
    power, bits = 1, 0
    while exponent:
        if exponent % 2:
            power, bits = power * square, bits + scale
            spare = max(power.bit_length() - _BITS, 0)
            power, bits = power >> spare, bits + spare
        square *= square
        spare = max(square.bit_length() - _BITS, 0)
        square, scale, exponent = square >> spare, 2 * scale + spare, exponent // 2
    return power, bits


def _whole(top: int, bottom: int, exponent: int) -> Fraction:
    """min(1, top·2^exponent/bottom), rounded up to a multiple of 2^−256."""
    size = top.bit_length() - bottom.bit_length() + exponent
    if size > 1:
        return Fraction(1)
    if size < -_FINEST:
        return Fraction(1, 1 << _FINEST)
    shift = exponent + _FINEST
    units = ceil_div(top << max(shift, 0), bottom << max(-shift, 0))
    return min(Fraction(1), Fraction(units, 1 << _FINEST))
