"""Pairs of primes, and the worlds of prime loops that they make."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.finite import exhausted
from steel_verified.worlds.prime_loops import PrimeLoops, are_primes_in_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.worlds.dynamics import Dynamics


Pair = tuple[int, int]

_TESTED: Final = ((3, 5), (5, 7), (11, 13), (17, 19), (29, 31), (41, 43))


def primes_up_to(largest: int) -> tuple[Pair, ...]:
    """All primes p < q ≤ `largest`."""
    numbers = range(2, largest + 1)
    return tuple((a, b) for b in numbers for a in numbers if are_primes_in_order(a, b))


SMALL_PAIRS: Final = primes_up_to(7)
MEDIUM_PAIRS: Final = primes_up_to(13)
MANY_PAIRS: Final = tuple(sorted({*primes_up_to(23), *_TESTED}))
MANY_SIZE: Final = "all primes p < q ≤ 23, and the six pairs of the experiments"


@cache
def prime_loops(copies: int, pair: Pair) -> Dynamics:
    """SinglePrime (one copy) or DoublePrime (two)."""
    return PrimeLoops(copies, *pair, start=0, first_action=0).dynamics()


def for_all(
    pairs: tuple[Pair, ...], holds: Callable[[Pair], bool], size: str = MANY_SIZE
) -> Evidence:
    """Show something of every pair."""
    return exhausted(pairs, holds, size)


class Equals:
    """That a computed value is the stated function of p and q."""

    def __init__(
        self, value: Callable[[Pair], object], stated: Callable[[int, int], object]
    ) -> None:
        self._value = value
        self._stated = stated

    def __call__(self, pair: Pair) -> bool:
        return self._value(pair) == self._stated(*pair)
