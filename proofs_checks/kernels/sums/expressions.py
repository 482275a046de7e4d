"""Expressions with sums over finite sets of any size, kept in a normal form.

An expression is a sum of terms c·Σ_{x, y, …} a·b·…: products are multiplied out, and every sum
stands in front of its term, with bound names that depend on the term alone. So linearity, the
exchange of sums and pulling a factor out of a sum need no proof: both sides are the same
expression. |P| is kept without what all terms of P have in common, exp(P)·exp(Q) as exp(P + Q).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import gcd, lcm
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.exactness import require_number
from proofs_checks.kernels.sums.indices import (
    TIME,
    Index,
    bases,
    bound,
    fresh,
    listed,
    moved_index,
)
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MOST_SUMS: Final = 6  # The normal form tries all orders of the sums of a term: 720 of six.


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a function at some indices; a number if there are none."""

    name: str
    at: tuple[Index, ...]

    def __str__(self) -> str:
        return f"{self.name}({listed(self.at)})" if self.at else self.name


@dataclass(frozen=True, slots=True)
class Size:
    """|P|."""

    of: Expression

    def __str__(self) -> str:
        return f"|{self.of}|"


@dataclass(frozen=True, slots=True)
class Exponential:
    """exp(P)."""

    of: Expression

    def __str__(self) -> str:
        return f"exp({self.of})"


@dataclass(frozen=True, slots=True)
class Number:
    """A natural number, as a number to compute with."""

    of: Index

    def __str__(self) -> str:
        return str(self.of)


Atom = Value | Size | Exponential | Number


@dataclass(frozen=True, slots=True)
class Term:
    """Σ over the bound indices of a product of atoms."""

    bound: tuple[Index, ...]
    atoms: tuple[Atom, ...]

    def __str__(self) -> str:
        product = "·".join(str(atom) for atom in self.atoms) or "1"
        return f"Σ_{{{listed(self.bound)}}} {product}" if self.bound else product


@dataclass(frozen=True, slots=True)
class Expression:
    """A sum of terms with coefficients, none of them 0, in a fixed order."""

    terms: tuple[tuple[Term, Fraction], ...]

    def __add__(self, other: Expression | Fraction | int) -> Expression:
        return _collected([*self.terms, *_expression(other).terms])

    def __neg__(self) -> Expression:
        return Expression(tuple((term, -c) for term, c in self.terms))

    def __sub__(self, other: Expression | Fraction | int) -> Expression:
        return self + -_expression(other)

    def __mul__(self, other: Expression | Fraction | int) -> Expression:
        return _collected(
            (_product(left, right), c * d)
            for left, c in self.terms
            for right, d in _expression(other).terms
        )

    def __truediv__(self, other: int) -> Expression:
        return self * Fraction(1, other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Fraction | int) -> Expression:
        return _expression(other) - self

    def __abs__(self) -> Expression:
        return _absolute(self)

    def __str__(self) -> str:
        text = ""
        for term, c in self.terms:
            text += (" − " if c < 0 else " + ") if text else ("−" if c < 0 else "")
            factor = "" if abs(c) == 1 and term.atoms + term.bound else str(abs(c))
            shown = str(term) if term.atoms + term.bound else ""
            text += "·".join(part for part in (factor, shown) if part)
        return text or "0"


# --- making expressions ---------------------------------------------------------------------------


def constant(value: Fraction | int) -> Expression:
    """A rational number; raise `NotEarned` if it is not exact."""
    require_number(value)
    return Expression(((Term((), ()), Fraction(value)),) if value else ())


def added(parts: Iterable[Expression]) -> Expression:
    """The sum of these expressions."""
    return _collected(each for part in parts for each in part.terms)


def total(over: Index | tuple[Index, ...], of: Expression) -> Expression:
    """Σ over all values of an index, or of several."""
    indices = over if isinstance(over, tuple) else (over,)
    for index in indices:
        if index.sort == TIME or not index.is_variable:
            raise InvalidArgument("over", str(index), "a variable of a finite sort")
    if len(set(indices)) < len(indices):
        raise InvalidArgument("over", listed(indices), "different indices")
    names = {index: fresh(index.sort) for index in indices}
    return _renamed_inside(of, names, tuple(names.values()))


def indices(of: Expression) -> frozenset[Index]:
    """All free indices, each without its offset: j for j + 1."""
    found: set[Index] = set()
    for term, _ in of.terms:
        inside = {index for atom in term.atoms for index in _indices(atom)}
        found |= inside - set(term.bound)
    return frozenset(found)


# --- the normal form ------------------------------------------------------------------------------


def _expression(value: Expression | Fraction | int) -> Expression:
    return value if isinstance(value, Expression) else constant(value)


def single(atom: Atom) -> Expression:
    """One atom as an expression."""
    return Expression(((Term((), (atom,)), Fraction(1)),))


