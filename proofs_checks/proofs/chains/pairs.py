"""A classifier that must be 1 on one sample and 0 on the next, of the same latent state, k times.

u(j, x) is the chance that it fits the first j pairs and the chain is in x at the last of their
samples (or t_mix before the first, for j = 0). The samples of the pair j are ℓ(j) and m(j) steps
more than t_mix after what comes before them; g(j, x) is the chance that f is 1 on an observation of
its latent state and x (l. 603–633, 704–760).
"""

from __future__ import annotations

from fractions import Fraction

from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.statements import (
    Cited,
    Combined,
    Induction,
    Known,
    Lambda,
    Proof,
    Square,
    Step,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.lemma1 import passes_nearly_as_often
from proofs_checks.proofs.chains.mixing import CHAIN, LAGS, after_the_mixing_time, powers
from proofs_checks.proofs.chains.vocabulary import LAW, QUARTER, here, instance, j, law, x, y, z

g, u, p, fit, power = (Function(name) for name in ("g", "u", "p", "fit", "q"))
to_one, to_zero = Index(TIME, "ℓ", of=(j,)), Index(TIME, "m", of=(j,))
_start = numeral(0)


def pairs_are_hard_to_fit(share: Fraction = Fraction(9, 16), extra: Fraction = QUARTER) -> Proof:
    """fit(j+1) ≤ (p + ¼)(1 − (p − ¼))·fit(j), so that fit(j) ≤ (9/16)^j (A21, A24, A25)."""
    one = total(x, powers(to_one, y, x) * g(j, x))
    bound = (p(j) + extra) * (1 + extra - p(j))
    goals = (
        at_most(fit(j + 1), bound * fit(j)),
        at_most(fit(j), power(j)),
    )

    def after(lag: Index) -> Cited:
        return Cited(
            passes_nearly_as_often(),
            {"K": Lambda((y, x), powers(lag, y, x)), "g": Lambda((x,), g(j, x))},
            {"rows": f"rows at {lag.name}", "mixed": f"mixed at {lag.name}"},
        )

    def at(lag: Index) -> tuple[Step, Step]:
        return (
            instance(
                f"rows at {lag.name}", equals(total(x, powers(lag, y, x)), 1), "rows", {j: lag}
            ),
            instance(
                f"mixed at {lag.name}",
                at_most(total(x, abs(powers(lag, y, x) - law(x))), Fraction(1, 2)),
                "mixed",
                {j: lag},
            ),
        )

    often = total(x, law(x) * g(j, x))
    lags = Cited(after_the_mixing_time())
    return Proof(
        title="pairs",
        hypotheses={
            **CHAIN,
            **LAW,
            "g ≥ 0": at_most(0, g(j, x)),
            "g ≤ 1": at_most(g(j, x), 1),
            "p": equals(p(j), often),
            "start ≥ 0": at_most(0, u(_start, x)),
            "start law": equals(total(x, u(_start, x)), 1),
            "Markov": equals(
                u(j + 1, x),
                total(
                    (y, z),
                    u(j, y)
                    * powers(to_one, y, z)
                    * g(j, z)
                    * powers(to_zero, z, x)
                    * (1 - g(j, x)),
                ),
            ),
            "fit": equals(fit(j), total(x, u(j, x))),
            "q(0)": equals(power(_start), 1),
            "q": equals(power(j + 1), power(j) * share),
        },
        lines=(
            Step("rows", LAGS["rows"], lags),
            Step("K ≥ 0", LAGS["K ≥ 0"], lags),
            Step("mixed", LAGS["mixed"], lags),
            *at(to_one),
            *at(to_zero),
            Step("1", at_most(one - often, QUARTER), after(to_one)),
            Step(
                "0",
                at_most(-(total(x, powers(to_zero, y, x) * g(j, x)) - often), QUARTER),
                after(to_zero),
            ),
            Induction(
                j,
                {"u ≥ 0": at_most(0, u(j, x))},
                start=(),
                onward=(
                    Step(
                        "u ≥ 0 after",
                        at_most(0, u(here + 1, x)),
                        Combined(
                            (
                                part(
                                    Known("u ≥ 0", {x: y}),
                                    Known("K ≥ 0", {j: Index(TIME, "ℓ", of=(here,)), x: z}),
                                    Known("g ≥ 0", {j: here, x: z}),
                                    Known("K ≥ 0", {j: Index(TIME, "m", of=(here,)), y: z}),
                                    Known("g ≤ 1", {j: here}),
                                    over=(y, z),
                                ),
                            ),
                            using=("Markov",),
                        ),
                    ),
                ),
            ),
            Step(
                "p ≤ 1",
                at_most(p(j), 1),
                Combined((part(Known("law ≥ 0"), Known("g ≤ 1"), over=(x,)),), using=("p", "law")),
            ),
            Step(
                "one more pair",
                goals[0],
                Combined(
                    (
                        part(
                            Known("u ≥ 0", {x: y}),
                            Known("K ≥ 0", {j: to_one, x: z}),
                            Known("g ≥ 0", {x: z}),
                            Known("0", {y: z}),
                            over=(y, z),
                        ),
                        part(Known("p ≤ 1"), Known("u ≥ 0", {x: y}), Known("1"), over=(y,)),
                        part(Known("u ≥ 0", {x: y}), Known("1"), over=(y,), times=extra),
                    ),
                    using=("fit", "Markov", "rows at m", "p"),
                ),
            ),
            Step(
                "fit ≥ 0",
                at_most(0, fit(j)),
                Combined((part(Known("u ≥ 0"), over=(x,)),), using=("fit",)),
            ),
            Induction(
                j,
                {"all pairs": goals[1]},
                start=(
                    Step(
                        "no pair",
                        at_most(fit(_start), power(_start)),
                        Combined(using=("fit", "start law", "q(0)")),
                    ),
                ),
                onward=(
                    Step(
                        "one more",
                        at_most(fit(here + 1), power(here + 1)),
                        Combined(
                            (
                                part(Known("one more pair", {j: here})),
                                part(Square(p(here) - Fraction(1, 2)), Known("fit ≥ 0", {j: here})),
                                part(Known("all pairs"), times=share),
                            ),
                            using=("q",),
                        ),
                    ),
                ),
            ),
        ),
        goals=goals,
    )
