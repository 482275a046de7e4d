"""A component with two states: its powers, its law after n steps, its mixing (l. 1551-1612).

Laws are columns, as in the paper: a step multiplies by the matrix from the left. λ stands for
1 − ε₀ − ε₁ and `power` for λⁿ; what holds for power = 1 and passes from power to λ·power holds for
every n.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Matrix, Rational, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import together
from proofs_checks.sections import MIXING_TIMES

if TYPE_CHECKING:
    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


e0, e1, power, x = (Symbol(name) for name in ("ε0", "ε1", "power", "x"))
rate = 1 - e0 - e1

_STEP: Final = Matrix([[1 - e0, e1], [e0, 1 - e1]])
_ONE: Final = Matrix([[1, 0], [0, 1]])
_NEVER_STILL: Final = "0 ≤ ε₀, ε₁ ≤ 1 and ε₀ + ε₁ > 0 (else nothing moves and π is not unique)"
BOUNDED: Final = "0.1 ≤ ε₀, ε₁ ≤ 0.9 (l. 273, 1609)"


def _nth_power(power: Expr | int, sign: int = 1) -> Matrix:
    """The closed form of the n-th power; a mistaken `sign` is for mutants."""
    total = 1 / (e0 + e1)
    return Matrix(
        [
            [total * (e1 + sign * power * e0), total * (e1 - power * e1)],
            [total * (e0 - power * e0), total * (e0 + power * e1)],
        ]
    )


def _same(left: Matrix, right: Matrix) -> Evidence:
    entries = product(range(2), range(2))
    return together(*(partial(identity, left[at], right[at]) for at in entries))


def _powers(sign: int = 1) -> Evidence:
    return together(
        partial(_same, _nth_power(1, sign), _ONE),
        partial(_same, _STEP * _nth_power(power, sign), _nth_power(rate * power, sign)),
    )


def _spectrum(second: Expr, at_zero: Expr, at_one: Expr) -> Evidence:
    """The characteristic polynomial, and a law that a step does not change."""
    shifted = Matrix([[1 - e0 - x, e1], [e0, 1 - e1 - x]])
    return together(
        partial(identity, shifted.det(), (x - 1) * (x - second)),
        partial(identity, (1 - e0) * at_zero + e1 * at_one, at_zero),
        partial(identity, e0 * at_zero + (1 - e1) * at_one, at_one),
        partial(identity, at_zero + at_one, x / x),
    )


def _laws(from_zero: Expr, from_one: Expr) -> Evidence:
    """The first entries of the two laws after n steps; the second ones make up the rest of 1."""
    whole, law = e0 + e1, _nth_power(power)
    return together(
        _powers,
        partial(identity, law[0, 0], from_zero / whole),
        partial(identity, law[1, 0], 1 - from_zero / whole),
        partial(identity, law[0, 1], from_one / whole),
        partial(identity, law[1, 1], 1 - from_one / whole),
    )


def _distance(scale: int = 1) -> Evidence:
    """The two entries of each difference are opposite, so that one of them is the distance."""
    law, whole = _nth_power(power), e0 + e1
    return together(
        partial(identity, law[0, 0] - e1 / whole, power * e0 / whole),
        partial(identity, law[1, 0] - e0 / whole, -power * e0 / whole),
        partial(identity, law[0, 1] - e1 / whole, -power * e1 / whole),
        partial(identity, law[1, 1] - e0 / whole, power * e1 / whole),
        partial(at_most, scale * e0, whole, {e0: 0, e1: 0}),
        partial(at_most, scale * e1, whole, {e0: 0, e1: 0}),
    )


def _rates(bound: Expr) -> Evidence:
    """Either sign of λ; for the negative one the chances are written as 9/10 less something."""
    less0, less1 = Symbol("less0"), Symbol("less1")
    tenth, nine = Rational(1, 10), Rational(9, 10)
    return together(
        partial(at_most, rate, bound, {e0: tenth, e1: tenth}),
        partial(at_most, (nine - less0) + (nine - less1) - 1, bound, {less0: 0, less1: 0}),
    )


u, w, y = (Symbol(name) for name in ("u", "w", "y"))


def half_of_the_rate(least: int) -> Evidence:
    """Every chain is within ½·0.8ⁿ for n ≥ least.

    Let total = ε₀ + ε₁ be 2u + w away from 0.2 or from 1.8, where w = |ε₀ − ε₁|; then
    |λ|/0.8 = 1 − y for y = (2u + w)·5/4, max(ε₀, ε₁) = (total + w)/2 and total ≥ 1/5.
    (1 − y)ⁿ(1 + ny) ≤ 1 for every n, so that total + w ≤ total·(1 + ny) is enough.
    """
    total, n = Symbol("total"), Symbol("n")
    away = (2 * u + w) * Rational(5, 4)
    return together(
        partial(at_most, (1 - y) * (1 + (n + 1) * y), 1 + n * y, {n: 0, y: 0}),
        partial(
            at_most,
            total + w,
            total * (1 + n * away),
            {total: Rational(1, 5), u: 0, w: 0, n: least},
        ),
    )


CLAIMS: Final = (
    MIXING_TIMES.proved(
        "H02",
        "1551",
        "A two-state chain has eigenvalues 1 and 1 − ε₀ − ε₁, and π = (ε₁, ε₀)/(ε₀ + ε₁)",
        partial(_spectrum, rate, e1 / (e0 + e1), e0 / (e0 + e1)),
        Mutant(
            "the entries of π exchanged", partial(_spectrum, rate, e0 / (e0 + e1), e1 / (e0 + e1))
        ),
        Mutant("λ = 1 − ε₀", partial(_spectrum, 1 - e0, e1 / (e0 + e1), e0 / (e0 + e1))),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H03",
        "1558-1567",
        "Pⁿ = ([ε₁ ε₁; ε₀ ε₀] − λⁿ[−ε₀ ε₁; ε₀ −ε₁])/(ε₀ + ε₁) for every n ≥ 0, by induction",
        _powers,
        Mutant("the sign of one entry", partial(_powers, -1)),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H04",
        "1571-1602",
        "After n steps state 0 has chance (ε₁ + λⁿε₀)/(ε₀ + ε₁) from 0, (ε₁ − λⁿε₁)/(ε₀ + ε₁) "
        "from 1",
        partial(_laws, e1 + power * e0, e1 - power * e1),
        Mutant("ε₀ in both", partial(_laws, e1 + power * e0, e1 - power * e0)),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H05",
        "1607",
        "‖πₙ − π‖ ≤ |λ|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) ≤ |λ|ⁿ; the first is an equality for one start",
        _distance,
        Mutant("2·max(ε₀, ε₁) ≤ ε₀ + ε₁", partial(_distance, 2)),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H06",
        "1610-1612",
        "|1 − ε₀ − ε₁| ≤ 0.8",
        partial(_rates, Rational(4, 5)),
        Mutant("0.79", partial(_rates, Rational(79, 100))),
        assumptions=(BOUNDED,),
    ),
    MIXING_TIMES.proved(
        "S.H05",
        "1607",
        "‖πₙ − π‖ ≤ ½·0.8ⁿ for every n ≥ 4: half of what the paper uses",
        partial(half_of_the_rate, 4),
        Mutant("from n = 3", partial(half_of_the_rate, 3)),
        assumptions=(BOUNDED,),
    ),
)
