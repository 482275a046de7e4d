"""Lemma 2 by the paper's own route: the closed form of A^N, and 4|λ₊|^N + 4|λ₋|^N (l. 1415–1490).

s = √(ε'² + ¼); X(j), Y(j) are the entries of A^j·(1, b_0), and p(j), q(j) are λ₊ and λ₋ to the j.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol, sqrt

from proofs_checks.kernels.sums.building import Function, exponential, symbol
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
from proofs_checks.proofs.chains.closing import (
    GIVEN,
    MATRIX,
    bound_at,
    many_miss,
    sample_by_sample,
    with_the_stated_miss,
)
from proofs_checks.proofs.chains.next_sample import one_more_sample
from proofs_checks.proofs.chains.samples import SPREAD, a, b, start
from proofs_checks.proofs.chains.vocabulary import HALF, QUARTER, here, j, miss

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Line, Statement

s, inverse = symbol("s"), symbol("s_inverse")
larger, smaller = (Fraction(3, 2) - miss + s) / 2, (Fraction(3, 2) - miss - s) / 2
"""λ₊ and λ₋"""
X, Y, p, q = (Function(name) for name in ("X", "Y", "p", "q"))
first = b(start)
"""b_0"""
alpha, beta = 1 - miss - smaller + first / 2, 1 - miss - larger + first / 2
"""The brackets of l. 1430–1439, with ε'/2 as in G22"""

_DEFINITIONS: Final = {
    **SPREAD,
    "p(0)": equals(p(start), 1),
    "p": equals(p(j + 1), larger * p(j)),
    "q(0)": equals(q(start), 1),
    "q": equals(q(j + 1), smaller * q(j)),
    "X": equals(X(j), inverse * (p(j) * alpha - q(j) * beta)),
    "Y": equals(
        Y(j),
        inverse
        * (
            p(j) * (miss / 2 + (HALF - smaller) * first)
            - q(j) * (miss / 2 + (HALF - larger) * first)
        ),
    ),
}
_ROOT: Final = ("s²", "s·1/s")


def _on(name: str, statement: Statement) -> Step:
    return Step(name, statement, Enclosed("ε", "ε ≥ 0", "ε ≤ 1"))


def _power_of_the_matrix() -> tuple[Line, ...]:
    """(a(j), b(j)) ≤ (X(j), Y(j)) = A^j·(1, b_0) (G19, G21)."""
    cited = Cited(one_more_sample())
    using = ("X", "Y", "p", "q", *_ROOT)
    return (
        Step("a after", MATRIX["a after"], cited),
        Step("b after", MATRIX["b after"], cited),
        _on("s²", equals(s * s, miss * miss + QUARTER)),
        _on("s·1/s", equals(s * inverse, 1)),
        Step(
            "X after",
            equals(X(j + 1), (1 - miss) * X(j) + Y(j) / 2),
            Combined(using=using),
        ),
        Step("Y after", equals(Y(j + 1), miss * X(j) / 2 + Y(j) / 2), Combined(using=using)),
        Induction(
            j,
            {"a ≤ X": at_most(a(j), X(j)), "b ≤ Y": at_most(b(j), Y(j))},
            start=(
                Step(
                    "X(0)",
                    at_most(a(start), X(start)),
                    Combined(using=("a(0)", "X", "p(0)", "q(0)", "s·1/s")),
                ),
                Step(
                    "Y(0)",
                    at_most(b(start), Y(start)),
                    Combined(using=("Y", "p(0)", "q(0)", "s·1/s")),
                ),
            ),
            onward=(
                Step(
                    "a next",
                    at_most(a(here + 1), X(here + 1)),
                    Combined(
                        (
                            part(Known("a after", {j: here})),
                            part(Known("ε ≤ 1"), Known("a ≤ X")),
                            part(Known("b ≤ Y"), times=HALF),
                            part(Known("X after", {j: here}), times=-1),
                        )
                    ),
                ),
                Step(
                    "b next",
                    at_most(b(here + 1), Y(here + 1)),
                    Combined(
                        (
                            part(Known("b after", {j: here})),
                            part(Known("ε ≥ 0"), Known("a ≤ X"), times=HALF),
                            part(Known("b ≤ Y"), times=HALF),
                            part(Known("Y after", {j: here}), times=-1),
                        )
                    ),
                ),
            ),
        ),
    )


def _brackets(most: Fraction) -> tuple[Line, ...]:
    """α/s and |β|/s are at most 4, for every b_0 in [0, 2] (G25–G28)."""
    without = QUARTER - miss / 2
    return (
        _on("1/s ≥ 0", at_most(0, inverse)),
        _on("α at 2", at_most(inverse * (without + s / 2 + 1), most)),
        _on("β at 2", at_most(inverse * (without - s / 2 + 1), most)),
        _on("β at 0", at_most(inverse * (without - s / 2) * -1, most)),
        Step(
            "α/s",
            at_most(inverse * alpha, most),
            Combined((part(Known("α at 2")), part(Known("1/s ≥ 0"), Known("b(0)"), times=HALF))),
        ),
        Step(
            "β/s",
            at_most(inverse * beta, most),
            Combined((part(Known("β at 2")), part(Known("1/s ≥ 0"), Known("b(0)"), times=HALF))),
        ),
        Step(
            "−β/s",
            at_most(inverse * beta * -1, most),
            Combined(
                (
                    part(Known("β at 0")),
                    part(Known("1/s ≥ 0"), Known("b ≥ 0", {j: start}), times=HALF),
                )
            ),
        ),
    )


