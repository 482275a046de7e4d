"""Expressions as MathML, which browsers typeset and screen readers read."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, assert_never

from markupsafe import Markup, escape

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
    from collections.abc import Callable, Iterable, Mapping
    from fractions import Fraction

    from steel_verified.reports.formulas.expressions import Expression

_BRACKETS: Final = {"ceiling": ("⌈", "⌉"), "floor": ("⌊", "⌋")}
_ACCENTS: Final = {"\N{COMBINING CIRCUMFLEX ACCENT}": "^", "\N{COMBINING MACRON}": "¯"}
_PARTS: Final = re.compile(
    r"(?P<letter>\w[\u0302\u0304]?)(_(?P<below>[\w.]+))?(?P<prime>')?|(?P<sign>[|()])"
)
"""A symbol consists of letters (each may have an accent, an index or a prime) and of bars."""
_LONGEST_LINE: Final = 120
"""A sum with more characters is written on several lines."""


def symbol(text: str) -> Markup:
    """A symbol of the audit, such as t̂_mix or |F|."""
    if re.fullmatch(r"[a-z]{3,}\.?", text):
        return Markup("<mi>{}</mi>").format(text)
    return _row(map(_part, _PARTS.finditer(unicodedata.normalize("NFD", text))))


def _part(found: re.Match[str]) -> Markup:
    if found["sign"]:
        return Markup('<mo stretchy="false">{}</mo>').format(found["sign"])
    letter, accent = found["letter"][0], found["letter"][1:]
    shown = Markup("<mi>{}</mi>").format(letter)
    if accent:
        shown = Markup("<mover><mrow>{}</mrow><mo>{}</mo></mover>").format(shown, _ACCENTS[accent])
    if found["below"]:
        below = Markup("<mtext>{}</mtext>").format(found["below"])
        if found["prime"]:
            return Markup("<msubsup>{}{}<mo>′</mo></msubsup>").format(shown, below)
        return Markup("<msub>{}{}</msub>").format(shown, below)
    return shown


def as_mathml(shown: Expression, leaf: Callable[[str], Markup]) -> Markup:
    """The expression as MathML. `leaf` writes each key, as its symbol or as its value."""
    return Markup("<math>{}</math>").format(_written(shown, leaf))


def with_symbols(names: Mapping[str, str]) -> Callable[[str], Markup]:
    """A `leaf` function that writes the symbol of a key."""
    return lambda key: symbol(names[key])


def with_values(values: Mapping[str, str]) -> Callable[[str], Markup]:
    """A `leaf` function that writes the value of a key, marked so that a script can update it."""
    return lambda key: Markup('<mn data-value="{}">{}</mn>').format(key, values[key])


def number(value: Fraction) -> Markup:
    sign = Markup("<mo>−</mo>") if value < 0 else Markup()
    above = Markup("<mn>{}</mn>").format(abs(value.numerator))
    if value.denominator == 1:
        return sign + above
    return sign + _fraction(above, Markup("<mn>{}</mn>").format(value.denominator))


def _written(shown: Expression, leaf: Callable[[str], Markup]) -> Markup:
    def write(part: Expression) -> Markup:
        match part:
            case Number(value):
                return number(value)
            case Value(key):
                return leaf(key)
            case Sum(terms):
                return _sum([write(term) for term in terms])
            case Difference(left, right):
                return _row([write(left), _sign("−"), grouped(right, Sum, Difference, Choice)])
            case Product(factors):
                return _joined("·", (grouped(each, Sum, Difference, Choice) for each in factors))
            case Quotient(above, below):
                return _fraction(write(above), write(below))
            case Power(base, exponent):
                raised = (
                    write(base) if isinstance(base, Value) else _brackets("(", write(base), ")")
                )
                return Markup("<msup>{}{}</msup>").format(_row([raised]), _row([write(exponent)]))
            case Function(name, arguments):
                inside = _joined(",", map(write, arguments))
                if name in _BRACKETS:
                    before, after = _BRACKETS[name]
                    return _brackets(before, inside, after)
                return _applied(name, inside)
            case LeastPower(rate, target):
                logarithms = _fraction(_applied("ln", write(target)), _applied("ln", write(rate)))
                return _brackets("⌈", logarithms, "⌉")
            case Choice(left, right, then, otherwise):
                condition = _row([write(left), _sign("≥"), write(right)])
                return _cases(write(then), condition, write(otherwise))
            case WorstPeriod():
                return Markup("<mtext>the most expensive of 1, …, |S|</mtext>")
            case Upwards(chance, _):
                return write(chance)
            case Checks(error, distance, share):
                return _applied("n", _joined(",", map(write, (error, distance, share))))
            case _:
                assert_never(part)

    def grouped(part: Expression, *kinds: type) -> Markup:
        return _brackets("(", write(part), ")") if isinstance(part, kinds) else write(part)

    return write(shown)


def _row(parts: Iterable[Markup]) -> Markup:
    return Markup("<mrow>{}</mrow>").format(Markup().join(parts))


def _sign(text: str) -> Markup:
    return Markup("<mo>{}</mo>").format(text)


def _joined(sign: str, parts: Iterable[Markup]) -> Markup:
    return _row([_sign(sign).join(parts)])


def _sum(terms: list[Markup]) -> Markup:
    """The terms on one line, or each on a line of its own if that line were too long for paper."""
    if sum(len(term.striptags()) for term in terms) <= _LONGEST_LINE:
        return _joined("+", terms)
    first, *rest = terms
    lines = [first, *(_sign("+") + term for term in rest)]
    rows = Markup().join(Markup("<mtr><mtd>{}</mtd></mtr>").format(line) for line in lines)
    return Markup("<mtable>{}</mtable>").format(rows)


def _fraction(above: Markup, below: Markup) -> Markup:
    return Markup("<mfrac>{}{}</mfrac>").format(_row([above]), _row([below]))


def _brackets(before: str, inside: Markup, after: str) -> Markup:
    return _row([_sign(before), inside, _sign(after)])


def _applied(name: str, inside: Markup) -> Markup:
    return _row([Markup("<mi>{}</mi>").format(escape(name)), _brackets("(", inside, ")")])


def _cases(then: Markup, condition: Markup, otherwise: Markup) -> Markup:
    rows = Markup(
        "<mtable><mtr><mtd>{}</mtd><mtd><mtext>if </mtext>{}</mtd></mtr>"
        "<mtr><mtd>{}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable>"
    ).format(then, condition, otherwise)
    return _row([Markup('<mo stretchy="true">{</mo>'), rows])
