"""Loops whose lengths are two primes, hard for multistep-inverse methods (l. 1743, 1835)."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import Dynamics


@dataclass(frozen=True, slots=True)
class PrimeLoops:
    """One instance: `copies` is 2 for DoublePrime(p, q) and 1 for SinglePrime(p, q)."""

    copies: int
    p: int
    q: int
    start: int
    first_action: int

    def dynamics(self) -> Dynamics:
        """States 0 … q−1, then (of DoublePrime) 0' … (q−1)'. Only in 0 and 0' do actions matter."""
        p, q = self.p, self.q
        rows = []
        for copy in range(self.copies):
            across = (copy + 1) % self.copies * q + (q - p + 1) % q
            rows.append((copy * q + 1, across))
            rows += [(copy * q + (i + 1) % q,) * 2 for i in range(1, q)]
        return Dynamics(tuple(rows))


def double_prime(env_seed: int, *, p: int = 11, q: int = 13) -> PrimeLoops:
    """Two loops of q states; action 1 in 0 or 0' crosses over, p − 1 steps before the other's 0."""
    return _drawn(env_seed, 2, p, q)


def single_prime(env_seed: int, *, p: int = 11, q: int = 13) -> PrimeLoops:
    """One loop of q states with a short cut that makes it p."""
    return _drawn(env_seed, 1, p, q)


def _drawn(env_seed: int, copies: int, p: int, q: int) -> PrimeLoops:
    if not are_primes_in_order(p, q):
        raise InvalidArgument("p", f"{p} (with q = {q})", "two primes p < q")
    draw = np.random.default_rng(env_seed)
    start = int(draw.integers(copies * q))
    return PrimeLoops(copies, p, q, start, first_action=int(draw.integers(2)))


def are_primes_in_order(p: int, q: int) -> bool:
    """Whether p < q are both prime."""
    return p < q and all(
        number > 1 and all(number % d for d in range(2, isqrt(number) + 1)) for number in (p, q)
    )
