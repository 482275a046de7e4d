"""Lemma 2: the eigenvalues of the matrix, and its powers (l. 1415-1453).

The matrix is A = ((1 − x, 1/2), (x/2, 1/2)) with x = ε' in [0, 1]; S = √(x² + 1/4) and
λ± = (3/2 − x ± S)/2 are its eigenvalues. (a_N, b_N) ≤ A^N (1, b_0) comes from the part before.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Matrix, Rational, Symbol, sqrt

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.algebra import formula
from proofs_checks.kernels.evidence import Evidence, NotEarned
from proofs_checks.kernels.intervals import positive, positive_from_zero
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import together
from proofs_checks.sections import LEMMA_2_CLOSING
from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import Chain, distance_from_stationarity, mixing_time

if TYPE_CHECKING:
    from flint import arb
    from sympy import Expr


_HALF: Final = Rational(1, 2)
_QUARTER: Final = Rational(1, 4)
UNIT: Final = "ε' ∈ [0, 1]"
MATRIX_BOUND: Final = "(a_N, b_N) ≤ A^N (1, b_0), entry by entry, with 0 ≤ b_0 ≤ 2"

x, b, level = Symbol("x", nonnegative=True), Symbol("b"), Symbol("λ")
"""ε', b_0, and the variable of the characteristic polynomial."""
u, v = (Symbol(name) for name in ("u", "v"))

square_root: Final = sqrt(x**2 + _QUARTER)
larger: Final = (Rational(3, 2) - x + square_root) / 2
smaller: Final = (Rational(3, 2) - x - square_root) / 2


def _eigenvalues(root: Expr) -> Evidence:
    """The characteristic polynomial of A has the two stated roots."""
    characteristic = Matrix([[level - 1 + x, -_HALF], [-x / 2, level - _HALF]]).det()
    middle = Rational(3, 4) - x / 2
    return identity((level - middle - root / 2) * (level - middle + root / 2), characteristic)


def _closed_form(plus: Expr, minus: Expr) -> Evidence:
    """The first row of A^N: right for N = 0, and right for N + 1 when it is for N.

    u and v stand for λ₊^N and λ₋^N, so that one step shows it for every N.
    """

    def row(high: Expr | int, low: Expr | int) -> tuple[Expr, Expr]:
        first = (high * (1 - x - minus) - low * (1 - x - plus)) / square_root
        return first, (high * _HALF - low * _HALF) / square_root

    (one, zero), (here, there) = row(1, 1), row(u, v)
    after = row(u * larger, v * smaller)
    return together(
        partial(identity, one, Rational(1)),
        partial(identity, zero, Rational(0)),
        partial(identity, here * (1 - x) + there * x / 2, after[0]),
        partial(identity, here * _HALF + there * _HALF, after[1]),
    )


def _simplified(slope: Expr) -> Evidence:
    return together(
        partial(identity, 1 - x - smaller + b / 2, _QUARTER - slope * x + square_root / 2 + b / 2),
        partial(identity, 1 - x - larger + b / 2, _QUARTER - slope * x - square_root / 2 + b / 2),
    )


def _triangle(second: int) -> Evidence:
    """p − q ≤ |p| + |q|, each number written as its positive part less its negative part."""
    up_p, down_p, up_q, down_q = (Symbol(name) for name in ("p₊", "p₋", "q₊", "q₋"))
    return at_most(
        (up_p - down_p) - (up_q - down_q),
        up_p + down_p + second * (up_q + down_q),
        {up_p: 0, down_p: 0, up_q: 0, down_q: 0},
    )


def number(text: str) -> arb:
    """A decimal or a quotient, as a ball."""
    return ball(Fraction(text))


def root_at(t: arb) -> arb:
    """S."""
    return (t * t + number("1/4")).sqrt()


def largest_at(t: arb) -> arb:
    """λ₊."""
    return (number("3/2") - t + root_at(t)) / 2


def coefficient(sign: int, start: str, steepness: str = "1/2") -> Expr:
    """1/4 − steepness·x ± S/2 + b_0/2; the steepness is 1/2, and 3/2 as printed."""
    return _QUARTER - exact(steepness) * x + sign * square_root / 2 + exact(start) / 2


def exact(text: str) -> Expr:
    """A decimal or a quotient, as a formula."""
    return formula(Fraction(text))


def coefficient_at(t: arb, sign: int, start: str, steepness: str = "1/2") -> arb:
    """1/4 − steepness·t ± S/2 + b_0/2; the steepness is 1/2, and 3/2 as printed."""
    return number("1/4") - number(steepness) * t + sign * root_at(t) / 2 + number(start) / 2


def on_unit(of: Expr) -> Evidence:
    """Show that a formula in x is positive for all ε' in [0, 1]."""
    return positive(of, x, Fraction(0), Fraction(1))


def rises_on_unit(of: Expr) -> Evidence:
    """Show that a formula in x is 0 at 0, rises up to 1/10, and is positive up to 1."""
    return positive_from_zero(of, x, Fraction(0), Fraction(1, 10), Fraction(1))


