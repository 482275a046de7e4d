"""Refutes a set of facts: every case ends in contradictory linear inequalities.

Functions are uninterpreted, but equal arguments give equal values (congruence): for any two
applications of one function this is one more fact. Cases are split only if the values found so far
violate a fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.formulas import (
    Both,
    Either,
    Formula,
    Known,
    Term,
    atoms,
    equal,
    number,
    opposite,
)
from proofs_checks.kernels.deduction.linear import Contradiction, Tableau
from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.kernels.deduction.formulas import Atom, Monomial

MOST_CASES: Final = 3000

Case = tuple[Term, ...]
"""Terms that are all at least 0."""
Clause = tuple[Case, ...]
"""Cases of which at least one holds."""


def refute(facts: tuple[Formula, ...]) -> tuple[Contradiction, ...]:
    """Show that not all facts hold; return how each case is contradicted, or raise `NotEarned`."""
    given = [part for fact in facts for part in _flat(fact)]
    known = tuple(part.term for part in given if isinstance(part, Known))
    clauses = [_cases(part) for part in given if not isinstance(part, Known)]
    search = _Search((*clauses, *_congruences(given), *_products(given)))
    search.close(frozenset(known), Tableau().extended(known))
    return tuple(search.found)


@dataclass(slots=True)
class _Search:
    clauses: tuple[Clause, ...]
    cases: int = 0
    found: list[Contradiction] = field(default_factory=list)

    def close(self, known: frozenset[Term], values: Tableau | Contradiction) -> frozenset[Term]:
        """Find a contradiction in the known terms of a case; return the terms that it needs.

        Values only guide the search. The sum of a contradiction is computed again from known terms.
        """
        self.cases += 1
        if self.cases > MOST_CASES:
            raise NotEarned(f"more than {MOST_CASES} cases")
        if isinstance(values, Contradiction):
            if not (values.multipliers.keys() <= known and values.adds_up()):
                raise NotEarned("a contradiction that does not add up")
            self.found.append(values)
            return frozenset(term for term, factor in values.multipliers.items() if factor != 0)
        needed: frozenset[Term] = frozenset()
        for case, after in self._split(values):
            new = frozenset(case) - known
            part = self.close(known | new, after)
            if not part & new:
                return part  # the contradiction does not use the case, so it closes all cases
            needed |= part - new
        return needed

    def _split(self, values: Tableau) -> list[tuple[Case, Tableau | Contradiction]]:
        """Of the facts that these values violate, split the one that leaves the fewest cases."""
        broken = [
            clause
            for clause in self.clauses
            if not any(all(values.value(term) >= 0 for term in case) for case in clause)
        ]
        if not broken:
            raise NotEarned(f"does not follow: {_shown(values)}")
        best, fewest = list[tuple[Case, Tableau | Contradiction]](), 0
        for clause in sorted(broken, key=len):
            split = [(case, values.extended(case)) for case in clause]
            still_open = sum(isinstance(after, Tableau) for _, after in split)
            if not best or still_open < fewest:
                best, fewest = split, still_open
            if fewest <= 1:
                break
        return best


def _flat(fact: Formula) -> Iterator[Known | Either]:
    if isinstance(fact, Both):
        for part in fact.parts:
            yield from _flat(part)
    else:
        yield fact


def _cases(fact: Formula) -> Clause:
    match fact:
        case Known(term):
            return ((term,),)
        case Either(parts):
            return tuple(case for part in parts for case in _cases(part))
        case Both(parts):
            return tuple(
                tuple(term for case in choice for term in case)
                for choice in product(*map(_cases, parts))
            )


def _congruences(facts: Iterable[Formula]) -> Iterator[Clause]:
    found: dict[tuple[str, int], set[Atom]] = {}
    for fact in facts:
        for atom in atoms(fact):
            if atom.arguments:
                found.setdefault((atom.name, len(atom.arguments)), set()).add(atom)
    for applications in found.values():
        for left, right in combinations(sorted(applications), 2):
            pairs = zip(left.arguments, right.arguments, strict=True)
            differ = Either(tuple(opposite(equal(a, b)) for a, b in pairs))
            same = equal(_monomial((left,)), _monomial((right,)))
            yield _cases(Either((differ, same)))


def _products(facts: Iterable[Formula]) -> Iterator[Clause]:
    """Products that differ in one factor are equal if these factors are; 0 times anything is 0."""
    found = {m for fact in facts for term in _terms(fact) for m, _ in term.parts if len(m) > 1}
    for monomial in sorted(found):
        for factor in sorted(set(monomial)):
            yield _cases(Either((opposite(_zero((factor,))), _zero(monomial))))
    for left, right in combinations(sorted(found), 2):
        one, other = list(left), list(right)
        for factor in left:
            if factor in other:
                one.remove(factor)
                other.remove(factor)
        if len(one) == len(other) == 1:
            same = [
                equal(_monomial((*a,)), _monomial((*b,))) for a, b in ((one, other), (left, right))
            ]
            yield _cases(Either((opposite(same[0]), same[1])))


def _terms(fact: Formula) -> Iterator[Term]:
    match fact:
        case Known(term):
            yield term
            for atom in atoms(term):
                yield from atom.arguments
        case Both(parts) | Either(parts):
            for part in parts:
                yield from _terms(part)


def _zero(monomial: Monomial) -> Formula:
    return equal(_monomial(monomial), number(0))


def _monomial(monomial: Monomial) -> Term:
    return Term(((monomial, 1),))


def _shown(values: Tableau) -> str:
    shown = sorted(
        ("*".join(a.text for a in m), values.values[k]) for m, k in values.columns.items()
    )
    return "unless " + ", ".join(f"{name} = {value}" for name, value in shown)
