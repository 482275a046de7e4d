"""The page VIOLATIONS.md: how runs end on worlds that violate a condition of the guarantee."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.violations import WORLDS, all_runs
from steel_verified.reports.reproducibility import recorded
from steel_verified.reports.tables import Cell, Column, Kind, Table, as_markdown
from steel_verified.reports.violation_rows import Rows
from steel_verified.reports.violation_words import (
    EVIDENCE_NOTE,
    FAILS,
    FALSE_ALARM,
    FALSE_ALARMS_NOTE,
    FRESH_NOTE,
    HEAD,
    SILENT_NOTE,
    most_failures,
)
from steel_verified.worlds.violated.amounts import MOST_DECADES
from steel_verified.worlds.violated.judging import FRESH_STEPS, Check, Method, Outcome
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from steel_verified.reports.tables import Value

_NUMBERED: Final = (
    ((Outcome.RIGHT,), "right", "right"),
    ((Outcome.FIRST,), "first", "noticed: cause first"),
    ((Outcome.NAMED,), "named", "noticed: cause named"),
    ((Outcome.OTHER, Outcome.NO_CAUSE), "other", "noticed: other cause"),
    ((Outcome.TWIN,), "twin", "twin"),
    ((Outcome.FAINT,), "faint", "too little"),
    ((Outcome.SILENT,), "silent", "silent"),
)
_FRESH_COLUMNS: Final = (
    ("worlds", "worlds"),
    ("twin", "twin"),
    ("twin_fresh", "twin, fresh"),
    ("silent", "silent"),
    ("silent_fresh", "silent, fresh"),
)
_SHOWN: Final = 20
"""How many seeds are listed at most."""
_DECADES: Final = ((0, 0), (1, 9), (10, 29), (30, 99), (100, MOST_DECADES))
"""The groups of wrong models, by the evidence against them in decades (log10)."""
NOTICED_FROM: Final = {Method.LOOPED: 30, Method.LOCATED: 100}
"""Wrong models with at least this many decades of evidence against them are noticed. A bet has to
pay some 10^8. It loses up to half of its decades because samples may depend on each other within
the mixing time, and more if there are few samples, as in a located run. On worlds with seeds below
6,000, no silent looped run had any decades, and no silent located run had more than 81 (slow
noise). For other located runs 1 was stated at first, and the first 50 worlds refuted it."""
_EDGES: Final = {
    Violation.ERRING: [Fraction(n, 20) for n in (2, 4, 6)],
    Violation.SHARED: [Fraction(n, 20) for n in (2, 4, 6, 8, 10)],
    Violation.SLOW: [Fraction(n) for n in (30, 100, 300, 1_000, 10_000)],
    Violation.FOLLOWING: [Fraction(n, 12) for n in (3, 6, 9, 11, 12)],
}
"""The violations that differ in size, and the sizes by which runs are grouped."""


def unchecked_table(rows: Rows) -> Table:
    """How runs of both methods end without the self-check."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        tallies = [rows.tally(violation, method, Check.NONE) for method in Method]
        numbers = [
            number
            for one in tallies
            for number in (
                one.of(Outcome.RIGHT),
                one.noticed,
                one.of(Outcome.TWIN),
                one.of(Outcome.FAINT),
                one.of(Outcome.SILENT),
            )
        ]
        listed.append((violation.told, *numbers))
    return Table(
        "Without the self-check",
        (
            Column("violation"),
            *(
                Column(f"{method.value}_{name}", Kind.NUMBER, heading=f"{method.value}: {name}")
                for method in Method
                for name in ("right", "noticed", "twin", "too little", "silent")
            ),
        ),
        tuple(listed),
    )


def checked_table(rows: Rows, method: Method) -> Table:
    """How runs of one method end with the self-check."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        now = rows.tally(violation, method, Check.USUAL)
        before = rows.tally(violation, method, Check.NONE)
        listed.append(
            (
                violation.told,
                len(now.ended),
                *(sum(map(now.of, outcomes)) for outcomes, _, _ in _NUMBERED),
                _share(now.of(Outcome.FIRST), now.noticed if violation.condition else 0),
                before.of(Outcome.SILENT),
            )
        )
    return Table(
        f"With the self-check, {method.value}",
        (
            Column("violation"),
            Column("worlds", Kind.NUMBER),
            *(Column(name, Kind.NUMBER, heading=told) for _, name, told in _NUMBERED),
            Column("first_of_noticed", Kind.NUMBER, heading="first of noticed"),
            Column("silent_before", Kind.NUMBER, heading="silent without it"),
        ),
        tuple(listed),
    )


def false_alarm_table(rows: Rows) -> Table:
    """How many runs were not right although all conditions hold, and how many α and δ allow."""
    listed: list[tuple[Value, ...]] = []
    for violation in (each for each in Violation if each.condition is None):
        for method in Method:
            runs = rows.tally(violation, method, Check.USUAL)
            many, wrong = len(runs.ended), len(runs.ended) - runs.of(Outcome.RIGHT)
            allowed = most_failures(many, FAILS, FALSE_ALARM)
            listed.append((violation.told, method.value, many, wrong, allowed))
    return Table(
        "False alarms",
        (
            Column("worlds_of", heading="worlds"),
            Column("method"),
            Column("worlds", Kind.NUMBER, heading="runs"),
            Column("wrong", Kind.NUMBER, heading="not right"),
            Column("allowed", Kind.NUMBER, heading="allowed"),
        ),
        tuple(listed),
        notes=(FALSE_ALARMS_NOTE,),
    )


def fresh_table(rows: Rows) -> Table:
    """How runs of both methods end with and without fresh steps, on the same worlds."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        numbers: list[Value] = []
        for method in Method:
            fresh = rows.tally(violation, method, Check.FRESH)
            usual = rows.tally(violation, method, Check.USUAL)
            same = usual.of_seeds(frozenset(run.seed for run in fresh.ended))
            numbers += [
                len(fresh.ended),
                *(
                    part.of(kind)
                    for kind in (Outcome.TWIN, Outcome.SILENT)
                    for part in (same, fresh)
                ),
            ]
        listed.append((violation.told, *numbers))
    return Table(
        f"With {FRESH_STEPS:,} fresh steps for the self-check",
        (
            Column("violation"),
            *(
                Column(f"{method.value}_{name}", Kind.NUMBER, heading=f"{method.value}: {told}")
                for method in Method
                for name, told in _FRESH_COLUMNS
            ),
        ),
        tuple(listed),
        notes=(FRESH_NOTE,),
    )


