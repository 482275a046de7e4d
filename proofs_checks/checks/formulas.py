"""Formulas: which ones the checks accept, and how they are read from text.

A formula is made of rational numbers, symbols, sums, products, powers, exp and log. Floating point
numbers, infinities and anything else that sympy knows are refused. In text, formulas are written as
in Python; `sqrt` and `diff(formula, x)` are also known. Every name stands for a real number. A name
may be an abbreviation for a longer formula.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, exp, log, sqrt

from proofs_checks.checks.evidence import NotEarned, require_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Number = Expr | Fraction | int

E: Final = exp(Integer(1))
_RATIONALS: Final = frozenset(type(Rational(p, q)) for p, q in ((0, 1), (1, 1), (-1, 1), (1, 2)))
CLASSES: Final = frozenset({Symbol, Integer, Rational, Add, Mul, Pow, exp, log}) | _RATIONALS
"""The sympy classes that may occur in a formula"""
_ASSUMPTIONS: Final[tuple[dict[str, bool], ...]] = (
    {},
    {"real": True},
    {"positive": True},
    {"nonnegative": True},
)
"""The sets of assumptions that a symbol may have"""
_NAME: Final = re.compile(r"[^\W\d]\w*['₊₋⁺⁻]*")


def formula(value: Number) -> Expr:
    """Return the value as a formula; raise `NotEarned` if it contains anything not accepted."""
    if not isinstance(value, Expr):
        require_number(value)
        exact = Fraction(value)
        return Rational(exact.numerator, exact.denominator)
    names = dict[str, Symbol]()
    for part in _parts(value):
        if type(part) is Symbol:
            if not _NAME.fullmatch(part.name):
                raise NotEarned(f"expected a name, not {part.name!r}")
            if part not in [Symbol(part.name, **given) for given in _ASSUMPTIONS]:
                raise NotEarned(f"{part.name} has assumptions that are not accepted")
            if names.setdefault(part.name, part) != part:
                raise NotEarned(f"two symbols are called {part.name}")
        elif type(part) not in CLASSES and part != E:
            raise NotEarned(f"{type(part).__name__} is not accepted in a formula: {part}")
    return value


def _parts(value: Expr) -> Iterator[Expr]:
    yield value
    for part in value.args:
        yield from _parts(part)


# --- formulas as text -----------------------------------------------------------------------------

Relation = Literal["<", "<=", "=="]

_RELATIONS: Final[dict[type[ast.cmpop], tuple[Relation, bool]]] = {
    ast.Lt: ("<", False),
    ast.LtE: ("<=", False),
    ast.Eq: ("==", False),
    ast.Gt: ("<", True),
    ast.GtE: ("<=", True),
}
"""Each sign with the sign (<, ≤ or =) that it is read as, and whether the sides are exchanged."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """left < right, left ≤ right or left = right."""

    left: Expr
    relation: Relation
    right: Expr


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads formulas. `let` has the abbreviations, `positive` the names that are greater than 0."""

    let: Mapping[str, str] = field(default_factory=dict)
    positive: frozenset[str] = frozenset()

    def expression(self, text: str) -> Expr:
        """Return the formula; raise `ValueError` if the text is not one."""
        return self._expression(_parsed(text))

    def comparisons(self, text: str) -> tuple[Comparison, ...]:
        """Return the parts of a comparison such as `1 <= a < b`, each with two sides."""
        node = _parsed(text)
        if not isinstance(node, ast.Compare):
            raise ValueError(f"expected a comparison: {text}")
        sides = [self._expression(side) for side in (node.left, *node.comparators)]
        found = []
        for sign, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if type(sign) not in _RELATIONS:
                raise ValueError(f"expected <, <=, ==, >= or >: {text}")
            relation, swapped = _RELATIONS[type(sign)]
            found.append(
                Comparison(*((right, relation, left) if swapped else (left, relation, right)))
            )
        return tuple(found)

    def symbol(self, name: str) -> Symbol:
        """Return the variable with this name."""
        if not name.isidentifier() or name in self.let or name in _FUNCTIONS or name == "diff":
            raise ValueError(f"{name} is not a free variable")
        return Symbol(name, positive=True) if name in self.positive else Symbol(name, real=True)

    def _expression(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value) if type(value) is int:
                return Integer(value)
            case ast.Name(name) if name in self.let:
                return self._abbreviation(name)
            case ast.Name(name):
                return self.symbol(name)
            case ast.UnaryOp(ast.USub(), operand):
                return -self._expression(operand)
            case ast.BinOp(left, sign, right) if type(sign) in _OPERATIONS:
                return _OPERATIONS[type(sign)](self._expression(left), self._expression(right))
            case ast.Call(ast.Name("diff"), [formula, *variables], []) if variables:
                found = self._expression(formula)
                for variable in variables:
                    if not isinstance(variable, ast.Name):
                        raise ValueError(f"not a variable: {ast.unparse(variable)}")
                    found = found.diff(self.symbol(variable.id))
                return found
            case ast.Call(ast.Name(name), [argument], []) if name in _FUNCTIONS:
                return _FUNCTIONS[name](self._expression(argument))
        raise ValueError(f"not a formula: {ast.unparse(node)}")

    def _abbreviation(self, name: str) -> Expr:
        """An abbreviation may use those that were made before it."""
        earlier: dict[str, str] = {}
        for other, text in self.let.items():
            if other == name:
                return Reader(earlier, self.positive).expression(text)
            earlier[other] = text
        raise ValueError(f"{name} is not known")


_OPERATIONS: Final[dict[type[ast.operator], Callable[[Expr, Expr], Expr]]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.Pow: lambda left, right: left**right,
}

_FUNCTIONS: Final[dict[str, Callable[[Expr], Expr]]] = {"exp": exp, "log": log, "sqrt": sqrt}


def rational(text: str) -> Fraction:
    """Return the rational number that is written as `3`, `-1/4` or `0.44`."""
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"not a rational number: {text}") from None


def _parsed(text: str) -> ast.expr:
    if "#" in text:
        raise ValueError(f"a comment in a formula: {text}")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"not a formula: {text} ({error.msg})") from None
