"""Ways to show a claim, written as text: each names a kernel and what it is given.

    bound: a + 1 <= b * c where b >= 2, c >= a, a >= 1      for all real values (slack)
    algebra: (x + y)**2 == x**2 + 2*x*y + y**2              an identity; `where x > 0` if needed
    number: log(2) > 1/2                                    constants, by exact or ball arithmetic
    interval: exp(-x/3) > 1 - x for x in [1/10, 1/2]        ball arithmetic on the whole interval
    interval: exp(x) >= 1 + x for x in [0, 1], equal at 0, rising to 1/10
    proof: TOURING.D03, TOURING.D04                         lemmas of a theory, replayed
    chain: lemma1.nearly_independent(1/4)                   a proof about sums, replayed
    check: every_tour_is_short(less=0)                      a function of the module beside
    join: STEEL.T1_dynamics with theorem.steel_fails        a theory joined with proofs about sums
     where accident is accident, fails at o is union        what they are given is a rule of it
     quoting T1.steel_fails for looped half by δ := δ/2     or what another join shows

A mistake is written in the same way and must be refused. Of a proof it may change one thing:

    proof: TOURING.D02 without way_home
    proof: TOURING.D03 where D03 says len(K) <= (S - 1) * D
    proof: TOURING.D03 where D03 supposes S >= 0
    chain: lemma1.nearly_independent without w law
    chain: lemma1.nearly_independent without line 2
    chain: lemma1.nearly_independent with line 2 nudged
    chain: lemma1.nearly_independent where w law says Σ[y] w(y) = 2
    join: … but without realizable
    join: … but closed_under supposes 0 <= u < S
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Final, TypeAlias

from proofs_checks.kernels import intervals
from proofs_checks.kernels.algebra import identity
from proofs_checks.kernels.evidence import Evidence, all_of
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.text import Reader, rational
from proofs_checks.notation import conditions
from proofs_checks.replays import chain, join, proof

if TYPE_CHECKING:
    from collections.abc import Callable

    from sympy import Expr, Symbol

    from proofs_checks.notation import Notation

Argument: TypeAlias = "int | str | Fraction | tuple[Argument, ...] | None"


def show(way: str, notation: Notation) -> Evidence:
    """Return evidence for the statement of the text; raise `NotEarned` if the kernel refuses it."""
    kind, _, body = " ".join(way.split()).partition(":")
    if kind not in _KINDS:
        raise ValueError(f"unknown kind of proof or check: {way}")
    return _KINDS[kind](body.strip(), notation)


def holds(call: str, notation: Notation) -> bool:
    """Call a function of the entry's module; raise unless it returns True or False."""
    result = _called(call, notation.module)
    if not isinstance(result, bool):
        raise ValueError(f"{call} does not return a truth value")
    return result


# --- formulas -------------------------------------------------------------------------------------


def _bound(text: str, notation: Notation) -> Evidence:
    statement, given = conditions(text, notation)
    reader = Reader(notation.let)
    at_least: dict[Symbol, Expr | int] = {}
    for condition in given:
        (least,) = reader.comparisons(condition)
        name, sign, _ = condition.partition(">=")
        variable = reader.symbol(name.strip())
        if not sign or variable in at_least:
            raise ValueError(f"not a lower bound, or a second one: {condition}")
        at_least[variable] = least.left
    parts = reader.comparisons(statement)
    if any(part.relation != "<=" for part in parts):
        raise ValueError(f"a bound is written with <= or >=: {statement}")
    return all_of(*(at_most(part.left, part.right, at_least) for part in parts))


def _algebra(text: str, notation: Notation) -> Evidence:
    statement, given = conditions(text, notation)
    named = [re.fullmatch(r"(\w+) > 0", condition) for condition in given]
    positive = frozenset(found[1] for found in named if found)
    if len(positive) < len(given):
        raise ValueError(f"expected conditions such as x > 0: {text}")
    parts = Reader(notation.let, positive).comparisons(statement)
    if any(part.relation != "==" for part in parts):
        raise ValueError(f"an identity is written with ==: {statement}")
    return all_of(*(identity(part.left, part.right) for part in parts))


def _number(text: str, notation: Notation) -> Evidence:
    return all_of(*(intervals.compared(part) for part in Reader(notation.let).comparisons(text)))


_INTERVAL: Final = re.compile(
    r"(.*) for (\w+) in \[([^,\]]+), ([^,\]]+)\](?:, equal at (\S+), rising to (\S+))?"
)


def _interval(text: str, notation: Notation) -> Evidence:
    found = _INTERVAL.fullmatch(text)
    if not found:
        raise ValueError(f"expected `… for x in [a, b]`: {text}")
    reader = Reader(notation.let)
    (stated,) = reader.comparisons(found[1])
    gap, variable = stated.right - stated.left, reader.symbol(found[2])
    low, high = rational(found[3]), rational(found[4])
    if stated.relation == "==":
        raise ValueError(f"an interval shows an inequality, not an equation: {text}")
    if found[5] is None:
        return intervals.positive(gap, variable, low, high)
    if rational(found[5]) != low or stated.relation != "<=":
        raise ValueError(f"sides are equal at the low end, and joined by <= or >=: {text}")
    return intervals.positive_from_zero(gap, variable, low, rational(found[6]), high)


# --- functions ------------------------------------------------------------------------------------


def _check(text: str, notation: Notation) -> Evidence:
    result = _called(text, notation.module)
    if not isinstance(result, Evidence):
        raise ValueError(f"{text} does not return evidence")
    return result


def _called(call: str, module: str) -> object:
    """Call a public function of a module with plain values: whole and rational numbers, text."""
    node = ast.parse(call, mode="eval").body
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        raise ValueError(f"expected a call such as name(1, less=2): {call}")
    function: object = vars(import_module(module)).get(node.func.id)
    if not isinstance(function, FunctionType) or node.func.id.startswith("_"):
        raise ValueError(f"{module} has no public function {node.func.id}")
    arguments = [_argument(each) for each in node.args]
    options = {str(each.arg): _argument(each.value) for each in node.keywords}
    result: object = function(*arguments, **options)
    return result


def _argument(node: ast.expr) -> Argument:
    match node:
        case ast.Constant(value) if value is None or isinstance(value, int | str):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return -value
        case ast.BinOp(left, ast.Div(), ast.Constant(int(bottom))):
            top = _argument(left)
            if isinstance(top, int):
                return Fraction(top, bottom)
        case ast.Tuple(parts):
            return tuple(map(_argument, parts))
    raise ValueError(f"not a plain value: {ast.unparse(node)}")


_KINDS: Final[dict[str, Callable[[str, Notation], Evidence]]] = {
    "bound": _bound,
    "algebra": _algebra,
    "number": _number,
    "interval": _interval,
    "proof": lambda text, _: proof(text),
    "chain": lambda text, _: chain(text),
    "check": _check,
    "join": join,
}
