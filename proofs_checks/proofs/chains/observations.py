"""Observations beside states: the pairs mix as the states do (l. 972, 1102)."""

from __future__ import annotations

from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.indices import Index, numeral
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Combined,
    Induction,
    Proof,
    Step,
    Unsigned,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.vocabulary import P, here, j, law, x, y, z

o, other = Index("observation", "o"), Index("observation", "o'")
Q, T, R = (Function(name) for name in ("Q", "T", "R"))
"""How likely x shows o; j + 1 steps of the chain; the same of the pairs (x, o)"""


def pairs_mix_as_states_do(share: int = 1) -> Proof:
    """(e_t, x_t) is as far from its law, after any number of steps, as e_t (E03).

    From (y, o') a pair moves as from y, whatever o' is.
    """
    claim = equals(R(j, y, x, o), T(j, y, x) * Q(x, o))
    goal = equals(
        total((x, o), abs(R(j, y, x, o) - law(x) * Q(x, o))),
        total(x, abs(T(j, y, x) - law(x))) * share,
    )
    return Proof(
        title="pairs of states and observations",
        hypotheses={
            "Q ≥ 0": at_most(0, Q(x, o)),
            "Q law": equals(total(o, Q(x, o)), 1),
            "one step": equals(T(numeral(0), y, x), P(y, x)),
            "and one more": equals(T(j + 1, y, x), total(z, P(y, z) * T(j, z, x))),
            "one step of pairs": equals(R(numeral(0), y, x, o), P(y, x) * Q(x, o)),
            "and one more of pairs": equals(
                R(j + 1, y, x, o), total((z, other), P(y, z) * Q(z, other) * R(j, z, x, o))
            ),
        },
        lines=(
            Induction(
                j,
                {"product": claim},
                start=(
                    Step(
                        "at first",
                        equals(R(numeral(0), y, x, o), T(numeral(0), y, x) * Q(x, o)),
                        Combined(using=("one step", "one step of pairs")),
                    ),
                ),
                onward=(
                    Step(
                        "next",
                        equals(R(here + 1, y, x, o), T(here + 1, y, x) * Q(x, o)),
                        Combined(
                            using=("and one more", "and one more of pairs", "product", "Q law")
                        ),
                    ),
                ),
            ),
            Step(
                "as far",
                goal,
                Combined(
                    (
                        part(
                            Unsigned("Q ≥ 0"),
                            Absolute(T(j, y, x) - law(x)),
                            over=(x, o),
                        ),
                    ),
                    using=("product", "Q law"),
                ),
            ),
        ),
        goals=(goal,),
    )
