"""Exact decisions about numbers: by integers where possible, otherwise by interval arithmetic.

Only this module chooses a precision. A real number is given as a function that computes a ball (an
interval) around it at the working precision. The function is called again with doubled precision
until the ball decides the question.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from flint import arb, ctx, fmpq, fmpz

from steel_verified.errors import InvalidArgument, Undecided

if TYPE_CHECKING:
    from collections.abc import Callable

_FIRST_PRECISION: Final = 64
_LAST_PRECISION: Final = 1 << 16
# The lengths are bounded: "1e-999999999" is a short text for a number that fills the memory.
_DECIMAL_OR_RATIO: Final = re.compile(
    r"\s*(\d{1,99}/\d{1,99}|(\d{1,99}\.?\d{0,99}|\.\d{1,99})(e-?\d{1,3})?)\s*",
    re.ASCII | re.IGNORECASE,
)


def exactly(text: str, argument: str = "number") -> Fraction:
    """Return the number written as a decimal such as "0.05" or as a ratio such as "1/20".

    Raises `InvalidArgument`, which names `argument`, for any other text.
    """
    given: object = text
    if not isinstance(given, str) or not _DECIMAL_OR_RATIO.fullmatch(given):
        expected = 'a decimal such as "0.05" or a ratio such as "1/20"'
        raise InvalidArgument(argument, repr(text), expected)
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise InvalidArgument(argument, repr(text), "a ratio whose denominator is not 0") from None


def ceil_div(numerator: int, denominator: int) -> int:
    """Return ⌈numerator / denominator⌉."""
    return -(-numerator // denominator)


def least_power(rate: Fraction, target: Fraction) -> int:
    """Return the least n ≥ 0 with rateⁿ ≤ target, for 0 < rate < 1 and target > 0.

    Raises `InvalidArgument` for other rates and targets.
    """
    if not 0 < rate < 1:
        raise InvalidArgument("rate", rate, "a number strictly between 0 and 1")
    if target <= 0:
        raise InvalidArgument("target", target, "a positive number")
    enough = 1
    while rate**enough > target:
        enough *= 2
    return bisect_left(range(enough), -target, key=lambda n: -(rate**n))


def ball(number: Fraction) -> arb:
    """Return a ball around a rational number, at the working precision."""
    return arb(fmpq(number.numerator, number.denominator))


def ceiling(real: Callable[[], arb]) -> int:
    """Return ⌈x⌉, where `real` returns a ball around x; raise `Undecided` if no ball decides it."""
    return _decide(lambda: real().ceil().unique_fmpz())


def floor(real: Callable[[], arb]) -> int:
    """Return ⌊x⌋, where `real` returns a ball around x; raise `Undecided` if no ball decides it."""
    return _decide(lambda: real().floor().unique_fmpz())


def decimal_above(number: Fraction, digits: int = 3) -> str:
    """Return a decimal with few digits, rounded up: a shown bound is never below the true one."""
    context = Context(prec=digits, rounding=ROUND_CEILING)
    return f"{context.divide(Decimal(number.numerator), Decimal(number.denominator)):.{digits}g}"


def _decide(integer: Callable[[], fmpz | None]) -> int:
    precision = _FIRST_PRECISION
    while precision <= _LAST_PRECISION:
        with ctx.workprec(precision):
            found = integer()
        if found is not None:
            return int(found)
        precision *= 2
    raise Undecided(f"not separated from an integer by {_LAST_PRECISION} bits")
