"""A run plan by plan, as predicted or as executed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from steel_verified.learning.looped import calls, tour
from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table, records
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.entries import Ran
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.looped import Call
    from steel_verified.reports.tables import Part
    from steel_verified.theory.parameters import Extent, Parameters

_SHOWN = 16
"""How many actions of a word are shown; tables of the paper's worlds then fit 80 columns."""


@dataclass(frozen=True, slots=True)
class Story:
    """The content of a ledger: the calls of phase 1, and the tour of phase 2, if there was one."""

    calls: tuple[Call, ...]
    tour: Ran | None
    phase1: int
    phase2: int
    verdicts: int
    spent: str

    @property
    def steps(self) -> int:
        return self.phase1 + self.phase2


def story(ledger: Ledger) -> Story:
    """The story of a run, read from its ledger."""
    made = tuple(calls(ledger))
    phase1 = sum(call.steps for call in made)
    return Story(
        calls=made,
        tour=tour(ledger.entries),
        phase1=phase1,
        phase2=ledger.steps - phase1,
        verdicts=ledger.decisions,
        spent=decimal_above(ledger.budget.spent),
    )


def as_json(told: Story, parameters: Parameters, extent: Extent) -> Json:
    """The story as JSON."""
    return {
        "steps": told.steps,
        "phase1": told.phase1,
        "phase2": told.phase2,
        "calls": len(told.calls),
        "states": extent.states,
        "diameter": extent.diameter,
        "bound": total_bound(parameters, extent),
        "budget_spent": told.spent,
        "plans": records(_calls_table(told)),
        "tour": [] if told.tour is None else list(told.tour.word),
    }


_COLUMNS = (
    Column("call", Kind.NUMBER),
    Column("word", Kind.CODE, priority=1, style=Style.NAME, heading="word â"),
    Column("length", Kind.NUMBER, heading="|â|"),
    Column("period", Kind.NUMBER, heading="n_cyc"),
    Column("new_states", Kind.NUMBER),
    Column("new_transitions", Kind.NUMBER),
    Column("steps", Kind.NUMBER),
    Column("so_far", Kind.NUMBER),
)


def _calls_table(told: Story) -> Table:
    """One row for each call of CycleFind."""
    totals = accumulate(call.steps for call in told.calls)
    rows = tuple(
        (
            number,
            Cell(_shortened(call.word), list(call.word)),
            len(call.word),
            call.period,
            call.new_states,
            len(call.new_transitions),
            call.steps,
            so_far,
        )
        for number, (call, so_far) in enumerate(zip(told.calls, totals, strict=True), start=1)
    )
    return Table("", _COLUMNS, rows, notes=_notes(told))


def _notes(told: Story) -> tuple[str, ...]:
    words = [call.word for call in told.calls]
    words += [] if told.tour is None else [told.tour.word]
    if all(len(word) <= _SHOWN for word in words):
        return ()
    return (f"Longer words are cut after {_SHOWN} actions; --json shows them completely.",)


def as_parts(told: Story, name: str, parameters: Parameters, extent: Extent) -> tuple[Part, ...]:
    """The story as text and a table."""
    bound = total_bound(parameters, extent)
    headline = (
        f"{counted(told.steps, 'step')} on {name}: |S| = {extent.states}, D = {extent.diameter}. "
        "The noise has no influence on this number unless a verdict is wrong (chance at most δ = "
        f"{parameters.delta})."
    )
    tour = "" if told.tour is None else _tour(told.tour.word)
    summary = (
        f"Phase 1 takes {counted(told.phase1, 'step')} in {counted(len(told.calls), 'call')} of "
        "CycleFind, phase 2 "
        f"{told.phase2:,}{tour}.\nThe bound of Theorem 1 is {bound:,}: the run takes "
        f"{100 * told.steps / bound:.2f} % of it, and spends {told.spent} of δ."
    )
    return Prose(headline, Style.GOOD), _calls_table(told), Prose(summary)


def _tour(word: Word) -> str:
    return f" on a tour of {counted(len(word), 'action')} ({_shortened(word)})"


def _shortened(word: Word) -> str:
    """The first actions of a word."""
    separator = "" if max(word, default=0) < 10 else " "
    shown = separator.join(str(action) for action in word[:_SHOWN])
    return shown + ("…" if len(word) > _SHOWN else "")
