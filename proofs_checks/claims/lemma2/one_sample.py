"""Lemma 2: one sample, as a 2×2 matrix that bounds both coordinates (l. 1206-1267)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol, expand

from proofs_checks.claim import Evidence, Mutant
from proofs_checks.claims.lemma2.operators import MIXING, without_projection
from proofs_checks.methods.finite import exhausted
from proofs_checks.methods.slack import term_by_term
from proofs_checks.methods.small_chains import (
    WHICH,
    Mixed,
    Vector,
    Weights,
    all_mixed,
    norm,
    passing,
    rest,
    total,
)
from proofs_checks.sections import LEMMA_2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_HALF: Final = Fraction(1, 2)

g, r, above, below, p, a, b = (Symbol(name) for name in ("g", "r", "d⁺", "d⁻", "p", "a", "b"))
"""Chances to pass and not to, the parts of a measure with integral 0, π(e), the coordinates of v"""
h, k, u, w, x, y, eps = (Symbol(name) for name in ("h", "k", "u", "w", "x", "y", "ε"))

_Case = tuple[Mixed, Weights, Vector, int]
"""A chain, an event, a measure and a lag"""


def _cases(measures: Callable[[Mixed], Iterator[Vector]]) -> Iterator[_Case]:
    for mixed in all_mixed():
        for weights, measure in product(mixed.events(), list(measures(mixed))):
            yield mixed, weights, measure, mixed.t_mix


def _nonnegative_total(mixed: Mixed) -> Iterator[Vector]:
    yield from (v for v in mixed.signed() if total(v) >= 0)


def _passed_law_changes_little(share: Fraction) -> Evidence:
    cases = ((mixed, event) for mixed in all_mixed() for event in mixed.events())

    def holds(case: tuple[Mixed, Weights]) -> bool:
        mixed, event = case
        miss = missed(mixed, event)
        change = norm(without_projection(mixed, passing(mixed.law, event), mixed.t_mix))
        return change <= share * min(miss, 1 - miss)

    return exhausted(cases, holds, f"{WHICH}; every event")


def coordinates(mixed: Mixed, vector: Vector) -> tuple[Fraction, Fraction]:
    """a and b of a measure v = aπ_e + b·v̄."""
    return total(vector), norm(rest(vector, mixed.law))


def missed(mixed: Mixed, weights: Weights) -> Fraction:
    """ε' = Pr(f = 0) under the stationary law."""
    return 1 - total(passing(mixed.law, weights))


def after_one_sample(
    miss: Fraction, at: tuple[Fraction, Fraction], corner: Fraction
) -> tuple[Fraction, Fraction]:
    """The matrix of the Lemma, with ½ in its corner unless told otherwise."""
    return (1 - miss) * at[0] + at[1] / 2, miss * at[0] / 2 + corner * at[1]


def _matrix_inequality(
    measures: Callable[[Mixed], Iterator[Vector]], corner: Fraction = _HALF
) -> Evidence:
    def holds(case: _Case) -> bool:
        mixed, weights, v, lag = case
        after = coordinates(mixed, mixed.after(passing(v, weights), lag))
        bound = after_one_sample(missed(mixed, weights), coordinates(mixed, v), corner)
        return after[0] <= bound[0] and after[1] <= bound[1]

    size = f"{WHICH}; every event, every measure with weights −1, 0, 1 and a ≥ 0, i = t_mix"
    return exhausted(_cases(measures), holds, size)


def _sharper_combination(corner: Fraction) -> Evidence:
    """a' + c·b' against (1 − ε' + cε'/2)·a + (½ + c·corner)·b for c = 0, 1, 2 on small chains."""

    def holds(case: _Case) -> bool:
        mixed, weights, v, lag = case
        after = coordinates(mixed, mixed.after(passing(v, weights), lag))
        bound = after_one_sample(missed(mixed, weights), coordinates(mixed, v), corner)
        return all(after[0] + c * after[1] <= bound[0] + c * bound[1] for c in range(3))

    return exhausted(_cases(_nonnegative_total), holds, f"{WHICH}; c = 0, 1, 2")


