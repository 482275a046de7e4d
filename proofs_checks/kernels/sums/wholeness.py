"""What a proof is made of, checked before its lines are: exact types and normal forms."""

from __future__ import annotations

from typing import Final

from sympy import Expr

from proofs_checks.kernels import algebra
from proofs_checks.kernels.exactness import require_exact
from proofs_checks.kernels.sums.building import require_normal
from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Number,
    Size,
    Term,
    Value,
)
from proofs_checks.kernels.sums.indices import Bound, Index
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Between,
    Cases,
    Cited,
    Combined,
    Counted,
    Enclosed,
    Excess,
    Growing,
    Induction,
    Known,
    Lambda,
    Others,
    Part,
    Power,
    Proof,
    Square,
    Statement,
    Step,
    Triangle,
    Unsigned,
)

_EXPRESSION: Final = frozenset({Exponential, Expression, Index, Number, Size, Term, Value})
_PROOF: Final = frozenset(
    {Index, Known, Excess, Absolute, Square, Counted, Power, Triangle, Unsigned, Others, Growing}
    | {Part, Combined, Between, Enclosed, Cited, Lambda}
    | {Cases, Induction, Proof, Statement, Step}
)


def require_well_made(proof: Proof) -> None:
    """Raise `NotEarned` unless a proof is made of exact types, normal forms and formulas.

    Bound indices occur in expressions only.
    """
    for part in require_exact(proof, _PROOF, algebra.CLASSES | {Expression}):
        if isinstance(part, Expression):
            require_exact(part, _EXPRESSION | {Bound})
            require_normal(part)
        elif isinstance(part, Expr):
            algebra.formula(part)
