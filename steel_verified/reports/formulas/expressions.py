"""Mathematical expressions as values.

Each formula is defined once, with Python's operators. `text` and `mathml` display it, and `program`
passes it to the audit page, which evaluates it for other parameters. `tests/reports/formulas`
evaluates it in Python, and compares the value with the functions of `theory/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


class Operators:
    """Python's operators build larger expressions from smaller ones."""

    __slots__ = ()

    def __add__(self, other: Operand) -> Sum:
        return Sum((*_terms(self), *_terms(other)))

    def __radd__(self, other: Operand) -> Sum:
        return Sum((*_terms(other), *_terms(self)))

    def __sub__(self, other: Operand) -> Difference:
        return Difference(expression(self), expression(other))

    def __rsub__(self, other: Operand) -> Difference:
        return Difference(expression(other), expression(self))

    def __mul__(self, other: Operand) -> Product:
        return Product((*_factors(self), *_factors(other)))

    def __rmul__(self, other: Operand) -> Product:
        return Product((*_factors(other), *_factors(self)))

    def __truediv__(self, other: Operand) -> Quotient:
        return Quotient(expression(self), expression(other))

    def __rtruediv__(self, other: Operand) -> Quotient:
        return Quotient(expression(other), expression(self))

    def __pow__(self, other: Operand) -> Power:
        return Power(expression(self), expression(other))

    def __rpow__(self, other: Operand) -> Power:
        return Power(expression(other), expression(self))


@dataclass(frozen=True, slots=True)
class Number(Operators):
    """A rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Value(Operators):
    """The value of a symbol, by the symbol's key."""

    key: str


@dataclass(frozen=True, slots=True)
class Sum(Operators):
    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Difference(Operators):
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Product(Operators):
    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Quotient(Operators):
    above: Expression
    below: Expression


@dataclass(frozen=True, slots=True)
class Power(Operators):
    """A power whose exponent is an integer."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Function(Operators):
    """A common function: max, min, ln, exp, ceiling or floor."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class LeastPower(Operators):
    """The least n ≥ 0 with rateⁿ ≤ target: ⌈ln(target) / ln(rate)⌉, decided in integers.

    The value is 0 if the target is a division by 0, which counts as infinite.
    """

    rate: Expression
    target: Expression


@dataclass(frozen=True, slots=True)
class Choice(Operators):
    """`then` if left ≥ right, and `otherwise` if not."""

    left: Expression
    right: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class WorstPeriod(Operators):
    """The largest n_cyc from 1 to |S| at which a call of CycleFind takes the most steps."""


@dataclass(frozen=True, slots=True)
class Upwards(Operators):
    """A probability rounded up to a multiple of 2^(−64−k); 2^k is the least power above 1/δ."""

    chance: Expression
    delta: Expression


@dataclass(frozen=True, slots=True)
class Checks(Operators):
    """The least number n of checks with b_n + η·a_n ≤ share; see `theory/validation.py`."""

    error: Expression
    distance: Expression
    share: Expression


Expression: TypeAlias = (
    Number
    | Value
    | Sum
    | Difference
    | Product
    | Quotient
    | Power
    | Function
    | LeastPower
    | Choice
    | WorstPeriod
    | Upwards
    | Checks
)
Operand: TypeAlias = Operators | Fraction | int


def expression(operand: Operand) -> Expression:
    """An operand as an expression."""
    match operand:
        case int() | Fraction():
            return Number(Fraction(operand))
        case (
            Number()
            | Value()
            | Sum()
            | Difference()
            | Product()
            | Quotient()
            | Power()
            | Function()
            | LeastPower()
            | Choice()
            | WorstPeriod()
            | Upwards()
            | Checks()
        ):
            return operand
        case _:
            raise TypeError(f"{type(operand).__name__} is not an expression")


def _terms(operand: Operand) -> tuple[Expression, ...]:
    made = expression(operand)
    return made.terms if isinstance(made, Sum) else (made,)


def _factors(operand: Operand) -> tuple[Expression, ...]:
    made = expression(operand)
    return made.factors if isinstance(made, Product) else (made,)


def largest(*arguments: Operand) -> Function:
    return Function("max", tuple(map(expression, arguments)))


def smallest(*arguments: Operand) -> Function:
    return Function("min", tuple(map(expression, arguments)))


def ceiling(argument: Operand) -> Function:
    return Function("ceiling", (expression(argument),))


def floor(argument: Operand) -> Function:
    return Function("floor", (expression(argument),))


def ln(argument: Operand) -> Function:
    return Function("ln", (expression(argument),))


def exp(argument: Operand) -> Function:
    return Function("exp", (expression(argument),))
