"""Signed measures: Δ = K − Π for a lag ≥ t_mix, and Γ, which multiplies by g (l. 1114–1165)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Combined,
    Excess,
    Known,
    Proof,
    Step,
    Triangle,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    MIXED,
    ROWS,
    STAYS,
    K,
    g,
    law,
    x,
    y,
)

if TYPE_CHECKING:
    from fractions import Fraction


v = Function("v")
change = K(y, x) - law(x)
"""(Δ applied to y)(x)"""


def change_has_no_mass(left: int = 0) -> Proof:
    """∫Δv = 0 for every signed measure v (G03)."""
    goal = equals(total((x, y), v(y) * change), total(y, v(y)) * left)
    return Proof(
        title="∫Δv = 0",
        hypotheses={**ROWS, "law": equals(total(x, law(x)), 1)},
        lines=(Step("no mass", goal, Combined(using=("rows", "law"))),),
        goals=(goal,),
    )


def law_does_not_change(left: int = 0) -> Proof:
    """Δπ = 0 (G05)."""
    goal = equals(total(y, law(y) * change), law(x) * left)
    return Proof(
        title="Δπ = 0",
        hypotheses={**STAYS, "law": equals(total(x, law(x)), 1)},
        lines=(Step("stationary", goal, Combined(using=("stays", "law"))),),
        goals=(goal,),
    )


def splits(times: int = 1) -> Proof:
    """Kv = Πv + Δv (G10)."""
    goal = equals(
        total(y, v(y) * K(y, x)), law(x) * total(y, v(y)) + total(y, v(y) * change) * times
    )
    return Proof(
        title="K = Π + Δ", hypotheses={}, lines=(Step("split", goal, Combined()),), goals=(goal,)
    )


def change_is_half(share: Fraction = HALF) -> Proof:
    """‖Δv‖₁ ≤ ½‖v‖₁ for every signed measure v (G04)."""
    goal = at_most(total(x, abs(total(y, v(y) * change))), total(y, abs(v(y))) * share)
    return Proof(
        title="‖Δv‖ ≤ ½‖v‖",
        hypotheses=MIXED,
        lines=(
            Step(
                "half",
                goal,
                Combined(
                    (
                        part(Triangle((y,), (v(y) * change,)), over=(x,)),
                        part(Absolute(v(y)), Known("mixed"), over=(y,)),
                    )
                ),
            ),
        ),
        goals=(goal,),
    )


d, event = Function("d"), Function("h")


def passing_is_half_of_the_norm(share: Fraction = HALF) -> Proof:
    """−½‖d‖₁ ≤ ∫Γd ≤ ½‖d‖₁ if ∫d = 0 (G07)."""
    passed, bound = total(x, g(x) * d(x)), total(x, abs(d(x))) * share

    def step(name: str, sign: int) -> Step:
        return Step(
            name,
            at_most(passed * sign, bound),
            Combined(
                (
                    part(Known("g ≥ 0"), Excess(d(x) * sign), over=(x,), times=HALF),
                    part(Known("g ≤ 1"), Excess(d(x) * -sign), over=(x,), times=HALF),
                ),
                using=("no mass",),
            ),
        )

    return Proof(
        title="|∫Γd| ≤ ½‖d‖",
        hypotheses={
            "g ≥ 0": at_most(0, g(x)),
            "g ≤ 1": at_most(g(x), 1),
            "no mass": equals(total(x, d(x)), 0),
        },
        lines=(step("at most", 1), step("at least", -1)),
        goals=(at_most(passed, bound), at_most(passed * -1, bound)),
    )


def event_attains_half(share: Fraction = HALF) -> Proof:
    """∫_A d = ½‖d‖₁ for the event A = {d > 0}, with h = 1 on A and h = 0 elsewhere, if ∫d = 0."""
    goal = equals(total(x, event(x) * d(x)), total(x, abs(d(x))) * share)
    return Proof(
        title="the event d > 0",
        hypotheses={
            "event": equals(event(x) * d(x), (abs(d(x)) + d(x)) / 2),
            "no mass": equals(total(x, d(x)), 0),
        },
        lines=(Step("attained", goal, Combined(using=("event", "no mass"))),),
        goals=(goal,),
    )
