"""The audit as a person reads it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from steel_verified.reports.glossary import SECTIONS, Symbol
from steel_verified.theory.exact import decimal_above

if TYPE_CHECKING:
    from rich.console import RenderableType

    from steel_verified.reports.audit import Audit

_BAR: Final = 12

ASSUMPTIONS: Final = (
    "M is an exogenous block MDP: deterministic latent dynamics, noise that no action influences",
    "every latent state reaches every other: |S| ≤ N, D ≤ D̂",
    "the noise is irreducible and aperiodic, with t_mix ≤ t̂_mix",
    "F has a one-versus-rest classifier for each latent state",
    "the oracle returns a classifier that separates two datasets whenever F has one",
)


def as_text(audit: Audit) -> RenderableType:
    """Tables of the symbols, the account of δ, the steps and their terms, and what is assumed."""
    return Group(
        _headline(audit),
        *(_symbols(title, symbols, audit) for title, symbols in SECTIONS.items()),
        _account(audit),
        _steps(audit),
        _terms(audit),
        Text("\nAssumed, not checked here", style="bold"),
        *(Text(f"  • {line}") for line in ASSUMPTIONS),
    )


def _headline(audit: Audit) -> Text:
    total = audit.steps[-1]
    return Text.assemble(
        "With probability at least ",
        (f"1 − {audit.values['delta']}", "bold green"),
        ", STEEL learns the dynamics exactly, and an encoder\nwith error at most ",
        (str(audit.values["epsilon"]), "bold green"),
        ", within ",
        (f"{total.bound:,} steps", "bold green"),
        ".\nEvery number is exact, or rounded against us; l. is a line of the paper's source.",
    )


def _table(title: str) -> Table:
    return Table(
        title=f"\n{title}",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )


def _symbols(title: str, symbols: tuple[Symbol, ...], audit: Audit) -> Table:
    table = _table(title)
    table.add_column("symbol", style="cyan", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("meaning")
    table.add_column("formula", style="dim")
    table.add_column("place", style="dim", no_wrap=True)
    for symbol in symbols:
        value = audit.values[symbol.key]
        shown = f"{value:,}" if isinstance(value, int) else str(value)
        table.add_row(symbol.symbol, shown, symbol.meaning, symbol.formula, symbol.place)
    return table


def _account(audit: Audit) -> Table:
    budget = audit.budget
    table = _table("The account of δ: chances of a wrong verdict, in the worst case")
    table.add_column("charge", style="cyan")
    table.add_column("allotted", justify="right", no_wrap=True)
    table.add_column("spent", justify="right", no_wrap=True)
    table.add_column("of δ", no_wrap=True)
    for share in audit.shares:
        tests = f"{share.reason}: {share.tests:,} with {share.samples:,} samples"
        table.add_row(
            Text.assemble(tests, (f"\n  {share.formula}  ({share.place})", "dim")),
            decimal_above(share.allotted),
            decimal_above(share.spent),
            _bar(share.spent / budget.allowed),
        )
    table.add_section()
    spent = _bar(budget.spent / budget.allowed)
    table.add_row("in all", decimal_above(budget.allowed), decimal_above(budget.spent), spent)
    table.add_row("left", "", f"> {_decimal_below(budget.left)}")
    return table


def _steps(audit: Audit) -> Table:
    table = _table("Steps: the exact count, and the paper's bound at the same |â|, n_cyc and |ā|")
    table.add_column("of", style="cyan")
    table.add_column("exact count", justify="right", no_wrap=True)
    table.add_column("bound", justify="right", no_wrap=True)
    table.add_column("below by", justify="right", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("place", style="dim", no_wrap=True)
    for bound in audit.steps:
        table.add_row(
            bound.name,
            f"{bound.exact:,}",
            f"{bound.bound:,}",
            f"{bound.bound - bound.exact:,}",
            f"{float(100 * bound.below):.2f} %",
            bound.place,
        )
    return table


def _terms(audit: Audit) -> Table:
    table = _table("Which term of Theorem 1 dominates (l. 174, constants included)")
    table.add_column("term", style="cyan")
    table.add_column("steps", justify="right", no_wrap=True)
    table.add_column("of the sum", no_wrap=True)
    table.add_column("order", style="dim")
    whole = sum(term.steps for term in audit.terms)
    for term in audit.terms:
        style = "bold" if term is audit.dominant else ""
        table.add_row(
            term.name, f"{term.steps:,}", _bar(Fraction(term.steps, whole)), term.order, style=style
        )
    return table


def _bar(part: Fraction) -> str:
    """A bar and a percentage."""
    return f"{'█' * round(part * _BAR):<{_BAR}} {float(100 * part):5.1f} %"


def _decimal_below(number: Fraction) -> str:
    return decimal_above(-number).removeprefix("-")
