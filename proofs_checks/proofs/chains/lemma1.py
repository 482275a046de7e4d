"""Lemma 1: after t_mix, what an observation shows is nearly independent of the past (l. 1068–1101).

The past enters through w(y), the chance that e_{t_1} = y given x_{≤t_1}; g(x) is the chance that f
is 1 on an observation of x, and p = Σπg.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.building import Function, symbol
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.indices import Index
from proofs_checks.kernels.sums.statements import (
    Between,
    Cited,
    Combined,
    Excess,
    Known,
    Lambda,
    Proof,
    Step,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.measures import change, event, event_attains_half
from proofs_checks.proofs.chains.mixing import CHAIN, LAGS, after_the_mixing_time, powers
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    LAW,
    MIXED,
    PASS,
    QUARTER,
    ROWS,
    K,
    g,
    j,
    law,
    x,
    y,
)

if TYPE_CHECKING:
    from fractions import Fraction

_SETTING: Final = {"law": LAW["law"], **PASS}
often = total(x, law(x) * g(x))
"""p"""


def passes_nearly_as_often(bound: Fraction = QUARTER) -> Proof:
    """From every state, f is 1 after t_mix with a chance within 1/4 of p (l. 1089–1092)."""
    shown = total(x, K(y, x) * g(x)) - often

    def side(name: str, sign: int) -> Step:
        return Step(
            name,
            at_most(shown * sign, bound),
            Combined(
                (
                    part(Known("g ≥ 0"), Excess(change * sign), over=(x,), times=HALF),
                    part(Known("g ≤ 1"), Excess(change * -sign), over=(x,), times=HALF),
                    part(Known("mixed"), times=HALF),
                ),
                using=("rows", "law"),
            ),
        )

    return Proof(
        title="passing after t_mix",
        hypotheses={**_SETTING, **ROWS, **MIXED},
        lines=(side("above", 1), side("below", -1)),
        goals=(at_most(shown, bound), at_most(shown * -1, bound)),
    )


weight = Function("w")


def nearly_independent(bound: Fraction = QUARTER) -> Proof:
    """|Pr(f(x_{t_2}) = 1 | x_{≤t_1}) − p| ≤ 1/4 for t_2 − t_1 ≥ t_mix (Lemma 1, F01)."""
    from_state = total(x, powers(j, y, x) * g(x)) - often
    shown = total((x, y), weight(y) * powers(j, y, x) * g(x)) - often
    goal = at_most(abs(shown), bound)
    lags = Cited(after_the_mixing_time())
    cited = Cited(passes_nearly_as_often(), {"K": Lambda((y, x), powers(j, y, x))})

    def side(name: str, sign: int) -> tuple[Step, Step]:
        return (
            Step(f"{name}, from y", at_most(from_state * sign, QUARTER), cited),
            Step(
                name,
                at_most(shown * sign, bound),
                Combined(
                    (part(Known("w ≥ 0"), Known(f"{name}, from y"), over=(y,)),), using=("w law",)
                ),
            ),
        )

    return Proof(
        title="Lemma 1",
        hypotheses={
            **CHAIN,
            **_SETTING,
            "w ≥ 0": at_most(0, weight(y)),
            "w law": equals(total(y, weight(y)), 1),
        },
        lines=(
            Step("rows", LAGS["rows"], lags),
            Step("mixed", LAGS["mixed"], lags),
            *side("above", 1),
            *side("below", -1),
            Step("near p", goal, Between("above", "below")),
        ),
        goals=(goal,),
    )


def from_every_state(bound: Fraction = QUARTER) -> Proof:
    """|Pr(e_{t_2} ∈ A | e_{t_1} = y) − π(A)| ≤ 1/4, for every event and every g in [0, 1] (F02)."""
    shown = total(x, powers(j, y, x) * g(x)) - often
    goal = at_most(abs(shown), bound)
    lags = Cited(after_the_mixing_time())
    cited = Cited(passes_nearly_as_often(), {"K": Lambda((y, x), powers(j, y, x))})
    return Proof(
        title="every state and event",
        hypotheses={**CHAIN, **_SETTING},
        lines=(
            Step("rows", LAGS["rows"], lags),
            Step("mixed", LAGS["mixed"], lags),
            Step("above", at_most(shown, bound), cited),
            Step("below", at_most(shown * -1, bound), cited),
            Step("near π", goal, Between("above", "below")),
        ),
        goals=(goal,),
    )


def before_the_mixing_time(share: Fraction = HALF) -> Proof:
    """Where ‖K(y, ·) − π‖₁ ≥ ½ + s for one y, an event is off by 1/4 + s/2 or more (S.F02).

    The event is {x : K(y, x) > π(x)}; h is 1 on it, and 0 elsewhere.
    """
    s, from_here = symbol("s"), Index("state", "y", fixed=True)
    too_much = K(from_here, x) - law(x)
    off = total(x, event(x) * too_much)
    goal = at_most(QUARTER + s * share, off)
    return Proof(
        title="before t_mix",
        hypotheses={
            **ROWS,
            "law": LAW["law"],
            "event": equals(event(x) * too_much, (abs(too_much) + too_much) / 2),
            "not yet": at_most(HALF + s, total(x, abs(too_much))),
        },
        lines=(
            Step("no mass", equals(total(x, too_much), 0), Combined(using=("rows", "law"))),
            Step(
                "attained",
                equals(off, total(x, abs(too_much)) / 2),
                Cited(event_attains_half(), {"d": Lambda((x,), too_much)}),
            ),
            Step(
                "off",
                goal,
                Combined((part(Known("attained"), times=-1), part(Known("not yet"), times=HALF))),
            ),
        ),
        goals=(goal,),
    )
