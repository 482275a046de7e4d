"""The end of Lemma 2: from powers of a 2×2 matrix to 8·exp(−εN/3).

The matrix is A = ((1 − x, 1/2), (x/2, 1/2)) with x = ε' in [0, 1]; S = √(x² + 1/4) and
λ± = (3/2 − x ± S)/2 are its eigenvalues. (a_N, b_N) ≤ A^N (1, b_0) comes from the part before.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from sympy import Matrix, Rational, Symbol, log, sqrt

from proofs_checks.claim import Erratum, Evidence, Mutant, NotEarned, Strength
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import equal, exhausted
from proofs_checks.methods.intervals import positive, positive_from_zero
from proofs_checks.methods.slack import at_most
from proofs_checks.methods.symbolic import identity
from proofs_checks.methods.together import together
from proofs_checks.sections import LEMMA_2_CLOSING
from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import (
    Chain,
    distance_from_stationarity,
    mixing_time,
    stationary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flint import arb
    from sympy import Expr

_HALF: Final = Rational(1, 2)
_QUARTER: Final = Rational(1, 4)
_UNIT: Final = "ε' ∈ [0, 1]"
_MATRIX_BOUND: Final = "(a_N, b_N) ≤ A^N (1, b_0), entry by entry, with 0 ≤ b_0 ≤ 2"

x, b, level = Symbol("x", nonnegative=True), Symbol("b"), Symbol("λ")
"""ε', b_0, and the variable of the characteristic polynomial."""
p, q, u, v = (Symbol(name) for name in ("p", "q", "u", "v"))
rest = Symbol("rest")
"""What a number is below the end of its range."""


# --- algebra ------------------------------------------------------------------------------------

_root: Final = sqrt(x**2 + _QUARTER)
_plus: Final = (Rational(3, 2) - x + _root) / 2
_minus: Final = (Rational(3, 2) - x - _root) / 2


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
        first = (high * (1 - x - minus) - low * (1 - x - plus)) / _root
        return first, (high * _HALF - low * _HALF) / _root

    (one, zero), (here, there) = row(1, 1), row(u, v)
    after = row(u * _plus, v * _minus)
    return together(
        partial(identity, one, Rational(1)),
        partial(identity, zero, Rational(0)),
        partial(identity, here * (1 - x) + there * x / 2, after[0]),
        partial(identity, here * _HALF + there * _HALF, after[1]),
    )


def _simplified(slope: Expr) -> Evidence:
    return together(
        partial(identity, 1 - x - _minus + b / 2, _QUARTER - slope * x + _root / 2 + b / 2),
        partial(identity, 1 - x - _plus + b / 2, _QUARTER - slope * x - _root / 2 + b / 2),
    )


def _triangle(second: int) -> Evidence:
    """p − q ≤ |p| + |q|, each number written as its positive part less its negative part."""
    up_p, down_p, up_q, down_q = (Symbol(name) for name in ("p₊", "p₋", "q₊", "q₋"))
    return at_most(
        (up_p - down_p) - (up_q - down_q),
        up_p + down_p + second * (up_q + down_q),
        {up_p: 0, down_p: 0, up_q: 0, down_q: 0},
    )


def _distance_at_most(most: Expr) -> Evidence:
    """Where p ≥ q, |p − q| ≤ most·(p + q)/2 and |p − q| = p + q − 2q; the other case is its mirror.

    Summed over all states, p + q gives 2.
    """
    return together(
        partial(at_most, p - q, most * (p + q) / 2, {p: q, q: 0}),
        partial(identity, p - q, p + q - 2 * q),
    )


def _smaller_in_size(last: int) -> Evidence:
    """λ₊² − λ₋² = (3/2 − x)·S, and both factors are positive for x ≤ last."""
    return together(
        partial(identity, _plus**2 - _minus**2, (Rational(3, 2) - x) * _root),
        partial(at_most, _HALF, Rational(3, 2) - (last - rest), {rest: 0}),
        partial(at_most, _QUARTER, x**2 + _QUARTER, {x: 0}),
    )


def _near_zero(curvature: Expr) -> Evidence:
    """λ₊ = 1 − x/2 + (S − 1/2)/2 with 1/2 ≤ S ≤ 1/2 + curvature·x², squared to lose the root."""
    return together(
        partial(identity, _plus, 1 - x / 2 + (_root - _HALF) / 2),
        partial(at_most, _QUARTER, x**2 + _QUARTER, {x: 0}),
        partial(at_most, x**2 + _QUARTER, (_HALF + curvature * x**2) ** 2, {x: 0}),
    )


