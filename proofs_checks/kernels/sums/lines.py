"""Reads the lines of a proof and their reasons from text; `reading` shows how they are written."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.kernels.sums.building import moved
from proofs_checks.kernels.sums.context import Context, Template, joined
from proofs_checks.kernels.sums.expressions import constant
from proofs_checks.kernels.sums.indices import Index, numeral
from proofs_checks.kernels.sums.notation import NAME
from proofs_checks.kernels.sums.statements import (
    Between,
    Cases,
    Cited,
    Combined,
    Enclosed,
    Induction,
    Lambda,
    Proof,
    Statement,
    Step,
)
from proofs_checks.kernels.text import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from fractions import Fraction

    from sympy import Expr

    from proofs_checks.kernels.sums.layout import Node
    from proofs_checks.kernels.sums.statements import Line, Reason


@cache
def instance(
    template: Template, values: tuple[Fraction, ...], says: tuple[tuple[str, str], ...] = ()
) -> Proof:
    """The proof with these values of its parameters.

    `says` maps names to statements, which replace those under these names in the text.
    Raises `ValueError` if the number of parameters is another one, or if a name states nothing.
    """
    context = Context(template.library, dict(template.names), says=dict(says))
    for name, value in zip(template.parameters, values, strict=True):
        context.declare(template.node, name, Lambda((), constant(value)))
    stated: dict[str, dict[str, Statement]] = {"given": {}, "define": {}}
    meanings: dict[str, Expr] = {}
    lines: list[Line] = []
    for node in template.node.inner:
        if node.keyword in stated and not lines:
            found = context.stated(node)
            context.enter(node, found)
            stated[node.keyword] |= found
        elif node.keyword == "meaning" and not lines:
            meanings |= _meaning(node, meanings, context)
        else:
            lines += read_line(node, context)
    if context.says:
        raise ValueError(f"{template.title} states nothing under {', '.join(context.says)}")
    return Proof(
        title=template.title,
        hypotheses=stated["given"],
        definitions=stated["define"],
        meanings=meanings,
        lines=tuple(lines),
        goals=tuple(context.goals),
    )


def _meaning(node: Node, earlier: Mapping[str, Expr], context: Context) -> dict[str, Expr]:
    """Read the meaning of a number: a formula, which may use earlier meanings."""
    name, text = node.matched(rf"({NAME}) = (.+)")
    try:
        formula = Reader().expression(text)
    except ValueError as error:
        raise node.refused(str(error)) from error
    plain = {each: Symbol(str(each)) for each in formula.free_symbols}
    for each in (name, *map(str, plain)):
        if context.names.get(each) != () or name in earlier:
            raise node.refused(f"{each} is not declared as a number, or has a meaning already")
    return {name: formula.subs({at: earlier.get(str(at), to) for at, to in plain.items()})}


def read_line(node: Node, context: Context) -> Iterator[Line]:
    """Read a line, which may hold several steps, and add what it shows to the context."""
    if node.keyword == "let":
        context.abbreviate(node)
    elif node.keyword == "induction":
        yield _induction(node, context)
    elif node.keyword == "cases":
        yield _cases(node, context)
    elif node.keyword in ("step", "goal"):
        *more, why = node.inner
        stated = context.stated(node)
        for each in more:
            if each.keyword != "and":
                raise each.refused("a second reason")
            stated = joined(each, stated, context.stated(each))
        because = _reason(why, f"{why.keyword} {why.rest}", context)
        context.enter(node, stated)
        context.goals += stated.values() if node.keyword == "goal" else ()
        yield from (Step(name, statement, because) for name, statement in stated.items())
    else:
        raise node.refused(f"{node.keyword} cannot stand after the first line of the proof")


def _induction(node: Node, context: Context) -> Induction:
    over = context.cursor(node).variable(*node.matched(rf"on ({NAME})"))
    here = replace(over, fixed=True)
    claims = [(claim, context.stated(claim)) for claim in node.inner]
    onward = context.inner(over)
    for claim, stated in claims:
        onward.enter(claim, {name: _at(each, over, here) for name, each in stated.items()})
    steps: dict[str, list[Line]] = {"first": [], "next": []}
    for claim, stated in claims:
        if [why.keyword for why in claim.inner] not in (["first", "next"], ["first"], ["next"], []):
            raise claim.refused("expected a reason after `first`, and then one after `next`")
        for why in claim.inner:
            first = why.keyword == "first"
            because = _reason(why, why.rest, context if first else onward)
            to, shown_as = (numeral(0), "0") if first else (here + 1, f"{over} + 1")
            for name, each in stated.items():
                step = Step(f"{name} at {shown_as}", _at(each, over, to), because)
                steps[why.keyword].append(step)
        context.goals += stated.values() if claim.keyword == "goal" else ()
    shown = {name: each for _, stated in claims for name, each in stated.items()}
    context.enter(node, shown)
    return Induction(over, shown, tuple(steps["first"]), tuple(steps["next"]))


def _at(statement: Statement, index: Index, to: Index) -> Statement:
    left, right = (moved(side, {index: to}) for side in (statement.left, statement.right))
    return Statement(left, statement.relation, right)


def _cases(node: Node, context: Context) -> Cases:
    stated = context.stated(node)
    found = []
    for case in node.inner:
        inner = context.inner()
        cursor = inner.cursor(case, case.rest)
        inner.enter(case, {"case": cursor.whole(cursor.statement)})
        lines = tuple(line for each in case.inner for line in read_line(each, inner))
        found.append((inner.facts["case"], lines))
    (low, below), (high, above) = found[0], found[-1]
    if len(found) != 2 or low != Statement(high.right, "≤", high.left) or len(stated) != 1:
        raise node.refused("expected one statement and two cases, such as ε ≤ 1/2 and 1/2 ≤ ε")
    context.enter(node, stated)
    ((name, statement),) = stated.items()
    return Cases(name, statement, low.left, context.cursor(node).value(low.right), below, above)


# --- reasons --------------------------------------------------------------------------------------


def _reason(node: Node, text: str, context: Context) -> Reason:
    for pattern, read in _REASONS:
        if text and (found := re.fullmatch(pattern, text)):
            return read(node, found.groups(""), context)
    raise node.refused(f"not a reason: {text!r}")


def _between(node: Node, parts: tuple[str, ...], context: Context) -> Between:
    return Between(context.known(node, parts[0]), context.known(node, parts[1]))


def _enclosed(node: Node, parts: tuple[str, ...], context: Context) -> Enclosed:
    low, high = context.known(node, parts[1]), context.known(node, parts[2])
    rising_to = context.rational(node, parts[3]) if parts[3] else None
    return Enclosed(parts[0], low, high, rising_to)


def _combined(node: Node, parts: tuple[str, ...], context: Context) -> Combined:
    using = tuple(context.known(node, each) for each in parts[1].split(", ") if parts[1])
    cursor = context.cursor(node, parts[0])
    return Combined(cursor.whole(cursor.parts) if parts[0] not in ("", "algebra") else (), using)


def cited(node: Node, parts: tuple[str, ...], context: Context) -> Cited:
    """Read a citation: the name of a proof, the values of its parameters, and replacements."""
    template = context.library.get(parts[0])
    if not isinstance(template, Template):
        raise node.refused(f"there is no proof {parts[0]}")
    values = tuple(context.rational(node, each) for each in parts[1].split(", ") if parts[1])
    if parts[1] and len(values) != len(template.parameters):
        raise node.refused(f"{parts[0]} has {len(template.parameters)} parameters")
    proof = instance(template, values or tuple(template.parameters.values()))
    functions: dict[str, Lambda] = {}
    facts: dict[str, str] = {}
    others: dict[Index, Index] = {}
    for each in parts[2].split("; ") if parts[2] else ():
        left, _, right = each.partition(" := ")
        if left.startswith("["):
            name = left[1:-1]
            if name in facts or name not in proof.hypotheses:
                raise node.refused(f"{parts[0]} has no hypothesis {name}, or it is listed twice")
            facts[name] = context.known(node, right[1:-1])
        else:
            name, arguments = context.head(node, left)
            if name in functions or context.fixed & {*arguments}:
                raise node.refused(f"{left} is listed twice, or its argument is fixed")
            known = context.names.get(name)
            if isinstance(known, Index) and known.of:
                cursor = context.cursor(node, right)
                others[replace(known, of=arguments)] = cursor.whole(cursor.index)
            else:
                functions[name] = Lambda(arguments, context.formula(node, right))
    return Cited(proof, functions, facts, others)


_REASONS: Final[tuple[tuple[str, Callable[[Node, tuple[str, ...], Context], Reason]], ...]] = (
    (r"between (.+) and (.+)", _between),
    (rf"by intervals in ({NAME}) from (.+?) to (.+?)(?:, rising to (.+))?", _enclosed),
    (rf"from ({NAME})(?:\((.+?)\))?(?: with (.+))?", cited),
    (r"(?:by (.+?))?(?:(?:^|, )using (.+))?", _combined),
)