_COIN: Final = Chain(((Fraction(1, 2),) * 2,) * 2)


def _printed_bounds_at_a_coin() -> tuple[arb, arb]:
    """Lines 1433-1439 and 1445-1451 as printed, for ε' = 1/2, N = 1, b_0 = 0."""
    half = number("1/2")
    high, low = largest_at(half), number("3/2") - half - largest_at(half)
    first = high * coefficient_at(half, 1, "0", "3/2") / root_at(half)
    second = low * coefficient_at(half, -1, "0", "3/2") / root_at(half)
    return first - second, abs(first) + abs(second)


def _coin_probability() -> Fraction:
    """Pr(f(e₁) = 1) for a fair coin: exactly 1 − ε' = 1/2, and b_0 = 0 as e₁ is stationary."""
    if mixing_time(_COIN) != 1 or distance_from_stationarity(_COIN, 1) != 0:
        raise NotEarned("the coin is not stationary after one step")
    return _COIN.rows[0][0]


def _coin_refutes_simplified() -> bool:
    return _printed_bounds_at_a_coin()[0] < ball(_coin_probability())


def _coin_refutes_absolute() -> bool:
    return _printed_bounds_at_a_coin()[1] < ball(_coin_probability())


CLAIMS: Final = (
    LEMMA_2_CLOSING.proved(
        "G20",
        "1415-1418",
        "det(λI − A) = (λ − λ₊)(λ − λ₋) with λ± = ((3/2 − ε') ± √(ε'² + 1/4))/2",
        partial(_eigenvalues, square_root),
        Mutant("1/2 under the root", partial(_eigenvalues, sqrt(x**2 + _HALF))),
        Mutant("2ε'² under the root", partial(_eigenvalues, sqrt(2 * x**2 + _QUARTER))),
    ),
    LEMMA_2_CLOSING.proved(
        "G21",
        "1421-1427",
        "For every N ≥ 0 the first row of A^N is [λ₊^N (1 − ε' − λ₋, 1/2) − "
        "λ₋^N (1 − ε' − λ₊, 1/2)]/√(ε'² + 1/4)",
        partial(_closed_form, larger, smaller),
        Mutant("the eigenvalues in the brackets swapped", partial(_closed_form, smaller, larger)),
        assumptions=("ε' is real, so λ₊ ≠ λ₋",),
    ),
    LEMMA_2_CLOSING.proved(
        "G22",
        "1430-1439",
        "1 − ε' − λ∓ + b_0/2 = 1/4 − ε'/2 ± √(ε'² + 1/4)/2 + b_0/2",
        partial(_simplified, _HALF),
        Mutant("3ε'/2 in place of ε'/2", partial(_simplified, Rational(3, 2))),
        Mutant("ε' in place of ε'/2", partial(_simplified, Rational(1))),
        erratum=Erratum(
            printed="a_N ≤ [λ₊^N (1/4 − 3ε'/2 + S/2 + b_0/2) − λ₋^N (1/4 − 3ε'/2 − S/2 + b_0/2)]/S",
            counterexample="A fair coin tossed at each step, f = 1 on heads, t_1 = 1, N = 1: "
            "ε' = 1/2, b_0 = 0 and a_1 = 1/2, but the printed right side is 0",
            refuted=_coin_refutes_simplified,
            corrected="the same with ε'/2 in place of 3ε'/2 in both brackets",
            consequence="survives as is: the corrected brackets lie within the printed numeric "
            "ranges, so the factors 4 and 8 follow (with room: 3 and 2)",
        ),
    ),
    LEMMA_2_CLOSING.proved(
        "G23",
        "1442-1453",
        "p − q ≤ |p| + |q|, so a_N ≤ [|λ₊|^N |1/4 − ε'/2 + S/2 + b_0/2| + "
        "|λ₋|^N |1/4 − ε'/2 − S/2 + b_0/2|]/S",
        partial(together, partial(_triangle, 1), partial(_simplified, _HALF)),
        Mutant("the second absolute value subtracted", partial(_triangle, -1)),
        Mutant(
            "3ε'/2 in place of ε'/2",
            partial(together, partial(_triangle, 1), partial(_simplified, Rational(3, 2))),
        ),
        assumptions=(MATRIX_BOUND,),
        erratum=Erratum(
            printed="a_N ≤ [|λ₊|^N |1/4 − 3ε'/2 + S/2 + b_0/2| + "
            "|λ₋|^N |1/4 − 3ε'/2 − S/2 + b_0/2|]/S",
            counterexample="A fair coin tossed at each step, f = 1 on heads, t_1 = 1, N = 1: "
            "a_1 = 1/2, but the printed right side is √2/4 ≈ 0.354",
            refuted=_coin_refutes_absolute,
            corrected="the same with ε'/2 in place of 3ε'/2 in both absolute values",
            consequence="survives as is: the next bound, with 4 and 4, holds for the corrected "
            "brackets too",
        ),
    ),
)
