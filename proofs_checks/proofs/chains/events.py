"""Union bounds, and chances as products of conditional chances (l. 631, 982–990, 1491–1498)."""

from __future__ import annotations

from proofs_checks.kernels.sums.building import Function, symbol
from proofs_checks.kernels.sums.expressions import constant, total
from proofs_checks.kernels.sums.indices import Index, numeral
from proofs_checks.kernels.sums.statements import (
    Combined,
    Induction,
    Known,
    Proof,
    Step,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.vocabulary import here, j

outcome, classifier = Index("outcome", "ω"), Index("classifier", "f")
chance, some, fits = Function("Pr"), Function("some"), Function("fits")
"""The chance of an outcome; whether some classifier fits by accident there, and whether f does"""


def union_bound(uncounted: int = 0) -> Proof:
    """Pr(some f in F fits) ≤ |F|·r, where each f in F fits with chance at most r."""
    count = total(classifier, constant(1)) - uncounted
    goal = at_most(total(outcome, chance(outcome) * some(outcome)), count * symbol("r"))
    return Proof(
        title="the union bound",
        hypotheses={
            "Pr ≥ 0": at_most(0, chance(outcome)),
            "some": at_most(some(outcome), total(classifier, fits(classifier, outcome))),
            "each": at_most(
                total(outcome, chance(outcome) * fits(classifier, outcome)), symbol("r")
            ),
        },
        lines=(
            Step(
                "all",
                goal,
                Combined(
                    (
                        part(Known("Pr ≥ 0"), Known("some"), over=(outcome,)),
                        part(Known("each"), over=(classifier,)),
                    )
                ),
            ),
        ),
        goals=(goal,),
    )


joint, given, product = Function("a"), Function("c"), Function("q")


def product_of_conditionals(*, with_first: bool = True) -> Proof:
    """Pr(E_1 … E_N) = Pr(E_1)·Pr(E_2 | E_1) ⋯ Pr(E_N | E_1 … E_{N−1}) (G35).

    a(j) is the chance that the first j + 1 happen, c(j) the conditional chance of the next.
    """
    goal = equals(product(j), joint(j))
    first = joint(numeral(0)) if with_first else constant(1)
    return Proof(
        title="conditional chances",
        hypotheses={
            "given": equals(given(j) * joint(j), joint(j + 1)),
            "q(0)": equals(product(numeral(0)), first),
            "q": equals(product(j + 1), given(j) * product(j)),
        },
        lines=(
            Induction(
                j,
                {"product": goal},
                start=(),
                onward=(
                    Step(
                        "next",
                        equals(product(here + 1), joint(here + 1)),
                        Combined(using=("q", "product", "given")),
                    ),
                ),
            ),
        ),
        goals=(goal,),
    )
