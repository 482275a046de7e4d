"""Lemma 2, its end: what is given, large ε', and from ε' to ε (l. 1301–1416, 1491–1525)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.building import Function, exponential, number, symbol
from proofs_checks.kernels.sums.statements import (
    Cited,
    Combined,
    Counted,
    Enclosed,
    Growing,
    Induction,
    Known,
    Power,
    Proof,
    Step,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.mixing import CHAIN, LAGS, after_the_mixing_time
from proofs_checks.proofs.chains.samples import (
    MARKOV,
    MASS,
    START,
    a,
    b,
    before_the_first_sample,
    each_after_the_first,
    measures_are_chances,
    start,
)
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    LAW,
    MISS,
    PASS,
    here,
    j,
    miss,
    x,
)

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.expressions import Expression
    from proofs_checks.kernels.sums.indices import Index
    from proofs_checks.kernels.sums.statements import Line, Statement

MATRIX: Final = {
    "a after": at_most(a(j + 1), (1 - miss) * a(j) + b(j) / 2),
    "b after": at_most(b(j + 1), miss * a(j) / 2 + b(j) / 2),
}
_EACH: Final = at_most(a(j + 2), (Fraction(5, 4) - miss) * a(j + 1))
_RANGE: Final = {"ε ≥ 0": at_most(0, miss), "ε ≤ 1": at_most(miss, 1)}


def powers_of_the_matrix(corner: Fraction = HALF) -> Proof:
    """(a(j), b(j)) ≤ A^j·(a(0), b(0)), entry by entry (G19)."""
    u, v = Function("u"), Function("v")
    claims = {"a": at_most(a(j), u(j)), "b": at_most(b(j), v(j))}
    return Proof(
        title="A^j",
        hypotheses={
            **MATRIX,
            **_RANGE,
            "u(0)": equals(u(start), a(start)),
            "v(0)": equals(v(start), b(start)),
            "u after": equals(u(j + 1), (1 - miss) * u(j) + v(j) / 2),
            "v after": equals(v(j + 1), miss * u(j) / 2 + v(j) * corner),
        },
        lines=(
            Induction(
                j,
                claims,
                start=(
                    Step("a first", at_most(a(start), u(start)), Combined(using=("u(0)",))),
                    Step("b first", at_most(b(start), v(start)), Combined(using=("v(0)",))),
                ),
                onward=(
                    Step(
                        "a next",
                        at_most(a(here + 1), u(here + 1)),
                        Combined(
                            (
                                part(Known("a after", {j: here})),
                                part(Known("ε ≤ 1"), Known("a")),
                                part(Known("b"), times=HALF),
                            ),
                            using=("u after",),
                        ),
                    ),
                    Step(
                        "b next",
                        at_most(b(here + 1), v(here + 1)),
                        Combined(
                            (
                                part(Known("b after", {j: here})),
                                part(Known("ε ≥ 0"), Known("a"), times=HALF),
                                part(Known("b"), times=corner),
                            ),
                            using=("v after",),
                        ),
                    ),
                ),
            ),
        ),
        goals=tuple(claims.values()),
    )


def bound_at(factor: Fraction, rate: Fraction, at: Index) -> Expression:
    """factor·exp(−rate·ε'·at)."""
    return exponential(number(at) * miss * -rate) * factor


def many_miss(factor: Fraction, rate: Fraction) -> tuple[Line, ...]:
    """The same by 5/4 − ε for each sample after the first, for large ε."""
    return (
        Step(
            "each rate",
            at_most(Fraction(5, 4) - miss, exponential(miss * -rate)),
            Enclosed("ε", "case", "ε ≤ 1"),
        ),
        Step(
            "one is free",
            at_most(1, exponential(miss * -rate) * factor),
            Enclosed("ε", "case", "ε ≤ 1"),
        ),
        Induction(
            j,
            {"many miss": at_most(a(j + 1), bound_at(factor, rate, j + 1))},
            start=(
                Step(
                    "one sample",
                    at_most(a(start + 1), bound_at(factor, rate, start + 1)),
                    Combined((part(Known("a ≤ 1", {j: start + 1})), part(Known("one is free")))),
                ),
            ),
            onward=(
                Step(
                    "one more",
                    at_most(a(here + 2), bound_at(factor, rate, here + 2)),
                    Combined(
                        (
                            part(Known("each", {j: here})),
                            part(Known("each rate"), Known("a ≥ 0", {j: here + 1})),
                            part(Power(miss * -rate), Known("many miss")),
                        )
                    ),
                ),
            ),
        ),
    )


wanted = symbol("η")
"""The ε of the Lemma, which is at most Pr(f = 0) under the stationary law"""
GIVEN: Final = {
    **CHAIN,
    **LAW,
    **PASS,
    **MISS,
    **START,
    **MARKOV,
    **MASS,
    "η ≤ ε": at_most(wanted, miss),
}
"""What the Lemma is given"""


def sample_by_sample() -> tuple[Line, ...]:
    """What one more sample does, and what holds before the first; b is defined on the way."""
    lags = Cited(after_the_mixing_time())
    chances, first = Cited(measures_are_chances()), Cited(before_the_first_sample())
    return (
        *(Step(name, statement, lags) for name, statement in LAGS.items()),
        Step("a ≥ 0", at_most(0, a(j)), chances),
        Step("a ≤ 1", at_most(a(j), 1), chances),
        Step("a(0)", equals(a(start), 1), first),
        Step("b(0)", at_most(b(start), 2), first),
        Step("b ≥ 0", at_most(0, b(j)), first),
        Step("each", _EACH, Cited(each_after_the_first())),
        Step(
            "ε ≥ 0",
            at_most(0, miss),
            Combined((part(Known("law ≥ 0"), Known("g ≤ 1"), over=(x,)),), using=("law", "miss")),
        ),
        Step(
            "ε ≤ 1",
            at_most(miss, 1),
            Combined((part(Known("law ≥ 0"), Known("g ≥ 0"), over=(x,)),), using=("miss",)),
        ),
    )


def with_the_stated_miss(factor: Fraction, rate: Fraction) -> tuple[tuple[Step, ...], Statement]:
    """From ε', which is known of no chain, to the ε of the Lemma; and what is then shown."""
    goal = at_most(a(j + 1), exponential(number(j + 1) * wanted * -rate) * factor)
    steps = (
        Step(
            "exponent",
            at_most(number(j + 1) * miss * -rate, number(j + 1) * wanted * -rate),
            Combined((part(Counted(j + 1), Known("η ≤ ε"), times=rate),)),
        ),
        Step(
            "with η",
            goal,
            Combined((part(Known("all pass")), part(Growing("exponent"), times=factor))),
        ),
    )
    return steps, goal
