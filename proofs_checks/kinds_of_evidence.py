"""The kinds of evidence that an entry can give for a claim, each written as text.

    algebra: (x + y)**2 == x**2 + 2*x*y + y**2              an identity; `where x > 0` if needed
    bound: a + 1 <= b * c where b >= 2, c >= a, a >= 1      for all real values
    number: 1/3 < 1/2                                       rational numbers
    interval: log(2) > 1/2                                  other numbers, by ball arithmetic
    interval: exp(-x/3) > 1 - x for x in [1/10, 1/2]        the same on the whole interval
    interval: exp(x) >= 1 + x for x in [0, 1], equal at 0, rising to 1/10
    exhausted: every_tour_is_short(less=0)                  a function of the module beside

The first three are exact algebra (`identity`), intervals are `enclosed`. A call of a function names
the strength of the evidence that the function returns: `identity`, `enclosed`, `exhausted`,
`computed` or `exact`. Evidence of another strength is refused, so a text says how strong it is
before it is checked. No text is `proved`: that takes a theorem of Coq (`theorems.py`).

A mistake is written in the same way and must be refused.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Final, TypeAlias

from proofs_checks.checks import intervals
from proofs_checks.checks.algebra import at_most, compared, identity
from proofs_checks.checks.evidence import Evidence, NotEarned, Strength, all_of
from proofs_checks.checks.formulas import Reader, rational

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sympy import Expr, Symbol

Argument: TypeAlias = "int | str | Fraction | tuple[Argument, ...] | None"


@dataclass(frozen=True, slots=True)
class Notation:
    """What a file of entries abbreviates, and the module with its functions."""

    let: Mapping[str, str]
    where: Mapping[str, str]
    module: str


def strength_of(text: str) -> Strength:
    """Return the strength that evidence written as this text has if it is accepted."""
    kind = _parted(text)[0]
    return Strength[kind.upper()] if kind in _CALLS else _FORMULAS[kind][0]


def show(text: str, notation: Notation) -> Evidence:
    """Return evidence for the statement of a text; raise `NotEarned` if the check refuses it."""
    kind, body = _parted(text)
    if kind in _FORMULAS:
        return _FORMULAS[kind][1](body, notation)
    result = _called(body, notation.module)
    if not isinstance(result, Evidence):
        raise ValueError(f"{text} does not return evidence")
    if result.strength is not strength_of(text):
        raise NotEarned(f"{body} is {result.strength.name.lower()}, not {kind}")
    return result


def holds(call: str, notation: Notation) -> bool:
    """Call a function of the entry's module; raise unless it returns True or False."""
    result = _called(call, notation.module)
    if not isinstance(result, bool):
        raise ValueError(f"{call} does not return a truth value")
    return result


def abbreviations(text: str, notation: Notation) -> list[str]:
    """Return what the names and lists of conditions in a text stand for, one per line."""
    found = dict[str, str]()
    waiting = [text]
    while waiting:
        for name in re.findall(r"[^\W\d]\w*", waiting.pop()):
            meaning = notation.let.get(name, notation.where.get(name))
            if meaning is not None and name not in found:
                found[name] = " ".join(meaning.split())
                waiting.append(meaning)
    return [f"{name}: {meaning}" for name, meaning in found.items()]


def _parted(text: str) -> tuple[str, str]:
    kind, _, body = " ".join(text.split()).partition(":")
    if kind not in _FORMULAS and kind not in _CALLS:
        raise ValueError(f"unknown kind of evidence: {text}")
    return kind, body.strip()


# --- formulas -------------------------------------------------------------------------------------


def _conditions(text: str, notation: Notation) -> tuple[str, list[str]]:
    """A statement, and what stands after its `where`; names stand for lists of conditions."""
    statement, _, listed = text.partition(" where ")
    found: list[str] = []
    for part in filter(None, map(str.strip, listed.split(","))):
        named = notation.where.get(part)
        found += [part] if named is None else _conditions(f"… where {named}", notation)[1]
    return statement, found


def _bound(text: str, notation: Notation) -> Evidence:
    statement, given = _conditions(text, notation)
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
    statement, given = _conditions(text, notation)
    named = [re.fullmatch(r"(\w+) > 0", condition) for condition in given]
    positive = frozenset(found[1] for found in named if found)
    if len(positive) < len(given):
        raise ValueError(f"expected conditions such as x > 0: {text}")
    parts = Reader(notation.let, positive).comparisons(statement)
    if any(part.relation != "==" for part in parts):
        raise ValueError(f"an identity is written with ==: {statement}")
    return all_of(*(identity(part.left, part.right) for part in parts))


def _number(text: str, notation: Notation) -> Evidence:
    return all_of(*map(compared, Reader(notation.let).comparisons(text)))


_RANGE: Final = re.compile(
    r"(.*) for (\w+) in \[([^,\]]+), ([^,\]]+)\](?:, equal at (\S+), rising to (\S+))?"
)


def _interval(text: str, notation: Notation) -> Evidence:
    found = _RANGE.fullmatch(text)
    reader = Reader(notation.let)
    parts = reader.comparisons(found[1] if found else text)
    if any(part.relation == "==" for part in parts):
        raise ValueError(f"an interval shows an inequality, not an equation: {text}")
    if not found:
        return all_of(*(intervals.ordered(part.left, part.right) for part in parts))
    (stated,) = parts
    gap, variable = stated.right - stated.left, reader.symbol(found[2])
    low, high = rational(found[3]), rational(found[4])
    if found[5] is None:
        return intervals.positive(gap, variable, low, high)
    if rational(found[5]) != low or stated.relation != "<=":
        raise ValueError(f"sides are equal at the low end, and joined by <= or >=: {text}")
    return intervals.positive_from_zero(gap, variable, low, rational(found[6]), high)


_FORMULAS: Final[dict[str, tuple[Strength, Callable[[str, Notation], Evidence]]]] = {
    "algebra": (Strength.IDENTITY, _algebra),
    "bound": (Strength.IDENTITY, _bound),
    "number": (Strength.IDENTITY, _number),
    "interval": (Strength.ENCLOSED, _interval),
}
_CALLS: Final = frozenset({"identity", "enclosed", "exhausted", "computed", "exact"})


# --- functions ------------------------------------------------------------------------------------


def _called(call: str, module: str) -> object:
    """Call a public function of a module with plain values: whole and rational numbers, text.

    The function must be defined in this module, which is one of `paper/` or `sharper/`.
    """
    node = ast.parse(call, mode="eval").body
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        raise ValueError(f"expected a call such as name(1, less=2): {call}")
    if not module.startswith(("proofs_checks.paper.", "proofs_checks.sharper.")):
        raise ValueError(f"{module} is not a module of checks beside entries")
    function: object = vars(import_module(module)).get(node.func.id)
    if (
        not isinstance(function, FunctionType)
        or node.func.id.startswith("_")
        or function.__module__ != module
    ):
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
