"""Makes expressions, and makes new ones by replacing parts of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.exactness import is_name
from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Number,
    Size,
    Value,
    added,
    constant,
    indices,
    opened,
    single,
    total,
)
from proofs_checks.kernels.sums.indices import TIME, Bound, Index, moved_index
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from proofs_checks.kernels.sums.expressions import Atom


@dataclass(frozen=True, slots=True)
class Function:
    """A named function of indices; without indices it is a number."""

    name: str

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise InvalidArgument("name", self.name, "a name")

    def __call__(self, *at: Index) -> Expression:
        """The function's value at these indices."""
        return single(Value(self.name, at))


def number(of: Index) -> Expression:
    """The number that an index is, if it is a natural number; for j + 2 it is that of j, plus 2."""
    if of.sort != TIME:
        raise InvalidArgument("of", str(of), f"a natural number, not a {of.sort}")
    if not of.name:
        return constant(of.later)
    return single(Number(replace(of, later=0))) + of.later


def exponential(of: Expression) -> Expression:
    """exp(P)."""
    return single(Exponential(of)) if of.terms else constant(1)


def names(of: Expression) -> frozenset[str]:
    """The names of all functions and numbers in the expression."""
    found: set[str] = set()
    for atom in (atom for term, _ in of.terms for atom in term.atoms):
        if isinstance(atom, Value):
            found.add(atom.name)
        elif isinstance(atom, Size | Exponential):
            found |= names(atom.of)
    return frozenset(found)


def rebuilt(of: Expression, atom: Callable[[Atom], Expression]) -> Expression:
    """Build the expression again, with each atom replaced by an expression."""
    parts = []
    for term, c in of.terms:
        bound, atoms = opened(term)
        product = constant(c)
        for each in atoms:
            product = product * atom(each)
        parts.append(total(bound, product) if bound else product)
    return added(parts)


def moved(of: Expression, to: Mapping[Index, Index]) -> Expression:
    """The expression with its variables replaced by the indices in `to`."""
    for index, target in to.items():
        if not index.is_variable or index.later or index.sort != target.sort:
            raise InvalidArgument("to", str(target), f"something that can stand for {index}")

    def move(atom: Atom) -> Expression:
        match atom:
            case Value(name, at):
                return single(Value(name, tuple(moved_index(index, to) for index in at)))
            case Number(index):
                return number(moved_index(index, to))
            case Size(inside):
                return abs(rebuilt(inside, move))
            case Exponential(inside):
                return exponential(rebuilt(inside, move))

    return rebuilt(of, move)


def require_normal(of: Expression) -> None:
    """Raise `NotEarned` unless building the expression again with the kernel gives the same one.

    So an expression that was built by hand cannot hide a sum over all natural numbers, a bound
    index outside of its sum, or a number that is not exact.
    """
    if any(isinstance(index, Bound) for index in indices(of)) or rebuilt(of, _anew) != of:
        raise NotEarned(f"not a normal form: {of}")


def _anew(atom: Atom) -> Expression:
    match atom:
        case Value(name, at):
            return Function(name)(*at)
        case Number(index):
            return number(index)
        case Size(inside):
            return abs(rebuilt(inside, _anew))
        case Exponential(inside):
            return exponential(rebuilt(inside, _anew))
