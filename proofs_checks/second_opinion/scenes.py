"""What most proofs about sums speak of: a chain with its law, kernels near it, a classifier.

Every draw depends on the seed and on the place where it stands, so that a function has one value at
each place, however often it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final

from proofs_checks.second_opinion.drawing import Draws, mean, with_mean
from steel_verified.worlds.chains import stationary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proofs_checks.second_opinion.drawing import Kernel, Vector
    from proofs_checks.second_opinion.evaluating import Function
    from steel_verified.worlds.chains import Chain

HALF: Final = Fraction(1, 2)
NONE: Final = Fraction(0)
OUTCOMES: Final = 3


def number(value: Fraction) -> Function:
    """A number, which is a function of nothing."""
    return lambda _: value


def vector(values: Sequence[Fraction]) -> Function:
    """A function of its last argument alone."""
    return lambda at: values[at[-1]]


def matrix(rows: Sequence[Sequence[Fraction]]) -> Function:
    """A function of its last two arguments alone."""
    return lambda at: rows[at[-2]][at[-1]]


def sequence(of: Callable[[int], Fraction]) -> Function:
    """A function of one number."""
    return lambda at: of(at[0])


def table(of: Callable[[int, int], Fraction]) -> Function:
    """A function of two numbers."""
    return lambda at: of(at[0], at[1])


ROOTS: Final = {
    "eigenvector.by_the_eigenvector": (NONE, Fraction(1, 4)),
    "eigenvector.all_pass": (NONE, Fraction(1, 4)),
    "closed_form.all_pass_as_printed": (NONE, Fraction(1, 4)),
}
"""Proofs that speak of √((ε − middle)² + more): their ε is drawn so that this is a fraction."""


def with_root(draws: Draws, middle: Fraction, more: Fraction) -> tuple[Fraction, Fraction]:
    """A number ε from 0 to 1 with a rational √((ε − middle)² + more), and this root.

    For every k > 0, ε − middle = (k − more/k)/2 has the root (k + more/k)/2.
    """
    while True:
        k = Fraction(draws.r.randint(1, 40), draws.r.randint(10, 30))
        epsilon = middle + (k - more / k) / 2
        if 0 <= epsilon <= 1:
            return epsilon, (k + more / k) / 2


@dataclass(frozen=True, slots=True)
class Scene:
    """The random parts of one instance of the proof of this name."""

    name: str
    seed: int
    draws: Draws
    chain: Chain
    law: Vector
    classifier: Vector
    """g: how likely it is 1 in each state"""
    distance: Fraction
    """η: half the distance of kernels to the law, in proofs about bets"""

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.chain)

    @property
    def passing(self) -> Fraction:
        """p: the mean of the classifier under the law."""
        return mean(self.law, self.classifier)

    @property
    def outcomes(self) -> Vector:
        """Pr: how likely each outcome is."""
        return self.at("Pr").law(OUTCOMES)

    def paid(self, *place: object) -> Vector:
        """Numbers from 0 on, one for each outcome and with a mean of 1."""
        drawn = self.at(*place).shares(OUTCOMES)
        average = mean(self.outcomes, drawn)
        return tuple(each / average if average else Fraction(1) for each in drawn)

    def at(self, *place: object) -> Draws:
        """Draws that depend on the place alone."""
        return Draws(Random(f"{self.seed} {self.name} {place}"))

    def share(self, *place: object) -> Fraction:
        """A number from 0 to 1, by its place."""
        return self.at(*place).share()

    def signed(self, *place: object) -> Fraction:
        """A number of either sign, by its place."""
        return self.at(*place).signed()

    def slack(self, *place: object) -> Fraction:
        """What is added to a bound, by its place: often 0, so that the bound is tight."""
        draws = self.at("slack", *place)
        return draws.r.choice((NONE, draws.share()))

    def near(self, most: Fraction) -> Function:
        """Kernels within this distance of the law: K(y, x), or K(j, y, x) with one for each j."""

        @cache
        def kernel(j: tuple[int, ...]) -> Kernel:
            return self.at("kernel", j).kernel_near(self.chain, most)

        return lambda at: kernel(at[:-2])[at[-2]][at[-1]]


def scene(name: str, seed: int) -> Scene:
    """Draw the parts for the proof of this name, so that their mean is as it needs it."""
    draws = Draws(Random(f"{seed} {name}"))
    chain = draws.chain(draws.r.choice((2, 2, 3)))
    law, distance = stationary(chain), draws.share() / 2
    classifier = draws.shares(len(chain))
    if name in ROOTS:
        miss, _ = with_root(draws, *ROOTS[name])
        classifier = with_mean(law, classifier, 1 - miss)
    return Scene(name, seed, draws, chain, law, classifier, distance)