def _logarithm(last: Expr) -> Evidence:
    """ln(1−x) + x and its distance from −x² are 0 at 0 and fall, or rise, up to `last`."""
    return together(
        partial(identity, (log(1 - x) + x).diff(x), -x / (1 - x)),
        partial(identity, (x**2 + x + log(1 - x)).diff(x), x * (1 - 2 * x) / (1 - x)),
        partial(at_most, 0, 1 - 2 * (last - rest), {rest: 0}),
    )


def _products_keep_order(factor: int) -> Evidence:
    """The step of an induction: from 0 ≤ u ≤ v and 0 ≤ p ≤ q, p·u ≤ factor·q·v."""
    return at_most(p * u, factor * q * v, {q: p, v: u, p: 0, u: 0})


def _telescope(*, first: bool) -> Evidence:
    """Pr(E₁…E_N) is the product of the ratios to the one before: N = 5, and one step of N."""
    joint = [Symbol(f"joint_{count}") for count in range(1, 6)]
    conditional: Expr = joint[0] if first else Rational(1)
    for before, after in pairwise(joint):
        conditional = conditional * (after / before)
    return together(partial(identity, conditional, joint[-1]), partial(identity, (p / q) * q, p))


def _event_shift(most: Expr) -> Evidence:
    """Two laws within 1/4 in total variation differ by at most 1/4 on an event.

    What the one has more inside and outside the event is what it has less, and at most 1/4.
    """
    more_in, more_out, less_in, spare = (Symbol(s) for s in ("+in", "+out", "−in", "spare"))
    quarter = more_in + more_out + spare
    return at_most(
        more_in - less_in, 4 * most * quarter, {more_in: 0, more_out: 0, less_in: 0, spare: 0}
    )


def _inverse_at_most(most: int, last: Expr) -> Evidence:
    """1 ≤ most·(5/4 − x) for all x ≤ last."""
    return at_most(1, most * (Rational(5, 4) - (last - rest)), {rest: 0})


# --- enclosures ---------------------------------------------------------------------------------


def _number(text: str) -> arb:
    return ball(Fraction(text))


def _s(t: arb) -> arb:
    return (t * t + _number("1/4")).sqrt()


def _slope(t: arb) -> arb:
    """S' = t/S."""
    return t / _s(t)


def _largest(t: arb) -> arb:
    return (_number("3/2") - t + _s(t)) / 2


def _coefficient(t: arb, sign: int, start: str, steepness: str = "1/2") -> arb:
    """1/4 − steepness·t ± S/2 + b_0/2; the steepness is 1/2, and 3/2 as printed."""
    return _number("1/4") - _number(steepness) * t + sign * _s(t) / 2 + _number(start) / 2


def _on_unit(function: Callable[[arb], arb]) -> Evidence:
    return positive(function, Fraction(0), Fraction(1))


def _range_of_coefficient(sign: int, steepness: str, low: str, high: str) -> Evidence:
    """low < 1/4 − steepness·t ± S/2 ≤ high on [0, 1], with equality on the right at 0."""
    return together(
        partial(_on_unit, lambda t: _coefficient(t, sign, "0", steepness) - _number(low)),
        partial(
            positive_from_zero,
            lambda t: _number(high) - _coefficient(t, sign, "0", steepness),
            lambda t: _number(steepness) - sign * _slope(t) / 2,
            Fraction(0),
            Fraction(1, 10),
            Fraction(1),
        ),
    )


