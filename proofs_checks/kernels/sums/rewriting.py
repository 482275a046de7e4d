"""Rewriting by equations: terms that match a left side are replaced by the right side.

The left side is a single term: a value, such as v(j+1, x), a product, such as s·s, or a sum over an
index that occurs nowhere else, such as Σ_x P(y, x). The other indices of an equation stand for all
members of their sort. Inside |…| and exp(…) the rules apply as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.sums.building import exponential, moved
from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Number,
    Size,
    Term,
    Value,
    added,
    constant,
    opened,
    single,
    total,
)
from proofs_checks.kernels.sums.indices import TIME, Index, bases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofs_checks.kernels.sums.expressions import Atom

_MOST_ROUNDS: Final = 60
_MOST_TERMS: Final = 500
"""Rules that double the terms in each round would otherwise take all memory in 60 rounds."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Replaces a term by an expression, for all values of its variables."""

    term: Term
    by: Expression


def rule(left: Expression, right: Expression) -> Rule:
    """The equation as a rule; raise `NotEarned` unless left is one term with coefficient 1."""
    if len(left.terms) != 1 or left.terms[0][1] != 1 or not left.terms[0][0].atoms:
        raise NotEarned(f"{left} = {right} cannot be a rewrite rule: its left side is not one term")
    term = left.terms[0][0]
    if not set(term.bound) <= {index for atom in term.atoms for index in _in(atom)}:
        raise NotEarned(
            f"{left} = {right} cannot be a rewrite rule: it sums over an index that does not occur"
        )
    return Rule(term, right)


def rewritten(of: Expression, rules: Sequence[Rule]) -> Expression:
    """Apply the rules until none of them applies."""
    for _ in range(_MOST_ROUNDS):
        after = _once(of, rules)
        if after == of:
            return of
        if len(after.terms) > _MOST_TERMS:
            raise NotEarned(f"the rules make more than {_MOST_TERMS} terms of {of.terms[0][0]}")
        of = after
    raise NotEarned(f"the rules do not come to an end: {of}")


def _once(of: Expression, rules: Sequence[Rule]) -> Expression:
    return added(c * _term_once(term, rules) for term, c in of.terms)


def _term_once(term: Term, rules: Sequence[Rule]) -> Expression:
    bound, atoms = opened(term)
    for each in rules:
        replaced = _applied(each, bound, atoms)
        if replaced is not None:
            return replaced
    product = constant(1)
    for atom in atoms:
        product = product * _inside(atom, rules)
    return total(bound, product) if bound else product


def _inside(atom: Atom, rules: Sequence[Rule]) -> Expression:
    match atom:
        case Size(of):
            return abs(_once(of, rules))
        case Exponential(of):
            return exponential(_once(of, rules))
        case _:
            return single(atom)


def _applied(each: Rule, bound: tuple[Index, ...], atoms: tuple[Atom, ...]) -> Expression | None:
    """The term after the first way in which the rule matches it, if there is one."""
    wanted = each.term.atoms
    for places in permutations(range(len(atoms)), len(wanted)):
        rest = [atom for place, atom in enumerate(atoms) if place not in places]
        found = [atoms[place] for place in places]
        binding = _matched(wanted, found)
        if binding is None:
            continue
        gone = [binding[index] for index in each.term.bound]
        kept = {index: to for index, to in binding.items() if index not in each.term.bound}
        if _are_summed(gone, bound, rest, kept):
            product = moved(each.by, kept)
            for atom in rest:
                product = product * single(atom)
            left = tuple(index for index in bound if index not in gone)
            return total(left, product) if left else product
    return None


def _are_summed(
    gone: list[Index], bound: tuple[Index, ...], rest: list[Atom], kept: dict[Index, Index]
) -> bool:
    """Whether these indices are summed over, differ, and occur nowhere but in what is replaced."""
    elsewhere = {index for atom in rest for index in _in(atom)}
    elsewhere |= {base for to in kept.values() for base in bases(to)}
    return set(gone) <= set(bound) and len(set(gone)) == len(gone) and not set(gone) & elsewhere


def _in(atom: Atom) -> set[Index]:
    match atom:
        case Value(_, at):
            return {base for index in at for base in bases(index)}
        case Number(index):
            return set(bases(index))
        case Size(of) | Exponential(of):
            return {index for term, _ in of.terms for inner in term.atoms for index in _in(inner)}


def _matched(wanted: Sequence[Atom], found: Sequence[Atom]) -> dict[Index, Index] | None:
    binding: dict[Index, Index] = {}
    for pattern, atom in zip(wanted, found, strict=True):
        if not _match_atom(pattern, atom, binding):
            return None
    return binding


def _match_atom(pattern: Atom, atom: Atom, binding: dict[Index, Index]) -> bool:
    """Extend the binding so that the pattern matches the atom; return False if it cannot match."""
    match pattern, atom:
        case Value(name, wanted), Value(other, at):
            return (
                name == other
                and len(wanted) == len(at)
                and all(_match_index(w, i, binding) for w, i in zip(wanted, at, strict=True))
            )
        case _:
            return pattern == atom and not _in(pattern)


def _match_index(wanted: Index, index: Index, binding: dict[Index, Index]) -> bool:
    if not wanted.is_variable:
        if not wanted.of:
            return wanted == index
        return (
            replace(wanted, of=()) == replace(index, of=())
            and len(wanted.of) == len(index.of)
            and all(_match_index(w, i, binding) for w, i in zip(wanted.of, index.of, strict=True))
        )
    if wanted.sort != index.sort or index.later < wanted.later:
        return False
    if wanted.later and wanted.sort != TIME:
        return False
    base, to = replace(wanted, later=0), replace(index, later=index.later - wanted.later)
    return binding.setdefault(base, to) == to
