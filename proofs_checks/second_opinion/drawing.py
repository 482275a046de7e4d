"""Draws random distributions, chains, kernels and classifiers, as exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import Chain, mixing_time, stationary

if TYPE_CHECKING:
    from random import Random

Vector = tuple[Fraction, ...]
Kernel = tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class Draws:
    """A source of random fractions, distributions, chains and kernels."""

    r: Random

    def share(self) -> Fraction:
        """A number from 0 to 1; both ends are often drawn, as extreme cases are the hardest."""
        return Fraction(self.r.choice((0, 0, 1, 2, 3, 4, 5, 6, 6)), 6)

    def signed(self) -> Fraction:
        """A number of either sign."""
        return Fraction(self.r.randint(-6, 6), self.r.randint(1, 3))

    def law(self, size: int) -> Vector:
        """Return a distribution on a finite set; some members may have probability 0."""
        weights = [self.r.randint(0, 4) for _ in range(size)]
        weights[self.r.randrange(size)] += 1
        return tuple(Fraction(weight, sum(weights)) for weight in weights)

    def shares(self, size: int) -> Vector:
        """Numbers from 0 to 1; half of the time all of them are 0 or 1, as those of an event."""
        if self.r.randrange(2):
            return tuple(Fraction(self.r.randrange(2)) for _ in range(size))
        return tuple(self.share() for _ in range(size))

    def signs(self, size: int) -> Vector:
        """Numbers of either sign."""
        return tuple(self.signed() for _ in range(size))

    def balanced(self, size: int) -> Vector:
        """Numbers of either sign that sum to 0."""
        numbers = self.signs(size - 1)
        return (*numbers, -sum(numbers, Fraction(0)))

    def chain(self, size: int) -> Chain:
        """An irreducible, aperiodic chain with a mixing time of at most 4."""
        while True:
            try:
                chain = Chain(tuple(self.law(size) for _ in range(size)))
            except InvalidArgument:  # reducible or periodic
                continue
            if mixing_time(chain) <= 4:
                return chain

    def kernel_near(self, chain: Chain, distance: Fraction) -> Kernel:
        """A kernel with the chain's stationary distribution; its rows are within this L1 distance.

        It leads half of the time exactly as far away as it may.
        """
        law, n = stationary(chain), len(chain)
        stay = self.share()
        away = [
            [stay * (x == y) + (1 - stay) * chain.rows[y][x] - law[x] for x in range(n)]
            for y in range(n)
        ]
        farthest = max(sum(map(abs, row)) for row in away)
        factor = min(Fraction(1), distance / farthest) if farthest else Fraction(1)
        factor *= self.r.choice((Fraction(1), self.share()))
        return tuple(tuple(law[x] + factor * row[x] for x in range(n)) for row in away)


def mean(law: Vector, of: Vector) -> Fraction:
    """Return the mean of a function under a distribution."""
    return sum((p * value for p, value in zip(law, of, strict=True)), Fraction(0))


def with_mean(law: Vector, of: Vector, wanted: Fraction) -> Vector:
    """Numbers from 0 to 1, moved towards 0 or 1 so that they have this mean under the law."""
    now = mean(law, of)
    if now >= wanted:
        return tuple(value * (wanted / now if now else 1) for value in of)
    rest = (1 - wanted) / (1 - now)
    return tuple(1 - (1 - value) * rest for value in of)


def distance(rows: Kernel, law: Vector) -> Fraction:
    """Return the largest L1 distance of a row from the distribution."""
    return max(
        sum((abs(p - q) for p, q in zip(row, law, strict=True)), Fraction(0)) for row in rows
    )
