"""The outcome of attempts in a world whose steps slip: votes, result and guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.learning.results import Accepted
from steel_verified.reports.run import COLUMNS, false_bound, mark, warning_as_json
from steel_verified.reports.tables import Column, Kind, Prose, Style, Table, records
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.catalogue import FalseBound
    from steel_verified.worlds.voted_runs import VotedRun

_VOTES: Final = (Column("attempt", Kind.NUMBER), Column("steps", Kind.NUMBER), Column("vote"))
_NO_CERTIFICATE: Final = (
    "The vote has no certificate, so none of this can be rechecked with `steel check`. How the "
    'probabilities come about is argued in docs/theory/LOCATED.md, under "When steps slip".'
)


@dataclass(frozen=True, slots=True)
class VotedOutcome:
    """The result of attempts that voted, compared with the truth, and its guarantee."""

    run: VotedRun
    seconds: float
    false_bounds: tuple[FalseBound, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.run.findings is not None

    @property
    def all_right(self) -> bool:
        """Whether dynamics and encoder are right. The current state has a separate guarantee."""
        return self.run.findings is not None and self.run.findings.all_right

    @property
    def delta(self) -> Fraction:
        return self.run.chosen.parameters.delta

    @property
    def bad_attempt(self) -> Fraction:
        """θ, an upper bound on the probability that an attempt is bad."""
        return self.run.slips.bad_attempt(self.delta)


def as_json(report: VotedOutcome) -> dict[str, Json]:
    """The outcome as JSON."""
    run, voted, findings = report.run, report.run.voted, report.run.findings
    return {
        "world": run.chosen.name,
        "method": "located",
        "accepted": report.accepted,
        "because": None if isinstance(voted.result, Accepted) else voted.result.because,
        "slips": str(run.slips.rate),
        "attempt_steps": run.slips.attempt_steps,
        "attempts": records(_votes(run)),
        "score": voted.poll.score,
        "needed": voted.poll.needed,
        "steps": voted.steps,
        "steps_slipped": run.slipped,
        "states": voted.result.model.states,
        "dynamics_right": findings is not None and findings.dynamics_right,
        "encoder_right": findings is not None and findings.encoder_right is True,
        "place_right": run.place_right,
        "delta": str(report.delta),
        "theta": str(report.bad_attempt),
        "certificate": None,
        "seconds": round(report.seconds, 3),
        "warnings": tuple(warning_as_json(bound) for bound in report.false_bounds),
    }


def as_parts(report: VotedOutcome) -> tuple[Part, ...]:
    """The outcome as text and a table."""
    run, voted, findings = report.run, report.run.voted, report.run.findings
    tries = counted(len(voted.attempts), "attempt")
    rows: list[tuple[Value, ...]] = [
        ("attempts", len(voted.attempts), f"of at most {run.slips.attempt_steps:,} steps each"),
        ("votes", voted.poll.score, f"for the candidate, less those against; {_needed(run)}"),
        ("steps", voted.steps, f"in all, {run.slipped:,} of which slipped"),
        ("time", f"{report.seconds:.2f} s", ""),
        *(false_bound(bound) for bound in report.false_bounds),
    ]
    if findings is None or not isinstance(voted.result, Accepted):
        because = str(as_json(report)["because"])
        headline = Prose(f"Not accepted on {run.chosen.name}: {because}.", Style.BAD)
        return headline, Table("", COLUMNS, tuple(rows)), _votes(run), Prose(_NO_CERTIFICATE)
    delta, bad = report.delta, decimal_above(report.bad_attempt)
    rows[:0] = [
        ("states", voted.result.model.states, "of the model that was voted for"),
        ("dynamics", mark(right=findings.dynamics_right), f"promised: probability ≥ 1 − {delta}"),
        (
            "encoder",
            mark(right=findings.encoder_right is True),
            f"promised: probability ≥ 1 − {delta}",
        ),
        (
            "place",
            mark(right=run.place_right),
            f"where the world is now: only ≥ 1 − {delta} − θ, θ = {bad}",
        ),
    ]
    told = f"Learned {run.chosen.name} with slips, by {tries} that voted."
    wrong = (
        f"Not right on {run.chosen.name}: wrong attempts were in the majority, the chance of which "
        "is at most δ if all other assumptions hold."
    )
    headline = Prose(told, Style.GOOD) if report.all_right else Prose(wrong, Style.BAD)
    return headline, Table("", COLUMNS, tuple(rows)), _votes(run), Prose(_NO_CERTIFICATE)


def _needed(run: VotedRun) -> str:
    return f"{run.voted.poll.needed} needed"


def _votes(run: VotedRun) -> Table:
    rows = tuple(
        (number, attempt.steps, attempt.vote.value)
        for number, attempt in enumerate(run.voted.attempts, start=1)
    )
    return Table("Attempts, each from nothing", _VOTES, rows)
