"""Lemma 2, N samples: the chance that all of them pass, sample by sample (l. 1268–1416, 1491–1501).

w(j, x) is the chance that the first j samples pass and the chain is in x at the time of the next;
a(j) is its sum, the chance that the first j pass. ℓ(j) is how many steps more than t_mix there are
from a sample to the next (after the last, any number), and M(i, y, x) is the chance to be in x,
t_mix + i steps after y.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import constant, total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.statements import (
    Cited,
    Combined,
    Excess,
    Induction,
    Known,
    Lambda,
    Others,
    Proof,
    Step,
    Triangle,
    Unsigned,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.lemma1 import passes_nearly_as_often
from proofs_checks.proofs.chains.mixing import LAGS, powers
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    LAW,
    MISS,
    PASS,
    QUARTER,
    distance,
    g,
    here,
    instance,
    j,
    law,
    miss,
    x,
    y,
)

w, a, b = Function("w"), Function("a"), Function("b")
start = numeral(0)


def lag(of: Index) -> Index:
    """How many steps more than t_mix there are from one sample to the next."""
    return Index(TIME, "ℓ", of=(of,))


START: Final = {
    "start ≥ 0": at_most(0, w(start, x)),
    "start law": equals(total(x, w(start, x)), 1),
}
MARKOV: Final = {
    "Markov": equals(w(j + 1, x), total(y, w(j, y) * g(y) * powers(lag(j), y, x))),
}
MASS: Final = {"mass": equals(a(j), total(x, w(j, x)))}
SPREAD: Final = {"spread": equals(b(j), total(x, abs(w(j, x) - a(j) * law(x))))}

w_is_nonnegative = Induction(
    j,
    {"w ≥ 0": at_most(0, w(j, x))},
    start=(),
    onward=(
        Step(
            "w ≥ 0 after",
            at_most(0, w(here + 1, x)),
            Combined(
                (
                    part(
                        Known("w ≥ 0", {x: y}),
                        Known("g ≥ 0", {x: y}),
                        Known("K ≥ 0", {j: lag(here)}),
                        over=(y,),
                    ),
                ),
                using=("Markov",),
            ),
        ),
    ),
)
rows_at_lag = Step(
    "rows at ℓ",
    equals(total(x, powers(lag(j), y, x)), 1),
    Combined((part(Known("rows", {j: lag(j)})),)),
)


def measures_are_chances(largest: Fraction = Fraction(1)) -> Proof:
    """w(j, x) ≥ 0, and 0 ≤ a(j) ≤ 1 (G18)."""
    goals = (at_most(0, w(j, x)), at_most(0, a(j)), at_most(a(j), largest))
    return Proof(
        title="chances",
        hypotheses={
            **PASS,
            "rows": LAGS["rows"],
            "K ≥ 0": LAGS["K ≥ 0"],
            **START,
            **MARKOV,
            **MASS,
        },
        lines=(
            w_is_nonnegative,
            Step("a ≥ 0", goals[1], Combined((part(Known("w ≥ 0"), over=(x,)),), using=("mass",))),
            rows_at_lag,
            Induction(
                j,
                {"a ≤ 1": goals[2]},
                start=(
                    Step("a(0)", at_most(a(start), largest), Combined(using=("mass", "start law"))),
                ),
                onward=(
                    Step(
                        "a after",
                        at_most(a(here + 1), largest),
                        Combined(
                            (
                                part(Known("w ≥ 0", {j: here}), Known("g ≤ 1"), over=(x,)),
                                part(Known("a ≤ 1")),
                            ),
                            using=("mass", "Markov", "rows at ℓ"),
                        ),
                    ),
                ),
            ),
        ),
        goals=goals,
    )


def before_the_first_sample(largest: int = 2) -> Proof:
    """a(0) = 1 and 0 ≤ b(0) ≤ 2, and every b(j) ≥ 0 (l. 1427, 1454)."""
    goals = (equals(a(start), 1), at_most(b(start), largest), at_most(0, b(j)))
    return Proof(
        title="before the first sample",
        hypotheses={**LAW, **START, **MASS, **SPREAD},
        lines=(
            Step("a(0)", goals[0], Combined(using=("mass", "start law"))),
            Step(
                "b(0)",
                goals[1],
                Combined(
                    (
                        part(Triangle((), (w(start, x), -law(x))), over=(x,)),
                        part(Unsigned("start ≥ 0"), over=(x,)),
                        part(Unsigned("law ≥ 0"), over=(x,)),
                    ),
                    using=("spread", "a(0)", "start law", "law"),
                ),
            ),
            Step(
                "b ≥ 0",
                goals[2],
                Combined(
                    (
                        part(Excess(w(j, x) - a(j) * law(x)), over=(x,), times=HALF),
                        part(Excess(a(j) * law(x) - w(j, x)), over=(x,), times=HALF),
                    ),
                    using=("spread",),
                ),
            ),
        ),
        goals=goals,
    )


def each_after_the_first(extra: Fraction = QUARTER) -> Proof:
    """a(j+2) ≤ (5/4 − ε')·a(j+1): each sample after the first passes with that chance (G36)."""
    goal = at_most(a(j + 2), (1 + extra - miss) * a(j + 1))
    return Proof(
        title="each sample after the first",
        hypotheses={
            "law": LAW["law"],
            **PASS,
            **MISS,
            **{name: LAGS[name] for name in ("rows", "K ≥ 0", "mixed")},
            "start ≥ 0": START["start ≥ 0"],
            **MARKOV,
            **MASS,
        },
        lines=(
            w_is_nonnegative,
            rows_at_lag,
            instance(
                "mixed at ℓ", at_most(distance(powers(lag(j), y, x)), HALF), "mixed", {j: lag(j)}
            ),
            Step(
                "passes",
                at_most(total(x, powers(lag(j), y, x) * g(x)) - total(x, law(x) * g(x)), QUARTER),
                Cited(
                    passes_nearly_as_often(),
                    {"K": Lambda((y, x), powers(lag(j), y, x))},
                    {"rows": "rows at ℓ", "mixed": "mixed at ℓ"},
                ),
            ),
            Step(
                "after",
                goal,
                Combined(
                    (
                        part(
                            Known("w ≥ 0", {x: y}),
                            Known("g ≥ 0", {x: y}),
                            Known("passes"),
                            over=(y,),
                        ),
                    ),
                    using=("mass", "Markov", "rows at ℓ", "miss"),
                ),
            ),
        ),
        goals=(goal,),
    )


def last_lag_is_free(*, all_pass: bool = True) -> Proof:
    """∫…MΓMΓπ_{t_1} is the chance that all samples pass: a(j+2) = Σ w·g·M·g (G17).

    The steps after the last sample do not matter, as rows sum to 1.
    """
    second = powers(lag(j), y, x) * (g(x) if all_pass else constant(1))
    goals = (
        equals(a(j + 1), total(y, w(j, y) * g(y))),
        equals(a(j + 2), total((x, y), w(j, y) * g(y) * second)),
    )
    return Proof(
        title="the chance that all pass",
        hypotheses={"rows": LAGS["rows"], **MARKOV, **MASS},
        lines=(
            rows_at_lag,
            *(
                Step(name, goal, Combined(using=("mass", "Markov", "rows at ℓ")))
                for name, goal in zip(("one", "two"), goals, strict=True)
            ),
        ),
        goals=goals,
    )


given = Function("r")


def passing_and_arriving(*, with_condition: bool = True) -> Proof:
    """w(j, x) = a(j)·r(j, x) for the law r(j, ·) of the state given that j samples passed (G16).

    Where a(j) = 0 there is no such law; then w(j, x) is 0 as well, being between 0 and a(j).
    """
    goals = (
        at_most(0, w(j, x)),
        at_most(w(j, x), a(j)),
        equals(total(x, a(j) * given(j, x)), a(j)),
        equals(
            a(j + 1) * given(j + 1, x),
            total(
                y,
                a(j) * given(j, y) * (g(y) if with_condition else 1) * powers(lag(j), y, x),
            ),
        ),
    )
    return Proof(
        title="given that all passed",
        hypotheses={
            "g ≥ 0": PASS["g ≥ 0"],
            "K ≥ 0": LAGS["K ≥ 0"],
            "start ≥ 0": START["start ≥ 0"],
            **MARKOV,
            **MASS,
            "given": equals(a(j) * given(j, x), w(j, x)),
        },
        lines=(
            w_is_nonnegative,
            Step(
                "part of a",
                goals[1],
                Combined((part(Others("w ≥ 0", x)),), using=("mass",)),
            ),
            Step("its mass", goals[2], Combined(using=("given", "mass"))),
            Step(
                "operator",
                goals[3],
                Combined(using=("given", "Markov")),
            ),
        ),
        goals=goals,
    )
