"""Table 1: the printed marks beside counts of runs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from statistics import median_low
from typing import TYPE_CHECKING, Final

from steel_verified.baselines.exorl import UNKNOWN_CONSTANT, episodes_by_constant
from steel_verified.baselines.ppe import UNCERTAIN, formula
from steel_verified.experiments.table1 import study
from steel_verified.experiments.table1.methods import DELTA, Fate
from steel_verified.experiments.table1.worlds import Method, Property
from steel_verified.reports.tables import Cell, Column, Kind, Style, Table, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row


_NEARLY_ALL: Final = 1 - DELTA
"""A ✓ counts as confirmed if at least this share of runs is right; a ✗, if at most δ is."""
REASONS: Final = {
    (Method.EXORL, Property.NO_RESET): (
        "outside its setting; but a piece of the trajectory begins in a random state, which ExoRL "
        "allows (footnote, l. 101)"
    ),
    (Method.EXORL, Property.HIDDEN_NOISE): (
        "outside its setting; but it only needs noise that evolves by itself"
    ),
    (Method.AC_STATE, Property.RANDOM_MOVES): (
        "outside its theory; but the inverse loss still distinguishes the states here, and "
        "probabilities are counted afterwards"
    ),
}
"""Why runs are right although ✗ is printed."""
DIFFERS: Final = "differs"
"""The word for a cell that differs from the printed mark."""
_COUNTED: Final = (
    "✓, ✗ and ? are printed in the paper (l. 110–131); counts are right runs of all runs. A run is "
    "right if it encodes every observation as its state, up to renaming, and every transition "
    "probability is within 1/10 of the true one. ✗ means that a method's theory does not cover a "
    "column; a run can still be right. ? means that it is unclear whether the method needs the "
    "condition."
)
_SIMPLIFIED: Final = (
    "PPE is its gap form with 20 episodes of each path, fewer than any guarantee requires. PPE by "
    "pairs is our exact finite form, with its own guarantee. STEEL certain takes 200 of its steps "
    "after the rows have decided, as a check. ExoRL is its part OSSR on "
    "bits; its numbers of episodes and its tolerances were chosen by trial, on the first of these "
    "seeds. AC-State and ACDF choose among all encoders. On the lock they see states without "
    "noise, and choose among the true encoder and those that confuse two states, which makes it "
    "easier."
)
_EPISODES_END: Final = (
    "Steps are medians over the runs; n is the number of episodes of each path, with the true "
    "number of paths in each layer. An episode of PPE ends with the observation that is kept; if "
    f"each must continue to step {study.HORIZON}, the steps are the episodes times {study.HORIZON}."
)
REMARKS: Final = (_COUNTED, _SIMPLIFIED)


@dataclass(frozen=True, slots=True)
class Tally:
    """The runs of one cell."""

    fates: str
    steps: tuple[int, ...]

    def of(self, fate: Fate) -> int:
        return self.fates.count(fate.value)

    @property
    def runs(self) -> int:
        return len(self.fates)

    @property
    def right(self) -> int:
        return self.of(Fate.RIGHT)

    @property
    def median_steps(self) -> int | None:
        return median_low(self.steps) if self.steps else None

    @property
    def share(self) -> Cell:
        value: Json = {"right": self.right, "runs": self.runs}
        return Cell(f"{self.right}/{self.runs}", value)


def tally(rows: Mapping[str, Row], keys: Sequence[str]) -> Tally:
    found = [rows[key] for key in keys if key in rows]
    fates = "".join(text for row in found if isinstance(text := row["fates"], str))
    steps = [
        n
        for row in found
        if isinstance(listed := row["steps"], list)
        for n in listed
        if isinstance(n, int)
    ]
    return Tally(fates, tuple(steps))


def of_cell(rows: Mapping[str, Row], method: Method, column: Property) -> Tally:
    return tally(rows, study.cell_keys(method, column))


def agreement(method: Method, column: Property, got: Tally) -> str:
    """How the counts compare with the printed mark: same, differs, measured (for ?) or not run."""
    mark = method.mark(column)
    if not got.runs:
        return "not run"
    if mark == "?":
        return "measured"
    met = got.right >= _NEARLY_ALL * got.runs if mark == "✓" else got.right <= DELTA * got.runs
    return "same" if met else DIFFERS


def tables(rows: Mapping[str, Row]) -> list[Table]:
    return [matrix(rows), cells(rows), on_the_lock(rows)]


def matrix(rows: Mapping[str, Row]) -> Table:
    """Methods by columns: the printed mark, and how many runs were right."""

    def shown(method: Method, column: Property) -> Cell:
        mark, got = method.mark(column), of_cell(rows, method, column)
        style = Style.ODD if agreement(method, column, got) == DIFFERS else Style.PLAIN
        value: Json = {"printed": mark, "right": got.right, "runs": got.runs}
        counts = f"{got.right}/{got.runs}" if got.runs else "not run"
        return Cell(f"{mark} {counts}", value, style)

    return Table(
        "Table 1: which method can do what (l. 110–131)",
        (
            Column("method", Kind.CODE, style=Style.NAME),
            *(Column(column.name.lower(), Kind.NUMBER, heading=column.heading)
              for column in Property),
        ),
        tuple((method.title, *(shown(method, column) for column in Property)) for method in Method),
    )  # fmt: skip


def cells(rows: Mapping[str, Row]) -> Table:
    """The matrix as one row per cell, with how the runs ended and how many steps they took."""

    def row(column: Property, method: Method) -> tuple[Value, ...]:
        got = of_cell(rows, method, column)
        pieces = method.needs_resets and column is Property.NO_RESET
        name, mark = method.title + (" (pieces)" if pieces else ""), method.mark(column)
        agreed = agreement(method, column, got)
        reason = REASONS.get((method, column), "no reason is known") if agreed == DIFFERS else ""
        ended = got.right, got.of(Fate.NOTICED), got.of(Fate.WRONG)
        return column.printed, name, mark, *ended, got.median_steps, agreed, reason

    return Table(
        "Table 1, cell by cell",
        (
            Column("column"),
            Column("method", Kind.CODE, style=Style.NAME),
            Column("printed", Kind.CODE),
            Column("right", Kind.NUMBER),
            Column("noticed", Kind.NUMBER),
            Column("wrong", Kind.NUMBER),
            Column("steps", Kind.NUMBER),
            Column("agreement", Kind.CODE),
            Column("reason", priority=1),
        ),
        tuple(row(column, method) for column in Property for method in Method),
        notes=tuple(f"{column.printed}: {column.measured}" for column in Property),
        grouped=True,
    )


def on_the_lock(rows: Mapping[str, Row]) -> Table:
    """Steps with resets and without, on the same lock, beside what was stated beforehand."""
    listed = (
        _without_resets(rows, Method.LOOPED),
        _without_resets(rows, Method.LOCATED),
        _without_resets(rows, Method.CERTAIN),
        _without_resets(rows, Method.AC_STATE),
        _without_resets(rows, Method.ACDF),
        _ppe(rows, study.PPE_LEAST, "enough for δ, given how many paths each layer has"),
        _ppe(rows, study.PPE_STATED, f"enough for δ, given that there are {study.STATES} states"),
        _ppe(rows, study.PPE_FEW_GAPS, "no guarantee"),
        _ppe(rows, study.PPE_GAPS, "no guarantee"),
        _by_formula(by_path=False),
        _by_formula(by_path=True),
        _exorl(rows),
    )
    return Table(
        f"With resets and without: the lock with {study.STATES} states, δ = {float(DELTA)}",
        (
            Column("method", Kind.CODE),
            Column("episodes", Kind.NUMBER),
            Column("steps", Kind.NUMBER),
            Column("stated", Kind.NUMBER, heading="stated before"),
            Column("right", Kind.NUMBER),
            Column("remark", priority=1),
        ),
        listed,
        notes=(_EPISODES_END,),
    )


def _without_resets(rows: Mapping[str, Row], method: Method) -> tuple[Value, ...]:
    got, stated = of_cell(rows, method, Property.GUARANTEE), study.stated_steps(method)
    remark = "states no number beforehand" if stated is None else "its bound for all such worlds"
    return f"{method.title}, one run", None, got.median_steps, stated, got.share, remark


def _ppe(rows: Mapping[str, Row], runs: study.PpeRuns, remark: str) -> tuple[Value, ...]:
    cell = {study.PPE_STATED: Method.PPE_PAIRS, study.PPE_GAPS: Method.PPE_GAPS}.get(runs)
    keys = study.ppe_keys(runs) if cell is None else study.cell_keys(cell, Property.GUARANTEE)
    got = tally(rows, keys)
    stated = study.stated_steps(Method.PPE_PAIRS) if runs is study.PPE_STATED else None
    name = (Method.PPE_PAIRS if runs.by_pairs else Method.PPE_GAPS).title
    named = f"{name}, n = {runs.each}"
    episodes = sum(n * runs.each for n in study.TRUE_WIDTHS)
    return named, episodes, got.median_steps, stated, got.share, remark


def _by_formula(*, by_path: bool) -> tuple[Value, ...]:
    asked = formula(study.TRUE_WIDTHS, study.COMPONENTS, DELTA, by_path=by_path)
    size = f"{study.COMPONENTS}^paths" if by_path else f"{study.COMPONENTS}"
    remark = f"not run, |F| = {size}; {UNCERTAIN}"
    return f"PPE by formula, {size}", asked.episodes, None, asked.steps, None, remark


def _exorl(rows: Mapping[str, Row]) -> tuple[Value, ...]:
    """On the coded lock, where every state can surely be reached: η = 1."""
    got = of_cell(rows, Method.EXORL, Property.GUARANTEE)
    asked = episodes_by_constant(
        actions=2,
        values=2,
        most=3,
        factors=4,
        horizon=study.EXORL_LAYERS,
        eta=Fraction(1),
        delta=DELTA,
    )
    each, steps = study.EXORL_EPISODES, comb(study.EXORL_LAYERS, 2)
    remark = f"{each:,} for each of {steps} steps; asked for: {asked:,} {UNKNOWN_CONSTANT}"
    return "ExoRL, lock with 8 states", each * steps, got.median_steps, None, got.share, remark
