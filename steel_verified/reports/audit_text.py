"""The audit as text for a terminal."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.reports.formulas.looped import NAMES, SECTIONS
from steel_verified.reports.formulas.symbols import formula_text
from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table
from steel_verified.theory.conditions import Condition
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.reports.audit import Audit
    from steel_verified.reports.formulas.symbols import Symbol
    from steel_verified.reports.tables import Part

_BAR: Final = 12


def as_parts(audit: Audit) -> tuple[Part, ...]:
    """Tables of the symbols, of δ, of the steps and their terms, and the list of assumptions."""
    return (
        _headline(audit),
        *(_symbols(title, symbols, audit) for title, symbols in SECTIONS.items()),
        _account(audit),
        _steps(audit),
        _terms(audit),
        Prose(
            "\n".join(
                [
                    "Assumed, not checked here",
                    *(f"  • {condition.statement}" for condition in Condition),
                ]
            )
        ),
    )


def _headline(audit: Audit) -> Prose:
    return Prose(
        f"With probability at least 1 − {audit.values['delta']}, STEEL learns the dynamics "
        f"exactly, and an encoder with error at most {audit.values['epsilon']}, within "
        f"{counted(audit.steps[-1].bound, 'step')}.\n"
        "Every number is exact, or rounded conservatively; l. is a line of the paper's source."
    )


def _symbols(title: str, symbols: tuple[Symbol, ...], audit: Audit) -> Table:
    columns = (
        Column("symbol", Kind.CODE, style=Style.NAME),
        Column("value", Kind.NUMBER),
        Column("meaning"),
        Column("formula", Kind.CODE, priority=2, style=Style.FAINT),
        Column("place", Kind.CODE, priority=1, style=Style.FAINT),
    )
    rows = tuple(
        (
            symbol.symbol,
            _exact(audit.values[symbol.key]),
            symbol.meaning,
            formula_text(symbol, NAMES),
            symbol.place,
        )
        for symbol in symbols
    )
    return Table(title, columns, rows)


def _exact(value: int | Fraction) -> int | str:
    return value if isinstance(value, int) else str(value)


def _account(audit: Audit) -> Table:
    budget = audit.budget
    columns = (
        Column("charge", style=Style.NAME),
        Column("tests", Kind.NUMBER),
        Column("samples", Kind.NUMBER),
        Column("allotted", Kind.NUMBER),
        Column("spent", Kind.NUMBER),
        Column("part", Kind.CODE, heading="of δ"),
        Column("formula", Kind.CODE, priority=2, style=Style.FAINT),
        Column("place", Kind.CODE, priority=1, style=Style.FAINT),
    )
    rows = tuple(
        (
            share.reason,
            share.tests,
            share.samples,
            decimal_above(share.allotted),
            decimal_above(share.spent),
            _bar(share.spent / budget.allowed),
            share.formula,
            share.place,
        )
        for share in audit.shares
    )
    total = (
        f"In all {decimal_above(budget.spent)} of {decimal_above(budget.allowed)} is spent "
        f"({float(100 * budget.spent / budget.allowed):.1f} %); more than "
        f"{_decimal_below(budget.left)} is left."
    )
    title = "How δ is spent: probability of a wrong verdict, in the worst case"
    return Table(title, columns, rows, notes=(total,))


def _steps(audit: Audit) -> Table:
    columns = (
        Column("of", style=Style.NAME),
        Column("exact_count", Kind.NUMBER),
        Column("bound", Kind.NUMBER),
        Column("below_by", Kind.NUMBER),
        Column("part", Kind.NUMBER, heading="%"),
        Column("place", Kind.CODE, priority=1, style=Style.FAINT),
    )
    rows = tuple(
        (
            bound.name,
            bound.exact,
            bound.bound,
            bound.bound - bound.exact,
            f"{float(100 * bound.below):.2f}",
            bound.place,
        )
        for bound in audit.steps
    )
    title = "Steps: the exact count, and the paper's bound at the same |â|, n_cyc and |ā|"
    return Table(title, columns, rows)


def _terms(audit: Audit) -> Table:
    columns = (
        Column("term", style=Style.NAME),
        Column("steps", Kind.NUMBER),
        Column("part", Kind.CODE, heading="of the sum"),
        Column("order", Kind.CODE, priority=1, style=Style.FAINT),
    )
    whole = sum(term.steps for term in audit.terms)
    rows = tuple(
        (
            Cell(term.name, term.name, Style.STRONG if term is audit.dominant else Style.PLAIN),
            term.steps,
            _bar(Fraction(term.steps, whole)),
            term.order,
        )
        for term in audit.terms
    )
    return Table("Which term of Theorem 1 dominates (l. 174, constants included)", columns, rows)


def _bar(part: Fraction) -> str:
    """A bar of proportional length, followed by the percentage."""
    return f"{'█' * round(part * _BAR):<{_BAR}} {float(100 * part):5.1f} %"


def _decimal_below(number: Fraction) -> str:
    return decimal_above(-number).removeprefix("-")
