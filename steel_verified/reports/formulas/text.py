"""Expressions on one line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from steel_verified.reports.formulas.expressions import (
    Checks,
    Choice,
    Difference,
    Function,
    LeastPower,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Upwards,
    Value,
    WorstPeriod,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.reports.formulas.expressions import Expression

_BRACKETS: Final = {"ceiling": ("⌈", "⌉"), "floor": ("⌊", "⌋")}
_ADDED: Final = (Sum, Difference, Choice)
_MULTIPLIED: Final = (Product, Quotient)


def as_text(shown: Expression, names: Mapping[str, str]) -> str:
    """The expression on one line; `names` maps each key to its symbol."""

    def text(part: Expression) -> str:
        match part:
            case Number(value):
                return str(value)
            case Value(key):
                return names[key]
            case Sum(terms):
                return " + ".join(map(text, terms))
            case Difference(left, right):
                return f"{text(left)} − {_in_brackets(right, _ADDED)}"
            case Product(factors):
                return "·".join(_in_brackets(factor, (*_ADDED, Quotient)) for factor in factors)
            case Quotient(above, below):
                under = _in_brackets(below, (*_ADDED, *_MULTIPLIED))
                return f"{_in_brackets(above, _ADDED)} / {under}"
            case Power(base, exponent):
                return f"{_raised(base)}^{_in_brackets(exponent, (*_ADDED, *_MULTIPLIED))}"
            case Function(name, arguments):
                before, after = _BRACKETS.get(name, (f"{name}(", ")"))
                return f"{before}{', '.join(map(text, arguments))}{after}"
            case LeastPower(rate, target):
                return f"⌈ln({text(target)}) / ln({text(rate)})⌉"
            case Choice(left, right, then, otherwise):
                condition = f"{text(left)} ≥ {text(right)}"
                return f"{text(then)} if {condition}, else {text(otherwise)}"
            case WorstPeriod():
                return "the most expensive of 1, …, |S|"
            case Upwards(chance, _):
                return text(chance)
            case Checks(error, distance, share):
                return f"n({text(error)}, {text(distance)}, {text(share)})"
            case _:
                assert_never(part)

    def _in_brackets(part: Expression, kinds: tuple[type, ...]) -> str:
        return f"({text(part)})" if isinstance(part, kinds) else text(part)

    def _raised(base: Expression) -> str:
        is_plain = isinstance(base, Value) or (
            isinstance(base, Number) and base.value.denominator == 1
        )
        return text(base) if is_plain else f"({text(base)})"

    return text(shown)
