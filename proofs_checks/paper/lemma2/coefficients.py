"""Lemma 2: how large the coefficients of both powers are (l. 1454-1466)."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import together
from proofs_checks.paper.lemma2.eigenvalues import (
    MATRIX_BOUND,
    UNIT,
    coefficient,
    exact,
    on_unit,
    rises_on_unit,
    square_root,
)
from proofs_checks.sections import LEMMA_2_CLOSING

if TYPE_CHECKING:
    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

_QUARTER: Final = Rational(1, 4)

x = Symbol("x", nonnegative=True)
"""ε'."""
p, q = (Symbol(name) for name in ("p", "q"))


def _distance_at_most(most: Expr) -> Evidence:
    """Where p ≥ q, |p − q| ≤ most·(p + q)/2 and |p − q| = p + q − 2q; the other case is its mirror.

    Summed over all states, p + q gives 2.
    """
    return together(
        partial(at_most, p - q, most * (p + q) / 2, {p: q, q: 0}),
        partial(identity, p - q, p + q - 2 * q),
    )


def _range_of_coefficient(sign: int, steepness: str, low: str, high: str) -> Evidence:
    """low < 1/4 − steepness·t ± S/2 ≤ high on [0, 1], with equality on the right at 0."""
    return together(
        partial(on_unit, coefficient(sign, "0", steepness) - exact(low)),
        partial(rises_on_unit, exact(high) - coefficient(sign, "0", steepness)),
    )


def _size_of_coefficient(sign: int, most: str, steepness: str) -> Evidence:
    """|1/4 − steepness·t ± S/2 + b_0/2| < most·S; convex in b_0, so b_0 = 0 and 2 decide."""
    return together(
        *(
            partial(on_unit, exact(most) * square_root - side * coefficient(sign, start, steepness))
            for side, start in product((1, -1), ("0", "2"))
        )
    )


def _both_sizes(most: str, steepness: str = "1/2") -> Evidence:
    return together(
        partial(_size_of_coefficient, 1, most, steepness),
        partial(_size_of_coefficient, -1, most, steepness),
    )


def _three_and_two(plus: str, minus: str) -> Evidence:
    """|c₊| ≤ plus·S and |c₋| ≤ minus·S, with equality at 0 for b_0 = 2."""
    return together(
        partial(rises_on_unit, exact(plus) * square_root - coefficient(1, "2")),
        partial(rises_on_unit, exact(minus) * square_root - coefficient(-1, "2")),
        partial(on_unit, exact(plus) * square_root + coefficient(1, "0")),
        partial(on_unit, exact(minus) * square_root + coefficient(-1, "0")),
    )


CLAIMS: Final = (
    LEMMA_2_CLOSING.proved(
        "G24",
        "1454",
        "b_0 = Σ|π_{t_1} − π_e| = 2 − 2Σmin(π_{t_1}, π_e) ≤ 2, with equality just for disjoint "
        "supports (so never on a finite irreducible chain)",
        partial(_distance_at_most, Rational(2)),
        Mutant("at most 3/2", partial(_distance_at_most, Rational(3, 2))),
        assumptions=("π_{t_1} and π_e are probability distributions",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G25.printed",
        "1456",
        "−0.7 < 1/4 − 3ε'/2 + √(ε'² + 1/4)/2 ≤ 0.5: true of the expression as printed",
        partial(_range_of_coefficient, 1, "3/2", "-0.7", "0.5"),
        Mutant("−0.69 on the left", partial(_range_of_coefficient, 1, "3/2", "-0.69", "0.5")),
        Mutant("0.49 on the right", partial(_range_of_coefficient, 1, "3/2", "-0.7", "0.49")),
        assumptions=(UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G25.corrected",
        "1456",
        "0.3 < 1/4 − ε'/2 + √(ε'² + 1/4)/2 ≤ 0.5: the range of the corrected expression, within "
        "the printed one",
        partial(_range_of_coefficient, 1, "1/2", "0.3", "0.5"),
        Mutant("0.31 on the left", partial(_range_of_coefficient, 1, "1/2", "0.31", "0.5")),
        Mutant("0.49 on the right", partial(_range_of_coefficient, 1, "1/2", "0.3", "0.49")),
        assumptions=(UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G26.printed",
        "1459",
        "−1.9 < 1/4 − 3ε'/2 − √(ε'² + 1/4)/2 ≤ 0: true of the expression as printed",
        partial(_range_of_coefficient, -1, "3/2", "-1.9", "0"),
        Mutant("−1.8 on the left", partial(_range_of_coefficient, -1, "3/2", "-1.8", "0")),
        Mutant("−0.01 on the right", partial(_range_of_coefficient, -1, "3/2", "-1.9", "-0.01")),
        assumptions=(UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G26.corrected",
        "1459",
        "−0.81 < 1/4 − ε'/2 − √(ε'² + 1/4)/2 ≤ 0: the range of the corrected expression, within "
        "the printed one",
        partial(_range_of_coefficient, -1, "1/2", "-0.81", "0"),
        Mutant("−0.8 on the left", partial(_range_of_coefficient, -1, "1/2", "-0.8", "0")),
        assumptions=(UNIT,),
    ),
    LEMMA_2_CLOSING.bound(
        "G27",
        "1461",
        "1/√(ε'² + 1/4) ≤ 2, that is 1 ≤ 2²(ε'² + 1/4)",
        1,
        4 * (x**2 + _QUARTER),
        {x: 0},
        Slip("at most 1.9", right=Rational(361, 100) * (x**2 + _QUARTER)),
        assumptions=("ε' ≥ 0",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G28",
        "1461-1466",
        "a_N ≤ 4|λ₊|^N + 4|λ₋|^N: |1/4 − ε'/2 ± S/2 + b_0/2|/S < 4 for every b_0 in [0, 2]",
        partial(_both_sizes, "4"),
        Mutant("2.9 in place of 4", partial(_both_sizes, "2.9")),
        assumptions=(UNIT, MATRIX_BOUND),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G28.printed",
        "1461-1466",
        "The printed brackets, with 3ε'/2, also satisfy |1/4 − 3ε'/2 ± S/2 + b_0/2|/S < 4",
        partial(_both_sizes, "4", "3/2"),
        Mutant("2.9 in place of 4", partial(_both_sizes, "2.9", "3/2")),
        assumptions=(UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G28",
        "1461-1466",
        "a_N ≤ 3|λ₊|^N + 2|λ₋|^N, and both factors are needed at ε' = 0, b_0 = 2",
        partial(_three_and_two, "3", "2"),
        Mutant("2.9 in place of 3", partial(_three_and_two, "2.9", "2")),
        Mutant("1.9 in place of 2", partial(_three_and_two, "3", "1.9")),
        assumptions=(UNIT, MATRIX_BOUND),
    ),
)
