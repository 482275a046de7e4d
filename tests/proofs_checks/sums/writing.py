"""Short ways to write numbers, statements, and parts of a sum of what is at least 0."""

from fractions import Fraction

from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import Expression, constant
from proofs_checks.kernels.sums.indices import Index
from proofs_checks.kernels.sums.statements import Gap, Part, Statement


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
