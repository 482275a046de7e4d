"""Checks, before the lines of a proof, that it contains only exact types and normal forms."""

from __future__ import annotations

from typing import Final, get_args

from sympy import Expr

from proofs_checks.kernels import algebra
from proofs_checks.kernels.exactness import require_exact
from proofs_checks.kernels.sums.building import require_normal
from proofs_checks.kernels.sums.expressions import Atom, Expression, Term
from proofs_checks.kernels.sums.indices import Bound, Index
from proofs_checks.kernels.sums.statements import (
    Gap,
    Lambda,
    Line,
    Part,
    Proof,
    Reason,
    Statement,
)

_EXPRESSION: Final = frozenset({Expression, Term, Index, Bound, *get_args(Atom)})
_PROOF: Final = frozenset(
    {Proof, Statement, Part, Lambda, Index, *get_args(Line), *get_args(Reason), *get_args(Gap)}
)


def require_well_made(proof: Proof) -> None:
    """Raise `NotEarned` unless a proof consists of exact types, normal forms and formulas.

    Bound indices occur in expressions only.
    """
    for part in require_exact(proof, _PROOF, algebra.CLASSES | {Expression}):
        if isinstance(part, Expression):
            require_exact(part, _EXPRESSION)
            require_normal(part)
        elif isinstance(part, Expr):
            algebra.formula(part)
