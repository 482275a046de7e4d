"""Writes proofs as text: a line for each step, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.dependencies import needed
from proofs_checks.kernels.deduction.formulas import Both, Either, Known
from proofs_checks.kernels.deduction.notation import read_head, read_uses
from proofs_checks.kernels.deduction.rules import rules_of
from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
)

if TYPE_CHECKING:
    from proofs_checks.kernels.deduction.formulas import Formula
    from proofs_checks.kernels.deduction.statements import Proof, Step

_SIGNS: Final = {" == ": " = ", " != ": " ≠ ", " <= ": " ≤ ", " >= ": " ≥ ", " * ": "·"}


def tell(proof: Proof) -> str:
    """The steps that the lemmas depend on, one on each line."""
    theory = proof.theory
    lines = (line_of(theory.steps[index]) for index in needed(proof))
    return "\n    ".join([f"{theory.name}:", *lines])


def statement_of(step: Assume | Lemma | Apply) -> str:
    """What a lemma or a hypothesis says."""
    if not isinstance(step, Apply):
        return _printed(_statement(step.each, step.given, step.then))
    rule = rules_of(step)[step.name]
    return _printed(_statement(", ".join(rule.each), _text(rule.given), _text(rule.then)))


def line_of(step: Step) -> str:
    """A step as text: what it supposes, defines or shows."""
    return _printed(_line(step))


def _line(step: Step) -> str:
    match step:
        case Assume(name):
            return f"{name}: suppose that {statement_of(step)}"
        case Lemma(name, by=by, induction=induction):
            return f"{name}: {statement_of(step)}{_reason(by, induction)}"
        case Let(symbol, value):
            return f"let {symbol} be {value}"
        case Least(symbol, given, number, such_that):
            condition = f", if {given}" * bool(given)
            return f"let {symbol} be the least {number} ≥ 0 with {such_that}{condition}"
        case Recursion(symbol, start, following):
            name, (n, *others) = read_head(symbol)
            first, later = (f"{name}({', '.join([at, *others])})" for at in ("0", f"{n} + 1"))
            return f"let {first} be {start}, and {later} be {following}"
        case Indicator(symbol, holds):
            return f"let {symbol} be 1 if {holds}, else 0"
        case Apply(name, _, _, theory, lemma, meaning):
            return f"{name}: {statement_of(step)} [{lemma} in “{theory.name}”, with {meaning}]"


def _statement(each: str, given: str, then: str) -> str:
    return f"{f'for all {each}: ' * bool(each)}{f'if {given}, then ' * bool(given)}{then}"


def _text(formula: Formula) -> str:
    match formula:
        case Known(term):
            return f"{term} >= 0".replace("*", "·")
        case Both(parts):
            return ", ".join(text for text in map(_text, parts) if text)
        case Either(parts):
            return " or ".join(f"({_text(part)})" for part in parts) or "0 == 1"


def _reason(by: str, induction: str) -> str:
    used = ", ".join(dict.fromkeys(name for name, _ in read_uses(by)))
    reasons = [f"induction on {induction}"] * bool(induction) + [used] * bool(used)
    return f" [{'; '.join(reasons)}]" * bool(reasons)


def _printed(text: str) -> str:
    line = " ".join(text.split())
    for sign, printed in _SIGNS.items():
        line = line.replace(sign, printed)
    return line
