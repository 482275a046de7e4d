"""Writes the texts of theories in SMT-LIB 2, the language that solvers read.

This is a second reader of the texts, beside the kernel's. It shares with the kernel only Python's
own parser: it builds no polynomials, moves no negation and substitutes nothing. What a statement
says for given values is left to the solver, through definitions and `let`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Final

Head = Callable[[str, Sequence[str]], str]
"""Writes a symbol with its arguments, which are written already"""

_ARITHMETIC: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "quotient",
    ast.Mod: "remainder",
}
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "=",
    ast.NotEq: "distinct",
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Gt: ">",
}


class Unwritable(ValueError):
    """A text that this reader does not understand."""


def variable(name: str) -> str:
    """A variable of a statement."""
    return f"v.{name}"


def parameters(names: Sequence[str]) -> str:
    """Variables as the parameters of a definition."""
    return " ".join(f"({variable(name)} Int)" for name in names)


def applied(name: str, arguments: Sequence[str]) -> str:
    """A function with its arguments; without any, the name alone."""
    return f"({name} {' '.join(arguments)})" if arguments else name


def all_of(parts: Sequence[str]) -> str:
    """That all parts hold."""
    return f"(and {' '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "true"


def given_that(conditions: str, conclusion: str) -> str:
    """That the conclusion holds if the conditions do."""
    return conclusion if conditions == "true" else f"(=> {conditions} {conclusion})"


def names(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(_name(node) for node in _listed(text))


def heads(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Symbols with their parameters, in a list with commas."""
    return tuple(_call(node, _name) for node in _listed(text))


def head(text: str) -> tuple[str, tuple[str, ...]]:
    """One symbol with its parameters."""
    (only,) = heads(text)
    return only


def uses(text: str, bound: Sequence[str], symbols: Head) -> list[tuple[str, tuple[str, ...]]]:
    """Names of rules, each with the terms that it is used for."""
    return [_call(node, lambda part: _term(part, bound, symbols)) for node in _listed(text)]


def term(text: str, bound: Sequence[str], symbols: Head) -> str:
    """A term; the names in `bound` are variables, all others are symbols."""
    (node,) = _listed(text)
    return _term(node, bound, symbols)


def formula(text: str, bound: Sequence[str], symbols: Head) -> str:
    """A formula; commas between formulas mean that all hold."""
    return all_of([_formula(node, bound, symbols) for node in _listed(text)])


def _listed(text: str) -> list[ast.expr]:
    line = " ".join(text.split())
    if not line:
        return []
    node = ast.parse(line, mode="eval").body
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    raise Unwritable(f"expected a name, not {ast.unparse(node)}")


def _call(node: ast.expr, argument: Callable[[ast.expr], str]) -> tuple[str, tuple[str, ...]]:
    match node:
        case ast.Name(name):
            return name, ()
        case ast.Call(ast.Name(name), arguments, []):
            return name, tuple(map(argument, arguments))
    raise Unwritable(f"expected a name with arguments, not {ast.unparse(node)}")


def _term(node: ast.expr, bound: Sequence[str], symbols: Head) -> str:
    match node:
        case ast.Constant(value) if type(value) is int:
            return str(value)
        case ast.Name(name):
            return variable(name) if name in bound else symbols(name, ())
        case ast.Call(ast.Name(name), arguments, []) if name not in bound:
            return symbols(name, [_term(each, bound, symbols) for each in arguments])
        case ast.UnaryOp(ast.USub(), operand):
            return f"(- {_term(operand, bound, symbols)})"
        case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
            sides = [_term(side, bound, symbols) for side in (left, right)]
            return applied(_ARITHMETIC[type(operator)], sides)
    raise Unwritable(f"expected a term, not {ast.unparse(node)}")


def _formula(node: ast.expr, bound: Sequence[str], symbols: Head) -> str:
    match node:
        case ast.Compare(first, operators, others):
            sides = [_term(side, bound, symbols) for side in (first, *others)]
            signs = [_COMPARISONS[type(operator)] for operator in operators]
            pairs = zip(signs, sides, sides[1:], strict=False)
            return all_of([f"({sign} {left} {right})" for sign, left, right in pairs])
        case ast.BoolOp(operator, parts):
            word = "and" if isinstance(operator, ast.And) else "or"
            return applied(word, [_formula(part, bound, symbols) for part in parts])
        case ast.UnaryOp(ast.Not(), operand):
            return f"(not {_formula(operand, bound, symbols)})"
        case ast.Call(ast.Name("implies" | "iff" as word), [_, _] as sides, []):
            sign = "=>" if word == "implies" else "="
            return applied(sign, [_formula(side, bound, symbols) for side in sides])
    raise Unwritable(f"expected a formula, not {ast.unparse(node)}")