CLAIMS: Final = (
    LEMMA_2.proved(
        "G14",
        "1206-1221",
        "b' ≤ aε'/2 + b/2, as ‖Δ^iΓπ_e‖₁ = ‖Δ^i(I − Γ)π_e‖₁ = x with ε' = 2x + u, and "
        "‖Δ^iΓv̄‖₁ = y with ‖v̄‖₁ = 1 = 2y + w: 2(ax + by) ≤ a(2x + u) + b(2y + w)",
        lambda: term_by_term((2 * (a * x + b * y), a * (2 * x + u) + b * (2 * y + w))),
        Mutant("no use of b", lambda: term_by_term((2 * (a * x + b * y), a * (2 * x + u) + b * w))),
        assumptions=("a ≥ 0", MIXING),
    ),
    LEMMA_2.exhausted(
        "G15.a",
        "1222-1235",
        "(a', b') ≤ [[1 − ε', ½], [ε'/2, ½]]·(a, b) for v' = M^iΓv, elementwise",
        partial(_matrix_inequality, _nonnegative_total),
        Mutant("a corner of 1/4", partial(_matrix_inequality, _nonnegative_total, Fraction(1, 4))),
        Mutant("without a ≥ 0", partial(_matrix_inequality, lambda mixed: mixed.signed())),
        assumptions=("a ≥ 0", MIXING),
    ),
    LEMMA_2.proved(
        "G15.b",
        "1236-1267",
        "the matrix keeps ≤: for (x + u, y + w) ≥ (x, y) both components of the difference are ≥ 0",
        lambda: term_by_term(
            (0, expand((r * (x + u) + (y + w) / 2) - (r * x + y / 2))),
            (0, expand((eps * (x + u) + y + w) / 2 - (eps * x + y) / 2)),
        ),
        Mutant(
            "an entry −½",
            lambda: term_by_term((0, expand((r * (x + u) - (y + w) / 2) - (r * x - y / 2)))),
        ),
        assumptions=("0 ≤ ε' ≤ 1, r = 1 − ε'",),
    ),
    LEMMA_2.exhausted(
        "S.G14",
        "1209-1219",
        "‖Δ^iΓπ_e‖₁ ≤ ½·min(ε', 1 − ε'), where ε'/2 is used: it is ½‖(I − Γ)π_e‖₁ and ½‖Γπ_e‖₁",
        partial(_passed_law_changes_little, _HALF),
        Mutant("2/5 in place of ½", partial(_passed_law_changes_little, Fraction(2, 5))),
        assumptions=(MIXING,),
    ),
    LEMMA_2.proved(
        "S.G15",
        "1222-1235",
        "a' + c·b' ≤ (1 − ε' + cε'/2)·a + (½ + c/4)·b for 0 ≤ c ≤ 2: a corner of ¼ instead of ½ in "
        "the matrix, for such combinations; with c = 2h, h + k = 1, in every term",
        lambda: term_by_term(
            (
                (h + k) * g * (a * p + b * (above - below))
                + h * (a * r * p + b * g * (above + below)),
                (h + k) * a * g * p + h * a * r * p + b * (h + k + h) * (g + r) * above,
            )
        ),
        Mutant(
            "c up to 4 (k the other way)",
            lambda: term_by_term(
                (
                    (h - k) * g * (a * p + b * (above - below))
                    + h * (a * r * p + b * g * (above + below)),
                    (h - k) * a * g * p + h * a * r * p + b * (h - k + h) * (g + r) * above,
                )
            ),
        ),
        assumptions=("a ≥ 0, b ≥ 0", MIXING),
    ),
    LEMMA_2.exhausted(
        "S.G15.chains",
        "1222-1235",
        "a' + c·b' ≤ (1 − ε' + cε'/2)·a + (½ + c/4)·b on small chains, for c = 0, 1, 2",
        partial(_sharper_combination, Fraction(1, 4)),
        Mutant("a corner of 1/8", partial(_sharper_combination, Fraction(1, 8))),
    ),
)
