"""Lemma 2, one more sample: (a(j+1), b(j+1)) from (a(j), b(j)) (l. 1286–1300)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.statements import (
    Cited,
    Combined,
    Known,
    Lambda,
    Proof,
    Step,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.matrix import matrix_inequality, sharper_combination
from proofs_checks.proofs.chains.mixing import LAGS, powers
from proofs_checks.proofs.chains.samples import (
    MARKOV,
    MASS,
    SPREAD,
    START,
    a,
    b,
    lag,
    rows_at_lag,
    w,
    w_is_nonnegative,
)
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    LAW,
    MISS,
    PASS,
    QUARTER,
    c,
    distance,
    g,
    instance,
    j,
    law,
    miss,
    x,
    y,
)

if TYPE_CHECKING:
    from fractions import Fraction

_rest = w(j, y) - a(j) * law(y)
_passed = w(j, y) * g(y)
_after = total(x, abs(total(y, _passed * (powers(lag(j), y, x) - law(x)))))
_SUBSTITUTED: Final = {
    "K": Lambda((y, x), powers(lag(j), y, x)),
    "a": Lambda((), a(j)),
    "z": Lambda((y,), _rest),
}
_AT_LAG: Final = {"stays": "stays at ℓ", "mixed": "mixed at ℓ"}
_LINES: Final = (
    w_is_nonnegative,
    Step("a ≥ 0", at_most(0, a(j)), Combined((part(Known("w ≥ 0"), over=(x,)),), using=("mass",))),
    rows_at_lag,
    instance(
        "stays at ℓ",
        equals(total(y, law(y) * powers(lag(j), y, x)), law(x)),
        "stays",
        {j: lag(j)},
    ),
    instance("mixed at ℓ", at_most(distance(powers(lag(j), y, x)), HALF), "mixed", {j: lag(j)}),
    Step(
        "no mass",
        equals(total(x, w(j, x) - a(j) * law(x)), 0),
        Combined(using=("mass", "law")),
    ),
)
_USING: Final = ("spread", "mass", "Markov", "rows at ℓ")
_GIVEN: Final = {
    **LAW,
    **PASS,
    **MISS,
    **LAGS,
    "start ≥ 0": START["start ≥ 0"],
    **MARKOV,
    **MASS,
    **SPREAD,
}


def one_more_sample(corner: Fraction = HALF) -> Proof:
    """(a(j+1), b(j+1)) ≤ [[1 − ε', ½], [½ε', ½]]·(a(j), b(j)) (l. 1286–1300)."""
    spread = total(y, abs(_rest))
    goals = (
        at_most(a(j + 1), (1 - miss) * a(j) + b(j) / 2),
        at_most(b(j + 1), miss * a(j) / 2 + b(j) * corner),
    )
    cited = Cited(matrix_inequality(), _SUBSTITUTED, _AT_LAG)
    return Proof(
        title="one more sample",
        hypotheses=_GIVEN,
        lines=(
            *_LINES,
            Step("a'", at_most(total(y, _passed), (1 - miss) * a(j) + spread / 2), cited),
            Step("b'", at_most(_after, miss * a(j) / 2 + spread / 2), cited),
            Step("a after", goals[0], Combined((part(Known("a'")),), using=_USING)),
            Step("b after", goals[1], Combined((part(Known("b'")),), using=_USING)),
        ),
        goals=goals,
    )


def one_more_sample_sharper(corner: Fraction = QUARTER) -> Proof:
    """a(j+1) + c·b(j+1) ≤ (1 − ε' + cε'/2)·a(j) + (½ + c/4)·b(j) for 0 ≤ c ≤ 2."""
    spread = total(y, abs(_rest))
    factor = 1 - miss + c * miss / 2
    goal = at_most(a(j + 1) + c * b(j + 1), factor * a(j) + (HALF + c * corner) * b(j))
    return Proof(
        title="one more sample, sharper",
        hypotheses={**_GIVEN, "c ≥ 0": at_most(0, c), "c ≤ 2": at_most(c, 2)},
        lines=(
            *_LINES,
            Step(
                "combined",
                at_most(
                    total(y, _passed) + c * _after, factor * a(j) + (HALF + c * QUARTER) * spread
                ),
                Cited(sharper_combination(), _SUBSTITUTED, _AT_LAG),
            ),
            Step("after", goal, Combined((part(Known("combined")),), using=_USING)),
        ),
        goals=(goal,),
    )