def _collected(terms: Iterable[tuple[Term, Fraction]]) -> Expression:
    sums: dict[Term, Fraction] = {}
    for term, c in terms:
        sums[term] = sums[term] + c if term in sums else c
    kept = [(term, c) for term, c in sums.items() if c]
    if len(kept) > 1:
        kept.sort(key=lambda part: str(part[0]))
    return Expression(tuple(kept))


def _product(left: Term, right: Term) -> Term:
    one, two = opened(left), opened(right)
    return _closed(one[0] + two[0], one[1] + two[1])


def opened(term: Term) -> tuple[tuple[Index, ...], tuple[Atom, ...]]:
    """Fresh names for the bound indices of a term, and its atoms with these names."""
    names = {index: fresh(index.sort) for index in term.bound}
    if not names:
        return (), term.atoms
    return tuple(names.values()), tuple(_renamed(atom, names) for atom in term.atoms)


def _closed(over: tuple[Index, ...], atoms: tuple[Atom, ...]) -> Term:
    """The canonical term: the same for all orders of atoms, and all names of bound indices.

    A name contains the nesting depth of | | and exp below it, so it differs from all names inside.
    """
    atoms = _one_exponential(atoms)
    if not over:
        return Term((), _in_order(atoms))
    if len(over) > _MOST_SUMS:
        raise NotEarned(f"a term with {len(over)} sums: its normal form takes too much work")
    depth = max((_depth(atom) for atom in atoms), default=0)
    names = (
        {old: bound(old.sort, depth, place) for place, old in enumerate(order)}
        for order in permutations(over)
    )
    found = (
        Term(tuple(to.values()), _in_order(tuple(_renamed(atom, to) for atom in atoms)))
        for to in names
    )
    if len(over) == 1:
        return next(found)
    return min(found, key=lambda term: ([index.sort for index in term.bound], str(term)))


def _in_order(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    return tuple(sorted(atoms, key=str)) if len(atoms) > 1 else atoms


def _one_exponential(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    exponents = [atom.of for atom in atoms if isinstance(atom, Exponential)]
    if len(exponents) < 2:
        return atoms
    exponent = added(exponents)
    others = tuple(atom for atom in atoms if not isinstance(atom, Exponential))
    return (*others, Exponential(exponent)) if exponent.terms else others


def _depth(atom: Atom) -> int:
    if isinstance(atom, Value | Number):
        return 0
    inside = (_depth(inner) for term, _ in atom.of.terms for inner in term.atoms)
    return 1 + max(inside, default=0)


def _renamed(atom: Atom, to: Mapping[Index, Index]) -> Atom:
    """The atom with some indices renamed, each to a different name."""
    match atom:
        case Value(name, at):
            return Value(name, tuple(moved_index(index, to) for index in at))
        case Number(index):
            return Number(moved_index(index, to))
        case Size(inside):
            return Size(_upright(_renamed_inside(inside, to)))
        case Exponential(inside):
            return Exponential(_renamed_inside(inside, to))


def _renamed_inside(
    of: Expression, to: Mapping[Index, Index], over: tuple[Index, ...] = ()
) -> Expression:
    """The sum over some indices of the expression, after renaming indices in all terms."""
    terms = []
    for term, c in of.terms:
        inner, atoms = opened(term)
        terms.append((_closed(inner + over, tuple(_renamed(atom, to) for atom in atoms)), c))
    return _collected(terms)


def _upright(of: Expression) -> Expression:
    """P or −P, whichever begins with a positive coefficient."""
    return -of if of.terms[0][1] < 0 else of


def _absolute(of: Expression) -> Expression:
    if not of.terms:
        return of
    coefficients = [c for _, c in of.terms]
    content = Fraction(
        gcd(*(c.numerator for c in coefficients)), lcm(*(c.denominator for c in coefficients))
    )
    shared = Counter(of.terms[0][0].atoms)
    for term, _ in of.terms:
        shared &= Counter(atom for atom in term.atoms if not _indices(atom) & set(term.bound))
    parts = []
    for term, c in of.terms:
        rest = (Counter(term.atoms) - shared).elements()
        parts.append((_closed(*opened(Term(term.bound, tuple(rest)))), c / content))
    left = _collected(parts)
    result = constant(content)
    for atom in shared.elements():
        result = result * single(Size(single(atom)) if isinstance(atom, Value) else atom)
    if left.terms == constant(1).terms or left.terms == constant(-1).terms:
        return result
    return result * single(Size(_upright(left)))


def _indices(atom: Atom) -> frozenset[Index]:
    match atom:
        case Value(_, at):
            return frozenset(base for index in at for base in bases(index))
        case Number(index):
            return frozenset(bases(index))
        case Size(inside) | Exponential(inside):
            return indices(inside)
