"""Lemma 2, one sample: what M^iΓ does to a measure aπ + z with ∫z = 0 (l. 1171–1235)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from proofs_checks.kernels.sums.building import Function, symbol
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Cited,
    Combined,
    Excess,
    Known,
    Lambda,
    Proof,
    Step,
    Triangle,
    Unsigned,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.measures import (
    change,
    change_is_half,
    passing_is_half_of_the_norm,
    v,
)
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    LAW,
    MISS,
    MIXED,
    PASS,
    QUARTER,
    ROWS,
    STAYS,
    K,
    c,
    g,
    law,
    miss,
    x,
    y,
)

a, rest = symbol("a"), Function("z")
before = total(y, abs(rest(y)))
"""b = ‖z‖₁"""
passed = g(y) * (a * law(y) + rest(y))
"""Γv at y, for v = aπ + z"""
mass = total(y, passed)
"""a'"""
spread = total(x, abs(total(y, passed * K(y, x)) - mass * law(x)))
"""b' = ‖v' − a'π‖₁ for v' = KΓv"""
kept = total(x, abs(rest(x)) * g(x))

_MEASURE: Final = {
    "a ≥ 0": at_most(0, a),
    "no mass": equals(total(x, rest(x)), 0),
}


def decomposed(left: int = 0) -> Proof:
    """v = aπ + z with ∫z = 0 only for a = ∫v and z = v − aπ (G09)."""
    given = {
        "law": equals(total(x, law(x)), 1),
        "no mass": equals(total(x, rest(x)), left),
        "sum": equals(v(x), a * law(x) + rest(x)),
    }
    goals = (equals(total(x, v(x)), a), equals(v(x) - total(y, v(y)) * law(x), rest(x)))
    return Proof(
        title="decomposition",
        hypotheses=given,
        lines=(
            Step("a", goals[0], Combined(using=("sum", "law", "no mass"))),
            Step("z", goals[1], Combined(using=("sum", "law", "no mass"))),
        ),
        goals=goals,
    )


def mass_after(times: int = 1) -> Proof:
    """a' = a(1 − ε) + ∫Γz, also as ∫KΓv (G12)."""
    goals = (
        equals(mass, a * (1 - miss) + total(x, g(x) * rest(x)) * times),
        equals(total((x, y), passed * K(y, x)), mass),
    )
    return Proof(
        title="a'",
        hypotheses={**MISS, **ROWS},
        lines=(
            Step("mass", goals[0], Combined(using=("miss",))),
            Step("integral", goals[1], Combined(using=("rows",))),
        ),
        goals=goals,
    )


def passed_law_changes_little(share: Fraction = HALF) -> Proof:
    """‖ΔΓπ‖₁ ≤ ½ε', and ≤ ½(1 − ε') (S.G14)."""
    size = total(x, abs(total(y, g(y) * law(y) * change)))
    goals = (at_most(size, miss * share), at_most(size, (1 - miss) * share))
    return Proof(
        title="‖ΔΓπ‖",
        hypotheses={**LAW, **PASS, **MISS, **STAYS, **MIXED},
        lines=(
            Step(
                "lost",
                at_most(
                    total(x, abs(total(y, (1 - g(y)) * law(y) * change))),
                    total(y, abs((1 - g(y)) * law(y))) / 2,
                ),
                Cited(change_is_half(), {"v": Lambda((y,), (1 - g(y)) * law(y))}),
            ),
            Step(
                "won",
                at_most(size, total(y, abs(g(y) * law(y))) / 2),
                Cited(change_is_half(), {"v": Lambda((y,), g(y) * law(y))}),
            ),
            Step(
                "(1 − g)π ≥ 0",
                at_most(0, (1 - g(x)) * law(x)),
                Combined((part(Known("g ≤ 1"), Known("law ≥ 0")),)),
            ),
            Step(
                "gπ ≥ 0",
                at_most(0, g(x) * law(x)),
                Combined((part(Known("g ≥ 0"), Known("law ≥ 0")),)),
            ),
            Step(
                "at most ε",
                goals[0],
                Combined(
                    (
                        part(Known("lost")),
                        part(Unsigned("(1 − g)π ≥ 0"), over=(x,), times=HALF),
                    ),
                    using=("stays", "law", "miss"),
                ),
            ),
            Step(
                "at most 1 − ε",
                goals[1],
                Combined(
                    (part(Known("won")), part(Unsigned("gπ ≥ 0"), over=(x,), times=HALF)),
                    using=("miss",),
                ),
            ),
        ),
        goals=goals,
    )


