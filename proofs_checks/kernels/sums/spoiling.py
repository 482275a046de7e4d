"""Proofs with something missing, or claiming a little more than they show: to be refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from proofs_checks.kernels.sums.checking import replayed
from proofs_checks.kernels.sums.steps import Cases, Induction, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.kernels.sums.steps import Line, Proof, Statement


def shown_without(hypothesis: str, proof: Callable[[], Proof]) -> Evidence:
    """Replay the proof without one of its hypotheses."""
    return replayed(lacking(proof(), hypothesis))


def shown_without_line(place: int, proof: Callable[[], Proof]) -> Evidence:
    """Replay the proof without one of its lines."""
    whole = proof()
    return replayed(replace(whole, lines=whole.lines[:place] + whole.lines[place + 1 :]))


def shown_with_nudge(place: int, proof: Callable[[], Proof]) -> Evidence:
    """Replay the proof with one of its lines saying a little more than it shows."""
    whole = proof()
    lines = list(whole.lines)
    lines[place] = nudged(lines[place])
    return replayed(replace(whole, lines=tuple(lines)))


def lacking(proof: Proof, hypothesis: str) -> Proof:
    """The same without one of its hypotheses."""
    given = {name: each for name, each in proof.hypotheses.items() if name != hypothesis}
    return replace(proof, hypotheses=given)


def nudged(line: Line, by: Fraction = Fraction(1, 100)) -> Line:
    """The same line, claiming a little more."""
    match line:
        case Step() | Cases():
            return replace(line, statement=_tightened(line.statement, by))
        case Induction():
            claims = {name: _tightened(claim, by) for name, claim in line.claims.items()}
            return replace(line, claims=claims)


def _tightened(statement: Statement, by: Fraction) -> Statement:
    return replace(statement, left=statement.left + by)
