"""The audit of located STEEL: every number behind its guarantee, computed without a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.reports.comparison import located_runs
from steel_verified.reports.formulas.bounds import ALL_NAMES, LOCATED
from steel_verified.reports.formulas.definitions import ROUNDS
from steel_verified.reports.formulas.looped import GIVEN
from steel_verified.reports.formulas.symbols import formula_text
from steel_verified.reports.tables import Column, Kind, Prose, Style, Table, records
from steel_verified.theory.conditions import OF_LOCATED
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.validation import (
    distance_after,
    independent_samples,
    round_share,
    validation_samples,
)
from steel_verified.theory.wording import counted, counted_range

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from steel_verified.evidence.codec import Json
    from steel_verified.experiments.steel_runs import SteelRuns
    from steel_verified.reports.comparison import Runs
    from steel_verified.reports.tables import Part, Value
    from steel_verified.sweeps.study import Row
    from steel_verified.theory.parameters import Extent, LocatedParameters

_LARGEST_GAP: Final = 64
"""Samples more than this many mixing times apart are counted as if they were this far apart."""


@dataclass(frozen=True, slots=True)
class RoundBounds:
    """One round of validation, for any walk that the dynamics may need."""

    number: int
    share: Fraction
    samples: int
    """n for the smallest possible distance between samples: enough for every walk."""
    limit: int
    """The least n that would be enough if samples were independent."""
    steps: int
    """An upper bound on the steps of the round."""


@dataclass(frozen=True, slots=True)
class LocatedAudit:
    """All numbers of the audit. The text and the JSON form show the same numbers."""

    parameters: LocatedParameters
    extent: Extent
    shortest: int
    longest: int
    gap: int
    rounds: tuple[RoundBounds, ...]


def located_audit(parameters: LocatedParameters, extent: Extent) -> LocatedAudit:
    """Compute every number for these parameters and dynamics of this extent (|S| and D).

    A closed walk through all states has at least |S| actions, and at least t̂_mix by the learner's
    rule. The learner's walk has at most max(|S|D, t̂_mix + D): claim D01 (l. 939), same walk.
    """
    p = parameters
    if extent.states > p.max_states:
        raise InvalidArgument("states", extent.states, f"at most max_states = {p.max_states}")
    shortest = max(extent.states, p.mixing_time)
    longest = max(extent.states * extent.diameter, p.mixing_time + extent.diameter)
    gap = min(shortest // p.mixing_time, _LARGEST_GAP)
    return LocatedAudit(
        parameters=p,
        extent=extent,
        shortest=shortest,
        longest=longest,
        gap=gap,
        rounds=tuple(_round(p, number, gap, longest) for number in range(1, ROUNDS + 1)),
    )


def _round(p: LocatedParameters, number: int, gap: int, longest: int) -> RoundBounds:
    share = round_share(p.delta, number)
    samples = validation_samples(p.epsilon, gap, share)
    limit = independent_samples(p.epsilon, share)
    return RoundBounds(number, share, samples, limit, (samples + 1) * longest)


def recorded_runs(name: str | None, rows: Mapping[str, Row]) -> Runs | None:
    """The recorded runs of a named experiment with its own seeds; None if there are none."""
    groups: dict[str, SteelRuns] = {column.name: column.fixed for column in TABLE2}
    groups |= {f"double-prime-{p}-{q}": one.double for one in TABLE3 for p, q in [one.pair]}
    return None if name not in groups else located_runs(rows, groups[name])


def as_json(audit: LocatedAudit, runs: Runs | None) -> Json:
    """The audit as JSON. Fractions are exact strings."""
    p = audit.parameters
    return {
        "method": "located",
        "parameters": {
            "actions": p.actions,
            "max_states": p.max_states,
            "mixing_time": p.mixing_time,
            "delta": str(p.delta),
            "epsilon": str(p.epsilon),
        },
        "states": audit.extent.states,
        "diameter": audit.extent.diameter,
        "walk": {"shortest": audit.shortest, "longest": audit.longest},
        "gap_in_mixing_times": audit.gap,
        "distance_from_stationarity": str(distance_after(audit.gap)),
        "rounds": records(_rounds_table(audit)),
        "exploring_measured": None if runs is None else sorted(runs.numbers("exploring")),
    }


def as_parts(audit: LocatedAudit, runs: Runs | None) -> tuple[Part, ...]:
    """The audit as text and tables."""
    p = audit.parameters
    headline = (
        f"With probability at least 1 − {p.delta}, what located STEEL accepts are the dynamics, up "
        f"to labels, and an encoder with error at most {p.epsilon} on each state.\n"
        "Neither |F| nor D̂ is needed. The number of steps of a run has no bound known beforehand."
    )
    assumed = "\n".join(
        ["Assumed, not checked here", *(f"  • {condition.statement}" for condition in OF_LOCATED)]
    )
    return (
        Prose(headline),
        _symbols(audit),
        _rounds_table(audit),
        Prose(_exploring(runs)),
        Prose(assumed),
    )


def _symbols(audit: LocatedAudit) -> Table:
    p = audit.parameters
    values: dict[str, Value] = {
        "actions": p.actions,
        "max_states": p.max_states,
        "mixing_time": p.mixing_time,
        "delta": str(p.delta),
        "epsilon": str(p.epsilon),
        "states": audit.extent.states,
        "diameter": audit.extent.diameter,
        "shortest": audit.shortest,
        "longest": audit.longest,
        "gap": audit.gap,
        "distance": decimal_above(distance_after(audit.gap)),
    }
    columns = (
        Column("symbol", Kind.CODE, style=Style.NAME),
        Column("value", Kind.NUMBER),
        Column("meaning"),
        Column("formula", Kind.CODE, priority=1, style=Style.FAINT),
    )
    rows = tuple(
        (symbol.symbol, values[symbol.key], symbol.meaning, formula_text(symbol, ALL_NAMES))
        for symbol in (*GIVEN, *LOCATED)
        if symbol.key in values
    )
    return Table("Symbols", columns, rows)


def _rounds_table(audit: LocatedAudit) -> Table:
    columns = (
        Column("round", Kind.NUMBER),
        Column("share", Kind.NUMBER, heading="share of δ"),
        Column("samples", Kind.NUMBER, heading="n"),
        Column("independent", Kind.NUMBER, heading="n if independent"),
        Column("most_steps", Kind.NUMBER, heading="steps, at most"),
    )
    rows = tuple(
        (one.number, str(one.share), one.samples, one.limit, one.steps) for one in audit.rounds
    )
    note = (
        "Round k spends δ / k(k+1). n is the least with b_n + η·a_n at most that, where "
        "a_0 = b_0 = 1, a' = min(a, ηa + b), b' = min(b, (1−ε)b + εηa); ε is at most 1/2 here."
    )
    return Table("Validation: n checks of each state", columns, rows, notes=(note,))


def _exploring(runs: Runs | None) -> str:
    if runs is None:
        return (
            "Exploring spends nothing of δ: each decision is true whatever the noise. Its number "
            "of steps is not known beforehand; steel predict --method located WORLD measures it."
        )
    steps = runs.numbers("exploring")
    return (
        "Exploring spends nothing of δ: each decision is true whatever the noise. Its number of "
        f"steps is not known beforehand; in {counted(len(steps), 'recorded run')} it took "
        f"{counted_range(min(steps), max(steps), 'step')}."
    )
