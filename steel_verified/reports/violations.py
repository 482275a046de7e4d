"""The page about violated conditions: how runs end on worlds in which a condition is broken."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.violations import WORLDS, all_runs
from steel_verified.reports.reproducibility import recorded
from steel_verified.reports.tables import Cell, Column, Kind, Table, as_markdown
from steel_verified.reports.violation_rows import Rows
from steel_verified.worlds.violated.judging import FRESH_STEPS, Check, Method, Outcome
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from steel_verified.reports.tables import Value

_NUMBERED: Final = (
    (Outcome.RIGHT, "right"),
    (Outcome.TWIN, "twin"),
    (Outcome.FIRST, "first"),
    (Outcome.NAMED, "named"),
    (Outcome.OTHER, "other"),
    (Outcome.NO_CAUSE, "no_cause"),
    (Outcome.SILENT, "silent"),
)
_FRESH_COLUMNS: Final = (
    ("worlds", "worlds"),
    ("twin", "twin"),
    ("twin_fresh", "twin, fresh"),
    ("silent", "silent"),
    ("silent_fresh", "silent, fresh"),
)
_CONTRARY: Final = (
    "In parentheses: after how many steps of the run the model was in a state that usually looks "
    "otherwise. A run of the paper's algorithm takes some 600 to 40,000 steps, and one of "
    "located STEEL some 300. Where it is 0, the dynamics are right, and the encoder is wrong on "
    "noise that was not seen."
)
_SHOWN: Final = 20
"""So many seeds are listed."""
_EDGES: Final = {
    Violation.ERRING: [Fraction(n, 20) for n in (2, 4, 6)],
    Violation.SHARED: [Fraction(n, 20) for n in (2, 4, 6, 8, 10)],
    Violation.SLOW: [Fraction(n) for n in (30, 100, 300, 1_000, 10_000)],
    Violation.FOLLOWING: [Fraction(n, 12) for n in (3, 6, 9, 11, 12)],
}
"""Violations that differ in size, and the sizes by which they are grouped."""
_HEAD: Final = """\
# When a condition does not hold

The guarantee holds under conditions. Here each of them is broken in small random worlds, one at a
time, and it is counted how runs end. The worlds are drawn by `steel_verified/worlds/violated/`: 3
to 8 states, 2 or 3 actions, noise that classifiers of F can read, and a class F that contains both
constants, as every linear class does. This page is written by `steel reproduce violations --page`
from the recorded runs; `steel reproduce violations --results steel_verified/experiments/recorded`
makes those that are not there yet.

- **right**: accepted, and what is promised is true: the dynamics up to relabelling, and an encoder
  that errs with chance at most ε.
- **twin**: accepted, and what is promised is true of another world, which satisfies all conditions
  and shows the same. Nobody can notice it.
- **first**: not accepted, and the broken condition is named as the most likely cause.
- **named**: not accepted; the broken condition is named, but another one before it.
- **other**: not accepted; only other conditions are named.
- **no cause**: not accepted, and no condition is named.
- **silent**: accepted, and what is promised is not true.

Where dynamics slip, the most likely transitions count as true. Where a part of the world has no way
back, only what can still be reached counts. Where a transition changes during the run, the dynamics
at the end count; if it was not taken since, the world without the change is a twin. Where the
action decides the noise, state and noise together may be the state of a twin. Where all conditions
hold, every run that is not right is a false alarm, or a failure that δ = 1/1000 allows.

An |F| that is smaller than the class is refused before a run. Oracles that miss classifiers, and
trajectories with resets, are not among these worlds. How causes of located runs are ranked was
tuned on the worlds with seeds 0 to 59, which are among those of this page.
"""


def unchecked_table(rows: Rows) -> Table:
    """Both methods without the self-check."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        tallies = [rows.tally(violation, method, Check.NONE) for method in Method]
        numbers = [
            number
            for one in tallies
            for number in (
                one.of(Outcome.RIGHT),
                one.of(Outcome.TWIN),
                one.noticed,
                one.of(Outcome.SILENT),
            )
        ]
        listed.append((violation.told, len(tallies[0].ended), *numbers))
    return Table(
        "Without the self-check",
        (
            Column("violation"),
            Column("worlds", Kind.NUMBER),
            *(
                Column(f"{method.value}_{name}", Kind.NUMBER, heading=f"{method.value}: {name}")
                for method in Method
                for name in ("right", "twin", "noticed", "silent")
            ),
        ),
        tuple(listed),
    )


def checked_table(rows: Rows, method: Method) -> Table:
    """One method with the self-check."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        now = rows.tally(violation, method, Check.USUAL)
        seeds = frozenset(run.seed for run in now.ended)
        before = rows.tally(violation, method, Check.NONE).of_seeds(seeds)
        listed.append(
            (
                violation.told,
                len(now.ended),
                before.of(Outcome.SILENT),
                *(now.of(outcome) for outcome, _ in _NUMBERED),
                _share(now.of(Outcome.FIRST), now.noticed),
            )
        )
    return Table(
        f"With the self-check, {method.value}",
        (
            Column("violation"),
            Column("worlds", Kind.NUMBER),
            Column("silent_before", Kind.NUMBER, heading="silent before"),
            *(Column(name, Kind.NUMBER) for _, name in _NUMBERED),
            Column("first_of_noticed", Kind.NUMBER, heading="first of noticed"),
        ),
        tuple(listed),
    )


def fresh_table(rows: Rows) -> Table:
    """Both methods, with fresh steps for the self-check and without, on the same worlds."""
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


def silent_table(rows: Rows) -> Table:
    """Which worlds are silently wrong in spite of the self-check: their seeds."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        for method in Method:
            runs = rows.tally(violation, method, Check.USUAL).ended
            wrong = [run for run in runs if run.outcome is Outcome.SILENT]
            if wrong:
                more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
                shown = ", ".join(f"{run.seed} ({run.contrary})" for run in wrong[:_SHOWN]) + more
                listed.append((violation.told, method.value, len(wrong), shown))
    return Table(
        "Silently wrong in spite of the self-check",
        (
            Column("violation"),
            Column("method"),
            Column("worlds", Kind.NUMBER),
            Column("seeds", heading="seeds (contrary steps)"),
        ),
        tuple(listed),
        notes=(_CONTRARY,),
    )


def tables(rows: Rows) -> list[Table]:
    """All tables of the study; that with fresh steps only if such runs are there."""
    checked = [checked_table(rows, method) for method in Method]
    fresh = [fresh_table(rows)] if rows.has(Check.FRESH) else []
    return [unchecked_table(rows), *checked, *fresh, power_table(rows), silent_table(rows)]


def recorded_rows() -> Rows:
    """The rows that are shipped."""
    return Rows(recorded("violations"), tuple(all_runs(WORLDS)))


def violations_page() -> str:
    """VIOLATIONS.md, from the rows that are shipped."""
    parts = [_HEAD]
    for table in tables(recorded_rows()):
        parts += [f"## {table.title}\n", as_markdown(table), *(f"{note}\n" for note in table.notes)]
    return "\n".join(parts)


def _share(part: int, whole: int) -> Cell:
    """A share in per cent, rounded down; nothing of nothing."""
    if not whole:
        return Cell("", None)
    return Cell(f"{100 * part // whole} %", 100 * part // whole)
