"""Expressions as JSON for the evaluator of the audit page (`reports/audit_page/exact.js`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

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
    from steel_verified.evidence.codec import Json
    from steel_verified.reports.formulas.expressions import Expression


def as_program(part: Expression) -> Json:
    """A list that starts with the name of the operation. Keys and numbers are strings."""
    match part:
        case Number(value):
            return ["number", str(value)]
        case Value(key):
            return ["value", key]
        case Sum(terms):
            return ["sum", *map(as_program, terms)]
        case Difference(left, right):
            return ["difference", as_program(left), as_program(right)]
        case Product(factors):
            return ["product", *map(as_program, factors)]
        case Quotient(above, below):
            return ["quotient", as_program(above), as_program(below)]
        case Power(base, exponent):
            return ["power", as_program(base), as_program(exponent)]
        case Function(name, arguments):
            return [name, *map(as_program, arguments)]
        case LeastPower(rate, target):
            return ["leastPower", as_program(rate), as_program(target)]
        case Choice(left, right, then, otherwise):
            return ["choice", *map(as_program, (left, right, then, otherwise))]
        case WorstPeriod():
            return ["worstPeriod"]
        case Upwards(chance, delta):
            return ["upwards", as_program(chance), as_program(delta)]
        case Checks(error, distance, share):
            return ["checks", *map(as_program, (error, distance, share))]
        case _:
            assert_never(part)
