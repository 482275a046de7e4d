"""Lemma 2: one sample, as a 2×2 matrix that bounds both coordinates (l. 1206-1267)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol, expand

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import term_by_term
from proofs_checks.kernels.together import beside
from proofs_checks.paper.lemma2.operators import MIXING, without_projection
from proofs_checks.proofs.chains.matrix import (
    matrix_inequality,
    passed_law_changes_little,
    sharper_combination,
)
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import LEMMA_2
from proofs_checks.small_cases.chains import (
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.kernels.evidence import Evidence


_HALF: Final = Fraction(1, 2)

r, u, w, x, y, eps = (Symbol(name) for name in ("r", "u", "w", "x", "y", "ε"))

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
        "b' ≤ aε'/2 + b/2: ‖Δ^iΓπ_e‖₁ = ‖Δ^i(I − Γ)π_e‖₁ ≤ ε'/2 and ‖Δ^iΓv̄‖₁ ≤ ½",
        partial(shown_by, matrix_inequality),
        Mutant("b/3", partial(shown_by, matrix_inequality, Fraction(1, 3))),
        Mutant("before the mixing time", partial(shown_without, "mixed", matrix_inequality)),
        assumptions=("a ≥ 0", MIXING),
    ),
    LEMMA_2.proved(
        "G15.a",
        "1222-1235",
        "(a', b') ≤ [[1 − ε', ½], [ε'/2, ½]]·(a, b) for v' = M^iΓv, elementwise",
        beside(
            partial(_matrix_inequality, _nonnegative_total), partial(shown_by, matrix_inequality)
        ),
        Mutant("a corner of 1/4", partial(shown_by, matrix_inequality, Fraction(1, 4))),
        Mutant("without a ≥ 0", partial(shown_without, "a ≥ 0", matrix_inequality)),
        Mutant("without Mπ_e = π_e", partial(shown_without, "stays", matrix_inequality)),
        Mutant("without a ≥ 0, tried", partial(_matrix_inequality, lambda mixed: mixed.signed())),
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
    LEMMA_2.proved(
        "S.G14",
        "1209-1219",
        "‖Δ^iΓπ_e‖₁ ≤ ½·min(ε', 1 − ε'), where ε'/2 is used: it is ½‖(I − Γ)π_e‖₁ and ½‖Γπ_e‖₁",
        beside(
            partial(_passed_law_changes_little, _HALF), partial(shown_by, passed_law_changes_little)
        ),
        Mutant("2/5 in place of ½", partial(shown_by, passed_law_changes_little, Fraction(2, 5))),
        Mutant("2/5, tried", partial(_passed_law_changes_little, Fraction(2, 5))),
        assumptions=(MIXING,),
    ),
    LEMMA_2.proved(
        "S.G15",
        "1222-1235",
        "a' + c·b' ≤ (1 − ε' + cε'/2)·a + (½ + c/4)·b for 0 ≤ c ≤ 2: a corner of ¼ instead of ½ in "
        "the matrix, for such combinations",
        partial(shown_by, sharper_combination),
        Mutant("c up to 4", partial(shown_by, sharper_combination, largest=4)),
        Mutant("c < 0", partial(shown_without, "c ≥ 0", sharper_combination)),
        assumptions=("a ≥ 0, b ≥ 0", MIXING),
    ),
    LEMMA_2.proved(
        "S.G15.chains",
        "1222-1235",
        "a' + c·b' ≤ (1 − ε' + cε'/2)·a + (½ + c/4)·b for 0 ≤ c ≤ 2, from the chain to the sum",
        beside(
            partial(_sharper_combination, Fraction(1, 4)), partial(shown_by, sharper_combination)
        ),
        Mutant("a corner of 1/8", partial(shown_by, sharper_combination, Fraction(1, 8))),
        Mutant("c up to 3", partial(shown_by, sharper_combination, largest=3)),
        Mutant("a corner of 1/8, tried", partial(_sharper_combination, Fraction(1, 8))),
    ),
)
