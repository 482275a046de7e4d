"""Checks definitions inside a proof: new names, defined once, so they add no hypothesis."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.sums.building import names, rebuilt
from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Size,
    Value,
    indices,
    single,
)
from proofs_checks.kernels.sums.indices import numeral

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.expressions import Atom
    from proofs_checks.kernels.sums.statements import Proof, Statement


def check_definitions(proof: Proof) -> None:
    """Check that each name is new and defined once: by a formula, or at 0 and from j to j + 1."""
    spoken = {*proof.hypotheses.values(), *proof.goals}
    known = frozenset[str]().union(*(names(each.gap) for each in spoken))
    if clash := known & proof.meanings.keys():
        raise NotEarned(f"{sorted(clash)} have a meaning; hypotheses and goals must not use them")
    known |= proof.meanings.keys()
    varying = {free.name for formula in proof.meanings.values() for free in formula.free_symbols}
    equations: dict[str, list[Statement]] = {}
    for statement in proof.definitions.values():
        head = _head(statement)
        equations.setdefault(head.name, []).append(statement)
    for name, bodies in equations.items():
        if name in known | varying:
            raise NotEarned(f"{name} is defined, but already has a meaning")
        known |= {name}
        patterns = sorted(_pattern(_head(body)) for body in bodies)
        if patterns not in (["all"], ["next", "zero"]):
            raise NotEarned(f"{name} is not defined in one of the two ways")
        for body in bodies:
            if later := (names(body.right) & equations.keys()) - known:
                raise NotEarned(f"{name} is defined by {sorted(later)}, which come later")
            _check_body(body)


def _head(statement: Statement) -> Value:
    terms = statement.left.terms
    if statement.relation == "=" and len(terms) == 1 and terms[0][1] == 1:
        term = terms[0][0]
        if not term.bound and len(term.atoms) == 1 and isinstance(term.atoms[0], Value):
            return term.atoms[0]
    raise NotEarned(f"{statement} is not a definition")


def _pattern(head: Value) -> str:
    """At which indices the function is defined: all, 0, or j + 1."""
    plain = [replace(index, later=0) for index in head.at]
    free = [index for index in plain if index.is_variable]
    if len(set(free)) < len(free) or any(index.later for index in head.at[1:]):
        return "some"
    if all(index == base and base.is_variable for index, base in zip(head.at, plain, strict=True)):
        return "all"
    others = all(index.is_variable for index in plain[1:])
    if others and head.at[0] == numeral(0):
        return "zero"
    return "next" if others and plain[0].is_variable and head.at[0].later == 1 else "some"


def _check_body(statement: Statement) -> None:
    head = _head(statement)
    arguments = {replace(index, later=0) for index in head.at}
    if loose := {i for i in indices(statement.right) if i.is_variable} - arguments:
        raise NotEarned(f"{head} depends on {sorted(map(str, loose))}")

    def earlier(atom: Atom) -> Expression:
        match atom:
            case Value(name, at) if name == head.name and (
                _pattern(head) != "next" or at[0] != replace(head.at[0], later=0)
            ):
                raise NotEarned(f"{head} is defined by {atom}")
            case Size(inside) | Exponential(inside):
                rebuilt(inside, earlier)
        return single(atom)

    rebuilt(statement.right, earlier)
