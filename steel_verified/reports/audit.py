"""The audit: every number behind a method's guarantee, computed by `theory/` without a run.

Text, JSON and the audit page show the same numbers, by the keys of `formulas.py`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import Located
from steel_verified.reports import formulas
from steel_verified.reports.tables import Cell, Column, Kind, Part, Prose, Style, Table, records
from steel_verified.theory import bounds, counts, validation
from steel_verified.theory.budget import Budget, worst_case_charges
from steel_verified.theory.conditions import OF_LOCATED, Condition
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.parameters import Extent, Parameters, require_within
from steel_verified.theory.wording import counted, counted_range

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steel_verified.evidence.codec import Json

_BAR: Final = 12
_LARGEST_GAP: Final = 64
"""Samples more than this many mixing times apart are counted as if they were this far apart."""


@dataclass(frozen=True, slots=True)
class Audit:
    """The numbers behind the guarantee of one method, and what it assumes."""

    method: str
    headline: str
    symbols: Mapping[str, tuple[formulas.Symbol, ...]]
    """The symbols under their titles."""
    values: Mapping[str, int | Fraction]
    """Every number, under the keys of `formulas.DEFINITIONS`."""
    tables: Mapping[str, Table]
    remarks: tuple[str, ...]
    assumed: tuple[Condition, ...]
    measured: tuple[int, ...] | None = None
    """The exploring steps of recorded runs, which no number bounds beforehand."""


def as_json(audit: Audit) -> Json:
    """The audit as JSON. Fractions are exact strings."""
    return {
        "method": audit.method,
        "symbols": {
            symbol.key: {
                "symbol": symbol.symbol,
                "meaning": symbol.meaning,
                "formula": symbol.given or formulas.as_text(symbol.formula),
                "value": _plain(audit.values[symbol.key]),
                "place": symbol.place,
            }
            for symbols in audit.symbols.values()
            for symbol in symbols
        },
        "numbers": {key: _plain(value) for key, value in audit.values.items()},
        **{key: records(table) for key, table in audit.tables.items()},
        "exploring_measured": None if audit.measured is None else sorted(audit.measured),
    }


def as_parts(audit: Audit) -> tuple[Part, ...]:
    """The audit as text: symbols, tables, remarks and the list of assumptions."""
    assumed = "\n".join(f"  • {condition.statement}" for condition in audit.assumed)
    return (
        Prose(audit.headline),
        *(_symbols(title, symbols, audit.values) for title, symbols in audit.symbols.items()),
        *audit.tables.values(),
        *map(Prose, audit.remarks),
        Prose(f"Assumed, not checked here\n{assumed}"),
    )


def _symbols(
    title: str, symbols: tuple[formulas.Symbol, ...], values: Mapping[str, int | Fraction]
) -> Table:
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
            _short(values[symbol.key]),
            symbol.meaning,
            symbol.given or formulas.as_text(symbol.formula),
            symbol.place,
        )
        for symbol in symbols
    )
    return Table(title, columns, rows)


def _plain(value: int | Fraction) -> str | int:
    return value if isinstance(value, int) else str(value)


def _short(value: int | Fraction) -> str | int:
    """An exact number if it is short, else rounded up."""
    exact = _plain(value)
    return exact if isinstance(exact, int) or len(exact) < 12 else decimal_above(Fraction(value))


def _bar(part: Fraction) -> str:
    return f"{'█' * round(part * _BAR):<{_BAR}} {float(100 * part):5.1f} %"


# Looped, the paper's algorithm


def looped_audit(
    parameters: Parameters, extent: Extent, measured: Sequence[int] | None = None
) -> Audit:
    """Compute every number for these parameters and dynamics of this extent (|S| and D)."""
    del measured  # nothing has to be measured
    require_within(extent, parameters)
    values = _looped_values(parameters, extent)
    return Audit(
        method="looped",
        headline=f"With probability at least 1 − {parameters.delta}, STEEL learns the dynamics "
        f"exactly, and an encoder with error at most {parameters.epsilon}, within "
        f"{values['bound_total']:,} steps.\n"
        "Every number is exact, or rounded conservatively; l. is a line of the paper's source.",
        symbols=formulas.LOOPED,
        values=values,
        tables={
            "charges": _charges_table(parameters, extent, values),
            "steps": _steps_table(values),
            "terms": _terms_table(values),
        },
        remarks=(),
        assumed=tuple(Condition),
    )


def _looped_values(p: Parameters, extent: Extent) -> dict[str, int | Fraction]:
    """Every symbol, what δ allots and what tests spend, and each bound beside the exact count."""
    word = bounds.longest_word(extent)
    period = bounds.worst_period(p, extent.states, word)
    values: dict[str, int | Fraction] = {
        **asdict(p),
        **asdict(extent),
        "n_samp_cyc": counts.period_test_samples(p),
        "n_samp": counts.position_samples(p),
        "d": counts.encoder_samples(p, extent.states),
        "word_length": word,
        "period": period,
        "offs": counts.settling_time(p, word),
        "c_init": counts.initial_rollout(p, word),
        "r": counts.whole_cycles(p, p.max_states * word) // word,
        "k": counts.period_test_repetitions(p, word, p.max_states) if p.max_states > 1 else 0,
        "n_0": counts.settling_time_of_period(p, word, period),
        "stride": counts.whole_cycles(p, period * word),
        "n_0_late": counts.late_start(p, word, period),
        "c": counts.full_rollout(p, word, period),
        "call_steps": counts.cycle_find_steps(p, word, period),
        "calls": bounds.most_calls(p, extent),
        "cover_length": bounds.longest_covering_cycle(p, extent),
        "passes": counts.sampling_passes(p, extent.states),
    }
    charges = worst_case_charges(p, extent)
    for share, charge, part in zip(formulas.SHARES, charges, (4, 4, 2), strict=True):
        values[f"tests_{share.key}"] = charge.tests
        values[f"allotted_{share.key}"] = p.delta / part
        values[f"spent_{share.key}"] = charge.amount
    budget = Budget(p.delta).charge(*charges)
    phase1, phase2 = bounds.exploration_steps(p, extent), bounds.sampling_steps(p, extent)
    simplified = bounds.simplified_exploration_bound(p, extent)
    sampling = bounds.sampling_bound(p, extent)
    mixing_1 = bounds.exploration_bound_from_mixing(p, extent)
    mixing_2 = bounds.sampling_bound_from_mixing(p, extent)
    return {
        **values,
        "spent": budget.spent,
        "left": budget.left,
        "exact_call": values["call_steps"],
        "bound_call": bounds.cycle_find_bound(p, extent.states, word),
        "exact_phase1": phase1,
        "bound_phase1": bounds.exploration_bound(p, extent),
        "exact_phase1_simplified": phase1,
        "bound_phase1_simplified": simplified,
        "exact_phase2": phase2,
        "bound_phase2": sampling,
        "exact_total": phase1 + phase2,
        "bound_total": bounds.total_bound(p, extent),
        "term_looping": simplified - mixing_1,
        "term_mixing_1": mixing_1,
        "term_touring": sampling - mixing_2,
        "term_mixing_2": mixing_2,
    }


def _charges_table(
    parameters: Parameters, extent: Extent, values: Mapping[str, int | Fraction]
) -> Table:
    delta, spent = parameters.delta, Fraction(values["spent"])
    left = decimal_above(spent - delta).removeprefix("-")
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
            charge.reason,
            charge.tests,
            charge.samples,
            Cell(decimal_above(given := Fraction(values[f"allotted_{share.key}"])), str(given)),
            Cell(decimal_above(charge.amount), str(charge.amount)),
            _bar(charge.amount / delta),
            formulas.as_text(share.spent),
            share.place,
        )
        for share, charge in zip(
            formulas.SHARES, worst_case_charges(parameters, extent), strict=True
        )
    )
    total = (
        f"In all {decimal_above(spent)} of {decimal_above(delta)} is spent "
        f"({float(100 * spent / delta):.1f} %); more than {left} is left."
    )
    title = "How δ is spent: probability of a wrong verdict, in the worst case"
    return Table(title, columns, rows, notes=(total,))


def _steps_table(values: Mapping[str, int | Fraction]) -> Table:
    columns = (
        Column("of", style=Style.NAME),
        Column("exact", Kind.NUMBER, heading="exact count"),
        Column("bound", Kind.NUMBER),
        Column("below", Kind.NUMBER, heading="below by"),
        Column("part", Kind.NUMBER, heading="%"),
        Column("place", Kind.CODE, priority=1, style=Style.FAINT),
    )
    rows = tuple(
        (
            bound.name,
            int(exact := values[f"exact_{bound.key}"]),
            int(most := values[f"bound_{bound.key}"]),
            int(most - exact),
            f"{float(100 * Fraction(most - exact, most)):.2f}",
            bound.place,
        )
        for bound in formulas.BOUNDS
    )
    title = "Steps: the exact count, and the paper's bound at the same |â|, n_cyc and |ā|"
    return Table(title, columns, rows)


def dominant(values: Mapping[str, int | Fraction]) -> str:
    """The name of the largest term of Theorem 1."""
    return max(formulas.TERMS, key=lambda term: values[f"term_{term.key}"]).name


def _terms_table(values: Mapping[str, int | Fraction]) -> Table:
    columns = (
        Column("term", style=Style.NAME),
        Column("steps", Kind.NUMBER),
        Column("part", Kind.CODE, heading="of the sum"),
        Column("order", Kind.CODE, priority=1, style=Style.FAINT),
    )
    steps = {term: int(values[f"term_{term.key}"]) for term in formulas.TERMS}
    largest = dominant(values)
    rows = tuple(
        (
            Cell(term.name, term.name, Style.STRONG if term.name == largest else Style.PLAIN),
            many,
            _bar(Fraction(many, sum(steps.values()))),
            term.order,
        )
        for term, many in steps.items()
    )
    return Table("Which term of Theorem 1 dominates (l. 174, constants included)", columns, rows)


# Located


def located_audit(
    parameters: Parameters, extent: Extent, measured: Sequence[int] | None = None
) -> Audit:
    """Compute every number for these parameters and dynamics of this extent (|S| and D).

    A closed walk through all states has at least |S| actions, and at least t̂_mix by the learner's
    rule. The learner's walk has at most max(|S|D, t̂_mix + D): claim D01 (l. 939), same walk.
    """
    p = Located(parameters).parameters
    if extent.states > p.max_states:
        raise InvalidArgument("states", extent.states, f"at most max_states = {p.max_states}")
    shortest = max(extent.states, p.mixing_time)
    longest = max(extent.states * extent.diameter, p.mixing_time + extent.diameter)
    gap = min(shortest // p.mixing_time, _LARGEST_GAP)
    values: dict[str, int | Fraction] = {
        **asdict(p),
        **asdict(extent),
        "shortest": shortest,
        "longest": longest,
        "gap": gap,
        "distance": validation.distance_after(gap),
    }
    for k in range(1, formulas.ROUNDS + 1):
        values[f"share_{k}"] = share = validation.round_share(p.delta, k)
        values[f"samples_{k}"] = samples = validation.validation_samples(p.epsilon, gap, share)
        values[f"limit_{k}"] = validation.independent_samples(p.epsilon, share)
        values[f"steps_{k}"] = (samples + 1) * longest
    known = tuple(symbol for symbol in (*formulas.GIVEN, *formulas.LOCATED) if symbol.key in values)
    return Audit(
        method="located",
        headline=f"With probability at least 1 − {p.delta}, what located STEEL accepts are the "
        f"dynamics, up to labels, and an encoder with error at most {p.epsilon} on each state.\n"
        "Neither |F| nor D̂ is needed. The number of steps of a run has no bound known beforehand.",
        symbols={"Symbols": known},
        values=values,
        tables={"rounds": _rounds_table(values)},
        remarks=(_exploring(measured),),
        assumed=OF_LOCATED,
        measured=None if measured is None else tuple(measured),
    )


def _rounds_table(values: Mapping[str, int | Fraction]) -> Table:
    columns = (
        Column("round", Kind.NUMBER),
        Column("share", Kind.NUMBER, heading="share of δ"),
        Column("samples", Kind.NUMBER, heading="n"),
        Column("independent", Kind.NUMBER, heading="n if independent"),
        Column("most_steps", Kind.NUMBER, heading="steps, at most"),
    )
    rows = tuple(
        (k, *(_plain(values[f"{name}_{k}"]) for name in ("share", "samples", "limit", "steps")))
        for k in range(1, formulas.ROUNDS + 1)
    )
    note = (
        "Round k spends δ / k(k+1). n is the least with b_n + η·a_n at most that, where "
        "a_0 = b_0 = 1, a' = min(a, ηa + b), b' = min(b, (1−ε)b + εηa); ε is at most 1/2 here."
    )
    return Table("Validation: n checks of each state", columns, rows, notes=(note,))


def _exploring(measured: Sequence[int] | None) -> str:
    text = (
        "Exploring spends nothing of δ: each decision is true whatever the noise. Its number of "
        "steps is not known beforehand; "
    )
    if measured is None:
        return text + "steel predict --method located WORLD measures it."
    return text + (
        f"in {counted(len(measured), 'recorded run')} it took "
        f"{counted_range(min(measured), max(measured), 'step')}."
    )


AUDITS: Final[Mapping[str, Callable[[Parameters, Extent, Sequence[int] | None], Audit]]] = {
    "looped": looped_audit,
    "located": located_audit,
}
"""The methods whose guarantee has numbers, and their audits."""
