"""Evaluates the formulas of the audit in Python, in another way than the functions of `theory/`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from flint import arb, ctx

from steel_verified.reports.formulas.definitions import DEFINITIONS
from steel_verified.reports.formulas.expressions import (
    Checks,
    Choice,
    Difference,
    Expression,
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
from steel_verified.theory.exact import ball

_BITS = 500
Values = Mapping[str, Fraction]


def evaluated(part: Expression, values: Values) -> Fraction:
    """The value of a formula that is rational."""
    match part:
        case Number(value):
            return value
        case Value(key):
            return values[key]
        case Sum(terms):
            return sum((evaluated(term, values) for term in terms), Fraction(0))
        case Difference(left, right):
            return evaluated(left, values) - evaluated(right, values)
        case Product(factors):
            product = Fraction(1)
            for factor in factors:
                product *= evaluated(factor, values)
            return product
        case Quotient(above, below):
            return evaluated(above, values) / evaluated(below, values)
        case Power(base, exponent):
            return evaluated(base, values) ** int(evaluated(exponent, values))
        case Function("max", arguments):
            return max(evaluated(each, values) for each in arguments)
        case Function("min", arguments):
            return min(evaluated(each, values) for each in arguments)
        case Function("ceiling", (inside,)):
            return _unique(_real(inside, values).ceil())
        case Function("floor", (inside,)):
            return _unique(_real(inside, values).floor())
        case Function(name, _):
            raise ValueError(f"{name} of a number is not rational")
        case LeastPower(rate, target):
            return _least_power(evaluated(rate, values), target, values)
        case Choice(left, right, then, otherwise):
            is_so = evaluated(left, values) >= evaluated(right, values)
            return evaluated(then if is_so else otherwise, values)
        case WorstPeriod():
            return _worst_period(values)
        case Upwards(chance, delta):
            allowed = evaluated(delta, values)
            grain = 1 << 64 + (allowed.denominator // allowed.numerator).bit_length()
            return _unique((grain * _real(chance, values)).ceil()) / grain
        case Checks(error, distance, share):
            return _checks(*(evaluated(each, values) for each in (error, distance, share)))
        case _:
            assert_never(part)


def all_values(given: Values) -> dict[str, Fraction]:
    """All definitions, one after the other."""
    values = dict(given)
    with ctx.workprec(_BITS):
        for key, formula in DEFINITIONS.items():
            values[key] = evaluated(formula, values)
    return values


def _real(part: Expression, values: Values) -> arb:
    """The value of a formula with logarithms, enclosed."""
    match part:
        case Sum(terms):
            return sum((_real(term, values) for term in terms), arb(0))
        case Difference(left, right):
            return _real(left, values) - _real(right, values)
        case Product(factors):
            product = arb(1)
            for factor in factors:
                product *= _real(factor, values)
            return product
        case Quotient(above, below):
            return _real(above, values) / _real(below, values)
        case Function("ln", (inside,)):
            return _real(inside, values).log()
        case Function("exp", (inside,)):
            return _real(inside, values).exp()
        case Function("max", (left, right)):
            return _real(left, values).max(_real(right, values))
        case Choice(left, right, then, otherwise):
            is_so = evaluated(left, values) >= evaluated(right, values)
            return _real(then if is_so else otherwise, values)
        case _:
            return ball(evaluated(part, values))


def _unique(integer: arb) -> Fraction:
    found = integer.unique_fmpz()
    assert found is not None
    return Fraction(int(found))


def _least_power(rate: Fraction, target: Expression, values: Values) -> Fraction:
    """By trying one n after the other."""
    try:
        aim = evaluated(target, values)
    except ZeroDivisionError:
        return Fraction(0)
    n, power = 0, Fraction(1)
    while power > aim:
        n, power = n + 1, power * rate
    return Fraction(n)


def _worst_period(values: Values) -> Fraction:
    """By trying all periods."""

    def steps(period: int) -> Fraction:
        tried = {**values, "period": Fraction(period)}
        for key in ("n_0", "stride", "c"):
            tried[key] = evaluated(DEFINITIONS[key], tried)
        return evaluated(DEFINITIONS["call_steps"], tried)

    periods = range(1, int(values["states"]) + 1)
    return Fraction(max(periods, key=lambda period: (steps(period), period)))


def _checks(error: Fraction, distance: Fraction, share: Fraction) -> Fraction:
    """By the recursion itself, in balls: exact fractions would grow by 30 bits a step.

    A tie that a ball cannot decide counts as more than the share: `theory/` rounds bounds up.
    """
    error = min(error, Fraction(1, 2))
    far, wrong, right, aim = (ball(each) for each in (distance, error, 1 - error, share))
    a = b = arb(1)
    n = 0
    while not b + far * a <= aim:
        a, b = a.min(far * a + b), b.min(right * b + wrong * far * a)
        n += 1
    return Fraction(n)
