"""Pairs of primes, and the worlds of prime loops that they make."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from steel_verified.worlds.prime_loops import PrimeLoops, are_primes_in_order

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics

Pair = tuple[int, int]

_TESTED: Final = ((3, 5), (5, 7), (11, 13), (17, 19), (29, 31), (41, 43))


def primes_up_to(largest: int) -> tuple[Pair, ...]:
    """All primes p < q ≤ `largest`."""
    numbers = range(2, largest + 1)
    return tuple((a, b) for b in numbers for a in numbers if are_primes_in_order(a, b))


MANY_PAIRS: Final = tuple(sorted({*primes_up_to(23), *_TESTED}))
MANY_SIZE: Final = "all primes p < q ≤ 23, and the six pairs of the experiments"


@cache
def prime_loops(copies: int, pair: Pair) -> Dynamics:
    """SinglePrime (one copy) or DoublePrime (two)."""
    return PrimeLoops(copies, *pair, start=0, first_action=0).dynamics()