def power_table(rows: Rows) -> Table:
    """How many violations were noticed with the self-check, by their size."""
    listed: list[tuple[Value, ...]] = []
    for violation, edges in _EDGES.items():
        tallies = [rows.tally(violation, method, Check.USUAL) for method in Method]
        for low, high in pairwise((Fraction(0), *edges)):
            numbers: list[Value] = []
            for within in (one.of_size(low, high) for one in tallies):
                numbers += [len(within.ended), within.noticed, within.of(Outcome.SILENT)]
            listed.append((violation.told, f"{float(high):g}", *numbers))
    return Table(
        "What is noticed, by the size of the violation",
        (
            Column("violation"),
            Column("size", Kind.NUMBER, heading="size up to"),
            *(
                Column(f"{method.value}_{name}", Kind.NUMBER, heading=f"{method.value}: {name}")
                for method in Method
                for name in ("worlds", "noticed", "silent")
            ),
        ),
        tuple(listed),
    )


def evidence_table(rows: Rows) -> Table:
    """How many wrong models were noticed, by the evidence against them."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        for method in Method:
            runs = rows.tally(violation, method, Check.USUAL)
            groups = [runs.of_decades(*bounds) for bounds in _DECADES]
            if any(group.ended for group in groups):
                shares = [_of(group.noticed, len(group.ended)) for group in groups]
                listed.append((violation.told, method.value, *shares, NOTICED_FROM[method]))
    return Table(
        "What is noticed, by what speaks against the model",
        (
            Column("violation"),
            Column("method"),
            *(
                Column(f"decades_{low}", Kind.NUMBER, heading=f"{low}" if low == high else told)
                for low, high in _DECADES
                for told in [f"{low} to {high}" if high < MOST_DECADES else f"{low} and more"]
            ),
            Column("noticed_from", Kind.NUMBER, heading="stated size"),
        ),
        tuple(listed),
        notes=(EVIDENCE_NOTE,),
    )


def silent_table(rows: Rows) -> Table:
    """The seeds of the worlds that were silently wrong although the self-check ran."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        for method in Method:
            runs = rows.tally(violation, method, Check.USUAL).ended
            wrong = [run for run in runs if run.outcome is Outcome.SILENT]
            if wrong:
                more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
                shown = ", ".join(f"{run.seed} ({run.decades})" for run in wrong[:_SHOWN]) + more
                listed.append((violation.told, method.value, len(wrong), shown))
    return Table(
        "Silently wrong in spite of the self-check",
        (
            Column("violation"),
            Column("method"),
            Column("worlds", Kind.NUMBER),
            Column("seeds", heading="seeds (decades)"),
        ),
        tuple(listed),
        notes=(SILENT_NOTE,),
    )


def tables(rows: Rows) -> list[Table]:
    """All tables of the study. The table about fresh steps is included only if it has runs."""
    checked = [checked_table(rows, method) for method in Method]
    fresh = [fresh_table(rows)] if rows.has(Check.FRESH) else []
    return [
        *checked,
        unchecked_table(rows),
        false_alarm_table(rows),
        evidence_table(rows),
        silent_table(rows),
        power_table(rows),
        *fresh,
    ]


def recorded_rows() -> Rows:
    """The recorded rows that the package contains."""
    return Rows(recorded("violations"), tuple(all_runs(WORLDS)))


def violations_page() -> str:
    """The content of VIOLATIONS.md, from the recorded rows."""
    parts = [HEAD]
    for table in tables(recorded_rows()):
        parts += [f"## {table.title}\n", as_markdown(table), *(f"{note}\n" for note in table.notes)]
    return "\n".join(parts)


def _of(part: int, whole: int) -> Cell:
    return Cell(f"{part} of {whole}", part) if whole else Cell("", None)


def _share(part: int, whole: int) -> Cell:
    """A percentage, rounded down; an empty cell if the whole is 0."""
    if not whole:
        return Cell("", None)
    return Cell(f"{100 * part // whole} %", 100 * part // whole)
