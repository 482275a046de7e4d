"""The least multistep-inverse loss, and how long segments must be (l. 1716-1729)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from sympy import Integer, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import equal, exhausted
from proofs_checks.sections import AC_STATE
from proofs_checks.small_cases.inverse_losses import (
    IN_THE_LIMIT,
    first_difference,
    numbers_of_paths,
    smallest_encoders_in,
)
from proofs_checks.small_cases.prime_pairs import prime_loops

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

p, q = (Symbol(name) for name in ("p", "q"))

_FORK: Final = ((1, 2), (3, 3), (3, 3), (0, 0))
"""0 leads to 1 or 2, as one chooses; both lead to 3, and 3 to 0: every way back takes 3 steps."""


def _fork(longest: int) -> tuple[bool, int, int]:
    """Whether all chances repeat from `longest` − 2 on; the outputs needed without a forward loss,
    and with it.
    """
    numbers = tuple(islice(numbers_of_paths(_FORK), longest + 1))
    repeats = numbers[-1] == [[8 * number for number in row] for row in numbers[-4]]
    without = smallest_encoders_in(_FORK, longest)[0]
    with_forward = smallest_encoders_in(_FORK, longest, forward=True)[0]
    return repeats, len(set(without)), len(set(with_forward))


def _likelihood(zeros: int, ones: int) -> Fraction:
    """Of these actions, if predicted by their own frequencies."""
    total = zeros + ones
    return Fraction(zeros**zeros * ones**ones, total**total)


def _merging_is_no_gain(counts: tuple[int, int, int, int], factor: Fraction) -> bool:
    a, b, c, d = counts
    return _likelihood(a + c, b + d) * factor <= _likelihood(a, b) * _likelihood(c, d)


def _no_gain(factor: Fraction) -> Evidence:
    cases = product(range(7), repeat=4)
    return exhausted(cases, partial(_merging_is_no_gain, factor=factor), "two cells, counts ≤ 6")


_diameter = 2 * q - 1
_PRIMES: Final[Mapping[Symbol, Expr | int]] = {q: p + 1, p: 2}
_g, _f = Symbol("g"), Symbol("f")

CLAIMS: Final = (
    AC_STATE.equation(
        "J01.gibbs",
        "1716",
        "Σ_a f_a (g_a/f_a − 1) = 0 for two distributions f and g of two actions: as "
        "ln z ≤ z − 1, no prediction has a smaller expected loss than the true chances f",
        _f * (_g / _f - 1) + (1 - _f) * ((1 - _g) / (1 - _f) - 1),
        Integer(0),
        Slip("g need not sum to 1", left=_f * (_g / _f - 1) + (1 - _f) * ((2 - _g) / (1 - _f) - 1)),
        assumptions=("ln z ≤ z − 1 for z > 0",),
    ),
    AC_STATE.exhausted(
        "J01.merging",
        "1716",
        "merging two cells of observations never lowers the least loss, so that the "
        "identity encoder, which merges nothing, attains the minimum",
        partial(_no_gain, Fraction(1)),
        Mutant("a strict loss, by 1%", partial(_no_gain, Fraction(101, 100))),
        assumptions=("𝒳 is countable",),
    ),
    AC_STATE.proved(
        "J02.diameter",
        "1718-1722",
        "K ≥ D does not suffice: on DoublePrime(3, 5), D = 9, φ_SP has the least loss "
        "for K = 9, …, 12",
        lambda: equal(
            (prime_loops(2, (3, 5)).diameter, first_difference((3, 5))),
            (9, 13),
        ),
        Mutant(
            "K = D suffices",
            lambda: equal((prime_loops(2, (3, 5)).diameter, first_difference((3, 5))), (9, 9)),
        ),
        assumptions=(IN_THE_LIMIT,),
    ),
    AC_STATE.bound(
        "J02.sufficient",
        "1722",
        "on prime loops the cited sufficient length 2D² + D, with D = 2q − 1, is at "
        "least what is needed there, pq + q − p",
        p * q + q - p,
        2 * _diameter**2 + _diameter,
        _PRIMES,
        Slip(
            "D²/8 + D suffices, times 8",
            left=8 * (p * q + q - p),
            right=_diameter**2 + 8 * _diameter,
        ),
    ),
    AC_STATE.proved(
        "J02.periodic",
        "1723-1729",
        "no K suffices for all periodic dynamics: where 0 leads to 1 or 2 by choice, "
        "both to 3 and 3 to 0, three outputs are enough for the least loss, whatever K; with a "
        "forward loss of 0 as well, all four are needed",
        lambda: equal(_fork(8), (True, 3, 4)),
        Mutant("some K suffices alone", lambda: equal(_fork(8), (True, 4, 4))),
        Mutant("three K show all of them", lambda: equal(_fork(3), (True, 3, 4))),
        assumptions=(IN_THE_LIMIT,),
    ),
    AC_STATE.hypothesis(
        "J02.cited",
        "1718-1729",
        "cited: segments of 2D² + D steps suffice for aperiodic dynamics, and with a "
        "forward loss for all",
    ),
)
