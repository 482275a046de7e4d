"""Lemma 2: a measure as a multiple of π_e and a rest, and a sample of both (l. 1171-1205)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Final

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.proofs.chains.matrix import (
    decomposed,
    mass_after,
    matrix_inequality,
    spread_splits,
)
from proofs_checks.proofs.chains.measures import splits
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import LEMMA_2
from proofs_checks.small_cases.chains import Mixed, norm, total, with_powers

_HALF: Final = Fraction(1, 2)


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


CLAIMS: Final = (
    LEMMA_2.proved(
        "G09",
        "1171-1175",
        "v = aπ_e + z with ∫z = 0 in exactly one way: a = ∫v, z = v − aπ_e; and b = ‖z‖₁",
        partial(shown_by, decomposed),
        Mutant("∫z = 1", partial(shown_by, decomposed, 1)),
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
        "M^i = Π + Δ^i, applied to any measure",
        partial(shown_by, splits),
        Mutant("2Δ^i", partial(shown_by, splits, 2)),
    ),
    LEMMA_2.proved(
        "G12.a",
        "1190-1192",
        "a' = a·∫Γπ_e + b·∫Γv̄, where b·v̄ is z and ∫Γπ_e = 1 − ε'",
        partial(shown_by, mass_after),
        Mutant("2b", partial(shown_by, mass_after, 2)),
    ),
    LEMMA_2.proved(
        "G12.b",
        "1194-1196",
        "b' = ‖Δ^iΓ(aπ_e + b·v̄)‖₁ ≤ a‖Δ^iΓπ_e‖₁ + b‖Δ^iΓv̄‖₁",
        partial(shown_by, spread_splits),
        Mutant("without a‖Δ^iΓπ_e‖₁", partial(shown_by, spread_splits, 0)),
        Mutant("a < 0", partial(shown_without, "a ≥ 0", spread_splits)),
        assumptions=("a ≥ 0 and b ≥ 0",),
    ),
    LEMMA_2.proved(
        "G13",
        "1197-1205",
        "a' ≤ a(1 − ε') + b/2: ∫Γπ_e = 1 − ε', and ∫Γ(b·v̄) ≤ b/2 (G07)",
        partial(shown_by, matrix_inequality),
        Mutant("b/3", partial(shown_by, matrix_inequality, gain=Fraction(1, 3))),
        Mutant("∫v̄ ≠ 0", partial(shown_without, "no mass", matrix_inequality)),
    ),
)
