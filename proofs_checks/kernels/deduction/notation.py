"""Reads terms, formulas and uses of rules from text in Python's own notation.

Each text is read on its own and as a whole. No text is ever pasted into another, so that a bracket
or a comma in one of them cannot change what another one means.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.formulas import (
    ONE,
    Both,
    Either,
    Formula,
    Known,
    Term,
    apply,
    equal,
    number,
    opposite,
)
from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from collections.abc import Callable

CONNECTIVES: Final = frozenset({"implies", "iff"})
"""Written like functions, so no symbol can have these names"""


@cache
def read_terms(text: str) -> tuple[Term, ...]:
    """Read terms that are separated by commas."""
    return tuple(_term(node) for node in _listed(text))


def read_term(text: str) -> Term:
    """Read a text that is one term."""
    terms = read_terms(text)
    if len(terms) != 1:
        raise NotEarned(f"expected one term: {text!r}")
    return terms[0]


def read_names(text: str) -> tuple[str, ...]:
    """Read names that are separated by commas."""
    return tuple(name_of(term) for term in read_terms(text))


def read_head(text: str) -> tuple[str, tuple[str, ...]]:
    """Read the name of a function and its parameters, all different: `first(m, k)`."""
    match read_term(text).parts:
        case (((atom,), 1),):
            parameters = tuple(map(name_of, atom.arguments))
            if (
                atom.name.isidentifier()
                and atom.name not in CONNECTIVES
                and len({atom.name, *parameters}) == 1 + len(parameters)
            ):
                return atom.name, parameters
    raise NotEarned(f"expected a function and its parameters, all different: {text!r}")


def name_of(term: Term) -> str:
    """Return the name if the term is a single name; otherwise raise `NotEarned`."""
    match term.parts:
        case (((atom,), 1),) if not atom.arguments and atom.name not in CONNECTIVES:
            return atom.name
    raise NotEarned(f"expected a name, not {term}")


@cache
def read_formula(text: str) -> Formula:
    """Read a formula; commas between formulas mean that all hold."""
    return Both(tuple(_formula(node) for node in _listed(text)))


@cache
def read_uses(text: str) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    """Read names of rules with the values of their variables: `rule(i + 1, j), other(0)`."""
    found = []
    for node in _listed(text):
        match node:
            case ast.Call(ast.Name(name), arguments, []):
                found.append((name, tuple(map(_term, arguments))))
            case _:
                raise NotEarned(f"not the use of a rule: {ast.unparse(node)}")
    return tuple(found)


@cache
def _listed(text: str) -> tuple[ast.expr, ...]:
    if type(text) is not str:  # a subclass could compare equal to another text in the cache
        raise NotEarned(f"expected text, not a {type(text).__name__}")
    line = " ".join(text.split())
    if not line:
        return ()
    if not line.isascii() or "#" in line:  # no names that look like others, and no comments
        raise NotEarned(f"expected plain letters and signs: {text!r}")
    try:
        node = ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError) as unreadable:
        raise NotEarned(f"not readable: {text!r}") from unreadable
    return tuple(node.elts) if isinstance(node, ast.Tuple) else (node,)


def _term(node: ast.expr) -> Term:
    match node:
        case ast.Constant(value) if type(value) is int:
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
