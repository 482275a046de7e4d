"""Lemma 2 by a row (1, c) with (1, c)·A = λ·(1, c): a + c·b shrinks by λ with every sample.

A shorter way than the closed form of A^N: a ≤ a + c·b ≤ (1 + 2c)·λ^N. It serves the sharper matrix
as well, which holds in such combinations only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol, sqrt

from proofs_checks.kernels.sums.building import exponential, symbol
from proofs_checks.kernels.sums.statements import (
    Cases,
    Cited,
    Combined,
    Enclosed,
    Induction,
    Known,
    Power,
    Proof,
    Step,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.next_sample import one_more_sample, one_more_sample_sharper
from proofs_checks.proofs.chains.samples import (
    SPREAD,
    a,
    b,
    start,
)
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    QUARTER,
    c,
    here,
    j,
    miss,
)

if TYPE_CHECKING:
    from sympy import Expr

    from proofs_checks.kernels.sums.statements import Line, Statement

from proofs_checks.proofs.chains.closing import (
    GIVEN,
    MATRIX,
    bound_at,
    many_miss,
    sample_by_sample,
    with_the_stated_miss,
)

_x: Final = Symbol("ε")

shrink = symbol("λ")
"""The eigenvalue"""


def _on_small(name: str, statement: Statement, rising_to: Fraction | None = None) -> Step:
    return Step(name, statement, Enclosed("ε", "ε ≥ 0", "case", rising_to))


def _few_miss(
    factor: Fraction, rate: Fraction, corner: Fraction, after: tuple[Step, ...]
) -> tuple[Line, ...]:
    """a(j+1) ≤ factor·exp(−rate·ε·(j+1)) by the eigenvector, for small ε."""
    potential = a(j) + c * b(j)
    return (
        _on_small("c ≥ 0", at_most(0, c)),
        *after,
        _on_small("first column", equals(1 - miss + c * miss / 2, shrink)),
        _on_small("second column", equals(HALF + c * corner, c * shrink)),
        _on_small("constant", at_most(1 + c * 2, factor)),
        _on_small("rate", at_most(shrink, exponential(miss * -rate)), rising_to=Fraction(1, 10)),
        Step(
            "a + cb ≥ 0",
            at_most(0, potential),
            Combined((part(Known("a ≥ 0")), part(Known("c ≥ 0"), Known("b ≥ 0")))),
        ),
        Induction(
            j,
            {"shrinks": at_most(potential, bound_at(factor, rate, j))},
            start=(
                Step(
                    "shrinks first",
                    at_most(a(start) + c * b(start), factor),
                    Combined(
                        (part(Known("c ≥ 0"), Known("b(0)")), part(Known("constant"))),
                        using=("a(0)",),
                    ),
                ),
            ),
            onward=(
                Step(
                    "shrinks next",
                    at_most(a(here + 1) + c * b(here + 1), bound_at(factor, rate, here + 1)),
                    Combined(
                        (
                            part(Known("combined", {j: here})),
                            part(Known("first column"), times=a(here)),
                            part(Known("second column"), times=b(here)),
                            part(Known("rate"), Known("a + cb ≥ 0", {j: here})),
                            part(Power(miss * -rate), Known("shrinks")),
                        )
                    ),
                ),
            ),
        ),
        Step(
            "few miss",
            at_most(a(j + 1), bound_at(factor, rate, j + 1)),
            Combined(
                (
                    part(Known("shrinks", {j: j + 1})),
                    part(Known("c ≥ 0"), Known("b ≥ 0", {j: j + 1})),
                )
            ),
        ),
    )


def _lemma(
    title: str,
    factor: Fraction,
    rate: Fraction,
    split: Fraction,
    corner: Fraction,
    length: Expr,
    weight: Expr,
    combining: tuple[Step, ...],
) -> Proof:
    last, goal = with_the_stated_miss(factor, rate)
    return Proof(
        title=title,
        hypotheses=GIVEN,
        definitions=SPREAD,
        meanings={"λ": length, "c": weight},
        lines=(
            *sample_by_sample(),
            Cases(
                "all pass",
                at_most(a(j + 1), bound_at(factor, rate, j + 1)),
                miss,
                split,
                below=_few_miss(factor, rate, corner, combining),
                above=many_miss(factor, rate),
            ),
            *last,
        ),
        goals=(goal,),
    )


def all_pass(
    factor: Fraction = Fraction(8),
    rate: Fraction = Fraction(1, 3),
    split: Fraction = Fraction(11, 25),
) -> Proof:
    """Pr(all of N samples pass) ≤ 8·exp(−εN/3) for N ≥ 1 (Lemma 2, G01)."""
    length = (Rational(3, 2) - _x + sqrt(_x**2 + Rational(1, 4))) / 2
    combined = at_most(
        a(j + 1) + c * b(j + 1), (1 - miss + c * miss / 2) * a(j) + (HALF + c * HALF) * b(j)
    )
    cited = Cited(one_more_sample())
    return _lemma(
        "Lemma 2", factor, rate, split, HALF, length, 1 / (2 * length - 1),
        (
            Step("a after", MATRIX["a after"], cited),
            Step("b after", MATRIX["b after"], cited),
            Step(
                "combined",
                combined,
                Combined((part(Known("a after")), part(Known("c ≥ 0"), Known("b after")))),
            ),
        ),
    )  # fmt: skip


def all_pass_sharper(
    factor: Fraction = Fraction(3),
    rate: Fraction = Fraction(4, 7),
    split: Fraction = Fraction(249, 500),
) -> Proof:
    """Pr(all of N samples pass) ≤ 3·exp(−4εN/7) for N ≥ 1 (S.G01)."""
    length = (Rational(5, 4) - _x + sqrt((_x - Rational(1, 4)) ** 2 + Rational(1, 2))) / 2
    combined = at_most(
        a(j + 1) + c * b(j + 1), (1 - miss + c * miss / 2) * a(j) + (HALF + c * QUARTER) * b(j)
    )
    return _lemma(
        "Lemma 2, sharper", factor, rate, split, QUARTER, length, 2 / (4 * length - 1),
        (
            _on_small("c ≤ 2", at_most(c, 2)),
            Step("combined", combined, Cited(one_more_sample_sharper())),
        ),
    )  # fmt: skip
