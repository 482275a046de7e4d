"""Terms and formulas about integers.

A term is a polynomial in names and applications such as `s(i + 1)`; a formula is made of
comparisons. Everything is an integer: states, actions and words are numbered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A name, or a function applied to terms.

    Atoms are compared by their text. `apply` makes it from an identifier and the texts of the
    arguments, so that different atoms have different texts.
    """

    text: str
    name: str = field(compare=False)
    arguments: tuple[Term, ...] = field(compare=False)


Monomial = tuple[Atom, ...]
"""A product of atoms, in order; the empty one is 1."""


@dataclass(frozen=True, slots=True)
class Term:
    """A polynomial with integer coefficients, none of them 0, by monomial."""

    parts: tuple[tuple[Monomial, int], ...]

    def __add__(self, other: Term) -> Term:
        return _polynomial([*self.parts, *other.parts])

    def __mul__(self, other: Term) -> Term:
        return _polynomial(
            (tuple(sorted(left + right)), c * d)
            for left, c in self.parts
            for right, d in other.parts
        )

    def __neg__(self) -> Term:
        return Term(tuple((monomial, -c) for monomial, c in self.parts))

    def __sub__(self, other: Term) -> Term:
        return self + -other

    def __str__(self) -> str:
        parts = [
            f"{'-' if c < 0 else '+'} " + "*".join([*([str(abs(c))] * shown), *texts])
            for monomial, c in self.parts
            for texts in [[atom.text for atom in monomial]]
            for shown in [abs(c) != 1 or not texts]
        ]
        return " ".join(parts).removeprefix("+ ") or "0"


@dataclass(frozen=True, slots=True)
class Known:
    """The formula that a term is at least 0."""

    term: Term


@dataclass(frozen=True, slots=True)
class Both:
    """The formula that all parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """The formula that some part holds."""

    parts: tuple[Formula, ...]


Formula = Known | Both | Either

ONE: Final = Term((((), 1),))
TRUE: Final = Both(())

ARITHMETIC_SIGNS: Final = frozenset({"%", "//"})
"""Functions of two integers that are written between their arguments"""


def number(value: int) -> Term:
    """A constant."""
    return _polynomial([((), value)])


def apply(name: str, *arguments: Term) -> Term:
    """A function applied to terms; without terms, a name. Raise `NotEarned` for other names."""
    if name in ARITHMETIC_SIGNS and len(arguments) == 2:
        text = f"(({arguments[0]}) {name} ({arguments[1]}))"
    elif name.isidentifier():
        text = f"{name}({', '.join(map(str, arguments))})" if arguments else name
    else:
        raise NotEarned(f"{name!r} is not a name")
    return Term((((Atom(text, name, arguments),), 1),))


def equal(left: Term, right: Term) -> Formula:
    """left = right."""
    return Both((Known(left - right), Known(right - left)))


def opposite(formula: Formula) -> Formula:
    """The negation of the formula."""
    match formula:
        case Known(term):
            return Known(-term - ONE)
        case Both(parts):
            return Either(tuple(map(opposite, parts)))
        case Either(parts):
            return Both(tuple(map(opposite, parts)))


def atoms(formula: Formula | Term) -> Iterator[Atom]:
    """All names and applications, those inside others first."""
    match formula:
        case Term(parts):
            for monomial, _ in parts:
                for atom in monomial:
                    for argument in atom.arguments:
                        yield from atoms(argument)
                    yield atom
        case Known(term):
            yield from atoms(term)
        case Both(parts) | Either(parts):
            for part in parts:
                yield from atoms(part)


Meaning = tuple[tuple[str, ...], Term]
"""What a function stands for: its parameters, and a term in them."""


def substituted(formula: Formula, meanings: Mapping[str, Meaning]) -> Formula:
    """Replace names and functions by terms, all at the same time, everywhere in a formula."""
    match formula:
        case Known(term):
            return Known(substituted_term(term, meanings))
        case Both(parts):
            return Both(tuple(substituted(part, meanings) for part in parts))
        case Either(parts):
            return Either(tuple(substituted(part, meanings) for part in parts))


def substituted_term(term: Term, meanings: Mapping[str, Meaning]) -> Term:
    """Replace names and functions by terms, all at the same time, everywhere in a term."""
    total = number(0)
    for monomial, coefficient in term.parts:
        product = number(coefficient)
        for atom in monomial:
            arguments = tuple(substituted_term(each, meanings) for each in atom.arguments)
            if atom.name in meanings:
                parameters, body = meanings[atom.name]
                if len(parameters) != len(arguments):
                    raise NotEarned(f"{atom.text} has another number of parameters")
                values = zip(parameters, arguments, strict=True)
                product *= substituted_term(body, {name: ((), value) for name, value in values})
            else:
                product *= apply(atom.name, *arguments)
        total += product
    return total


def _polynomial(parts: Iterable[tuple[Monomial, int]]) -> Term:
    sums: dict[Monomial, int] = {}
    for monomial, coefficient in parts:
        sums[monomial] = sums.get(monomial, 0) + coefficient
    return Term(tuple(sorted((monomial, c) for monomial, c in sums.items() if c)))
