"""The outcome of a run of located STEEL, alone or beside the paper's algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.learning.located import rounds
from steel_verified.reports.outcome import COLUMNS, mark, spent_bar
from steel_verified.reports.outcome import as_json as looped_as_json
from steel_verified.reports.self_checks import (
    self_check_as_json,
    self_check_cell,
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
    from steel_verified.reports.outcome import Outcome
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.runs import LocatedRun


@dataclass(frozen=True, slots=True)
class LocatedOutcome:
    """A run of located STEEL compared with the truth and with the paper's algorithm."""

    name: str
    states: int
    transitions: int
    dynamics_right: bool
    encoder_right: bool
    exploring: int
    validating: int
    rounds: int
    samples: int
    """n: how often each label was checked in the last round of validation."""
    made: int
    merged: int
    looped_steps: int | None
    """The steps of the paper's algorithm, if they were predicted."""
    delta: Fraction
    spent: Fraction
    mixing_time: int
    true_mixing_time: int
    seconds: float
    self_check: SelfChecked | None

    @property
    def steps(self) -> int:
        return self.exploring + self.validating

    @property
    def fewer(self) -> int | None:
        """The steps of the paper's algorithm divided by those of this run, rounded down."""
        return None if self.looped_steps is None else self.looped_steps // self.steps

    @property
    def all_right(self) -> bool:
        return self.dynamics_right and self.encoder_right


def located_outcome(run: LocatedRun, seconds: float) -> LocatedOutcome:
    """Collect what the report shows about a run."""
    chosen, learned = run.chosen, run.learned
    made = rounds(learned.ledger)
    validating = sum(validation.steps for validation in made)
    return LocatedOutcome(
        name=chosen.name,
        states=learned.model.states,
        transitions=len(learned.model.transitions()),
        dynamics_right=run.findings.dynamics_right,
        encoder_right=run.findings.encoder_right is True,
        exploring=learned.ledger.steps - validating,
        validating=validating,
        rounds=len(made),
        samples=made[-1].passes,
        made=run.growth[-1].made,
        merged=run.growth[-1].merged,
        looped_steps=run.looped_steps,
        delta=chosen.parameters.delta,
        spent=learned.ledger.budget.spent,
        mixing_time=chosen.parameters.mixing_time,
        true_mixing_time=run.truth.mixing_time,
        seconds=seconds,
        self_check=learned.self_check,
    )


def as_json(report: LocatedOutcome) -> dict[str, Json]:
    """The outcome as JSON."""
    return {
        "world": report.name,
        "method": "located",
        "accepted": True,
        "states": report.states,
        "transitions": report.transitions,
        "steps": report.steps,
        "exploring": report.exploring,
        "validating": report.validating,
        "rounds": report.rounds,
        "validation_samples": report.samples,
        "labels_made": report.made,
        "labels_merged": report.merged,
        "looped_steps_predicted": report.looped_steps,
        "times_fewer": report.fewer,
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


def _looped_row(report: LocatedOutcome) -> tuple[Value, ...]:
    if report.fewer is None:
        return "looped", "", "not predicted: it would take long, or a bound is false"
    return (
        "looped",
        report.looped_steps,
        f"steps predicted: {counted(report.fewer, 'time')} as many",
    )


def as_parts(report: LocatedOutcome) -> tuple[Part, ...]:
    """The outcome as text and a table."""
    enough = f"{report.true_mixing_time} is proven to be enough"
    proven = report.mixing_time >= report.true_mixing_time
    tries, checks = counted(report.rounds, "round"), counted(report.samples, "check")
    rows: tuple[tuple[Value, ...], ...] = (
        ("states", report.states, counted(report.transitions, "transition")),
        ("dynamics", mark(right=report.dynamics_right), "the truth, up to labels"),
        ("encoder", mark(right=report.encoder_right), "the true classifier of each state"),
        ("exploring", report.exploring, "steps, with decisions that cannot be wrong"),
        (
            "validating",
            report.validating,
            f"steps in {tries}, {checks} of each state in the last",
        ),
        ("in all", report.steps, "steps"),
        _looped_row(report),
        ("labels", report.made, f"were made, {report.merged:,} of them merged into others"),
        ("δ spent", decimal_above(report.spent), spent_bar(report.spent, report.delta)),
        *self_check_rows(report.self_check, report.transitions),
        ("t̂_mix", report.mixing_time, enough if proven else Cell(enough, enough, Style.BAD)),
        ("time", f"{report.seconds:.2f} s", "with the prediction left out"),
    )
    table = Table("", COLUMNS, rows)
    return (_headline(report), table, *self_check_warnings(report.self_check, report.states))


def _headline(report: LocatedOutcome) -> Prose:
    if report.all_right:
        return Prose(f"Learned {report.name} with located STEEL.", Style.GOOD)
    return Prose(
        f"Not right on {report.name}: a validation passed by chance. The probability of that is at "
        "most δ if all assumptions hold.",
        Style.BAD,
    )


_BOTH: Final = (
    Column("what", Kind.CODE, style=Style.NAME, heading=""),
    Column("looped", Kind.NUMBER),
    Column("located", Kind.NUMBER),
)


def both_as_parts(
    looped: Outcome, located: LocatedOutcome, *, guaranteed: bool
) -> tuple[Part, ...]:
    """Both algorithms on one world, side by side. Nothing is guaranteed if a bound is false."""
    right = looped.dynamics_right and looped.encoder_right is not False and located.all_right
    fewer = looped.told.steps // located.steps
    headline = (
        f"Learned {located.name} with both algorithms: located STEEL took "
        f"{counted(fewer, 'time')} fewer steps."
    )
    wrong = f"Not right on {located.name}: see below."
    encoder = "" if looped.encoder_right is None else mark(right=looped.encoder_right)
    rows: tuple[tuple[Value, ...], ...] = (
        ("states", looped.states, located.states),
        ("dynamics", mark(right=looped.dynamics_right), mark(right=located.dynamics_right)),
        ("encoder", encoder, mark(right=located.encoder_right)),
        ("exploring", looped.told.phase1, located.exploring),
        ("sampling or validating", looped.told.phase2, located.validating),
        ("steps in all", looped.told.steps, located.steps),
        ("known beforehand", looped.predicted_steps, "no"),
        ("δ spent", decimal_above(looped.spent), decimal_above(located.spent)),
        ("self-check", self_check_cell(looped.self_check), self_check_cell(located.self_check)),
        ("time", f"{looped.seconds:.2f} s", f"{located.seconds:.2f} s"),
    )
    promised = f"Each is right with probability at least 1 − {located.delta}"
    told = (
        "Looped is the paper's algorithm. "
        f"{promised if guaranteed else 'Nothing is guaranteed for these runs: a bound is false'}"
        "; docs/theory/LOCATED.md explains when to use which."
    )
    headed = Prose(headline if right else wrong, Style.GOOD if right else Style.BAD)
    warned = dict.fromkeys(
        (
            *self_check_warnings(looped.self_check, looped.states),
            *self_check_warnings(located.self_check, located.states),
        )
    )
    return headed, Table("", _BOTH, rows), *warned, Prose(told)


def both_as_json(looped: Outcome, located: LocatedOutcome) -> Json:
    """Both outcomes as JSON."""
    return {
        "looped": looped_as_json(looped),
        "located": as_json(located),
        "times_fewer": looped.told.steps // located.steps,
    }