def _two_powers() -> tuple[Line, ...]:
    """−p(j) ≤ q(j) ≤ p(j), as λ₊ − λ₋ = s ≥ 0 and λ₊ + λ₋ = 3/2 − ε' ≥ 0 (G29)."""

    def step(name: str, sign: int) -> Step:
        one, other = ("q ≤ p", "−q ≤ p") if sign == 1 else ("−q ≤ p", "q ≤ p")
        return Step(
            name,
            at_most(q(here + 1) * sign, p(here + 1)),
            Combined(
                (
                    part(Known("λ₊ + λ₋"), Known(one), times=HALF),
                    part(Known("λ₊ − λ₋"), Known(other), times=HALF),
                ),
                using=("p", "q"),
            ),
        )

    return (
        _on("λ₊ − λ₋", at_most(0, larger - smaller)),
        _on("λ₊ + λ₋", at_most(0, larger + smaller)),
        Induction(
            j,
            {"q ≤ p": at_most(q(j), p(j)), "−q ≤ p": at_most(q(j) * -1, p(j))},
            start=(
                Step("first", at_most(q(start), p(start)), Combined(using=("p(0)", "q(0)"))),
                Step(
                    "first of −q",
                    at_most(q(start) * -1, p(start)),
                    Combined((part(times=2),), using=("p(0)", "q(0)")),
                ),
            ),
            onward=(step("next", 1), step("next of −q", -1)),
        ),
    )


def _few_miss(factor: Fraction, rate: Fraction) -> tuple[Line, ...]:
    """a(j+1) ≤ factor·p(j+1) ≤ factor·exp(−rate·ε·(j+1)), for small ε (G30–G34)."""
    half = factor / 2
    return (
        *_brackets(half),
        *_two_powers(),
        Step(
            "p ≥ 0",
            at_most(0, p(j)),
            Combined((part(Known("q ≤ p"), times=HALF), part(Known("−q ≤ p"), times=HALF))),
        ),
        Step(
            "8p",
            at_most(X(j), p(j) * factor),
            Combined(
                (
                    part(Known("α/s"), Known("p ≥ 0")),
                    part(Known("−β/s"), Known("−q ≤ p"), times=HALF),
                    part(Known("β/s"), Known("q ≤ p"), times=HALF),
                ),
                using=("X",),
            ),
        ),
        Step(
            "rate",
            at_most(larger, exponential(miss * -rate)),
            Enclosed("ε", "ε ≥ 0", "case", rising_to=Fraction(1, 10)),
        ),
        Induction(
            j,
            {"powers": at_most(p(j), bound_at(Fraction(1), rate, j))},
            start=(Step("p(0) ≤ 1", at_most(p(start), 1), Combined(using=("p(0)",))),),
            onward=(
                Step(
                    "next power",
                    at_most(p(here + 1), bound_at(Fraction(1), rate, here + 1)),
                    Combined(
                        (
                            part(Known("rate"), Known("p ≥ 0", {j: here})),
                            part(Power(miss * -rate), Known("powers")),
                        ),
                        using=("p",),
                    ),
                ),
            ),
        ),
        Step(
            "few miss",
            at_most(a(j + 1), bound_at(factor, rate, j + 1)),
            Combined(
                (
                    part(Known("a ≤ X", {j: j + 1})),
                    part(Known("8p", {j: j + 1})),
                    part(Known("powers", {j: j + 1}), times=factor),
                )
            ),
        ),
    )


def all_pass_as_printed(
    factor: Fraction = Fraction(8),
    rate: Fraction = Fraction(1, 3),
    split: Fraction = Fraction(11, 25),
) -> Proof:
    """Pr(all of N samples pass) ≤ 8·exp(−εN/3), step by step as in the paper (G01.assembled)."""
    root = sqrt(Symbol("ε") ** 2 + Rational(1, 4))
    last, goal = with_the_stated_miss(factor, rate)
    return Proof(
        title="Lemma 2, as printed",
        hypotheses=GIVEN,
        definitions=_DEFINITIONS,
        meanings={"s": root, "s_inverse": 1 / root},
        lines=(
            *sample_by_sample(),
            *_power_of_the_matrix(),
            Cases(
                "all pass",
                at_most(a(j + 1), bound_at(factor, rate, j + 1)),
                miss,
                split,
                below=_few_miss(factor, rate),
                above=many_miss(factor, rate),
            ),
            *last,
        ),
        goals=(goal,),
    )
