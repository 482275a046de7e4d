"""Helpers that build statements and proofs about sums and assert acceptance or refusal."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from sympy import Expr

from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import Expression, constant
from proofs_checks.kernels.sums.indices import Index
from proofs_checks.kernels.sums.replaying import replay
from proofs_checks.kernels.sums.statements import Combined, Gap, Line, Part, Proof, Statement, Step
from steel_verified.errors import InvalidArgument


def symbol(name: str) -> Expression:
    """A real number by its name."""
    return Function(name)()


def at_most(left: Expression | Fraction | int, right: Expression | Fraction | int) -> Statement:
    """left ≤ right."""
    return Statement(constant(0) + left, "≤", constant(0) + right)


def equals(left: Expression | Fraction | int, right: Expression | Fraction | int) -> Statement:
    """left = right."""
    return Statement(constant(0) + left, "=", constant(0) + right)


def part(*gaps: Gap, over: tuple[Index, ...] = (), times: Expression | Fraction | int = 1) -> Part:
    """A product of gaps, summed over some indices, times a number."""
    return Part(gaps, over, constant(0) + times)


def attack(
    given: Mapping[str, Statement],
    *lines: Line,
    goal: Statement | None = None,
    meanings: Mapping[str, Expr] | None = None,
) -> Proof:
    """A proof that would show something false: 1 ≤ 0, unless another goal is given."""
    return proof(given, *lines, goal=at_most(1, 0) if goal is None else goal, meanings=meanings)


def proof(
    given: Mapping[str, Statement],
    *lines: Line,
    goal: Statement | None = None,
    definitions: Mapping[str, Statement] | None = None,
    meanings: Mapping[str, Expr] | None = None,
) -> Proof:
    """A proof whose goal is its last line, unless another is given."""
    if goal is None:
        assert isinstance(lines[-1], Step)
        goal = lines[-1].statement
    return Proof(
        title="a proof",
        hypotheses=given,
        definitions=definitions or {},
        meanings=meanings or {},
        lines=lines,
        goals=(goal,),
    )


def combined(name: str, statement: Statement, *parts: Part, using: tuple[str, ...] = ()) -> Step:
    """A step that adds up parts."""
    return Step(name, statement, Combined(parts, using))


def accepted(right: Proof) -> None:
    """Assert that the proof is accepted, as proved."""
    assert replay(right).strength is Strength.PROVED


def refused(wrong: Proof, why: str) -> None:
    """Assert that the proof is refused for this reason."""
    with pytest.raises((NotEarned, InvalidArgument), match=why):
        replay(wrong)