def spread_splits(times: int = 1) -> Proof:
    """b' ≤ a‖ΔΓπ‖₁ + ‖ΔΓz‖₁ (G12)."""
    by_rest, by_law = total(y, g(y) * rest(y) * change), total(y, g(y) * law(y) * change)
    goal = at_most(spread, total(x, abs(by_law)) * a * times + total(x, abs(by_rest)))
    return Proof(
        title="b' in two parts",
        hypotheses={"a ≥ 0": at_most(0, a)},
        lines=(
            Step(
                "two parts",
                goal,
                Combined(
                    (
                        part(Triangle((), (by_rest, a * by_law)), over=(x,)),
                        part(Unsigned("a ≥ 0"), Absolute(by_law), over=(x,)),
                    )
                ),
            ),
        ),
        goals=(goal,),
    )


def spread_after(share: Fraction = HALF) -> Proof:
    """b' ≤ ½ε'a + ½∫Γ|z| (l. 1206–1221, before the last two of its steps)."""
    goal = at_most(spread, a * miss / 2 + kept * share)
    by_rest, by_law = total(y, g(y) * rest(y) * change), total(y, g(y) * law(y) * change)
    return Proof(
        title="b'",
        hypotheses={**LAW, **PASS, **MISS, **STAYS, **MIXED, "a ≥ 0": at_most(0, a)},
        lines=(
            Step(
                "of the rest",
                at_most(total(x, abs(by_rest)), total(y, abs(g(y) * rest(y))) / 2),
                Cited(change_is_half(), {"v": Lambda((y,), g(y) * rest(y))}),
            ),
            Step(
                "of the law",
                at_most(total(x, abs(by_law)), miss / 2),
                Cited(passed_law_changes_little()),
            ),
            Step(
                "together",
                goal,
                Combined(
                    (
                        part(Triangle((), (by_rest, a * by_law)), over=(x,)),
                        part(Unsigned("a ≥ 0"), Absolute(by_law), over=(x,)),
                        part(Known("of the rest")),
                        part(Known("a ≥ 0"), Known("of the law")),
                        part(Unsigned("g ≥ 0"), Absolute(rest(x)), over=(x,), times=HALF),
                    )
                ),
            ),
        ),
        goals=(goal,),
    )


_GIVEN: Final = {**LAW, **PASS, **MISS, **STAYS, **MIXED, **_MEASURE}


def matrix_inequality(corner: Fraction = HALF, gain: Fraction = HALF) -> Proof:
    """(a', b') ≤ [[1 − ε', ½], [½ε', ½]]·(a, b), entry by entry (G15)."""
    goals = (
        at_most(mass, (1 - miss) * a + before * gain),
        at_most(spread, miss * a / 2 + before * corner),
    )
    return Proof(
        title="the matrix inequality",
        hypotheses=_GIVEN,
        lines=(
            Step(
                "passing",
                at_most(total(x, g(x) * rest(x)), before / 2),
                Cited(passing_is_half_of_the_norm(), {"d": Lambda((x,), rest(x))}),
            ),
            Step("a'", goals[0], Combined((part(Known("passing")),), using=("miss",))),
            Step("b' first", at_most(spread, a * miss / 2 + kept / 2), Cited(spread_after())),
            Step(
                "b'",
                goals[1],
                Combined(
                    (
                        part(Known("b' first")),
                        part(Known("g ≤ 1"), Absolute(rest(x)), over=(x,), times=HALF),
                    )
                ),
            ),
        ),
        goals=goals,
    )


def sharper_combination(corner: Fraction = Fraction(1, 4), largest: int = 2) -> Proof:
    """a' + c·b' ≤ (1 − ε' + cε'/2)·a + (½ + c/4)·b for 0 ≤ c ≤ 2 (S.G15)."""
    goal = at_most(mass + c * spread, (1 - miss + c * miss / 2) * a + (HALF + c * corner) * before)
    positive, negative = Excess(rest(x)), Excess(-rest(x))
    return Proof(
        title="the sharper combination",
        hypotheses={**_GIVEN, "c ≥ 0": at_most(0, c), "c ≤ 2": at_most(c, largest)},
        lines=(
            Step("b' first", at_most(spread, a * miss / 2 + kept / 2), Cited(spread_after())),
            Step(
                "together",
                goal,
                Combined(
                    (
                        part(Known("c ≥ 0"), Known("b' first")),
                        part(Known("c ≤ 2"), Known("g ≥ 0"), positive, over=(x,), times=QUARTER),
                        part(Known("c ≥ 0"), Known("g ≤ 1"), negative, over=(x,), times=QUARTER),
                        part(Known("g ≤ 1"), negative, over=(x,), times=HALF),
                    ),
                    using=("miss", "no mass"),
                ),
            ),
        ),
        goals=(goal,),
    )
