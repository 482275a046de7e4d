"""The outcome of a run in which the paper's algorithm continued after located STEEL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.reports.outcome import COLUMNS, mark, spent_bar
from steel_verified.reports.self_checks import (
    self_check_as_json,
    self_check_rows,
    self_check_warnings,
)
from steel_verified.reports.tables import Prose, Style, Table
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted
from steel_verified.worlds.driver import steps_before_fallback

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.self_check.won import SelfChecked
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.runs import FallbackRun
    from steel_verified.worlds.truth import Findings


@dataclass(frozen=True, slots=True)
class FallbackOutcome:
    """The result of two algorithms that ran one after the other, compared with the truth."""

    name: str
    states: int
    transitions: int
    findings: Findings
    located_steps: int
    limit: int
    """The number of steps after which located STEEL had to stop."""
    steps: int
    delta: Fraction
    spent: Fraction
    self_check: SelfChecked | None
    seconds: float


def fallback_outcome(run: FallbackRun, seconds: float) -> FallbackOutcome:
    """Collect what the report shows about a run."""
    learned, parameters = run.learned, run.chosen.parameters
    return FallbackOutcome(
        name=run.chosen.name,
        states=learned.model.states,
        transitions=len(learned.model.transitions()),
        findings=run.findings,
        located_steps=run.located_steps,
        limit=steps_before_fallback(parameters),
        steps=learned.ledger.steps,
        delta=parameters.delta,
        spent=learned.ledger.budget.spent,
        self_check=learned.self_check,
        seconds=seconds,
    )


def as_json(report: FallbackOutcome) -> Json:
    """The outcome as JSON."""
    return {
        "world": report.name,
        "method": "located, then looped",
        "accepted": True,
        "states": report.states,
        "transitions": report.transitions,
        "steps": report.steps,
        "located_steps": report.located_steps,
        "located_limit": report.limit,
        "looped_steps": report.steps - report.located_steps,
        "dynamics_right": report.findings.dynamics_right,
        "encoder_right": report.findings.encoder_right is True,
        "budget": {
            "allowed": str(report.delta),
            "spent": {"exact": str(report.spent), "about": decimal_above(report.spent)},
        },
        "self_check": self_check_as_json(report.self_check),
        "seconds": round(report.seconds, 3),
    }


def as_parts(report: FallbackOutcome) -> tuple[Part, ...]:
    """The outcome as text and a table."""
    found, looped = report.findings, report.steps - report.located_steps
    rows: tuple[tuple[Value, ...], ...] = (
        ("states", report.states, counted(report.transitions, "transition")),
        ("dynamics", mark(right=found.dynamics_right), "the truth, up to labels"),
        ("encoder", mark(right=found.encoder_right is True), "the true classifier of each state"),
        ("located", report.located_steps, f"steps, not accepted; at most {report.limit:,}"),
        ("looped", looped, "steps of the paper's algorithm after that"),
        ("in all", report.steps, "steps"),
        ("δ spent", decimal_above(report.spent), spent_bar(report.spent, report.delta)),
        *self_check_rows(report.self_check, report.transitions),
        ("time", f"{report.seconds:.2f} s", ""),
    )
    if found.all_right:
        headline = Prose(f"Learned {report.name} with the paper's algorithm.", Style.GOOD)
    else:
        headline = Prose(f"Not right on {report.name}: a verdict was wrong.", Style.BAD)
    warned = self_check_warnings(report.self_check, report.states)
    return headline, Table("", COLUMNS, rows), *warned
