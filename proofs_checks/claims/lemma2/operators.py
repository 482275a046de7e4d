"""Lemma 2: the operators M, Γ, Π and Δ on signed measures (l. 1113-1165)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Integer, Symbol

from proofs_checks.claim import Evidence, Mutant
from proofs_checks.methods.finite import exhausted
from proofs_checks.methods.slack import term_by_term
from proofs_checks.methods.small_chains import (
    WHICH,
    Mixed,
    Vector,
    all_mixed,
    minus,
    norm,
    passing,
    scaled,
    total,
)
from proofs_checks.methods.symbolic import identities, identity
from proofs_checks.methods.three_states import (
    STATES,
    any_measure,
    move,
    step_chances,
    subtract_projection,
    sum_of,
)
from proofs_checks.sections import LEMMA_2

if TYPE_CHECKING:
    from sympy import Expr

_HALF: Final = Fraction(1, 2)

g, r, above, below = (Symbol(name) for name in ("g", "r", "d⁺", "d⁻"))
"""Chances to pass and not to, the parts of a measure with integral 0."""
u, w, x, eps = (Symbol(name) for name in ("u", "w", "x", "ε"))
right_above, right_below = Symbol("x⁺"), Symbol("x⁻")


def _integral_of_difference(stated: Expr) -> Evidence:
    return identity(sum_of(subtract_projection(list(any_measure))), stated)


def _stationary_law_stays(roots: int) -> Evidence:
    """π(e) is proportional to the sum over the trees of arrows into e of their chances."""
    chance = {(e, f): step_chances[e][f] for e in STATES for f in STATES if e != f}
    rows = [
        [
            chance[e, f]
            if e != f
            else 1 - sum_of([chance[e, other] for other in STATES if other != e])
            for f in STATES
        ]
        for e in STATES
    ]
    law: list[Expr] = []
    for e in STATES:
        c, d = (other for other in STATES if other != e)
        trees = [
            chance[c, e] * chance[d, e],
            chance[c, e] * chance[d, c],
            chance[c, d] * chance[d, e],
        ]
        law.append(sum_of(trees[:roots]))
    moved = move(law, rows)
    return identities(*((moved[f], law[f]) for f in STATES))


def without_projection(mixed: Mixed, vector: Vector, lag: int) -> Vector:
    """Δ^lag, applied to a measure."""
    return minus(mixed.after(vector, lag), scaled(mixed.law, total(vector)))


def _half_norm(share: Fraction = _HALF) -> Evidence:
    cases = (
        (mixed, v, mixed.t_mix + later)
        for mixed in all_mixed()
        for v in mixed.signed()
        for later in range(2)
    )

    def holds(case: tuple[Mixed, Vector, int]) -> bool:
        mixed, v, lag = case
        return norm(without_projection(mixed, v, lag)) <= share * norm(v)

    return exhausted(cases, holds, f"{WHICH}; every measure with weights −1, 0, 1")


def _norm_is_twice_the_variation(times: int = 2) -> Evidence:
    cases = ((mixed, e) for mixed in all_mixed() for e in range(len(mixed.chain)))

    def holds(case: tuple[Mixed, int]) -> bool:
        mixed, e = case
        change = without_projection(mixed, mixed.unit(e), mixed.t_mix)
        variation = max(total(passing(change, event)) for event in mixed.events())
        return norm(change) == times * variation <= _HALF

    return exhausted(cases, holds, f"{WHICH}; every start, the largest difference of all events")


MIXING: Final = "i ≥ t_mix, so that total variation after i steps is ≤ 1/4"

CLAIMS: Final = (
    LEMMA_2.proved(
        "G02",
        "1113",
        "ε' = 1 − Pr_π(f = 1) ≥ ε if Pr_π(f = 1) = 1 − ε − u for some u ≥ 0",
        lambda: term_by_term((eps, 1 - (1 - eps - u))),
        Mutant("if Pr_π(f = 1) = 1 − ε + u", lambda: term_by_term((eps, 1 - (1 - eps + u)))),
    ),
    LEMMA_2.proved(
        "G03",
        "1121-1124",
        "∫Δ^iπ = 0 for every measure π: M^i and Π both keep the integral (three states, by symbols;"
        " each state enters only through its own row, which sums to 1)",
        partial(_integral_of_difference, Integer(0)),
        Mutant("∫Δ^iπ = ∫π", partial(_integral_of_difference, sum_of(list(any_measure)))),
    ),
    LEMMA_2.exhausted(
        "G04.a",
        "1129-1132",
        "‖Δ^i e⃗‖₁ = 2·‖π_e − M^i e⃗‖_TV ≤ 1/2, total variation as the largest over all events",
        _norm_is_twice_the_variation,
        Mutant("once the total variation", partial(_norm_is_twice_the_variation, 1)),
        assumptions=(MIXING,),
    ),
    LEMMA_2.proved(
        "G04.b",
        "1125-1136",
        "‖Δ^iπ‖₁ ≤ ½‖π‖₁ for every signed measure, not only for laws: with π(e) = d⁺ − d⁻ and "
        "(Δ^i e⃗)(e') = x⁺ − x⁻, ±(d⁺ − d⁻)(x⁺ − x⁻) ≤ (d⁺ + d⁻)(x⁺ + x⁻) in every term, and "
        "Σ(x⁺ + x⁻) ≤ ½",
        lambda: term_by_term(
            (
                (above - below) * (right_above - right_below),
                (above + below) * (right_above + right_below),
            ),
            (
                -(above - below) * (right_above - right_below),
                (above + below) * (right_above + right_below),
            ),
        ),
        Mutant(
            "|d⁺ − d⁻| replaced by d⁺",
            lambda: term_by_term(
                (
                    (above - below) * (right_above - right_below),
                    above * (right_above + right_below),
                )
            ),
        ),
        assumptions=(MIXING,),
    ),
    LEMMA_2.exhausted(
        "G04.c",
        "1125-1128",
        "‖Δ^iπ‖₁ ≤ ½‖π‖₁ on small chains",
        _half_norm,
        Mutant("a share of 49/100", partial(_half_norm, Fraction(49, 100))),
        assumptions=(MIXING,),
    ),
    LEMMA_2.proved(
        "G05",
        "1137-1140",
        "Δ^iπ_e = 0, as M π_e = π_e: for every chain with three states, by its trees",
        partial(_stationary_law_stays, 3),
        Mutant("one kind of tree forgotten", partial(_stationary_law_stays, 2)),
    ),
    LEMMA_2.proved(
        "G07.a",
        "1150-1157",
        "Γπ_0 and (I − Γ)π_0 sum to π_0, and so do their norms to ‖π_0‖₁: "
        "g(d⁺ − d⁻) + r(d⁺ − d⁻) = d⁺ − d⁻ and g(d⁺ + d⁻) + r(d⁺ + d⁻) = d⁺ + d⁻",
        lambda: identities(
            (g * (above - below) + (1 - g) * (above - below), above - below),
            (g * (above + below) + (1 - g) * (above + below), above + below),
        ),
        Mutant(
            "g + (1 + g)",
            lambda: identities(
                (g * (above + below) + (1 + g) * (above + below), above + below),
            ),
        ),
    ),
    LEMMA_2.proved(
        "G07.b",
        "1158-1165",
        "|∫Γπ_0| = x ≤ ‖Γπ_0‖₁ = x + u and x ≤ ‖(I − Γ)π_0‖₁ = x + w combine to x ≤ ½‖π_0‖₁",
        lambda: term_by_term((2 * x, (x + u) + (x + w))),
        Mutant("only one of the two bounds", lambda: term_by_term((2 * x, (x + u) + w))),
    ),
    LEMMA_2.proved(
        "G07",
        "1145-1148",
        "∫Γπ_0 ≤ ½‖π_0‖₁, and ≥ −½‖π_0‖₁, if ∫π_0 = 0: −d⁻ ≤ g(d⁺ − d⁻) ≤ d⁺ in every term",
        lambda: term_by_term(
            (g * (above - below), (g + r) * above), (-(g + r) * below, g * (above - below))
        ),
        Mutant(
            "a third of the norm",
            lambda: term_by_term((g * (above - below), 2 * (g + r) * above / 3)),
        ),
        assumptions=("Σd⁺ = Σd⁻ = ½‖π_0‖₁, as ∫π_0 = 0",),
    ),
)
