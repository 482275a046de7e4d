"""Makes proofs with a missing part or a slightly stronger claim, which a replay must refuse."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.statements import Cases, Induction, Step

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Line, Proof, Statement

_NUDGE: Final = Fraction(1, 100)


def without(proof: Proof, hypothesis: str) -> Proof:
    """The proof without this hypothesis; raise `ValueError` if it has none of this name."""
    if hypothesis not in proof.hypotheses:
        raise ValueError(f"{proof.title} has no hypothesis {hypothesis}")
    given = {name: each for name, each in proof.hypotheses.items() if name != hypothesis}
    return replace(proof, hypotheses=given)


def without_line(proof: Proof, place: int) -> Proof:
    """The proof without one of its lines."""
    if place not in range(len(proof.lines)):
        raise ValueError(f"{proof.title} has no line {place}")
    return replace(proof, lines=proof.lines[:place] + proof.lines[place + 1 :])


def nudged(proof: Proof, place: int) -> Proof:
    """The proof with one of its lines claiming 1/100 more than it shows."""
    lines = list(proof.lines)
    lines[place] = _nudged(lines[place])
    return replace(proof, lines=tuple(lines))


def _nudged(line: Line) -> Line:
    match line:
        case Step() | Cases():
            return replace(line, statement=_tightened(line.statement))
        case Induction():
            claims = {name: _tightened(claim) for name, claim in line.claims.items()}
            return replace(line, claims=claims)


def _tightened(statement: Statement) -> Statement:
    return replace(statement, left=statement.left + _NUDGE)
