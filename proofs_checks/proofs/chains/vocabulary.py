"""The names that all derivations share, and what is given about chains, laws and classifiers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.building import Function, symbol
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.indices import TIME, Index
from proofs_checks.kernels.sums.statements import Combined, Known, Step, at_most, equals, part

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.expressions import Expression
    from proofs_checks.kernels.sums.statements import At, Statement

x, y, z = (Index("state", name) for name in ("x", "y", "z"))
"""Exogenous states"""
j: Final = Index(TIME, "j")
here: Final = Index(TIME, "j", fixed=True)
"""The j of an induction, while it is fixed"""

P, K, law, g = (Function(name) for name in ("P", "K", "π", "g"))
"""One step of the chain, some steps of it, its stationary law, the chance that f is 1 in a state"""
miss: Final = symbol("ε")
"""Pr(f = 0) under the stationary law"""

c: Final = symbol("c")
"""The weight of b beside a"""

FINITE: Final = (
    "t_mix ≥ 1, and finitely many exogenous states; for others the same steps hold for measures of "
    "finite total variation, whose sums and integrals may be exchanged"
)
"""What the derivations assume beside their hypotheses"""

HALF: Final = Fraction(1, 2)
QUARTER: Final = Fraction(1, 4)


def distance(row: Expression) -> Expression:
    """‖row(x) − π‖₁, which is twice the total variation."""
    return total(x, abs(row - law(x)))


LAW: Final = {
    "law": equals(total(x, law(x)), 1),
    "law ≥ 0": at_most(0, law(x)),
}
PASS: Final = {
    "g ≥ 0": at_most(0, g(x)),
    "g ≤ 1": at_most(g(x), 1),
}
MISS: Final = {"miss": equals(total(x, law(x) * g(x)), 1 - miss)}
ROWS: Final = {"rows": equals(total(x, K(y, x)), 1)}
STAYS: Final = {"stays": equals(total(y, law(y) * K(y, x)), law(x))}
MIXED: Final = {"mixed": at_most(distance(K(y, x)), HALF)}


def instance(name: str, statement: Statement, of: str, at: At) -> Step:
    """A fact at other indices."""
    return Step(name, statement, Combined((part(Known(of, at)),)))
