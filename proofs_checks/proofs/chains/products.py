"""Laws of independent parts: their distances add (l. 1537, 1634–1641)."""

from __future__ import annotations

from fractions import Fraction

from proofs_checks.kernels.sums.building import Function, number, symbol
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Combined,
    Induction,
    Known,
    Proof,
    Step,
    Triangle,
    Unsigned,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.vocabulary import here, j, x

A, B, C, D = (Function(name) for name in ("A", "B", "C", "D"))
o = Index("observation", "o")


def distances_add(share: int = 1) -> Proof:
    """‖A⊗C − B⊗D‖₁ ≤ ‖A − B‖₁ + ‖C − D‖₁ for laws of two independent parts (H01)."""
    goal = at_most(
        total((x, o), abs(A(x) * C(o) - B(x) * D(o))),
        total(x, abs(A(x) - B(x))) * share + total(o, abs(C(o) - D(o))),
    )
    return Proof(
        title="two parts",
        hypotheses={
            "C ≥ 0": at_most(0, C(o)),
            "C law": equals(total(o, C(o)), 1),
            "B ≥ 0": at_most(0, B(x)),
            "B law": equals(total(x, B(x)), 1),
        },
        lines=(
            Step(
                "sum",
                goal,
                Combined(
                    (
                        part(
                            Triangle((), ((A(x) - B(x)) * C(o), B(x) * (C(o) - D(o)))),
                            over=(x, o),
                        ),
                        part(Unsigned("C ≥ 0"), Absolute(A(x) - B(x)), over=(x, o)),
                        part(Unsigned("B ≥ 0"), Absolute(C(o) - D(o)), over=(x, o)),
                    ),
                    using=("C law", "B law"),
                ),
            ),
        ),
        goals=(goal,),
    )


def copies_mix(most: Fraction = Fraction(1, 2)) -> Proof:
    """n copies are within n·d of their law in norm, and so within ½ if n·d ≤ ½ (H10).

    D(j) is the distance of j copies; one more adds at most that of one, d (`distances_add`).
    """
    d, of, n = symbol("d"), Function("D"), Index(TIME, "n", fixed=True)
    goal = at_most(of(n), most)
    return Proof(
        title="copies",
        hypotheses={
            "none": equals(of(numeral(0)), 0),
            "one more": at_most(of(j + 1), of(j) + d),
            "n·d ≤ ½": at_most(number(n) * d, Fraction(1, 2)),
        },
        lines=(
            Induction(
                j,
                {"near": at_most(of(j), number(j) * d)},
                start=(Step("first", at_most(of(numeral(0)), 0), Combined(using=("none",))),),
                onward=(
                    Step(
                        "next",
                        at_most(of(here + 1), number(here + 1) * d),
                        Combined((part(Known("one more", {j: here})), part(Known("near")))),
                    ),
                ),
            ),
            Step("mixed", goal, Combined((part(Known("near", {j: n})), part(Known("n·d ≤ ½"))))),
        ),
        goals=(goal,),
    )
