"""Lemma 2: a measure as a multiple of π_e and a rest, and a sample of both (l. 1171-1205)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Final

from sympy import Symbol, expand

from proofs_checks.claim import Erratum, Evidence, Mutant
from proofs_checks.methods.slack import term_by_term
from proofs_checks.methods.small_chains import Mixed, norm, total, with_powers
from proofs_checks.methods.symbolic import identities, identity
from proofs_checks.methods.three_states import (
    STATES,
    any_measure,
    law_of_three,
    move,
    pass_chances,
    project,
    subtract_projection,
    sum_of,
    transition_matrix,
    with_rest,
)
from proofs_checks.sections import LEMMA_2

_HALF: Final = Fraction(1, 2)

g, r, above, below, p, a, b = (Symbol(name) for name in ("g", "r", "d⁺", "d⁻", "p", "a", "b"))
"""Chances to pass and not to, the parts of a measure with integral 0, π(e), the coordinates of v"""
right_above, right_below = Symbol("x⁺"), Symbol("x⁻")


def _splits_into_projection_and_difference(times: int) -> Evidence:
    moved = move(list(any_measure), transition_matrix())
    projected, difference = project(list(any_measure)), subtract_projection(list(any_measure))
    return identities(*((moved[f], projected[f] + times * difference[f]) for f in STATES))


def _coordinate_after(b_times: int) -> Evidence:
    law = with_rest(law_of_three)
    v = [a * law[e] + b * any_measure[e] for e in STATES]
    moved = move([pass_chances[e] * v[e] for e in STATES], transition_matrix())
    passed_law = sum_of([pass_chances[e] * law[e] for e in STATES])
    passed_rest = sum_of([pass_chances[e] * any_measure[e] for e in STATES])
    return identity(expand(sum_of(moved)), expand(a * passed_law + b_times * b * passed_rest))


def fair_and_slow() -> Mixed:
    """Two states, ¾ to stay: t_mix = 1, and π is uniform."""
    stay, go = Fraction(3, 4), Fraction(1, 4)
    return with_powers(((stay, go), (go, stay)))


def _decomposition_is_not_unique() -> bool:
    """v = π has b = 0, and then v̄ is arbitrary."""
    law = fair_and_slow().law
    directions = ((_HALF, -_HALF), (-_HALF, _HALF))
    decomposed = [
        tuple(m + 0 * d for m, d in zip(law, direction, strict=True)) for direction in directions
    ]
    allowed = all(total(d) == 0 and norm(d) == 1 for d in directions)
    return allowed and all(v == law for v in decomposed)


def _unique_without_direction(extra: int) -> Evidence:
    """v = aπ + z with ∫z = 0 forces a = ∫v and z = v − aπ: take integrals."""
    law = with_rest(law_of_three)
    z = [any_measure[0], any_measure[1], extra - any_measure[0] - any_measure[1]]
    v = [a * law[e] + z[e] for e in STATES]
    forced = [(v[e] - sum_of(v) * law[e], z[e]) for e in STATES]
    return identities((expand(sum_of(v)), a), *((expand(one), expand(two)) for one, two in forced))


CLAIMS: Final = (
    LEMMA_2.proved(
        "G09",
        "1171-1175",
        "v = aπ_e + z with ∫z = 0 in exactly one way: a = ∫v, z = v − aπ_e; and b = ‖z‖₁ (three "
        "states, by symbols; integrals are all that is taken, whatever their number)",
        partial(_unique_without_direction, 0),
        Mutant("∫z = 1", partial(_unique_without_direction, 1)),
        erratum=Erratum(
            printed=(
                "v = aπ_e + b·v̄ with ∫v̄ = 0, ‖v̄‖₁ = 1 and b ≥ 0 always in exactly one way, with "
                "v̄ = (v − aπ_e)/b"
            ),
            counterexample=(
                "two states, v = π_e = (1/2, 1/2): b = 0, so the quotient is undefined, and "
                "v̄ = (1/2, −1/2) and v̄ = (−1/2, 1/2) both do; with one state there is no v̄ at all"
            ),
            refuted=_decomposition_is_not_unique,
            corrected=(
                "a, b and the product b·v̄ are unique; v̄ is unique if and only if b > 0 (if b = 0, "
                "take any v̄, or leave the product out)"
            ),
            consequence="the theorem survives as is: only a, b and b·v̄ are used",
        ),
    ),
    LEMMA_2.proved(
        "G10",
        "1185-1188",
        "M^i = Π + Δ^i, applied to any measure (three states, by symbols; Δ^i is M^i − Π by "
        "definition, whatever their number)",
        partial(_splits_into_projection_and_difference, 1),
        Mutant("2Δ^i", partial(_splits_into_projection_and_difference, 2)),
    ),
    LEMMA_2.proved(
        "G12.a",
        "1190-1192",
        "a' = a·∫Γπ_e + b·∫Γv̄ (three states, by symbols)",
        partial(_coordinate_after, 1),
        Mutant("2b", partial(_coordinate_after, 2)),
    ),
    LEMMA_2.proved(
        "G12.b",
        "1194-1196",
        "b' = ‖Δ^iΓ(aπ_e + b·v̄)‖₁ ≤ a‖Δ^iΓπ_e‖₁ + b‖Δ^iΓv̄‖₁: "
        "±(a(d⁺ − d⁻) + b(x⁺ − x⁻)) ≤ a(d⁺ + d⁻) + b(x⁺ + x⁻) in every term",
        lambda: term_by_term(
            (
                a * (above - below) + b * (right_above - right_below),
                a * (above + below) + b * (right_above + right_below),
            ),
            (
                -a * (above - below) - b * (right_above - right_below),
                a * (above + below) + b * (right_above + right_below),
            ),
        ),
        Mutant(
            "a < 0",
            lambda: term_by_term(
                (
                    -a * (above - below) + b * (right_above - right_below),
                    -a * (above + below) + b * (right_above + right_below),
                )
            ),
        ),
        assumptions=("a ≥ 0 and b ≥ 0",),
    ),
    LEMMA_2.proved(
        "G13",
        "1197-1205",
        "a' ≤ a(1 − ε') + b/2: g(aπ_e + b(d⁺ − d⁻)) ≤ a·g·π_e + b·d⁺ in every term, "
        "Σgπ_e = 1 − ε' and Σd⁺ = ½ (or 0, if b = 0)",
        lambda: term_by_term((g * (a * p + b * (above - below)), a * g * p + b * (g + r) * above)),
        Mutant(
            "without the d⁺", lambda: term_by_term((g * (a * p + b * (above - below)), a * g * p))
        ),
    ),
)
