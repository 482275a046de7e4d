"""Checks that a statement follows from known facts by the reason that is given for it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.sums.building import exponential, moved, number
from proofs_checks.kernels.sums.enclosing import shown_on, shown_to_vanish
from proofs_checks.kernels.sums.expressions import Expression, Value, added, constant, single, total
from proofs_checks.kernels.sums.rewriting import Rule, rewritten, rule
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Between,
    Combined,
    Counted,
    Enclosed,
    Excess,
    Growing,
    Known,
    Others,
    Part,
    Power,
    Square,
    Triangle,
    Unsigned,
)

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.board import Board
    from proofs_checks.kernels.sums.statements import Gap, Statement


def check_reason(board: Board, stated: Statement, because: Combined | Between | Enclosed) -> None:
    """Show the statement for this reason; raise `NotEarned` if it does not follow."""
    match because:
        case Combined():
            _check_combined(board, stated, because)
        case Between(above, below):
            upper, lower = board.fact(above), board.fact(below)
            if not (
                {upper.relation, lower.relation, stated.relation} == {"≤"}
                and lower.left == -upper.left
                and upper.right == lower.right == stated.right
                and stated.left == abs(upper.left)
            ):
                raise NotEarned(f"{stated} is not between {above} and {below}")
        case Enclosed():
            _check_enclosed(board, stated, because)


def _check_combined(board: Board, stated: Statement, how: Combined) -> None:
    rules = [_as_rule(board.fact(name)) for name in how.using]
    found = added(_contribution(board, each, stated) for each in how.parts)
    left = rewritten(stated.gap - found, rules)
    if left.terms:
        raise NotEarned(f"{stated}: {left} is left over")


def _as_rule(fact: Statement) -> Rule:
    if fact.relation != "=":
        raise NotEarned(f"expected an equation for rewriting, not {fact}")
    return rule(fact.left, fact.right)


def _contribution(board: Board, each: Part, stated: Statement) -> Expression:
    """The value that the part adds; at least 0, and 0 if the statement is an equation."""
    is_zero = any(
        isinstance(gap, Unsigned)
        or (isinstance(gap, Known) and board.fact(gap.fact).relation == "=")
        for gap in each.gaps
    )
    if not is_zero:
        if stated.relation == "=":
            raise NotEarned(f"{stated} needs equations only")
        if each.times != _number_in(each.times):
            raise NotEarned(
                f"expected a nonnegative constant as the factor of an inequality, not {each.times}"
            )
    product = each.times
    for gap in each.gaps:
        product = product * _gap(board, gap)
    return total(each.over, product) if each.over else product


def _number_in(times: Expression) -> Expression:
    """The constant part if it is ≥ 0, else 0. So a number ≥ 0, and nothing else, gives itself."""
    value = sum((c for term, c in times.terms if not term.atoms + term.bound), Fraction(0))
    return constant(value) if value >= 0 else constant(0)


def _gap(board: Board, gap: Gap) -> Expression:
    match gap:
        case Known(fact, at):
            return moved(board.fact(fact).gap, at)
        case Excess(of):
            return abs(of) - of
        case Absolute(of):
            return abs(of)
        case Square(of):
            return of * of
        case Counted(of):
            return number(of)
        case Power(of):
            return exponential(of)
        case Triangle(over, parts):
            whole, sizes = added(parts), added(map(abs, parts))
            return total(over, sizes) - abs(total(over, whole)) if over else sizes - abs(whole)
        case Unsigned(fact, at):
            value = moved(_nonnegative(board, fact), at)
            return value - abs(value)
        case Others(fact, index):
            value = _nonnegative(board, fact)
            return total(index, value) - value
        case Growing(fact, at):
            known = board.fact(fact)
            return exponential(moved(known.right, at)) - exponential(moved(known.left, at))


def _nonnegative(board: Board, fact: str) -> Expression:
    known = board.fact(fact)
    if known.left.terms or known.relation != "≤":
        raise NotEarned(f"{known} does not begin with 0 ≤")
    return known.right


def _check_enclosed(board: Board, stated: Statement, how: Enclosed) -> None:
    meanings = board.proof.meanings
    if how.variable in meanings:
        raise NotEarned(f"{how.variable} is not a free variable")
    low = _bound(board.fact(how.low), how.variable, 1)
    high = _bound(board.fact(how.high), how.variable, -1)
    if stated.relation == "=":
        shown_to_vanish(stated.gap, how.variable, meanings, low, high)
    else:
        shown_on(stated.gap, how.variable, meanings, low, high, how.rising_to)
    board.strength = max(board.strength, Strength.ENCLOSED)


def _bound(fact: Statement, variable: str, sign: int) -> Fraction:
    """Return c if the fact is c ≤ variable (for the sign −1: variable ≤ c)."""
    alone = single(Value(variable, ()))
    value = alone - fact.gap * sign
    terms = value.terms
    if fact.relation != "≤" or any(term.atoms + term.bound for term, _ in terms):
        raise NotEarned(f"expected a bound of {variable} on the needed side, not {fact}")
    return terms[0][1] if terms else Fraction(0)