def _size_of_coefficient(sign: int, most: str, steepness: str) -> Evidence:
    """|1/4 − steepness·t ± S/2 + b_0/2| < most·S; convex in b_0, so b_0 = 0 and 2 decide."""

    def room(side: int, start: str, t: arb) -> arb:
        return _number(most) * _s(t) - side * _coefficient(t, sign, start, steepness)

    return together(
        *(
            partial(_on_unit, partial(room, side, start))
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

    def gap(sign: int, most: str, t: arb) -> arb:
        return _number(most) * _s(t) - _coefficient(t, sign, "2")

    def gap_rises(sign: int, most: str, t: arb) -> arb:
        return (_number(most) - _number("1/2") * sign) * _slope(t) + _number("1/2")

    touching = (
        partial(
            positive_from_zero,
            partial(gap, sign, most),
            partial(gap_rises, sign, most),
            Fraction(0),
            Fraction(1, 10),
            Fraction(1),
        )
        for sign, most in ((1, plus), (-1, minus))
    )
    return together(
        *touching,
        partial(_on_unit, lambda t: _number(plus) * _s(t) + _coefficient(t, 1, "0")),
        partial(_on_unit, lambda t: _number(minus) * _s(t) + _coefficient(t, -1, "0")),
    )


def _three(most: str) -> Evidence:
    """a_N ≤ most·λ₊^N, at b_0 = 2, where a_N·S = c₊λ₊^N − c₋λ₋^N is largest.

    c₋ > 0, so the second term only helps unless λ₋ < 0, that is x > 2/3; there
    c₊ + c₋ = 5/2 − x takes the place of c₊, since |λ₋| ≤ λ₊.
    """
    return together(
        partial(_on_unit, lambda t: _coefficient(t, -1, "2")),
        partial(
            positive_from_zero,
            lambda t: _number(most) * _s(t) - _coefficient(t, 1, "2"),
            lambda t: (_number(most) - _number("1/2")) * _slope(t) + _number("1/2"),
            Fraction(0),
            Fraction(1, 10),
            Fraction(1),
        ),
        # λ₊λ₋ = 1/2 − 3x/4 ≥ 0 up to x = 2/3.
        partial(identity, _plus * _minus, _HALF - 3 * x / 4),
        partial(at_most, 0, _HALF - 3 * (Rational(2, 3) - rest) / 4, {rest: 0}),
        partial(
            positive,
            lambda t: _number(most) * _s(t) - (_number("5/2") - t),
            Fraction(2, 3),
            Fraction(1),
        ),
        partial(_smaller_in_size, 1),
    )


def _above_exponential(rate: str) -> Evidence:
    """λ₊ > exp(−rate·t) on (0, 1]: both start at 1, and the difference has slope 0 there.

    So its slope is the function that leaves 0, and the second derivative says how.
    """
    r = Fraction(rate)

    def slope(t: arb) -> arb:
        return (_slope(t) - 1) / 2 + ball(r) * (-ball(r) * t).exp()

    def curvature(t: arb) -> arb:
        return 1 / (8 * _s(t) ** 3) - ball(r * r) * (-ball(r) * t).exp()

    return positive_from_zero(slope, curvature, Fraction(0), Fraction(1, 10), Fraction(1))


def _eigenvalue_below(rate: str, last: str) -> Evidence:
    """λ₊ ≤ exp(−rate·t) on [0, last]: both are 1 at 0."""
    return positive_from_zero(
        lambda t: (-_number(rate) * t).exp() - _largest(t),
        lambda t: (1 - _slope(t)) / 2 - _number(rate) * (-_number(rate) * t).exp(),
        Fraction(0),
        Fraction(1, 10),
        Fraction(last),
    )


def _line_below(rate: str, first: str) -> Evidence:
    """5/4 − t < exp(−rate·t) on [first, 1]."""
    return positive(
        lambda t: (-_number(rate) * t).exp() - _number("5/4") + t, Fraction(first), Fraction(1)
    )


def _decay_below(last: str) -> Evidence:
    return together(partial(_products_keep_order, 1), partial(_eigenvalue_below, "1/3", last))


def _covered(rate: str, last: str, first: str) -> Evidence:
    """One of the two bounds serves at each x in [0, 1]: [0, last] and [first, 1] meet."""
    if Fraction(first) > Fraction(last):
        raise NotEarned(f"nothing is shown between {last} and {first}")
    return together(
        partial(_eigenvalue_below, rate, last),
        partial(_line_below, rate, first),
        partial(_products_keep_order, 1),
    )


def _sharper(most: str, rate: str, meeting: str) -> Evidence:
    """most·exp(−rate·xN): by λ₊ up to the meeting point; after it (5/4 − x)^(N−1) does.

    There exp(−rate·x(N−1)) = exp(rate·x)·exp(−rate·xN), and exp(rate·x) < most.
    """
    return together(
        partial(_three, most),
        partial(_covered, rate, meeting, meeting),
        # Where the two bounds cross, neither is better than 7/8.
        partial(identity, _plus.subs({x: Rational(3, 8)}), Rational(7, 8)),
        partial(_on_unit, lambda t: _number(most) - (_number(rate) * t).exp()),
    )


# --- small chains -------------------------------------------------------------------------------

_EIGHTHS: Final = tuple(Fraction(k, 8) for k in range(1, 8))
_FIFTHS: Final = tuple(
    (Fraction(i, 5), Fraction(j, 5), Fraction(5 - i - j, 5))
    for i in range(1, 4)
    for j in range(1, 5 - i)
)
_SIZE: Final = (
    "chains with 2 states and rates in eighths, or 3 states and positive entries in fifths; "
    "all starts, all events, samples every t_mix and every t_mix + 1 steps"
)

Case = tuple[Chain, int, frozenset[int]]
"""A chain, a number of steps between samples, and the states where f = 1."""


def _chains() -> Iterator[Chain]:
    for leave, enter in product(_EIGHTHS, repeat=2):
        yield Chain(((1 - leave, leave), (enter, 1 - enter)))
    for rows in product(_FIFTHS, repeat=3):
        yield Chain(rows)


def _cases() -> Iterator[Case]:
    for chain in _chains():
        states = range(len(chain))
        mixed = mixing_time(chain)
        for gap, marks in product((mixed, mixed + 1), product((False, True), repeat=len(chain))):
            if any(marks):
                yield chain, gap, frozenset(e for e in states if marks[e])


def _all_ones(case: Case, start: int, most: int) -> list[Fraction]:
    """Pr(f = 1 at the first n samples), for n = 1 … most, when the first sample is the start."""
    chain, gap, ones = case
    states = range(len(chain))
    law = [Fraction(e == start and e in ones) for e in states]
    joint = [sum(law, Fraction(0))]
    for _ in range(most - 1):
        for _ in range(gap):
            law = [
                sum((law[e] * chain.rows[e][after] for e in states), Fraction(0))
                for after in states
            ]
        law = [weight if e in ones else Fraction(0) for e, weight in enumerate(law)]
        joint.append(sum(law, Fraction(0)))
    return joint


def _missing(case: Case) -> Fraction:
    """ε' = Pr(f = 0) under the stationary law."""
    chain, _, ones = case
    return 1 - sum((w for e, w in enumerate(stationary(chain)) if e in ones), Fraction(0))


def _conditionals_within(extra: Fraction) -> Evidence:
    def holds(case: Case) -> bool:
        most = 1 - _missing(case) + extra
        joints = (_all_ones(case, start, 4) for start in case[2])
        return all(after <= most * before for joint in joints for before, after in pairwise(joint))

    return exhausted(_cases(), holds, f"{_SIZE}; N ≤ 4")


def _probabilities_within(most: str, rate: str) -> Evidence:
    def holds(case: Case) -> bool:
        missing = _missing(case)
        return all(
            ball(joint) <= _number(most) * (-_number(rate) * ball(missing) * count).exp()
            for start in case[2]
            for count, joint in enumerate(_all_ones(case, start, 5), start=1)
        )

    return exhausted(_cases(), holds, f"{_SIZE}; N ≤ 5")


_LAZY: Final = Chain(
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
)


def _no_faster_than(rate: str) -> Evidence:
    """On the lazy chain Pr = (3/4)^N exactly, which is not within any K·exp(−rate·N/2)."""

    def slower() -> Evidence:
        if not ball(Fraction(3, 4)) > (-_number(rate) / 2).exp():
            raise NotEarned(f"3/4 is not above exp(−{rate}/2)")
        return Evidence(Strength.ENCLOSED, f"3/4 > exp(−{rate}/2)")

    return together(
        partial(equal, mixing_time(_LAZY), 1),
        partial(equal, distance_from_stationarity(_LAZY, 1), Fraction(1, 4)),
        partial(equal, stationary(_LAZY), (Fraction(1, 2), Fraction(1, 2))),
        # The event is a single state, so one step from it is every step.
        partial(equal, _LAZY.rows[0][0], Fraction(3, 4)),
        slower,
    )


# --- the printed coefficient --------------------------------------------------------------------

_COIN: Final = Chain(((Fraction(1, 2),) * 2,) * 2)


def _printed_bounds_at_a_coin() -> tuple[arb, arb]:
    """Lines 1433-1439 and 1445-1451 as printed, for ε' = 1/2, N = 1, b_0 = 0."""
    half = _number("1/2")
    high, low = _largest(half), _number("3/2") - half - _largest(half)
    first = high * _coefficient(half, 1, "0", "3/2") / _s(half)
    second = low * _coefficient(half, -1, "0", "3/2") / _s(half)
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


# --- the claims ---------------------------------------------------------------------------------


CLAIMS: Final = (
    LEMMA_2_CLOSING.proved(
        "G20",
        "1415-1418",
        "det(λI − A) = (λ − λ₊)(λ − λ₋) with λ± = ((3/2 − ε') ± √(ε'² + 1/4))/2",
        partial(_eigenvalues, _root),
        Mutant("1/2 under the root", partial(_eigenvalues, sqrt(x**2 + _HALF))),
        Mutant("2ε'² under the root", partial(_eigenvalues, sqrt(2 * x**2 + _QUARTER))),
    ),
    LEMMA_2_CLOSING.proved(
        "G21",
        "1421-1427",
        "For every N ≥ 0 the first row of A^N is [λ₊^N (1 − ε' − λ₋, 1/2) − "
        "λ₋^N (1 − ε' − λ₊, 1/2)]/√(ε'² + 1/4)",
        partial(_closed_form, _plus, _minus),
        Mutant("the eigenvalues in the brackets swapped", partial(_closed_form, _minus, _plus)),
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
        assumptions=(_MATRIX_BOUND,),
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
        assumptions=(_UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G25.corrected",
        "1456",
        "0.3 < 1/4 − ε'/2 + √(ε'² + 1/4)/2 ≤ 0.5: the range of the corrected expression, within "
        "the printed one",
        partial(_range_of_coefficient, 1, "1/2", "0.3", "0.5"),
        Mutant("0.31 on the left", partial(_range_of_coefficient, 1, "1/2", "0.31", "0.5")),
        Mutant("0.49 on the right", partial(_range_of_coefficient, 1, "1/2", "0.3", "0.49")),
        assumptions=(_UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G26.printed",
        "1459",
        "−1.9 < 1/4 − 3ε'/2 − √(ε'² + 1/4)/2 ≤ 0: true of the expression as printed",
        partial(_range_of_coefficient, -1, "3/2", "-1.9", "0"),
        Mutant("−1.8 on the left", partial(_range_of_coefficient, -1, "3/2", "-1.8", "0")),
        Mutant("−0.01 on the right", partial(_range_of_coefficient, -1, "3/2", "-1.9", "-0.01")),
        assumptions=(_UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G26.corrected",
        "1459",
        "−0.81 < 1/4 − ε'/2 − √(ε'² + 1/4)/2 ≤ 0: the range of the corrected expression, within "
        "the printed one",
        partial(_range_of_coefficient, -1, "1/2", "-0.81", "0"),
        Mutant("−0.8 on the left", partial(_range_of_coefficient, -1, "1/2", "-0.8", "0")),
        assumptions=(_UNIT,),
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
        assumptions=(_UNIT, _MATRIX_BOUND),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G28.printed",
        "1461-1466",
        "The printed brackets, with 3ε'/2, also satisfy |1/4 − 3ε'/2 ± S/2 + b_0/2|/S < 4",
        partial(_both_sizes, "4", "3/2"),
        Mutant("2.9 in place of 4", partial(_both_sizes, "2.9", "3/2")),
        assumptions=(_UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G28",
        "1461-1466",
        "a_N ≤ 3|λ₊|^N + 2|λ₋|^N, and both factors are needed at ε' = 0, b_0 = 2",
        partial(_three_and_two, "3", "2"),
        Mutant("2.9 in place of 3", partial(_three_and_two, "2.9", "2")),
        Mutant("1.9 in place of 2", partial(_three_and_two, "3", "1.9")),
        assumptions=(_UNIT, _MATRIX_BOUND),
    ),
    LEMMA_2_CLOSING.proved(
        "G29",
        "1467",
        "|λ₋| < |λ₊|: λ₊² − λ₋² = (3/2 − ε')√(ε'² + 1/4) ≥ 1/4",
        partial(_smaller_in_size, 1),
        Mutant("for ε' up to 2", partial(_smaller_in_size, 2)),
        assumptions=(_UNIT,),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G30",
        "1467-1470",
        "4|λ₊|^N + 4|λ₋|^N ≤ 8λ₊^N, and λ₊ > 0, so Pr(all f = 1) ≤ 8λ₊^N",
        partial(
            together,
            partial(at_most, 4 * p + 4 * q, 8 * p, {p: q, q: 0}),
            partial(_products_keep_order, 1),
            partial(_smaller_in_size, 1),
            partial(_on_unit, _largest),
        ),
        Mutant("7 in place of 8", partial(at_most, 4 * p + 4 * q, 7 * p, {p: q, q: 0})),
        assumptions=(_UNIT, "a_N ≤ 4|λ₊|^N + 4|λ₋|^N"),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G30",
        "1467-1470",
        "Pr(all f = 1) ≤ 3λ₊^N for every N ≥ 0",
        partial(_three, "3"),
        Mutant("2.9 in place of 3", partial(_three, "2.9")),
        assumptions=(_UNIT, _MATRIX_BOUND),
    ),
    LEMMA_2_CLOSING.proved(
        "G31.root",
        "1475-1477",
        "1 − ε'/2 ≤ λ₊ ≤ 1 − ε'/2 + ε'²/2: replacing the root by 1/2 costs at most ε'²/2 (and is "
        "in the favourable direction, so an approximation only)",
        partial(_near_zero, Rational(1)),
        Mutant("9/10 of that cost", partial(_near_zero, Rational(9, 10))),
        assumptions=("ε' ≥ 0",),
    ),
    LEMMA_2_CLOSING.proved(
        "G31.logarithm",
        "1479-1481",
        "−x − x² ≤ ln(1 − x) ≤ −x on [0, 1/2], the range of x = ε'/2",
        partial(_logarithm, _HALF),
        Mutant("rising up to 3/5", partial(_logarithm, Rational(3, 5))),
        assumptions=("0 ≤ x ≤ 1/2",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G32",
        "1483",
        "λ₊ > exp(−ε'/2) for every ε' in (0, 1]: 8λ₊^N never gives 8·exp(−Nε'/2)",
        partial(_above_exponential, "1/2"),
        Mutant("with the rate 1/3", partial(_above_exponential, "1/3")),
        assumptions=("0 < ε' ≤ 1",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G33",
        "1485",
        "λ₊ ≤ exp(−ε'/3) on [0, 0.44], with equality at 0 only",
        partial(_eigenvalue_below, "1/3", "0.44"),
        Mutant("up to 0.45", partial(_eigenvalue_below, "1/3", "0.45")),
        Mutant("with the rate 7/20", partial(_eigenvalue_below, "7/20", "0.44")),
        assumptions=("0 ≤ ε' ≤ 0.44",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G33",
        "1485",
        "λ₊ ≤ exp(−ε'/3) on [0, 0.4447]",
        partial(_eigenvalue_below, "1/3", "0.4447"),
        Mutant("up to 0.4448", partial(_eigenvalue_below, "1/3", "0.4448")),
        assumptions=("0 ≤ ε' ≤ 0.4447",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G34",
        "1487-1490",
        "8λ₊^N ≤ 8·exp(−Nε'/3) on [0, 0.44], since powers keep the order of nonnegative numbers",
        partial(_decay_below, "0.44"),
        Mutant("up to 0.45", partial(_decay_below, "0.45")),
        assumptions=("0 ≤ ε' ≤ 0.44", "δ ≤ 8λ₊^N"),
    ),
    LEMMA_2_CLOSING.proved(
        "G35",
        "1491-1498",
        "δ is the product of Pr(f(e_{t_i}) = 1 | all before) over i = 2 … N, times "
        "Pr(f(e_{t_1}) = 1)",
        partial(_telescope, first=True),
        Mutant("without Pr(f(e_{t_1}) = 1)", partial(_telescope, first=False)),
        assumptions=("each conditioning event has positive probability; else δ = 0",),
    ),
    LEMMA_2_CLOSING.proved(
        "G36.step",
        "1499-1501",
        "A law within 1/4 of π_e in total variation gives f = 1 at most 1/4 more than π_e does, "
        "and so does every mixture of such laws",
        partial(_event_shift, _QUARTER),
        Mutant("1/5 more", partial(_event_shift, Rational(1, 5))),
        assumptions=("t_mix = t_mix(1/4)", "t_i − t_{i−1} ≥ t_mix"),
    ),
    LEMMA_2_CLOSING.exhausted(
        "G36",
        "1499-1501",
        "Pr(f(e_{t_i}) = 1 | f = 1 at all samples before) ≤ 5/4 − ε' for i > 1",
        partial(_conditionals_within, Fraction(1, 4)),
        Mutant("6/5 − ε'", partial(_conditionals_within, Fraction(1, 5))),
        assumptions=("t_1, …, t_N are fixed", "t_i − t_{i−1} ≥ t_mix"),
    ),
    LEMMA_2_CLOSING.proved(
        "G37",
        "1503-1509",
        "δ ≤ (5/4 − ε')^(N−1) ≤ 8(5/4 − ε')^N: 8(5/4 − ε') ≥ 1, and products keep the order",
        partial(
            together,
            partial(_inverse_at_most, 8, Rational(1)),
            partial(_products_keep_order, 1),
        ),
        Mutant("for ε' up to 6/5", partial(_inverse_at_most, 8, Rational(6, 5))),
        assumptions=(_UNIT, "N ≥ 1"),
    ),
    LEMMA_2_CLOSING.proved(
        "S.G37",
        "1503-1509",
        "δ ≤ 4(5/4 − ε')^N, and 4 is needed at ε' = 1",
        partial(_inverse_at_most, 4, Rational(1)),
        Mutant("3 in place of 4", partial(_inverse_at_most, 3, Rational(1))),
        assumptions=(_UNIT, "N ≥ 1"),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G38",
        "1510-1513",
        "5/4 − ε' < exp(−ε'/3) on [0.37, 1]",
        partial(_line_below, "1/3", "0.37"),
        Mutant("from 0.36", partial(_line_below, "1/3", "0.36")),
        assumptions=("0.37 ≤ ε' ≤ 1",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G38",
        "1510-1513",
        "5/4 − ε' < exp(−ε'/3) on [0.3644, 1]",
        partial(_line_below, "1/3", "0.3644"),
        Mutant("from 0.3643", partial(_line_below, "1/3", "0.3643")),
        assumptions=("0.3644 ≤ ε' ≤ 1",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G39.cover",
        "1514-1521",
        "[0, 0.44] and [0.37, 1] overlap and cover [0, 1], so Pr(all f = 1) ≤ 8·exp(−Nε'/3)",
        partial(_covered, "1/3", "0.44", "0.37"),
        Mutant("the second from 0.45 on", partial(_covered, "1/3", "0.44", "0.45")),
        Mutant("with the rate 0.36", partial(_covered, "0.36", "0.375", "0.375")),
        assumptions=(_UNIT, "δ ≤ 8λ₊^N", "δ ≤ 8(5/4 − ε')^N"),
    ),
    LEMMA_2_CLOSING.proved(
        "G39.monotone",
        "1522-1525",
        "exp(−Nε'/3) ≤ exp(−Nε/3): Nε/3 ≤ Nε'/3 for ε' ≥ ε",
        partial(at_most, u * p / 3, u * q / 3, {q: p, p: 0, u: 0}),
        Mutant("for ε' ≤ ε", partial(at_most, u * p / 3, u * q / 3, {p: q, q: 0, u: 0})),
        assumptions=("ε' ≥ ε ≥ 0",),
    ),
    LEMMA_2_CLOSING.exhausted(
        "G39.chains",
        "1516-1525",
        "Pr(f(e_{t_i}) = 1 for all i ≤ N) ≤ 8·exp(−Nε'/3) on small chains",
        partial(_probabilities_within, "8", "1/3"),
        Mutant("9/10 in place of 8", partial(_probabilities_within, "9/10", "1/3")),
        assumptions=("t_i − t_{i−1} ≥ t_mix",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G39",
        "1516-1525",
        "Pr(f(e_{t_i}) = 1 for all i ≤ N) ≤ 3·exp(−0.356·ε'N); λ₊ = 5/4 − ε' = 7/8 at ε' = 3/8, so "
        "these two bounds give no rate above (8/3)·ln(8/7) ≈ 0.3561",
        partial(_sharper, "3", "0.356", "3/8"),
        Mutant("the rate 0.357", partial(_sharper, "3", "0.357", "3/8")),
        Mutant("2.9 in place of 3", partial(_sharper, "2.9", "0.356", "3/8")),
        assumptions=(_UNIT, "N ≥ 1", _MATRIX_BOUND, "δ ≤ (5/4 − ε')^(N−1)"),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G39.limit",
        "1516-1525",
        "No bound K·exp(−rε'N) with r ≥ 0.576 holds for all chains: the symmetric chain that stays "
        "with chance 3/4 has t_mix = 1, ε' = 1/2 and Pr = (3/4)^N from e_0 with t_i = i",
        partial(_no_faster_than, "0.576"),
        Mutant("r = 0.575", partial(_no_faster_than, "0.575")),
    ),
)
