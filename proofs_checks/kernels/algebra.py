"""Formulas in sympy: which formulas the kernels accept, identities, and values on balls.

A formula is made of rational numbers, symbols, sums, products, powers, exp and log. Floating point
numbers, infinities and anything else that sympy knows are refused.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from flint import arb
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, exp, log, simplify

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, issue
from proofs_checks.kernels.exactness import is_name, require_number
from steel_verified.theory.exact import ball

if TYPE_CHECKING:
    from collections.abc import Iterator

Number = Expr | Fraction | int

_E: Final = exp(Integer(1))
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


def formula(value: Number) -> Expr:
    """Return the value as a formula; raise `NotEarned` if it contains anything not accepted."""
    if not isinstance(value, Expr):
        require_number(value)
        exact = Fraction(value)
        return Rational(exact.numerator, exact.denominator)
    names = dict[str, Symbol]()
    for part in _parts(value):
        if type(part) is Symbol:
            if not is_name(part.name):
                raise NotEarned(f"expected a name, not {part.name!r}")
            if part not in [Symbol(part.name, **given) for given in _ASSUMPTIONS]:
                raise NotEarned(f"{part.name} has assumptions that are not accepted")
            if names.setdefault(part.name, part) != part:
                raise NotEarned(f"two symbols are called {part.name}")
        elif type(part) not in CLASSES and part != _E:
            raise NotEarned(f"{type(part).__name__} is not accepted in a formula: {part}")
    return value


def _parts(value: Expr) -> Iterator[Expr]:
    yield value
    for part in value.args:
        yield from _parts(part)


def identity(left: Number, right: Number) -> Evidence:
    """Show that two formulas are equal wherever both are defined."""
    difference = simplify(formula(formula(left) - formula(right)))
    if difference != Integer(0):
        raise NotEarned(f"the difference is {difference}, not 0")
    return issue(Strength.PROVED, "by algebra: the difference of both sides is 0")


def on_balls(of: Expr, variable: Symbol | None, at: arb) -> arb:
    """A ball that contains the values of a formula for all values of its variable in a ball.

    Raise `NotEarned` for another symbol, and for a power other than of whole or half numbers.
    """
    if of == variable:
        return at
    if of == _E:
        return arb(1).exp()
    if isinstance(of, Rational):
        return ball(Fraction(of.p, of.q))
    if isinstance(of, Add | Mul):
        result, *others = (on_balls(each, variable, at) for each in of.args)
        for other in others:
            result = result + other if isinstance(of, Add) else result * other
        return result
    if isinstance(of, exp):
        return on_balls(of.args[0], variable, at).exp()
    if isinstance(of, log):
        return on_balls(of.args[0], variable, at).log()
    if isinstance(of, Pow) and isinstance(of.exp, Rational) and of.exp.q in {1, 2}:
        base = on_balls(of.base, variable, at)
        power = (base if of.exp.q == 1 else base.sqrt()) ** abs(of.exp.p)
        return power if of.exp.p > 0 else arb(1) / power
    raise NotEarned(f"no balls for {of}")
