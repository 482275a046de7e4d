"""Small mistakes that one could make in a piece of code, each as another piece of code."""

from __future__ import annotations

import ast
import re
from copy import copy
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

_Node = TypeVar("_Node", bound=ast.AST)

_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.Div: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_NEIGHBOURS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_PAIRS: Final = (
    ("ceil", "floor"),
    ("first", "last"),
    ("early", "late"),
    ("ones", "zeros"),
    ("count", "stride"),
    ("numerator", "denominator"),
    ("every", "some"),
    ("max_states", "max_diameter"),
    ("states", "diameter"),
    ("lowest", "highest"),
)
_OTHER: Final = dict(_PAIRS) | {b: a for a, b in _PAIRS}
_OTHER_FUNCTION: Final = {"max": "min", "min": "max", "all": "any", "any": "all"}
_LESS_FUNCTION: Final = {"sorted": "list", "reversed": "list", "set": "list"}
_SYMMETRIC: Final = ("max", "min", "gcd", "lcm")
# Values of a kind of their own: exchanged with another they stop every program, and type checker.
_OF_ITS_OWN_KIND: Final = ("recipe", "oracle", "model", "ledger", "self")
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?(/\d+)?")
_DROPPABLE: Final = ("key", "start", "default")


def mistakes(node: ast.AST) -> Iterator[ast.AST]:
    """Each way to get this node wrong, as a node that could stand in its place."""
    if isinstance(node, ast.expr):
        yield from _in_expression(node)
    elif isinstance(node, ast.stmt):
        yield from _in_statement(node)
    elif isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            yield _with(node, ifs=node.ifs[:i] + node.ifs[i + 1 :])
            if not _has_opposite(node.ifs[i]):
                yield _with(node, ifs=[*node.ifs[:i], _negated(node.ifs[i]), *node.ifs[i + 1 :]])


def _in_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(text)) if _NUMBER.fullmatch(text):
            yield ast.Constant(text[:-1] + str((int(text[-1]) + 1) % 10))
            yield ast.Constant(text[:-1] + str((int(text[-1]) - 1) % 10))
        case ast.BinOp(left, op, right):
            if type(op) in _ARITHMETIC:
                yield _with(node, op=_ARITHMETIC[type(op)]())
            if isinstance(op, ast.Add | ast.Sub | ast.BitAnd | ast.BitOr) and not _is_one(right):
                yield left
            if isinstance(op, ast.Sub | ast.FloorDiv | ast.Div | ast.Mod):
                yield _with(node, left=right, right=left)
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case ast.Compare(ops=ops):
            for i, sign in enumerate(ops):
                yield _with(node, ops=[*ops[:i], _NEIGHBOURS[type(sign)](), *ops[i + 1 :]])
        case ast.BoolOp(op, values):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            for i in range(len(values)):
                rest = values[:i] + values[i + 1 :]
                yield rest[0] if len(rest) == 1 else _with(node, values=rest)
        case ast.IfExp(test) if not _has_opposite(test):
            yield _with(node, test=_negated(test))
        case ast.Name(name, ast.Load()) if name in _OTHER_FUNCTION:
            yield _with(node, id=_OTHER_FUNCTION[name])
        case ast.Attribute(_, name, ast.Load()) if name in _OTHER:
            yield _with(node, attr=_OTHER[name])
        case ast.Call():
            yield from _in_call(node)
        case ast.Tuple(elts, ast.Load()) | ast.List(elts, ast.Load()) | ast.Set(elts):
            if len(elts) > 1:
                yield _with(node, elts=elts[:-1])
                yield _with(node, elts=elts[1:])
        case ast.Slice(lower, upper):
            if lower is not None:
                yield _with(node, lower=None)
            if upper is not None:
                yield _with(node, upper=None)


def _in_call(node: ast.Call) -> Iterator[ast.expr]:
    match node:
        case ast.Call(ast.Name("ceil_div"), [numerator, denominator]):
            yield ast.BinOp(numerator, ast.FloorDiv(), denominator)
        case ast.Call(ast.Name(name)) if name in _LESS_FUNCTION:
            yield _with(node, func=ast.Name(_LESS_FUNCTION[name], ast.Load()))
    match node:
        case ast.Call(ast.Name(name)) if name in _SYMMETRIC:
            pass
        case ast.Call(args=[ast.Name(name), *_]) if name in _OF_ITS_OWN_KIND:
            pass
        case ast.Call(args=[one, other, *rest]):
            if not any(isinstance(argument, ast.Starred) for argument in (one, other)):
                yield _with(node, args=[other, one, *rest])
    for i, keyword in enumerate(node.keywords):
        if keyword.arg in _DROPPABLE:
            yield _with(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])


def _in_statement(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.If(test, body, orelse):
            if not _has_opposite(test):
                yield _with(node, test=_negated(test))
            if isinstance(body[-1], ast.Raise) and not orelse:
                yield ast.Pass()
        case ast.While(test) if not _has_opposite(test):
            yield _with(node, test=_negated(test))
        case ast.For(body=body):
            yield _with(node, body=[*body, ast.Break()])
        case ast.AugAssign() | ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.Break():
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()


def _is_one(node: ast.expr) -> bool:
    """Whether dropping this summand is the same as making it 0."""
    return isinstance(node, ast.Constant) and node.value == 1


def _has_opposite(test: ast.expr) -> bool:
    """Whether the opposite is among the mistakes in the test itself."""
    match test:
        case ast.Compare(ops=[op]):
            return not isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        case ast.UnaryOp(ast.Not()):
            return True
    return False


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _with(node: _Node, **fields: object) -> _Node:
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
