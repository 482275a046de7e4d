"""What came of a run: what was learned, whether it is right, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from steel_verified.reports.prediction import story
from steel_verified.theory.exact import decimal_above

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import RenderableType

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.prediction import Story
    from steel_verified.worlds.runs import Run

_BAR = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run beside its prediction and the truth."""

    name: str
    told: Story
    states: int
    transitions: int
    as_predicted: bool
    predicted_steps: int
    dynamics_right: bool
    encoder_right: bool | None
    delta: Fraction
    spent: Fraction
    mixing_time: int
    true_mixing_time: int
    seconds: float


def outcome(run: Run, seconds: float) -> Outcome:
    """Put together what a person or a program wants to know of a run."""
    chosen, model, ledger = run.chosen, run.learned.model, run.learned.ledger
    return Outcome(
        name=chosen.name,
        told=story(ledger),
        states=model.states,
        transitions=len(model.transitions()),
        as_predicted=run.as_predicted,
        predicted_steps=run.predicted.ledger.steps,
        dynamics_right=run.findings.dynamics_right,
        encoder_right=run.findings.encoder_right,
        delta=chosen.parameters.delta,
        spent=ledger.budget.spent,
        mixing_time=chosen.parameters.mixing_time,
        true_mixing_time=run.truth.mixing_time,
        seconds=seconds,
    )


def as_json(report: Outcome) -> Json:
    """The outcome as plain data."""
    return {
        "world": report.name,
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
        "seconds": round(report.seconds, 3),
    }


def as_text(report: Outcome) -> RenderableType:
    """The outcome as a person reads it."""
    told = report.told
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    table.add_row("states", f"{report.states:,}", f"{report.transitions:,} transitions")
    table.add_row("dynamics", _mark(right=report.dynamics_right), "the truth, up to labels")
    if report.encoder_right is not None:
        table.add_row(
            "encoder", _mark(right=report.encoder_right), "the true classifier of each state"
        )
    table.add_row("phase 1", f"{told.phase1:,}", f"steps in {len(told.calls)} calls of CycleFind")
    table.add_row("phase 2", f"{told.phase2:,}", "steps on tour through all states")
    table.add_row("in all", f"{told.steps:,}", f"steps, {report.predicted_steps:,} were predicted")
    table.add_row(
        "as predicted", _mark(right=report.as_predicted), "plan by plan, verdict by verdict"
    )
    share = report.spent / report.delta
    bar = "█" * round(share * _BAR) + "░" * (_BAR - round(share * _BAR))
    table.add_row("δ spent", decimal_above(report.spent), f"of {report.delta}  {bar}")
    proven = report.mixing_time >= report.true_mixing_time
    table.add_row(
        "t̂_mix",
        str(report.mixing_time),
        Text(
            f"{report.true_mixing_time} is proven to be enough", style="" if proven else "bold red"
        ),
    )
    rate = f"{told.steps / max(report.seconds, 1e-9):,.0f} steps a second"
    table.add_row("time", f"{report.seconds:.2f} s", rate)
    return Group(_headline(report), table)


def _headline(report: Outcome) -> Text:
    if report.dynamics_right and report.encoder_right is not False:
        return Text.assemble("Learned ", (report.name, "bold green"), ".")
    return Text.assemble(
        ("Not right", "bold red"),
        f" on {report.name}: a verdict was wrong, the chance of which is at most δ if all "
        "assumptions hold.",
    )


def _mark(*, right: bool) -> Text:
    return Text("right", style="green") if right else Text("wrong", style="bold red")
