"""The outcome of a run: what was learned, whether it is right, and how many steps it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.reports.prediction import story
from steel_verified.reports.self_checks import (
    self_check_as_json,
    self_check_rows,
    self_check_warnings,
)
from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.self_check.won import SelfChecked
    from steel_verified.reports.prediction import Story
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.runs import Run

_BAR = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run compared with its prediction and with the truth."""

    name: str
    told: Story
    states: int
    transitions: int
    as_predicted: bool
    predicted_steps: int | None
    """None if there is no prediction, because a bound is false."""
    dynamics_right: bool
    encoder_right: bool | None
    delta: Fraction
    spent: Fraction
    mixing_time: int
    true_mixing_time: int
    seconds: float
    self_check: SelfChecked | None


def outcome(run: Run, seconds: float) -> Outcome:
    """Collect what the report shows about a run."""
    chosen, model, ledger = run.chosen, run.learned.model, run.learned.ledger
    return Outcome(
        name=chosen.name,
        told=story(ledger),
        states=model.states,
        transitions=len(model.transitions()),
        as_predicted=run.as_predicted,
        predicted_steps=None if run.predicted is None else run.predicted.ledger.steps,
        dynamics_right=run.findings.dynamics_right,
        encoder_right=run.findings.encoder_right,
        delta=chosen.parameters.delta,
        spent=ledger.budget.spent,
        mixing_time=chosen.parameters.mixing_time,
        true_mixing_time=run.truth.mixing_time,
        seconds=seconds,
        self_check=run.learned.self_check,
    )


def as_json(report: Outcome) -> Json:
    """The outcome as JSON."""
    return {
        "world": report.name,
        "method": "looped",
        "accepted": True,
        "states": report.states,
        "transitions": report.transitions,
        "steps": report.told.steps,
        "phase1": report.told.phase1,
        "phase2": report.told.phase2,
        "calls": len(report.told.calls),
        "predicted_steps": report.predicted_steps,
        "as_predicted": report.as_predicted,
        "dynamics_right": report.dynamics_right,
        "encoder_right": report.encoder_right,
        "budget": {
            "allowed": str(report.delta),
            "spent": {"exact": str(report.spent), "about": decimal_above(report.spent)},
        },
        "mixing_time": report.mixing_time,
        "true_mixing_time_at_most": report.true_mixing_time,
        "self_check": self_check_as_json(report.self_check),
        "seconds": round(report.seconds, 3),
    }


COLUMNS = (
    Column("what", Kind.CODE, style=Style.NAME, heading=""),
    Column("value", Kind.NUMBER, heading=""),
    Column("remark", priority=1, heading=""),
)


def as_parts(report: Outcome) -> tuple[Part, ...]:
    """The outcome as text and a table."""
    told = report.told
    enough = f"{report.true_mixing_time} is proven to be enough"
    proven = report.mixing_time >= report.true_mixing_time
    steps = "none" if report.predicted_steps is None else f"{report.predicted_steps:,}"
    rows: list[tuple[Value, ...]] = [
        ("states", report.states, counted(report.transitions, "transition")),
        ("dynamics", mark(right=report.dynamics_right), "the truth, up to labels"),
        (
            "phase 1",
            told.phase1,
            f"steps in {counted(len(told.calls), 'call')} of CycleFind",
        ),
        ("phase 2", told.phase2, "steps on tour through all states"),
        ("in all", told.steps, f"steps, {steps} were predicted"),
        ("as predicted", mark(right=report.as_predicted), "plan by plan, verdict by verdict"),
        ("δ spent", decimal_above(report.spent), spent_bar(report.spent, report.delta)),
        *self_check_rows(report.self_check, report.transitions),
        ("t̂_mix", report.mixing_time, enough if proven else Cell(enough, enough, Style.BAD)),
        (
            "time",
            f"{report.seconds:.2f} s",
            f"{told.steps / max(report.seconds, 1e-9):,.0f} steps a second",
        ),
    ]
    if report.encoder_right is not None:
        rows.insert(
            2, ("encoder", mark(right=report.encoder_right), "the true classifier of each state")
        )
    return (
        _headline(report),
        Table("", COLUMNS, tuple(rows)),
        *self_check_warnings(report.self_check, report.states),
    )


def _headline(report: Outcome) -> Prose:
    if report.dynamics_right and report.encoder_right is not False:
        return Prose(f"Learned {report.name}.", Style.GOOD)
    return Prose(
        f"Not right on {report.name}: a verdict was wrong. The probability of that is at most δ if "
        "all assumptions hold.",
        Style.BAD,
    )


def spent_bar(spent: Fraction, delta: Fraction) -> str:
    """A bar that shows how much of δ was spent."""
    share = round(spent / delta * _BAR)
    return f"of {delta} {'█' * share}{'░' * (_BAR - share)}"


def mark(*, right: bool) -> Cell:
    """The table cell that says whether something is right."""
    return Cell("right", right, Style.GOOD) if right else Cell("wrong", right, Style.BAD)
