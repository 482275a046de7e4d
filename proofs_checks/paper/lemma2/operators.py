"""Lemma 2: the operators M, Γ, Π and Δ on signed measures (l. 1113-1165)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import term_by_term
from proofs_checks.kernels.symbolic import identities
from proofs_checks.kernels.together import beside, together
from proofs_checks.proofs.chains.measures import (
    change_has_no_mass,
    change_is_half,
    event_attains_half,
    law_does_not_change,
    passing_is_half_of_the_norm,
)
from proofs_checks.proofs.chains.mixing import after_the_mixing_time, powers_are_chances
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import LEMMA_2
from proofs_checks.small_cases.chains import (
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

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence

_HALF: Final = Fraction(1, 2)

g, above, below = (Symbol(name) for name in ("g", "d⁺", "d⁻"))
"""The chance to pass, the parts of a measure with integral 0."""
u, w, x, eps = (Symbol(name) for name in ("u", "w", "x", "ε"))


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
        "∫Δ^iv = 0 for every signed measure v: M^i and Π both keep the integral",
        partial(shown_by, change_has_no_mass),
        Mutant("∫Δ^iv = ∫v", partial(shown_by, change_has_no_mass, 1)),
        Mutant("rows of any sum", partial(shown_without, "rows", change_has_no_mass)),
    ),
    LEMMA_2.proved(
        "G04.a",
        "1129-1132",
        "‖Δ^i e⃗‖₁ = 2·‖π_e − M^i e⃗‖_TV ≤ 1/2, total variation as the largest over all events: no "
        "event differs by more than half of the norm, and {Δ^i e⃗ > 0} does by as much",
        beside(
            _norm_is_twice_the_variation,
            partial(shown_by, passing_is_half_of_the_norm),
            partial(shown_by, event_attains_half),
        ),
        Mutant("a third of the norm", partial(shown_by, event_attains_half, Fraction(1, 3))),
        Mutant("once the total variation", partial(_norm_is_twice_the_variation, 1)),
        assumptions=(MIXING,),
    ),
    LEMMA_2.proved(
        "G04.b",
        "1125-1136",
        "‖Δ^iv‖₁ ≤ ½‖v‖₁ for every signed measure v, not only for laws",
        partial(shown_by, change_is_half),
        Mutant("a share of 49/100", partial(shown_by, change_is_half, Fraction(49, 100))),
        Mutant("before the mixing time", partial(shown_without, "mixed", change_is_half)),
        assumptions=(MIXING,),
    ),
    LEMMA_2.proved(
        "G04.c",
        "1125-1128",
        "‖Δ^iv‖₁ ≤ ½‖v‖₁ for every lag i ≥ t_mix, from t_mix alone",
        beside(
            _half_norm, partial(shown_by, after_the_mixing_time), partial(shown_by, change_is_half)
        ),
        Mutant("a distance of 2/5", partial(shown_by, after_the_mixing_time, Fraction(2, 5))),
        Mutant("a share of 49/100", partial(_half_norm, Fraction(49, 100))),
    ),
    LEMMA_2.proved(
        "G05",
        "1137-1140",
        "Δ^iπ_e = 0, as Mπ_e = π_e, for every lag i",
        partial(
            together,
            partial(shown_by, powers_are_chances),
            partial(shown_by, law_does_not_change),
        ),
        Mutant("Δ^iπ_e = π_e", partial(shown_by, law_does_not_change, 1)),
        Mutant("without Mπ_e = π_e", partial(shown_without, "P stays", powers_are_chances)),
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
        "∫Γπ_0 ≤ ½‖π_0‖₁, and ≥ −½‖π_0‖₁, if ∫π_0 = 0",
        partial(shown_by, passing_is_half_of_the_norm),
        Mutant(
            "a third of the norm", partial(shown_by, passing_is_half_of_the_norm, Fraction(1, 3))
        ),
        Mutant("without ∫π_0 = 0", partial(shown_without, "no mass", passing_is_half_of_the_norm)),
    ),
)
