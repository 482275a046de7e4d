"""Derives the evidence against a condition again, from a file of findings.

The sentence in the file is not used: the recorded calls are replayed through an empty model, and
the bets of the self-check are repeated on the rows and computed exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.evidence.certificate import LabelsFound, Ran
from steel_verified.learning.checking import check
from steel_verified.learning.looped import (
    Call,
    require_bounds,
    require_few_states,
    require_whole_run,
    with_loop,
)
from steel_verified.learning.model import Model
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.theory.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.learning.checking import SelfChecked
    from steel_verified.learning.findings import Findings


@dataclass(frozen=True, slots=True)
class Rederived:
    """What follows from the rows or the record of a file, if anything does."""

    because: str | None
    """The sentence that follows; None if nothing contradicts a condition."""
    self_check: SelfChecked | None
    """The repeated self-check, if there was one."""


def rederived(findings: Findings) -> Rederived:
    """Derive the evidence again, from the self-check or from the recorded calls."""
    kept, p = findings.kept, findings.parameters
    if kept.tested is not None:
        checked = check(
            kept.loops,
            fixed_at=kept.tested.fixed_at,
            mixing_time=p.mixing_time,
            max_states=p.max_states,
            level=kept.tested.level,
        )
        return Rederived(checked.won[0].sentence if checked.won else None, checked)
    return Rederived(_of_calls(findings, p) if isinstance(p, Parameters) else None, None)


def _of_calls(findings: Findings, p: Parameters) -> str | None:
    """Return the contradiction to which the recorded calls of CycleFind lead, or None."""
    model, before, done = Model(p.actions), None, []
    try:
        for call in _calls(findings):
            require_few_states(call.labels, p.max_states)
            model = with_loop(model, before, call.word, call.labels, at_step=call.start)
            before = call.current
            done.append(call)
        if model.is_total:
            require_bounds(model, p)
            require_whole_run(model, done)
    except AssumptionViolated as violated:
        return str(violated)
    return None


def _calls(findings: Findings) -> Iterator[Call]:
    runs: list[Ran] = []
    for entry in findings.record:
        if isinstance(entry, Ran):
            runs.append(entry)
        elif isinstance(entry, LabelsFound):
            labels = tuple(label for _, _, label in entry.positions)
            steps = sum(run.steps for run in runs)
            yield Call(runs[0].word, runs[0].start, steps, labels, 0, ())
            runs = []
