"""After t_mix steps a chain is near its stationary law, and it stays there (l. 1084–1098)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.building import Function, symbol
from proofs_checks.kernels.sums.expressions import constant, total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Cited,
    Combined,
    Induction,
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
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    P,
    distance,
    here,
    j,
    law,
    x,
    y,
    z,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from proofs_checks.kernels.sums.expressions import Expression

powers = Function("M")
"""M(j, y, x) is the chance to be in x some steps after y, one step more for every j."""

_STEP = {
    "P rows": equals(total(x, P(y, x)), 1),
    "P ≥ 0": at_most(0, P(y, x)),
}
_LATER = {"later": equals(powers(j + 1, y, x), total(z, P(y, z) * powers(j, z, x)))}


def powers_are_chances() -> Proof:
    """Rows that sum to 1, entries ≥ 0, and πM = π hold for all powers if they do for the first."""
    rows = equals(total(x, powers(j, y, x)), 1)
    chances = at_most(0, powers(j, y, x))
    stays = equals(total(y, law(y) * powers(j, y, x)), law(x))
    first, after = numeral(0), here + 1
    return Proof(
        title="powers",
        hypotheses={
            **_STEP,
            "P stays": equals(total(y, law(y) * P(y, x)), law(x)),
            **_LATER,
            "first rows": equals(total(x, powers(first, y, x)), 1),
            "first ≥ 0": at_most(0, powers(first, y, x)),
            "first stays": equals(total(y, law(y) * powers(first, y, x)), law(x)),
        },
        lines=(
            Induction(
                j,
                {"rows": rows, "K ≥ 0": chances, "stays": stays},
                start=(),
                onward=(
                    Step(
                        "rows after",
                        equals(total(x, powers(after, y, x)), 1),
                        Combined(using=("later", "rows", "P rows")),
                    ),
                    Step(
                        "≥ 0 after",
                        at_most(0, powers(after, y, x)),
                        Combined(
                            (part(Known("P ≥ 0", {x: z}), Known("K ≥ 0", {y: z}), over=(z,)),),
                            using=("later",),
                        ),
                    ),
                    Step(
                        "stays after",
                        equals(total(y, law(y) * powers(after, y, x)), law(x)),
                        Combined(using=("later", "P stays", "stays")),
                    ),
                ),
            ),
        ),
        goals=(rows, chances, stays),
    )


_r: Final = symbol("r")


def distance_never_grows(share: Expression = _r) -> Proof:
    """‖M(j, y, ·) − π‖₁ ≤ r for every y at j = 0 gives it for every j (F03)."""
    near = at_most(distance(powers(j, y, x)), share)
    return Proof(
        title="distance",
        hypotheses={
            **_STEP,
            **_LATER,
            "at first": at_most(distance(powers(numeral(0), y, x)), _r),
        },
        lines=(
            Induction(
                j,
                {"near": near},
                start=(),
                onward=(
                    Step(
                        "near after",
                        at_most(distance(powers(here + 1, y, x)), share),
                        Combined(
                            (
                                part(
                                    Triangle((z,), (P(y, z) * (powers(here, z, x) - law(x)),)),
                                    over=(x,),
                                ),
                                part(
                                    Unsigned("P ≥ 0", {x: z}),
                                    Absolute(powers(here, z, x) - law(x)),
                                    over=(x, z),
                                ),
                                part(Known("P ≥ 0", {x: z}), Known("near", {y: z}), over=(z,)),
                            ),
                            using=("later", "P rows"),
                        ),
                    ),
                ),
            ),
        ),
        goals=(near,),
    )


LAGS: Final = {
    "rows": equals(total(x, powers(j, y, x)), 1),
    "K ≥ 0": at_most(0, powers(j, y, x)),
    "stays": equals(total(y, law(y) * powers(j, y, x)), law(x)),
    "mixed": at_most(distance(powers(j, y, x)), HALF),
}
"""What holds t_mix + j steps later, for every j ≥ 0"""

_counted = Function("T")
"""T(j, y, x) is the chance to be in x, 1 + j steps after y."""
_mixing = Index(TIME, "τ", fixed=True)
"""t_mix is 1 + τ."""

CHAIN: Final = {
    **_STEP,
    "P stays": equals(total(y, law(y) * P(y, x)), law(x)),
    "one step": equals(_counted(numeral(0), y, x), P(y, x)),
    "and one more": equals(_counted(j + 1, y, x), total(z, P(y, z) * _counted(j, z, x))),
    "t_mix": at_most(distance(_counted(_mixing, y, x)), HALF),
    "from t_mix": equals(powers(numeral(0), y, x), _counted(_mixing, y, x)),
    **_LATER,
}
"""A chain with a stationary law and a mixing time"""


def after_the_mixing_time(share: Fraction = HALF) -> Proof:
    """What holds for every lag ≥ t_mix: rows, entries ≥ 0, the stationary law, distance ≤ ½."""
    zero = numeral(0)
    near = at_most(distance(powers(j, y, x)), share)
    of_counted = Cited(
        powers_are_chances(),
        {"M": Lambda((j, y, x), _counted(j, y, x))},
        {
            "later": "and one more",
            "first rows": "T(0) rows",
            "first ≥ 0": "T(0) ≥ 0",
            "first stays": "T(0) stays",
        },
    )
    of_powers = Cited(powers_are_chances())
    return Proof(
        title="after t_mix",
        hypotheses=CHAIN,
        lines=(
            Step(
                "T(0) rows",
                equals(total(x, _counted(zero, y, x)), 1),
                Combined(using=("one step", "P rows")),
            ),
            Step(
                "T(0) ≥ 0",
                at_most(0, _counted(zero, y, x)),
                Combined((part(Known("P ≥ 0")),), using=("one step",)),
            ),
            Step(
                "T(0) stays",
                equals(total(y, law(y) * _counted(zero, y, x)), law(x)),
                Combined(using=("one step", "P stays")),
            ),
            Step("T rows", equals(total(x, _counted(j, y, x)), 1), of_counted),
            Step("T ≥ 0", at_most(0, _counted(j, y, x)), of_counted),
            Step("T stays", equals(total(y, law(y) * _counted(j, y, x)), law(x)), of_counted),
            Step(
                "first rows",
                equals(total(x, powers(zero, y, x)), 1),
                Combined(using=("from t_mix", "T rows")),
            ),
            Step(
                "first ≥ 0",
                at_most(0, powers(zero, y, x)),
                Combined((part(Known("T ≥ 0", {j: _mixing})),), using=("from t_mix",)),
            ),
            Step(
                "first stays",
                equals(total(y, law(y) * powers(zero, y, x)), law(x)),
                Combined(using=("from t_mix", "T stays")),
            ),
            Step("rows", LAGS["rows"], of_powers),
            Step("K ≥ 0", LAGS["K ≥ 0"], of_powers),
            Step("stays", LAGS["stays"], of_powers),
            Step(
                "at first",
                at_most(distance(powers(zero, y, x)), share),
                Combined((part(Known("t_mix")),), using=("from t_mix",)),
            ),
            Step(
                "mixed",
                near,
                Cited(distance_never_grows(), {"r": Lambda((), constant(share))}),
            ),
        ),
        goals=(LAGS["rows"], LAGS["K ≥ 0"], LAGS["stays"], near),
    )
