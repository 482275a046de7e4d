"""Loops whose lengths are two primes, hard for multistep-inverse methods (l. 1743, 1835)."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, isqrt, pi, sin
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.classes.finite import Tables, tables
from steel_verified.errors import InvalidArgument
from steel_verified.worlds import pictures, simulated
from steel_verified.worlds.dynamics import Dynamics, Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


LARGEST_Q: Final = 1_000
"""The 3q classifiers are tables of 2q bits each, and the two loops have 2q states."""
_LARGEST_PRIME: Final = 10**12
"""The primality test tries divisors up to the root: a million of them."""


@dataclass(frozen=True, slots=True)
class PrimeLoops:
    """One instance: `copies` is 2 for DoublePrime(p, q) and 1 for SinglePrime(p, q)."""

    copies: int
    p: int
    q: int
    start: int
    first_action: int

    def dynamics(self) -> Dynamics:
        """States 0 … q−1, then (DoublePrime) 0' … (q−1)'. The action matters only in 0 and 0'."""
        p, q = self.p, self.q
        rows = []
        for copy in range(self.copies):
            across = (copy + 1) % self.copies * q + (q - p + 1) % q
            rows.append((copy * q + 1, across))
            rows += [(copy * q + (i + 1) % q,) * 2 for i in range(1, q)]
        return Dynamics(tuple(rows))

    def oracle(self) -> Tables:
        """F: for each i, the classifiers of "i", of "i'", and of "i or i'" (l. 1901)."""
        q = self.q
        owners = ({i} for i in range(2 * q))
        pairs = ({i, i + q} for i in range(q))
        return tables([[x in own for x in range(2 * q)] for own in (*owners, *pairs)])

    def world(self, noise_seed: int) -> simulated.SimulatedWorld[NDArray[np.int64]]:
        return simulated.SimulatedWorld(self.dynamics(), self.start, self.observe(noise_seed))

    def observe(self, noise_seed: int) -> simulated.Observe[NDArray[np.int64]]:
        """DoublePrime shows its states; SinglePrime shows i or i', by a fair coin at each step."""
        origin = simulated.stream_origin(noise_seed, 0)

        def observe(asked: Sequence[simulated.Asked]) -> list[NDArray[np.int64]]:
            if self.copies == 2:
                return [each.states for each in asked]
            tosses = (simulated.random_words(origin, each.times) >> np.uint64(63) for each in asked)
            return [
                each.states + self.q * toss.astype(np.int64)
                for each, toss in zip(asked, tosses, strict=True)
            ]

        return observe

    def see(self, noise_seed: int) -> Callable[[int, int], np.int64]:
        return simulated.one_at_a_time(self.observe(noise_seed))

    def picture(self, seen: np.int64) -> NDArray[np.uint8]:
        """An image: the observations 0 … q−1 in one row, 0' … (q−1)' in the next."""
        return pictures.of_places(int(seen), 2, self.q)

    @property
    def colours(self) -> Sequence[tuple[pictures.Colour, str]]:
        shown = "the latent state" if self.copies == 2 else "i or i' in latent state i"
        return ((pictures.OURS, f"the observation: {shown}"),)

    def layout(self) -> list[tuple[float, float]]:
        """Clockwise on one circle, or on two circles side by side, as in the paper's figures."""
        landing = (self.q - self.p + 1) % self.q
        turns = [2 * pi * (i - landing / 2) / self.q for i in range(self.q)]
        circle = [(cos(turn), -sin(turn)) for turn in turns]
        return [*circle, *((2.9 - x, -y) for x, y in circle)][: self.copies * self.q]

    @property
    def longest_run(self) -> int:
        return simulated.LAST_TIME

    def truth(self) -> Truth:
        first = 0 if self.copies == 2 else 2 * self.q
        return Truth(
            dynamics=self.dynamics(),
            classifiers=tuple(range(first, first + self.copies * self.q)),
            mixing_time=1,
            because="what is random at one step is independent of every other step (l. 1915)",
        )


def prime_loops(env_seed: int, copies: int, *, p: int, q: int) -> PrimeLoops:
    """DoublePrime or SinglePrime.

    Two loops of q states: action 1 in 0 or 0' jumps to p − 1 steps before the other's 0. One loop
    of q states: action 1 in 0 is a shortcut that makes its length p.
    """
    if q > LARGEST_Q:
        raise InvalidArgument("q", q, f"at most {LARGEST_Q:,}")
    require_primes(p, q)
    draw = np.random.default_rng(env_seed)
    start = int(draw.integers(copies * q))
    return PrimeLoops(copies, p, q, start, first_action=int(draw.integers(2)))


def require_primes(p: int, q: int) -> None:
    if q > _LARGEST_PRIME:
        raise InvalidArgument("q", q, f"a prime of at most {_LARGEST_PRIME:,}")
    if not are_primes_in_order(p, q):
        raise InvalidArgument("p", f"{p} (with q = {q})", "two primes p < q")


def are_primes_in_order(p: int, q: int) -> bool:
    """Whether p < q are both prime."""
    return p < q and all(
        number > 1 and all(number % d for d in range(2, isqrt(number) + 1)) for number in (p, q)
    )
