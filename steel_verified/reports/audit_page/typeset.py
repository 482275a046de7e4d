"""Formulas through sympy: as MathML, which browsers typeset, and as JavaScript for `exact.js`."""
# ruff: noqa: N802 (sympy calls its methods so)

from __future__ import annotations

import ast
import re
import unicodedata
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from sympy import Expr, Function, Integer, Pow, Rational, Symbol, ceiling, floor, log
from sympy.parsing.sympy_parser import parse_expr
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.mathml import MathMLPresentationPrinter

from steel_verified.reports.formulas import DEFINITIONS, GIVEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from xml.dom.minidom import Element, Text

    Vocabulary = Mapping[str, Expr | type[Expr] | Callable[[Expr], Expr]]

_OURS: Final = ("exp", "max", "min", "choice", "least_power", "worst_period", "upwards", "checks")
"""Functions that sympy must neither evaluate nor know."""
_VOCABULARY: Final[Vocabulary] = {
    **{key: Symbol(key) for key in (*DEFINITIONS, *(symbol.key for symbol in GIVEN))},
    **{name: Function(name) for name in _OURS},
    "ln": log,
    "ceiling": partial(ceiling, evaluate=False),
    "floor": partial(floor, evaluate=False),
}
_ACCENTS: Final = {"\N{COMBINING CIRCUMFLEX ACCENT}": "^", "\N{COMBINING MACRON}": "¯"}
_PARTS: Final = re.compile(
    r"(?P<letter>\w[\u0302\u0304]?)(_(?P<below>[\w.]+))?(?P<prime>')?|(?P<sign>[|()])"
)
"""A symbol consists of letters (each may have an accent, an index or a prime) and of bars."""
_LONGEST_LINE: Final = 120
"""A sum with more characters is written on several lines, so that it fits on paper."""


class _Choices(ast.NodeTransformer):
    """Writes `a if b >= c else d` as `choice(b, c, a, d)`, which sympy leaves as it is."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.Call:
        assert isinstance(node.test, ast.Compare)
        parts = (node.test.left, node.test.comparators[0], node.body, node.orelse)
        return ast.Call(ast.Name("choice"), [self.visit(part) for part in parts], [])


@cache
def parsed(formula: str) -> Expr:
    """A formula as an expression of sympy, not simplified."""
    plain = formula.replace("⌈", "ceiling(").replace("⌉", ")")
    choices = ast.unparse(_Choices().visit(ast.parse(plain, mode="eval")))
    return parse_expr(choices, _VOCABULARY, evaluate=False)


def as_mathml(formula: str, leaf: Callable[[str], Markup]) -> Markup:
    """The formula as MathML. `leaf` writes each key, as its symbol or as its value."""
    written = _Typeset(leaf).doprint(parsed(formula)).replace("<mo>-</mo>", "<mo>−</mo>")
    return Markup("<math>{}</math>").format(Markup(written))


def with_symbols(names: Mapping[str, str]) -> Callable[[str], Markup]:
    return lambda key: symbol(names[key])


def with_values(values: Mapping[str, str]) -> Callable[[str], Markup]:
    """A `leaf` function that writes the value of a key, marked so that a script can update it."""
    return lambda key: Markup('<mn data-value="{}">{}</mn>').format(key, values[key])


def symbol(text: str) -> Markup:
    if re.fullmatch(r"[a-z]{3,}\.?", text):
        return Markup("<mi>{}</mi>").format(text)
    parts = map(_part, _PARTS.finditer(unicodedata.normalize("NFD", text)))
    return Markup("<mrow>{}</mrow>").format(Markup().join(parts))


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


class _Typeset(MathMLPresentationPrinter):
    """sympy's printer, with our symbols and functions, and long sums on several lines."""

    def __init__(self, leaf: Callable[[str], Markup]) -> None:
        super().__init__({"order": "old", "mul_symbol": "dot", "ln_notation": True})
        self._leaf = leaf

    def _raw(self, markup: str) -> Text:
        return self.dom.createTextNode(markup)  # sympy writes it as it is

    def _print_Symbol(self, expr: Symbol) -> Text:
        return self._raw(self._leaf(expr.name))

    def _print_Add(self, expr: Expr, order: str | None = None) -> Element:
        line = super()._print_Add(expr, order or "none")
        if len(Markup(line.toxml()).striptags()) <= _LONGEST_LINE:
            return line
        table, row = self.dom.createElement("mtable"), ""
        for part in (*line.childNodes, None):
            text = "" if part is None else part.toxml()
            if part is None or (text.startswith("<mo>") and row):
                table.appendChild(self._raw(f"<mtr><mtd>{row}</mtd></mtr>"))
                row = ""
            row += text
        return table

    def _print_Function(self, e: Expr) -> Element | Text:
        name, parts = type(e).__name__, [self._print(each).toxml() for each in e.args]
        match name, parts:
            case "choice", [left, right, then, otherwise]:
                return self._raw(
                    '<mrow><mo stretchy="true">{</mo><mtable><mtr>'
                    f"<mtd>{then}</mtd>"
                    f"<mtd><mtext>if\N{NO-BREAK SPACE}</mtext>{left}<mo>≥</mo>{right}</mtd></mtr>"
                    f"<mtr><mtd>{otherwise}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>"
                    "</mtable></mrow>"
                )
            case "least_power", [rate, target]:
                ln = "<mrow><mi>ln</mi><mrow><mo>(</mo>{}<mo>)</mo></mrow></mrow>"
                quotient = f"<mfrac>{ln.format(target)}{ln.format(rate)}</mfrac>"
                return self._raw(f"<mrow><mo>⌈</mo>{quotient}<mo>⌉</mo></mrow>")
            case "worst_period", []:
                return self._raw("<mtext>the most expensive of 1, …, |S|</mtext>")
            case "upwards", [chance, _]:
                return self._raw(chance)
            case _:
                return super()._print_Function(e)


def as_script(formulas: Mapping[str, str]) -> Markup:
    """The formulas as an object of JavaScript: each a function of the values before it."""
    printer = _Exact()
    lines = [f"  {key}: (v) => {printer.written(parsed(f))}," for key, f in formulas.items()]
    return Markup("\n".join(["const DEFINITIONS = {", *lines, "};\n"]))


class _Exact(JavascriptCodePrinter):
    """sympy's printer, with the exact operations of `exact.js` for operators and functions."""

    def written(self, expr: Expr) -> str:
        return self._print(expr)

    def _print_Add(self, expr: Expr) -> str:
        return f"sum({', '.join(map(self._print, expr.args))})"

    def _print_Mul(self, expr: Expr) -> str:
        return f"product({', '.join(map(self._print, expr.args))})"

    def _print_Pow(self, expr: Pow) -> str:
        if expr.exp == Integer(-1):
            return f"inverted({self._print(expr.base)})"
        return f"raised({self._print(expr.base)}, {self._print(expr.exp)})"

    def _print_Integer(self, expr: Rational) -> str:
        return f"whole({expr.p})"

    def _print_Symbol(self, expr: Symbol) -> str:
        return f"v.{expr.name}"

    def _print_Function(self, expr: Expr) -> str:
        name, parts = type(expr).__name__, [self._print(each) for each in expr.args]
        match name, parts:
            case "choice", [left, right, then, otherwise]:
                return f"choice({left}, {right}, () => {then}, () => {otherwise})"
            case "least_power", [rate, target]:
                return f"leastPower({rate}, () => {target})"
            case "worst_period", []:
                return "worstPeriod(v)"
            case _:
                return f"{name}({', '.join(parts)})"
