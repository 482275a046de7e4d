"""Terms and formulas about integers, read from text in Python's own notation.

A term is a polynomial in names and applications such as `s(i + 1)`; a formula is made of
comparisons. Everything is an integer: states, actions and words are numbered.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A name, or a function applied to terms. Its text says which, so that is what is compared."""

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
    """That a term is at least 0."""

    term: Term


@dataclass(frozen=True, slots=True)
class Both:
    """That all parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """That some part holds."""

    parts: tuple[Formula, ...]


Formula = Known | Both | Either

ONE: Final = Term((((), 1),))


def number(value: int) -> Term:
    """A constant."""
    return _polynomial([((), value)])


def apply(name: str, *arguments: Term) -> Term:
    """A function applied to terms; without terms, a name."""
    if name in {"%", "//"}:
        text = f"(({arguments[0]}) {name} ({arguments[1]}))"
    else:
        text = f"{name}({', '.join(map(str, arguments))})" if arguments else name
    return Term((((Atom(text, name, arguments),), 1),))


def equal(left: Term, right: Term) -> Formula:
    """left = right."""
    return Both((Known(left - right), Known(right - left)))


def opposite(formula: Formula) -> Formula:
    """What holds exactly if the formula does not."""
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


def rewritten(term: Term, meanings: Mapping[str, Meaning]) -> Term:
    """Put terms in the place of names and of functions."""
    total = number(0)
    for monomial, coefficient in term.parts:
        product = number(coefficient)
        for atom in monomial:
            arguments = tuple(rewritten(argument, meanings) for argument in atom.arguments)
            if atom.name in meanings:
                parameters, body = meanings[atom.name]
                if len(parameters) != len(arguments):
                    raise NotEarned(f"{atom.text} has another number of parameters")
                values = zip(parameters, arguments, strict=True)
                product *= rewritten(body, {name: ((), value) for name, value in values})
            else:
                product *= apply(atom.name, *arguments)
        total += product
    return total


def restated(formula: Formula, meanings: Mapping[str, Meaning]) -> Formula:
    """Put terms in the place of names and of functions, everywhere in a formula."""
    match formula:
        case Known(term):
            return Known(rewritten(term, meanings))
        case Both(parts):
            return Both(tuple(restated(part, meanings) for part in parts))
        case Either(parts):
            return Either(tuple(restated(part, meanings) for part in parts))


@cache
def read_terms(text: str) -> tuple[Term, ...]:
    """The terms in a list with commas."""
    return tuple(_term(node) for node in _listed(text))


@cache
def read_formula(text: str) -> Formula:
    """A formula; commas between formulas mean that all hold."""
    return Both(tuple(_formula(node) for node in _listed(text)))


@cache
def read_uses(text: str) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    """Rules with the terms they are used for: `rule(i + 1, j), other(0)`."""
    found = []
    for node in _listed(text):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            raise NotEarned(f"not the use of a rule: {ast.unparse(node)}")
        found.append((node.func.id, tuple(map(_term, node.args))))
    return tuple(found)


def _polynomial(parts: Iterable[tuple[Monomial, int]]) -> Term:
    sums: dict[Monomial, int] = {}
    for monomial, coefficient in parts:
        sums[monomial] = sums.get(monomial, 0) + coefficient
    return Term(tuple(sorted((monomial, c) for monomial, c in sums.items() if c)))


def _listed(text: str) -> list[ast.expr]:
    if not text.strip():
        return []
    node = ast.parse(f"({text}\n)", mode="eval").body
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _term(node: ast.expr) -> Term:
    match node:
        case ast.Constant(int(value)):
            return number(value)
        case ast.Name(name):
            return apply(name)
        case ast.Call(ast.Name(name), arguments, []):
            return apply(name, *map(_term, arguments))
        case ast.UnaryOp(ast.USub(), operand):
            return -_term(operand)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATIONS:
            return _OPERATIONS[type(operator)](_term(left), _term(right))
    raise NotEarned(f"not a term: {ast.unparse(node)}")


_OPERATIONS: Final[dict[type[ast.operator], Callable[[Term, Term], Term]]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Mod: lambda left, right: apply("%", left, right),
    ast.FloorDiv: lambda left, right: apply("//", left, right),
}

_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Term, Term], Formula]]] = {
    ast.Eq: equal,
    ast.NotEq: lambda left, right: opposite(equal(left, right)),
    ast.LtE: lambda left, right: Known(right - left),
    ast.GtE: lambda left, right: Known(left - right),
    ast.Lt: lambda left, right: Known(right - left - ONE),
    ast.Gt: lambda left, right: Known(left - right - ONE),
}


def _formula(node: ast.expr) -> Formula:
    match node:
        case ast.Compare(first, operators, others):
            terms = [_term(side) for side in (first, *others)]
            if all(type(operator) in _COMPARISONS for operator in operators):
                sides = zip(operators, terms, terms[1:], strict=False)
                return Both(tuple(_COMPARISONS[type(op)](a, b) for op, a, b in sides))
        case ast.BoolOp(operator, parts):
            formulas = tuple(map(_formula, parts))
            return Both(formulas) if isinstance(operator, ast.And) else Either(formulas)
        case ast.UnaryOp(ast.Not(), operand):
            return opposite(_formula(operand))
        case ast.Call(ast.Name("implies"), [condition, result], []):
            return Either((opposite(_formula(condition)), _formula(result)))
        case ast.Call(ast.Name("iff"), [left, right], []):
            a, b = _formula(left), _formula(right)
            return Both((Either((opposite(a), b)), Either((opposite(b), a))))
    raise NotEarned(f"not a formula: {ast.unparse(node)}")
